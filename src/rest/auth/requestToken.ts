/** Asks the token endpoint for a token: OAuth 2.0 client credentials over HTTP Basic. */
import { GatewayError } from '../../errors.js';
import type { Clock } from '../../lib/clock.js';
import { parseJson, toStatusError } from '../decode/responseErrors.js';
import { isRecord } from '../decode/rowDecoder.js';
import type { PlatformRequest, TransportResponse } from '../transport/transport.js';

/** An API client of the platform. */
export interface Credential {
  key: string;
  secret: string;
}

/** The token endpoint's answer, so far as it could be read. */
export interface IssuedToken {
  accessToken: string;
  /** The platform's `expires_in`, unread. */
  expiresIn: unknown;
}

/** What a token is asked through. */
export interface TokenTransport {
  send(request: PlatformRequest): Promise<TransportResponse>;
}

export const TOKEN_PATH = '/auth/token';

/** Sends one request. Rejects with a `GatewayError` that holds nothing of credential or answer. */
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
  return toIssuedToken(parseTokenBody(response.text));
}

/** What fails to parse may be a token all the same, and the parser's message quotes it: its cause ends here. */
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
  // The token becomes part of a header: what can't stand in one is no token.
  if (typeof token !== 'string' || !/^[\x21-\x7e]+$/.test(token)) {
    throw new GatewayError('PLATFORM_BAD_RESPONSE', 'The platform answered a token request without a token.');
  }
  return { accessToken: token, expiresIn: isRecord(body) ? body['expires_in'] : undefined };
}
