/** Tells why a request got no answer, in the gateway's own errors: what fails below carries credentials. */

import { GatewayError } from '../../errors.js';
import { errors } from './undici.js';

/** Bodies that can't be unpacked (zlib, Brotli), headers beyond measure, and what is no HTTP. */
const UNREADABLE = /^(Z_.*|ERR__.*|ERR_BROTLI.*|ERR_BUFFER_TOO_LARGE|UND_ERR_HEADERS_OVERFLOW|NO_HTTP)$/;

/** System errors such as ECONNRESET or EAI_AGAIN, and answers cut off: another try may get over these. */
const TRANSIENT = /^(E(?!RR_).*|UND_ERR_(SOCKET|CONNECT_TIMEOUT|RES_CONTENT_LENGTH_MISMATCH))$/;

/**
 * PLATFORM_BAD_RESPONSE where the platform answered what can't be read; else PLATFORM_UNAVAILABLE, `retryable`
 * where the connection failed and not where it could not be had at all, as with a certificate that is not valid.
 */
export function toTransportError(error: unknown): GatewayError {
  if (error instanceof GatewayError) return error;
  const code = codeOf(error);
  const cause = Object.assign(new Error(`${code ?? 'no code'}: ${messageOf(error)}`), { code });
  if (code !== undefined && UNREADABLE.test(code)) {
    const message = 'The platform answered with something that can not be read.';
    return new GatewayError('PLATFORM_BAD_RESPONSE', message, { cause });
  }
  const retryable = code !== undefined && TRANSIENT.test(code);
  return new GatewayError('PLATFORM_UNAVAILABLE', 'The platform could not be reached.', { retryable, cause });
}

/** What keeps a connection from coming to be: no name, no way there, nobody listening, no trust. */
const NEVER_CONNECTED =
  /^(UND_ERR_CONNECT_TIMEOUT|ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|EHOSTDOWN|ENETUNREACH|ENETDOWN|ERR_TLS_.*|CERT_.*|.*_CERT.*|.*_SIGNATURE)$/;

/** Whether a request can't have reached the platform, since there never was a connection to it. */
export function isNeverConnected({ cause }: GatewayError): boolean {
  return cause instanceof Error && NEVER_CONNECTED.test(codeOf(cause) ?? '');
}

function codeOf(error: unknown): string | undefined {
  // It has a code that is undefined.
  if (error instanceof errors.HTTPParserError) return 'NO_HTTP';
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** Nothing else may go further: some errors carry the whole request, or what came of it. */
function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
