/** Decides when a platform token is renewed and when it is no longer used: pure, the clock is an argument. */

export interface TokenTimes {
  /** From here on a new token is fetched in the background while this one is still used. */
  renewAtMs: number;
  /** From here on this token is not used any more. */
  expiresAtMs: number;
}

/** A token is left alone this long before its end, for calls still under way and clocks that differ. */
const SAFETY_MS = 30_000;
/**
 * However short a life the platform names, a token is used this long, so that renewing it ahead stays
 * inside the budget. A platform that means it says so with a 401, which costs one renewal.
 */
const MIN_LIFETIME_MS = 100_000;
/** However long a life it names: milliseconds taken for seconds must not hold a token for weeks. */
const MAX_LIFETIME_MS = 24 * 3_600_000;
/** What a token lives in practice; assumed where the platform's `expires_in` is no positive number. */
const DEFAULT_LIFETIME_MS = 3_600_000;
/** A token is renewed after this share of its life. */
const RENEW_AFTER_SHARE = 0.8;

const MIN_COOLDOWN_MS = 1000;
/** Doubling up to here, an outage of any length leaves attempts in the budget for its end. */
const MAX_COOLDOWN_MS = 120_000;
/** After a 429 that doesn't say how long. */
const DEFAULT_RATE_LIMIT_COOLDOWN_MS = 60_000;
const MAX_DEFAULT_RATE_LIMIT_COOLDOWN_MS = 900_000;
/** The platform's window is 15 minutes: what names more than an hour is a mistake that would lock everyone out. */
const MAX_RETRY_AFTER_MS = 3_600_000;

/** `expiresIn` is the platform's word, in seconds; anything may stand there. */
export function scheduleToken(obtainedAtMs: number, expiresIn: unknown): TokenTimes {
  const lifeMs = clamp(toLifetimeMs(expiresIn) - SAFETY_MS, MIN_LIFETIME_MS, MAX_LIFETIME_MS);
  return { renewAtMs: obtainedAtMs + lifeMs * RENEW_AFTER_SHARE, expiresAtMs: obtainedAtMs + lifeMs };
}

function toLifetimeMs(expiresIn: unknown): number {
  const seconds = typeof expiresIn === 'string' && expiresIn.trim() !== '' ? Number(expiresIn) : expiresIn;
  const isNamed = typeof seconds === 'number' && Number.isFinite(seconds) && seconds > 0;
  return isNamed ? seconds * 1000 : DEFAULT_LIFETIME_MS;
}

/**
 * How long nobody asks for a token after the `failures`th failed request in a row, in milliseconds: what the
 * platform says, else from a minute on where it limits, from a second on otherwise, doubling each time.
 */
export function cooldownAfterFailure(
  status: number | undefined,
  retryAfterMs: number | undefined,
  failures = 1,
): number {
  if (retryAfterMs !== undefined) return clamp(retryAfterMs, MIN_COOLDOWN_MS, MAX_RETRY_AFTER_MS);
  return status === 429
    ? doubled(DEFAULT_RATE_LIMIT_COOLDOWN_MS, failures, MAX_DEFAULT_RATE_LIMIT_COOLDOWN_MS)
    : doubled(MIN_COOLDOWN_MS, failures, MAX_COOLDOWN_MS);
}

function doubled(firstMs: number, times: number, maxMs: number): number {
  return Math.min(firstMs * 2 ** (times - 1), maxMs);
}

function clamp(value: number, min: number, max: number): number {
  return Math.min(Math.max(value, min), max);
}
