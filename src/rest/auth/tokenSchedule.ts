/** Decides when a platform token is renewed and when it expires. Pure: the clock is an argument. */
import { doubledMs } from '../../lib/clock.js';

export interface TokenTimes {
  /** After this time, a new token is requested in the background while this one is still used. */
  renewAtMs: number;
  /** From this time on the token is not used. */
  expiresAtMs: number;
}

/** A token is not used in the last part of its life, because of calls in flight and clock differences. */
const SAFETY_MARGIN_MS = 30_000;
/**
 * A token is used at least this long, so that renewals stay within the token budget. If it actually expires
 * earlier, the 401 causes one renewal.
 */
const MIN_LIFETIME_MS = 100_000;
/** A platform that sends milliseconds as seconds must not make the gateway use a token for weeks. */
const MAX_LIFETIME_MS = 24 * 3_600_000;
/** The usual lifetime, assumed if `readLifetime` finds none. */
const DEFAULT_LIFETIME_SECONDS = 3600;
/** A token is renewed after this share of its lifetime. */
const RENEW_AFTER_SHARE = 0.8;

const MIN_COOLDOWN_MS = 1000;
/** With this upper bound, attempts remain in the budget at the end of an outage of any length. */
const MAX_COOLDOWN_MS = 120_000;
/** After a 429 without a usable `Retry-After`. */
const DEFAULT_RATE_LIMIT_COOLDOWN_MS = 60_000;
const MAX_DEFAULT_RATE_LIMIT_COOLDOWN_MS = 900_000;
/** The platform's window is 15 minutes, so a header of more than an hour is a mistake. */
const MAX_RETRY_AFTER_MS = 3_600_000;

/** `expiresIn` is the platform's value in seconds, not validated. */
export function scheduleToken(obtainedAtMs: number, expiresIn: unknown): TokenTimes {
  const seconds = readLifetime(expiresIn) ?? DEFAULT_LIFETIME_SECONDS;
  const lifeMs = clamp(seconds * 1000 - SAFETY_MARGIN_MS, MIN_LIFETIME_MS, MAX_LIFETIME_MS);
  return { renewAtMs: obtainedAtMs + lifeMs * RENEW_AFTER_SHARE, expiresAtMs: obtainedAtMs + lifeMs };
}

/** Seconds; undefined if the platform's `expires_in` is neither a positive number nor a string with one. */
export function readLifetime(expiresIn: unknown): number | undefined {
  const seconds = typeof expiresIn === 'string' && expiresIn.trim() !== '' ? Number(expiresIn) : expiresIn;
  return typeof seconds === 'number' && Number.isFinite(seconds) && seconds > 0 ? seconds : undefined;
}

/**
 * Milliseconds without token requests after the `failures`th failed request in a row: a minute after a 429 without
 * `Retry-After` and a second otherwise, doubled with each failure; at least the platform's `Retry-After`. A short
 * `Retry-After` does not stop the doubling, because each attempt counts against the token budget. After a 429 a
 * header of 0 counts as missing: the limit covers 15 minutes, so a request at once would exceed it again.
 */
export function cooldownAfterFailure(
  status: number | undefined,
  retryAfterMs: number | undefined,
  failures = 1,
): number {
  if (status === 429 && !retryAfterMs) {
    return doubledMs(DEFAULT_RATE_LIMIT_COOLDOWN_MS, failures, MAX_DEFAULT_RATE_LIMIT_COOLDOWN_MS);
  }
  const requestedMs = clamp(retryAfterMs ?? 0, MIN_COOLDOWN_MS, MAX_RETRY_AFTER_MS);
  return Math.max(requestedMs, doubledMs(MIN_COOLDOWN_MS, failures, MAX_COOLDOWN_MS));
}

function clamp(value: number, min: number, max: number): number {
  return Math.min(Math.max(value, min), max);
}
