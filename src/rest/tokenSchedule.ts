/** Decides when a platform token is renewed and when it is no longer used: pure, the clock is an argument. */

export interface TokenTimes {
  /** From here on a new token is fetched in the background while this one is still used. */
  renewAtMs: number;
  /** From here on this token is not used any more. */
  expiresAtMs: number;
}

/** A token is left alone this long before its end, for calls still under way and clocks that differ. */
const SAFETY_MS = 30_000;
/** However short a life the platform names, a token is used this long: else every call would ask for a new one. */
const LEAST_LIFE_MS = 60_000;
/** What a token lives in practice; assumed where the platform's `expires_in` is no number. */
const USUAL_LIFE_MS = 3_600_000;
/** A token is renewed after this share of its life. */
const RENEW_AFTER = 0.8;

/** `expiresIn` is the platform's word, in seconds; anything may stand there. */
export function scheduleToken(obtainedAtMs: number, expiresIn: unknown): TokenTimes {
  const seconds = typeof expiresIn === 'string' && expiresIn.trim() !== '' ? Number(expiresIn) : expiresIn;
  const namedMs = typeof seconds === 'number' && Number.isFinite(seconds) ? seconds * 1000 : USUAL_LIFE_MS;
  const lifeMs = Math.max(namedMs - SAFETY_MS, LEAST_LIFE_MS);
  return { renewAtMs: obtainedAtMs + lifeMs * RENEW_AFTER, expiresAtMs: obtainedAtMs + lifeMs };
}

/**
 * How long nobody asks for a token after a failed request: what the platform says, else a minute where it
 * limits, a second otherwise. In milliseconds.
 */
export function cooldownAfterFailure(status: number | undefined, retryAfterMs: number | undefined): number {
  if (retryAfterMs !== undefined) return Math.max(retryAfterMs, 1000);
  return status === 429 ? 60_000 : 1000;
}
