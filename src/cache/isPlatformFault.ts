/** Separates failures of the platform, which a stale entry may replace, from responses that refuse the call. */
import { type ErrorCode, GatewayError } from '../errors.js';

/**
 * Without PLATFORM_UNAUTHORIZED and PLATFORM_REFUSED: if access was revoked or the entity was deleted, the caller must
 * not receive the copy from before.
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
