/**
 * Decides whether and when a GET is retried. Pure: the remaining time and the random number are arguments.
 * The delays are "full jitter": https://aws.amazon.com/builders-library/timeouts-retries-and-backoff-with-jitter/
 */
import { doubledMs } from '../../lib/clock.js';
import { type AttemptOutcome, isConnectionFault } from '../transport/platformRequest.js';

export interface RetryPolicy {
  /** Including the first. */
  maxAttempts: number;
  /** Maximum delay before the second attempt, in milliseconds; it doubles with each further attempt. */
  baseDelayMs: number;
  /** Upper bound of the doubling. */
  maxDelayMs: number;
  /** With a longer `Retry-After` the response is returned at once. */
  maxRetryAfterMs: number;
}

export const defaultRetryPolicy: RetryPolicy = {
  maxAttempts: 3,
  baseDelayMs: 100,
  maxDelayMs: 2_000,
  maxRetryAfterMs: 5_000,
};

export interface RetrySituation {
  /** 1 after the first attempt. */
  attemptsMade: number;
  outcome: AttemptOutcome;
  /** Milliseconds of the platform's `Retry-After`; 0 without one. */
  retryAfterMs: number;
  /** Milliseconds until the deadline of the operation. */
  remainingMs: number;
  /** From 0 to less than 1. */
  random: number;
}

const RETRIED_STATUSES: readonly number[] = [408, 429, 502, 503, 504];

/** A timer may fire this many milliseconds too early, measured by the clock. */
const TIMER_ERROR_MS = 1;

/** Milliseconds until the next attempt; undefined for no retry. */
export function decideRetryDelay(policy: RetryPolicy, situation: RetrySituation): number | undefined {
  const { attemptsMade, outcome, retryAfterMs, remainingMs, random } = situation;
  if (attemptsMade >= policy.maxAttempts || !isWorthRetrying(outcome)) return undefined;
  if (retryAfterMs > policy.maxRetryAfterMs) return undefined;
  const ceilingMs = doubledMs(policy.baseDelayMs, attemptsMade, policy.maxDelayMs);
  const delayMs = random * ceilingMs + (retryAfterMs > 0 ? retryAfterMs + TIMER_ERROR_MS : 0);
  return delayMs < remainingMs ? delayMs : undefined;
}

function isWorthRetrying(outcome: AttemptOutcome): boolean {
  if ('error' in outcome) return isConnectionFault(outcome.error) && outcome.error.retryable;
  return RETRIED_STATUSES.includes(outcome.response.status);
}
