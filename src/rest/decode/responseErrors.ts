/** Converts responses of the platform that are not usable to errors that callers may see. */
import { GatewayError, type PlatformStatus } from '../../errors.js';
import { parseIfJson, toRecord } from '../../lib/records.js';
import { TOKEN_PATH } from '../path.js';
import { isFailureStatus, type TransportResponse, toText } from '../transport/platformRequest.js';
import { hasNeverConnected } from '../transport/transportError.js';

/** Parses the body. Throws PLATFORM_BAD_RESPONSE, without a part of the body, if it is not JSON. */
export function parseResponseJson(template: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const problem = text.trim() === '' ? 'an empty body' : 'a body that is not JSON';
    // The SyntaxError of V8 quotes the body, which the log must not contain.
    const cause = new SyntaxError(`The body has ${text.length} characters and is not JSON.`);
    throw createBadResponseError(template, problem, cause);
  }
}

/**
 * Whether a body is an error of the platform, although its status is 200. An entity that has a message also has an id.
 */
export function isErrorBody(body: unknown): boolean {
  const fields = toRecord(body);
  return 'message' in fields && !('id' in fields);
}

/** The platform returns 204 for writes. A body is accepted too, unless it is an error, or not JSON like a proxy's page. */
export function checkWriteBody(template: string, text: string): void {
  if (text.trim() === '') return;
  if ('message' in toRecord(parseResponseJson(template, text)))
    throw createBadResponseError(template, 'an error');
}

export function createBadResponseError(template: string, problem: string, cause?: unknown): GatewayError {
  const message = `The platform responded to ${template} with ${problem}.`;
  return new GatewayError('PLATFORM_BAD_RESPONSE', message, { cause });
}

export function toStatusError(template: string, response: TransportResponse, nowMs: number): GatewayError {
  const { status } = response;
  const { code, message, retryable } = toStatusMeaning(status);
  const isCredential = template === TOKEN_PATH && code === 'PLATFORM_UNAUTHORIZED';
  const what = isCredential ? 'refuses the credential' : `${message} ${template}`;
  return new GatewayError(code, `The platform ${what} (status ${status}).`, {
    retryable,
    platform: toPlatformStatus(response),
    retryAfterMs: retryAfterMs(response.headers, nowMs),
  });
}

/**
 * The error with `mayHaveTakenEffect`. It is false for a write that was not sent, was refused (4xx), or never had a
 * connection. After any other failure the platform may have executed the write.
 */
export function toWriteError(error: unknown, wasSent: boolean): unknown {
  if (!(error instanceof GatewayError)) return error;
  const mayHaveTakenEffect = wasSent && !isClientError(error) && !hasNeverConnected(error);
  const { code, message, retryable, retryAfterMs, platform, cause, endpoint } = error;
  const advice = mayHaveTakenEffect ? ' The write may have taken effect: read before writing again.' : '';
  const details = { retryable, retryAfterMs, platform, cause, mayHaveTakenEffect };
  return Object.assign(new GatewayError(code, message + advice, details), { endpoint });
}

function isClientError({ platform }: GatewayError): boolean {
  return platform !== undefined && platform.status >= 400 && platform.status < 500;
}

function toStatusMeaning(status: number): Pick<GatewayError, 'code' | 'message' | 'retryable'> {
  if (status === 401 || status === 403) {
    return { code: 'PLATFORM_UNAUTHORIZED', message: 'did not authorize', retryable: false };
  }
  if (status === 429) return { code: 'PLATFORM_RATE_LIMITED', message: 'rate limits', retryable: true };
  if (isFailureStatus(status)) {
    return { code: 'PLATFORM_UNAVAILABLE', message: 'failed to serve', retryable: status !== 501 };
  }
  if (status >= 400) return { code: 'PLATFORM_REFUSED', message: 'refused', retryable: false };
  return { code: 'PLATFORM_BAD_RESPONSE', message: 'gave no usable response to', retryable: false };
}

function toPlatformStatus({ status, body }: TransportResponse): PlatformStatus {
  const requestId = readRequestId(toText(body));
  return requestId === undefined ? { status } : { status, requestId };
}

/** The `request_id` of an error body, if it looks like an id. */
function readRequestId(text: string): string | undefined {
  const id = toRecord(parseIfJson(text))['request_id'];
  return typeof id === 'string' && /^[\w.:-]{1,128}$/.test(id) ? id : undefined;
}

/** The platform counts in windows of 15 minutes, so a header of more than a day is a mistake. */
const MAX_RETRY_AFTER_MS = 86_400_000;

/**
 * Parses `Retry-After` in both forms, seconds and HTTP date (RFC 9110, 10.2.3). A date counts from the `Date` of the same
 * response, because the clocks may differ, or else from `nowMs`.
 * Returns milliseconds, at most a day, or undefined if the header is absent or invalid.
 */
export function retryAfterMs(headers: TransportResponse['headers'], nowMs: number): number | undefined {
  const waitMs = parseRetryAfter(headers['retry-after'], dateMs(headers['date']) ?? nowMs);
  return waitMs === undefined ? undefined : Math.min(waitMs, MAX_RETRY_AFTER_MS);
}

function parseRetryAfter(header: unknown, sentAtMs: number): number | undefined {
  if (typeof header !== 'string' || header.trim() === '') return undefined;
  const text = header.trim();
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  const atMs = dateMs(text);
  return atMs === undefined ? undefined : Math.max(0, atMs - sentAtMs);
}

/** Undefined for text that is not a date. */
function dateMs(text: unknown): number | undefined {
  // `Date.parse` reads `1.5` and `-1` as dates in the past.
  const atMs = typeof text === 'string' && /[a-z]/i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(atMs) ? undefined : atMs;
}
