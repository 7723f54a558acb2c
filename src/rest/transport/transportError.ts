/** Converts transport failures to gateway errors, because the original errors contain credentials. */
import { GatewayError } from '../../errors.js';
import { codeOf, messageOf } from '../../lib/errorMessage.js';
import { errors } from './undici.js';

/** Bodies that can't be decompressed (zlib, Brotli), oversized headers, and responses that are not HTTP, or invalid. */
const UNREADABLE = /^(Z_.*|ERR__.*|ERR_BROTLI.*|UND_ERR_HEADERS_OVERFLOW|(NO|INVALID)_HTTP)$/;

/** System errors such as ECONNRESET or EAI_AGAIN, and incomplete responses: another attempt may succeed. */
const TRANSIENT = /^(E(?!RR_).*|UND_ERR_(SOCKET|CONNECT_TIMEOUT)|STALE_CONNECTION|INCOMPLETE_BODY)$/;

const LOST = /^(ECONNRESET|EPIPE|UND_ERR_SOCKET)$/;

/** Errors of a connection that ends within the body: one of the socket or of the parser. */
const CUT_OFF = /^(ECONNRESET|EPIPE|UND_ERR_SOCKET|(NO|INVALID)_HTTP)$/;

/**
 * PLATFORM_BAD_RESPONSE for a response that can't be read. Otherwise PLATFORM_UNAVAILABLE, which is `retryable` for
 * transient failures and not for lasting ones, such as an invalid certificate.
 */
export function toTransportError(error: unknown): GatewayError {
  if (error instanceof GatewayError) return error;
  const code = transportCodeOf(error);
  // A body that decompression makes too long.
  if (code === 'ERR_BUFFER_TOO_LARGE') return createTooLargeError();
  // Logs name only the code and the address: some errors contain the whole request or response. A stack would only
  // show this file.
  const cause = Object.assign(new Error(`${code ?? 'no code'}: ${messageOf(error)}`), { code, stack: '' });
  if (code !== undefined && UNREADABLE.test(code)) {
    const message = 'The response of the platform is not readable.';
    return new GatewayError('PLATFORM_BAD_RESPONSE', message, { cause });
  }
  const retryable = code !== undefined && TRANSIENT.test(code);
  return new GatewayError('PLATFORM_UNAVAILABLE', 'The platform could not be reached.', { retryable, cause });
}

/** For a connection that broke off within the body. */
export function toBodyError(error: Error): Error {
  if (!CUT_OFF.test(transportCodeOf(error) ?? '')) return error;
  const message = 'The response ended before its body was complete.';
  return Object.assign(new Error(message), { code: 'INCOMPLETE_BODY' });
}

/** For a reused connection that broke off before the response: it may have been lost while it was idle. */
export function toReuseError(error: Error): Error {
  if (!LOST.test(transportCodeOf(error) ?? '')) return error;
  return Object.assign(new Error(error.message), { code: 'STALE_CONNECTION' });
}

/** For a wait that ended. A timeout within the body gets a cause: the server responds, but does not finish. */
export function toWaitEndError(error: GatewayError, isWithinBody: boolean): GatewayError {
  if (!isWithinBody || error.code !== 'PLATFORM_TIMEOUT') return error;
  const message = 'The response began, and did not end in time.';
  const cause = Object.assign(new Error(message), { code: 'UNFINISHED_BODY', stack: '' });
  return new GatewayError(error.code, error.message, { retryable: error.retryable, cause });
}

/** Whether an idle connection was lost, which says nothing about the platform. */
export function isStaleConnection({ cause }: GatewayError): boolean {
  return cause instanceof Error && transportCodeOf(cause) === 'STALE_CONNECTION';
}

export function createTooLargeError(): GatewayError {
  const message = 'The platform sent a longer response than the gateway reads.';
  return new GatewayError('PLATFORM_BAD_RESPONSE', message);
}

/** Failures before a connection exists: name resolution, routing, refused connections, certificates. */
const NEVER_CONNECTED =
  /^(UND_ERR_CONNECT_TIMEOUT|ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|EHOSTDOWN|ENETUNREACH|ENETDOWN|ERR_TLS_.*|CERT_.*|.*_CERT.*|.*_SIGNATURE)$/;

/** Whether the request cannot have reached the platform, because there was no connection. */
export function hasNeverConnected({ cause }: GatewayError): boolean {
  return cause instanceof Error && NEVER_CONNECTED.test(transportCodeOf(cause) ?? '');
}

/**
 * The parser's errors have an undefined `code`. Only the one for the first bytes means that the server uses another
 * protocol.
 */
function transportCodeOf(error: unknown): string | undefined {
  // Also the parser's error for several lengths, and for a body that is shorter than its length.
  if (error instanceof errors.ResponseContentLengthMismatchError) return 'INVALID_HTTP';
  if (!(error instanceof errors.HTTPParserError)) return codeOf(error);
  return error.message.includes('Expected HTTP/') ? 'NO_HTTP' : 'INVALID_HTTP';
}
