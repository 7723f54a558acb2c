/** Estimates of the memory that long-lived connections and their subscriptions occupy, charged to their caller. */
import { GatewayError } from '../../errors.js';

/** Estimated memory of a connection, and of an open subscription in addition to its message. */
export const CONNECTION_BYTES = 16 * 1024;
const SUBSCRIPTION_BYTES = 16 * 1024;
/** A subscription retains its message as text, as parsed JSON and as a document. */
const BYTES_PER_CHARACTER = 8;

/** Estimated memory of an open subscription whose request has this many characters. */
export function subscriptionBytes(characters: number): number {
  return SUBSCRIPTION_BYTES + BYTES_PER_CHARACTER * characters;
}

export function tooManySubscriptions(): GatewayError {
  return new GatewayError(
    'TOO_MANY_SUBSCRIPTIONS',
    'Too many open connections or subscriptions. End some, or name fewer streams in each.',
    { retryable: true },
  );
}

export function tooManyMessages(): GatewayError {
  return new GatewayError('RATE_LIMITED', 'Rate limited: messages came faster than allowed for too long.', {
    retryable: true,
    retryAfterMs: 1000,
  });
}
