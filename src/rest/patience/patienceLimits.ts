/** The numbers that patience with the platform runs on, in one place so that they can be configured together. */

import { type CallBudgetLimits, defaultCallBudgetLimits } from './callBudget.js';
import { type BreakerLimits, defaultBreakerLimits } from './circuitBreaker.js';
import { defaultRetryBudgetLimits, type RetryBudgetLimits } from './retryBudget.js';
import { defaultRetryPolicy, type RetryPolicy } from './retryPolicy.js';

export interface PatienceLimits {
  /** The most milliseconds for one try, body included. */
  tryTimeoutMs: number;
  /** The most milliseconds for all tries and waits of a request that names no deadline. */
  operationTimeoutMs: number;
  /** The most calls under way at once, each on a connection of its own. */
  mostConcurrent: number;
  /** The most token requests under way at once, beside the other calls. */
  mostConcurrentAuth: number;
  /** The most calls that wait for others to end. */
  mostQueued: number;
  retry: RetryPolicy;
  retryBudget: RetryBudgetLimits;
  breaker: BreakerLimits;
  callBudget: CallBudgetLimits;
}

export const defaultPatienceLimits: PatienceLimits = {
  tryTimeoutMs: 15_000,
  operationTimeoutMs: 30_000,
  mostConcurrent: 64,
  mostConcurrentAuth: 8,
  mostQueued: 10_000,
  retry: defaultRetryPolicy,
  retryBudget: defaultRetryBudgetLimits,
  breaker: defaultBreakerLimits,
  callBudget: defaultCallBudgetLimits,
};
