/** Tells a platform that fails from one that says no: only the first may be covered with a stale answer. */
import { type ErrorCode, GatewayError } from '../errors.js';

/**
 * PLATFORM_UNAUTHORIZED and PLATFORM_REFUSED are not among them: they are answers. Whoever may not read a thing
 * any more, or asks for one that is gone, is not given the copy from when it was otherwise.
 */
const FAULT_CODES: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'PLATFORM_UNAVAILABLE',
  'PLATFORM_TIMEOUT',
  'PLATFORM_RATE_LIMITED',
  'PLATFORM_BAD_RESPONSE',
]);

export function isPlatformFault(error: unknown): boolean {
  return error instanceof GatewayError && (error.retryable || FAULT_CODES.has(error.code));
}
