/** Cross-origin resource sharing: pages of the origins in `CORS_ORIGINS` may read responses. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { GatewayError } from '../../errors.js';
import { sendError } from './sendError.js';

export type Cors = ReturnType<typeof createCors>;

/** Request headers that are always allowed: those of the gateway, and those that browser SDKs add to each request. */
const allowedHeaders: readonly string[] = [
  ...[
    'Content-Type',
    'Authorization',
    'Cache-Control',
    'If-None-Match',
    'X-API-Key',
    'X-Request-Id',
    'X-Explain',
  ],
  // Streams: where to resume, and the token of single connection mode.
  ...['Last-Event-ID', 'X-GraphQL-Event-Stream-Token'],
  // Apollo Client and Apollo Server's guard against cross-site requests.
  ...['Apollo-Require-Preflight', 'X-Apollo-Operation-Name', 'X-Apollo-Operation-Id'],
  ...['Apollographql-Client-Name', 'Apollographql-Client-Version'],
  // W3C Trace Context and Baggage, as OpenTelemetry sends them, and Sentry's older form.
  ...['Traceparent', 'Tracestate', 'Baggage', 'Sentry-Trace'],
];
const EXPOSED_HEADERS = 'X-Request-Id, Retry-After, ETag';
/** Seconds that a browser caches the response to a preflight request. */
const MAX_AGE = '600';

/** Addresses that pages of other origins may request. */
const SHARED = /^\/(?:graphql|schema\.graphql)(?:\?|$)/;

export function isPreflightRequest({ method, url = '', headers }: IncomingMessage): boolean {
  return method === 'OPTIONS' && headers['access-control-request-method'] !== undefined && SHARED.test(url);
}

/**
 * Expects `origins` as browsers write them, such as `https://dashboard.example.com`. `moreHeaders` are names of additional
 * allowed request headers.
 */
export function createCors(origins: readonly string[], moreHeaders: readonly string[] = []) {
  const allowed = new Set(origins);
  const headers = [...allowedHeaders, ...moreHeaders].join(', ');
  return {
    /** Whether pages of this origin may send requests. The gateway's own origin is not in the list. */
    allows: (origin: string) => allowed.has(origin),
    /**
     * Lets a page of an allowed origin read the response. Call it before anything can refuse the request: without the
     * headers, a browser reports a network error instead of the reason.
     */
    addHeaders({ url = '', headers: { origin } }: IncomingMessage, response: ServerResponse): void {
      if (allowed.size === 0 || !SHARED.test(url)) return;
      response.appendHeader('Vary', 'Origin');
      if (origin === undefined || !allowed.has(origin)) return;
      response.setHeader('Access-Control-Allow-Origin', origin);
      response.setHeader('Access-Control-Expose-Headers', EXPOSED_HEADERS);
    },
    /** Expects the headers of `addHeaders` on the response. */
    respondToPreflight(request: IncomingMessage, response: ServerResponse, requestId: string): void {
      if (!allowed.has(request.headers.origin ?? '')) {
        sendError(response, createOriginError(request), requestId, 403);
        return;
      }
      response.writeHead(204, {
        'Access-Control-Allow-Methods': 'GET, POST, PUT, DELETE',
        'Access-Control-Allow-Headers': headers,
        'Access-Control-Max-Age': MAX_AGE,
      });
      response.end();
    },
  };
}

/**
 * Whether the request comes from a page of the gateway's own origin, from one of `CORS_ORIGINS`, or from a client other
 * than a browser, which sends no origin. For requests that browsers send without a preflight on behalf of any page:
 * websockets, and the streams of `EventSource`.
 */
export function isTrustedOrigin({ headers }: IncomingMessage, cors: Cors): boolean {
  const { origin, 'sec-fetch-site': site } = headers;
  if (site === 'same-origin') return true;
  if (origin !== undefined) return cors.allows(origin) || isHostOf(origin, headers.host);
  return site === undefined || site === 'none';
}

export function createOriginError({ headers }: IncomingMessage): GatewayError {
  const { origin } = headers;
  // Without `Origin`, `Sec-Fetch-Site` has shown that a link, a frame or an image of another site caused the request.
  const message =
    origin === undefined
      ? 'A page of another origin sent the request without naming its origin.'
      : `CORS_ORIGINS does not list the origin ${JSON.stringify(origin)}, so its pages may not call the gateway.`;
  return new GatewayError('CSRF_REFUSED', message);
}

/** Browsers omit the default port of the origin's scheme; some proxies add it to `Host`, such as `gateway.example:443`. */
function isHostOf(origin: string, host: string | undefined): boolean {
  if (!URL.canParse(origin)) return false;
  const { protocol, host: ownHost } = new URL(origin);
  const requested = `${protocol}//${host}`;
  return host !== undefined && URL.canParse(requested) && new URL(requested).host === ownHost;
}
