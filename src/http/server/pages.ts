/** Serves the pages besides `/graphql` and the explorer: health checks, `/metrics` and `/schema.graphql`. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { GatewayError } from '../../errors.js';
import { findRefusal } from '../../graphql/scopes.js';
import { silentLogger } from '../../lib/logger.js';
import type { OpenSession } from '../auth/callerSession.js';
import { hasCredential, readCredentialFromHeaders } from '../auth/providedCredential.js';
import { toCallerId } from '../rateLimits/callerRateLimiter.js';
import type { CallerThrottle } from '../rateLimits/callerThrottle.js';
import { remoteAddressOf } from '../rateLimits/remoteAddress.js';
import { type CachedResponse, toCachedResponse } from '../responseCache/cachedResponse.js';
import { createCompressor } from '../responses/compressor.js';
import { sendError } from '../responses/sendError.js';
import { createResponseSender } from '../responses/sendResponse.js';
import type { RouteHandler } from './graphqlHandler.js';

/** `callers`: callers who may read the whole account. `open`: everybody. `off`: nobody. */
export type MetricsAccess = 'callers' | 'open' | 'off';

interface MetricsPageOptions {
  access: Exclude<MetricsAccess, 'off'>;
  openSession: OpenSession;
  /** Callers with their own platform credentials have no access. Their credentials are refused without a REST call. */
  usesCallerCredentials: boolean;
  /** Returns the metrics in Prometheus's text format. */
  render(): Promise<string>;
}

/** `/metrics`. The metrics cover the calls of all callers together. */
export function createMetricsPage(options: MetricsPageOptions): RouteHandler {
  const { access, openSession, usesCallerCredentials } = options;
  let rendering: Promise<Buffer> | undefined;

  /** Requests that arrive together share one buffer. Each unread response would have a copy of a string. */
  function render(): Promise<Buffer> {
    rendering ??= options
      .render()
      .then((text) => Buffer.from(text))
      .finally(() => {
        rendering = undefined;
      });
    return rendering;
  }

  /** Throws a `GatewayError` if the caller may not read the metrics. */
  async function admit(request: IncomingMessage): Promise<void> {
    if (access === 'open') return;
    const credential = readCredentialFromHeaders(request.headers);
    if (usesCallerCredentials && hasCredential(credential)) {
      const message = 'Platform credentials do not give access to the metrics; set METRICS=open.';
      throw new GatewayError('FORBIDDEN', message);
    }
    const session = await openSession(credential, remoteAddressOf(request));
    session.release();
    const refusal = findRefusal('metrics', session.caller);
    if (refusal !== undefined) throw new GatewayError('FORBIDDEN', refusal);
  }

  return async (request, response, requestId) => {
    try {
      await admit(request);
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error;
      return sendError(response, error, requestId);
    }
    const page = await render();
    response.writeHead(200, {
      'Content-Type': 'text/plain; version=0.0.4; charset=utf-8',
      'Cache-Control': 'no-store',
    });
    response.end(page);
  };
}

interface SchemaPageOptions {
  /** The SDL with its directives. */
  sdl: string;
  allowsIntrospection: boolean;
  openSession: OpenSession;
  throttle: CallerThrottle;
}

/** `/schema.graphql`, for callers who may introspect the schema. Each request counts as one operation of its caller. */
export function createSchemaPage(options: SchemaPageOptions): RouteHandler {
  const { sdl, allowsIntrospection, openSession, throttle } = options;
  const { sendCached } = createResponseSender(createCompressor(), silentLogger);
  /** Stale at once: clients revalidate it by its tag. */
  let page: CachedResponse = toCachedResponse(sdl, {
    contentType: 'text/plain; charset=utf-8',
    freshUntilMs: 0,
  });

  async function admit(request: IncomingMessage): Promise<void> {
    const address = remoteAddressOf(request);
    const session = await openSession(readCredentialFromHeaders(request.headers), address);
    try {
      await throttle.admit(toCallerId(address, session.caller));
      const refusal = findRefusal('query', session.caller);
      if (refusal !== undefined) throw new GatewayError('FORBIDDEN', refusal);
      if (!allowsIntrospection) {
        const message = 'Introspection is disabled on this gateway, or restricted to trusted documents.';
        throw new GatewayError('INTROSPECTION_OFF', message);
      }
    } finally {
      session.release();
    }
  }

  return async (request, response, requestId) => {
    try {
      await admit(request);
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error;
      await throttle.delayRefusal(request.socket, error);
      return sendError(response, error, requestId, error.code === 'INTROSPECTION_OFF' ? 403 : undefined);
    }
    const { method } = request;
    if (method !== 'GET' && method !== 'HEAD') {
      response.setHeader('Allow', 'GET, HEAD');
      const error = new GatewayError('BAD_REQUEST', 'The schema can be read with GET and HEAD only.');
      return sendError(response, error, requestId, 405);
    }
    await sendCached({ request, response, requestId }, page, 0, (encoding, bytes) => {
      page = { ...page, encoded: { ...page.encoded, [encoding]: bytes } };
    });
  };
}

/** `checkReady` resolves when the gateway can serve callers, and rejects with the reason when it cannot. */
export async function sendReadiness(
  response: ServerResponse,
  checkReady: () => Promise<unknown>,
): Promise<void> {
  try {
    await checkReady();
    sendStatus(response, 200, 'ready');
  } catch (error) {
    sendStatus(response, 503, error instanceof GatewayError ? error.message : 'not ready');
  }
}

export function sendStatus(response: ServerResponse, code: number, status: string): void {
  response.writeHead(code, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' });
  response.end(JSON.stringify({ status }));
}
