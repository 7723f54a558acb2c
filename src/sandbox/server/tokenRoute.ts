/** POST /auth/token: exchanges Key and Secret for an access token. */
import type { IncomingHttpHeaders } from 'node:http';
import type { WireToken } from '../../rest/wire.js';
import { findClient } from '../auth/clients.js';
import { TOKEN_PATH, type Tokens } from '../auth/tokens.js';
import type { Queries } from '../database/queries.js';
import { createBadRequestError, HttpError } from '../httpError.js';
import type { RateLimiter } from './rateLimiter.js';
import { parseJson } from './requestBody.js';

export interface TokenEndpointOptions {
  readonly db: Queries;
  readonly tokens: Tokens;
  readonly limiter: RateLimiter;
  /** Attempts per Key and window. */
  readonly limit: number;
  readonly lifetimeSeconds: number;
}

interface KeyAndSecret {
  readonly key: string;
  readonly secret: string;
}

function unauthorized(message: string): HttpError {
  return new HttpError(401, message, { 'WWW-Authenticate': 'Basic realm="sandbox", charset="UTF-8"' });
}

/** @throws HttpError 401 without a Basic credential in the header. */
function readBasic(header: string | undefined): KeyAndSecret {
  const encoded = /^basic\s+([A-Za-z0-9+/=_-]+)\s*$/i.exec(header ?? '')?.[1];
  if (encoded === undefined) throw unauthorized('Authorization must be Basic with Key and Secret.');
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  if (colon < 0) throw unauthorized('Authorization must hold Key and Secret, separated by a colon.');
  return { key: text.slice(0, colon), secret: text.slice(colon + 1) };
}

/** Reads the grant type from a form body, or from a JSON body as the content type or a leading brace indicates. */
function readGrant(contentType: string | undefined, body: string): unknown {
  const isJson = /^application\/json\b/i.test(contentType ?? '') || body.trimStart().startsWith('{');
  if (!isJson) return new URLSearchParams(body).get('grant_type');
  const parsed = parseJson(body);
  return typeof parsed === 'object' && parsed !== null && 'grant_type' in parsed
    ? parsed.grant_type
    : undefined;
}

/** Serves one request. Every attempt counts against the limit of its Key, whether it succeeds or not. */
export function createTokenEndpoint(options: TokenEndpointOptions) {
  const { db, tokens, limiter, limit, lifetimeSeconds } = options;
  return async (headers: IncomingHttpHeaders, body: string): Promise<WireToken> => {
    const { key, secret } = readBasic(headers.authorization);
    const waitSeconds = limiter.countRequest(`POST ${TOKEN_PATH} ${key}`, limit);
    if (waitSeconds > 0) {
      throw new HttpError(429, 'Too many token requests.', { 'Retry-After': String(waitSeconds) });
    }
    const client = findClient(db, key, secret);
    if (!client) throw unauthorized('Key or Secret is wrong.');
    if (readGrant(headers['content-type'], body) !== 'client_credentials') {
      throw createBadRequestError('grant_type must be client_credentials.');
    }
    return { access_token: await tokens.issue(client), token_type: 'JWT', expires_in: lifetimeSeconds };
  };
}
