/**
 * Keeps the gateway inside the platform's limit on token requests, so that one more never costs the
 * credential: counts attempts in a sliding window and says when the next is allowed. Pure.
 */

/** One request for a token, counted when it begins, whatever becomes of it. */
export interface TokenAttempt {
  /** The same in every process that knows of it. */
  id: string;
  atMs: number;
}

/** `ahead`: a usable token is still there, or the refusal of it is doubtful. `need`: there is none. */
export type RenewalPurpose = 'ahead' | 'need';

/** The platform's limit per window. */
export const MAX_ATTEMPTS = 15;

/** This many of them are kept for need. */
const RESERVED_ATTEMPTS = 3;

/** The platform's 15 minutes, and a little more: a request is counted here before it is counted there. */
export const WINDOW_MS = 910_000;

/** Attempts that still count. One from the future was made before the clock was set back: it counts from now. */
export function recentAttempts(attempts: readonly TokenAttempt[], nowMs: number): TokenAttempt[] {
  return attempts
    .filter(({ atMs }) => nowMs < atMs + WINDOW_MS)
    .map((attempt) => (attempt.atMs > nowMs ? { ...attempt, atMs: nowMs } : attempt));
}

/** How many attempts the window still has room for, those kept for need included. */
export function remainingAttempts(attempts: readonly TokenAttempt[], nowMs: number): number {
  return Math.max(0, MAX_ATTEMPTS - recentAttempts(attempts, nowMs).length);
}

/** Milliseconds until an attempt is allowed; 0: now. */
export function budgetWaitMs(
  attempts: readonly TokenAttempt[],
  nowMs: number,
  purpose: RenewalPurpose,
): number {
  const limit = purpose === 'need' ? MAX_ATTEMPTS : MAX_ATTEMPTS - RESERVED_ATTEMPTS;
  const times = recentAttempts(attempts, nowMs).map(({ atMs }) => atMs);
  const leavesMs = times.sort((a, b) => a - b)[times.length - limit];
  return leavesMs === undefined ? 0 : leavesMs + WINDOW_MS - nowMs;
}
