/** Asks the token endpoint for a token: OAuth 2.0 client credentials over HTTP Basic. */
import { GatewayError } from '../errors.js';
import type { Clock } from '../lib/clock.js';
import { parseJson, toStatusError } from './answers.js';
import { isRecord } from './rowDecoder.js';
import type { IssuedToken } from './tokenManager.js';
import type { Transport } from './transport.js';

/** An API client of the platform. */
export interface Credential {
  key: string;
  secret: string;
}

export const TOKEN_PATH = '/auth/token';

export async function requestToken(
  transport: Transport,
  { key, secret }: Credential,
  clock: Clock,
): Promise<IssuedToken> {
  const basic = Buffer.from(`${key}:${secret}`).toString('base64');
  const response = await transport.send({
    method: 'POST',
    path: TOKEN_PATH,
    headers: { Authorization: `Basic ${basic}`, 'Content-Type': 'application/x-www-form-urlencoded' },
    body: 'grant_type=client_credentials',
  });
  if (response.status !== 200) throw toStatusError(TOKEN_PATH, response, clock.now());
  return readToken(parseJson(TOKEN_PATH, response.text));
}

function readToken(body: unknown): IssuedToken {
  const token = isRecord(body) ? body['access_token'] : undefined;
  // The token becomes part of a header: what can't stand in one is no token.
  if (typeof token !== 'string' || !/^[\x21-\x7e]+$/.test(token)) {
    throw new GatewayError('PLATFORM_BAD_RESPONSE', 'The platform answered a token request without a token.');
  }
  return { accessToken: token, expiresIn: isRecord(body) ? body['expires_in'] : undefined };
}
