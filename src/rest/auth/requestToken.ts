/** Requests a token from the token endpoint: OAuth 2.0 client credentials over HTTP Basic. */
import { GatewayError } from '../../errors.js';
import type { Clock } from '../../lib/clock.js';
import { isRecord } from '../../lib/records.js';
import { parseJson, toStatusError } from '../decode/responseErrors.js';
import { toText } from '../decode/text.js';
import type { PlatformRequest, TransportResponse } from '../transport/platformRequest.js';

/** An API client of the platform. */
export interface Credential {
  key: string;
  secret: string;
}

/** The response of the token endpoint. */
export interface IssuedToken {
  accessToken: string;
  /** The platform's `expires_in`, not validated. */
  expiresIn: unknown;
}

interface TokenTransport {
  send(request: PlatformRequest): Promise<TransportResponse>;
}

export const TOKEN_PATH = '/auth/token';

/** Sends one request. Rejects with a `GatewayError` without parts of the credential or the response. */
export async function requestToken(
  transport: TokenTransport,
  { key, secret }: Credential,
  clock: Clock,
): Promise<IssuedToken> {
  const basic = Buffer.from(`${key}:${secret}`).toString('base64');
  const response = await transport.send({
    method: 'POST',
    path: TOKEN_PATH,
    template: TOKEN_PATH,
    headers: { Authorization: `Basic ${basic}`, 'Content-Type': 'application/x-www-form-urlencoded' },
    body: 'grant_type=client_credentials',
  });
  if (response.status !== 200) throw toStatusError(TOKEN_PATH, response, clock.now());
  return toIssuedToken(parseTokenBody(toText(response.body)));
}

/** Removes the cause of a parser error: its message quotes the text, which may contain a token. */
function parseTokenBody(text: string): unknown {
  try {
    return parseJson(TOKEN_PATH, text);
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    throw new GatewayError(error.code, error.message);
  }
}

function toIssuedToken(body: unknown): IssuedToken {
  const token = isRecord(body) ? body['access_token'] : undefined;
  // The token is sent in a header, so it must consist of characters that headers allow.
  if (typeof token !== 'string' || !/^[\x21-\x7e]+$/.test(token)) {
    throw new GatewayError('PLATFORM_BAD_RESPONSE', 'The platform answered a token request without a token.');
  }
  return { accessToken: token, expiresIn: isRecord(body) ? body['expires_in'] : undefined };
}
