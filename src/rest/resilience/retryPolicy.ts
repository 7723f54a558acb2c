/**
 * Decides whether a GET is tried again, and after how long: pure, with time left and chance as arguments.
 * The delays are "full jitter": https://aws.amazon.com/builders-library/timeouts-retries-and-backoff-with-jitter/
 */
import { type AttemptOutcome, isConnectionFault, statusOf } from '../transport/attemptOutcome.js';

export interface RetryPolicy {
  /** The first try included. */
  maxAttempts: number;
  /** The longest delay before the second try in milliseconds; it doubles with each further one. */
  baseDelayMs: number;
  /** What the doubling ends at. */
  maxDelayMs: number;
  /** Where the platform asks for more patience than this, its answer is given at once instead. */
  maxRetryAfterMs: number;
}

export const defaultRetryPolicy: RetryPolicy = {
  maxAttempts: 3,
  baseDelayMs: 100,
  maxDelayMs: 2_000,
  maxRetryAfterMs: 5_000,
};

export interface RetrySituation {
  /** 1 after the first. */
  attemptsMade: number;
  outcome: AttemptOutcome;
  /** Milliseconds before which the platform does not want to be asked; 0 where it says nothing. */
  retryAfterMs: number;
  /** Milliseconds until the whole operation has to be done. */
  remainingMs: number;
  /** From 0 to less than 1. */
  random: number;
}

const RETRIED_STATUSES: readonly number[] = [429, 502, 503, 504];

/** A timer may end this much before the clock says so. */
const TIMER_ERROR_MS = 1;

/** Milliseconds to wait before the next try; undefined where there is to be none. */
export function decideRetryDelay(policy: RetryPolicy, situation: RetrySituation): number | undefined {
  const { attemptsMade, outcome, retryAfterMs, remainingMs, random } = situation;
  if (attemptsMade >= policy.maxAttempts || !isWorthRetrying(outcome)) return undefined;
  if (retryAfterMs > policy.maxRetryAfterMs) return undefined;
  const ceilingMs = Math.min(policy.maxDelayMs, policy.baseDelayMs * 2 ** (attemptsMade - 1));
  const delayMs = random * ceilingMs + (retryAfterMs > 0 ? retryAfterMs + TIMER_ERROR_MS : 0);
  return delayMs < remainingMs ? delayMs : undefined;
}

function isWorthRetrying(outcome: AttemptOutcome): boolean {
  if ('error' in outcome) return isConnectionFault(outcome) && outcome.error.retryable;
  return RETRIED_STATUSES.includes(statusOf(outcome) ?? 0);
}
