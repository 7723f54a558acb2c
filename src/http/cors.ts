/** Lets pages of chosen other sites read answers: none, until the operator names some. */
import type { IncomingMessage, ServerResponse } from 'node:http';

export interface Cors {
  /** Whether pages of this origin may ask; the gateway's own pages need no leave. */
  allows(origin: string): boolean;
  /** Adds what a browser wants to see. Answers true where the request was only a question about another. */
  handle(request: IncomingMessage, response: ServerResponse): boolean;
}

const ALLOWED_HEADERS =
  'Content-Type, Authorization, Cache-Control, X-API-Key, Apollo-Require-Preflight, X-Request-Id, X-Explain, If-None-Match';
const EXPOSED_HEADERS = 'X-Request-Id, Retry-After, ETag';
/** Seconds for which a browser remembers. */
const MAX_AGE = '600';

/** `origins` such as `https://dashboard.example.com`, exactly as browsers write them. */
export function createCors(origins: readonly string[]): Cors {
  const known = new Set(origins);
  return {
    allows: (origin) => known.has(origin),
    handle(request, response) {
      if (known.size === 0) return false;
      response.appendHeader('Vary', 'Origin');
      const { origin } = request.headers;
      if (origin === undefined || !known.has(origin)) return false;
      response.setHeader('Access-Control-Allow-Origin', origin);
      response.setHeader('Access-Control-Expose-Headers', EXPOSED_HEADERS);
      return isPreflight(request) && answerPreflight(response);
    },
  };
}

function isPreflight({ method, headers }: IncomingMessage): boolean {
  return method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
}

function answerPreflight(response: ServerResponse): true {
  response.writeHead(204, {
    'Access-Control-Allow-Methods': 'GET, POST',
    'Access-Control-Allow-Headers': ALLOWED_HEADERS,
    'Access-Control-Max-Age': MAX_AGE,
  });
  response.end();
  return true;
}
