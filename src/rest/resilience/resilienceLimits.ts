/** The numbers that patience with the platform runs on, in one place so that they can be configured together. */

import { type BreakerLimits, defaultBreakerLimits } from './circuitBreaker.js';
import { defaultEndpointQuotaLimits, type EndpointQuotaLimits } from './endpointQuota.js';
import { defaultRetryBudgetLimits, type RetryBudgetLimits } from './retryBudget.js';
import { defaultRetryPolicy, type RetryPolicy } from './retryPolicy.js';

export interface ResilienceLimits {
  /** The most milliseconds for one try, body included. */
  attemptTimeoutMs: number;
  /** The most milliseconds for all tries and waits of a request that names no deadline. */
  operationTimeoutMs: number;
  /** The most calls under way at once, each on a connection of its own. */
  maxConcurrent: number;
  /** The most token requests under way at once, beside the other calls. */
  maxConcurrentAuth: number;
  /** The most calls that wait for others to end. */
  maxQueued: number;
  retry: RetryPolicy;
  retryBudget: RetryBudgetLimits;
  breaker: BreakerLimits;
  endpointQuota: EndpointQuotaLimits;
}

export const defaultResilienceLimits: ResilienceLimits = {
  attemptTimeoutMs: 15_000,
  operationTimeoutMs: 30_000,
  maxConcurrent: 64,
  maxConcurrentAuth: 8,
  maxQueued: 10_000,
  retry: defaultRetryPolicy,
  retryBudget: defaultRetryBudgetLimits,
  breaker: defaultBreakerLimits,
  endpointQuota: defaultEndpointQuotaLimits,
};
