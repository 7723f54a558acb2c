/** All limits of calls to the platform, so that they can be configured together. */
import { type BreakerLimits, defaultBreakerLimits } from './circuitBreaker.js';
import { defaultEndpointQuotaLimits, type EndpointQuotaLimits } from './endpointLimits.js';
import { defaultRetryBudgetLimits, type RetryBudgetLimits } from './retryBudget.js';
import { defaultRetryPolicy, type RetryPolicy } from './retryPolicy.js';

export interface ResilienceLimits {
  /** Timeout of one attempt including the body, in milliseconds. */
  attemptTimeoutMs: number;
  /** Timeout of all attempts and delays of a request without a deadline, in milliseconds. */
  operationTimeoutMs: number;
  /** Concurrent calls, each on a separate connection. One endpoint family may use three quarters of them. */
  maxConcurrent: number;
  /** Concurrent token requests, in addition to the other calls. */
  maxConcurrentAuth: number;
  /**
   * Maximum calls that wait for a connection: of each endpoint family, and of all together. Operations share it
   * equally, and each may have at least one waiting call.
   */
  maxQueued: number;
  /** Calls of one operation in flight or waiting for a connection. Its further calls wait until one of these ends. */
  maxPerOperation: number;
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
  maxPerOperation: 128,
  retry: defaultRetryPolicy,
  retryBudget: defaultRetryBudgetLimits,
  breaker: defaultBreakerLimits,
  endpointQuota: defaultEndpointQuotaLimits,
};
