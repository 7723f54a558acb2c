/**
 * The token budget: counts attempts in a sliding window and decides when the next is allowed, so that the gateway never
 * exceeds the platform's limit. Pure.
 */

/** One token request, counted when it begins. */
export interface TokenAttempt {
  /** The same in every process. */
  id: string;
  atMs: number;
}

/** `ahead`: a renewal while there is a token that is or may be usable. `need`: there is no token, or it is invalid. */
export type RenewalPurpose = 'ahead' | 'need';

/** The platform's limit per window. */
const MAX_ATTEMPTS = 15;

/** Attempts that are reserved for `need`. */
const RESERVED_ATTEMPTS = 3;

/** Longer than the platform's 15 minutes, because a request is counted here before the platform counts it. */
export const WINDOW_MS = 910_000;

/**
 * Attempts within the window. An attempt with a time in the future was made before the clock was set back, and is
 * counted as if it were made now.
 */
export function recentAttempts(attempts: readonly TokenAttempt[], nowMs: number): TokenAttempt[] {
  return attempts
    .filter(({ atMs }) => nowMs < atMs + WINDOW_MS)
    .map((attempt) => (attempt.atMs > nowMs ? { ...attempt, atMs: nowMs } : attempt));
}

/** Attempts left in the window, including the reserved ones. */
export function remainingAttempts(attempts: readonly TokenAttempt[], nowMs: number): number {
  return Math.max(0, MAX_ATTEMPTS - recentAttempts(attempts, nowMs).length);
}

/** Milliseconds until an attempt is allowed; 0 if it is now. */
export function budgetWaitMs(
  attempts: readonly TokenAttempt[],
  nowMs: number,
  purpose: RenewalPurpose,
): number {
  const limit = purpose === 'need' ? MAX_ATTEMPTS : MAX_ATTEMPTS - RESERVED_ATTEMPTS;
  const times = recentAttempts(attempts, nowMs).map(({ atMs }) => atMs);
  const endsWindowMs = times.sort((a, b) => a - b)[times.length - limit];
  return endsWindowMs === undefined ? 0 : endsWindowMs + WINDOW_MS - nowMs;
}
