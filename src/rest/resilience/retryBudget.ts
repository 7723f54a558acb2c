/**
 * Keeps retries a small part of all calls, so that a platform in trouble is not asked three times as much.
 * The rule and its numbers are Envoy's: retries under way are at most a share of the requests under way.
 */

export interface RetryBudget {
  /** Runs a request, its retries included, as one that is under way. */
  runRequest<Result>(request: () => Promise<Result>): Promise<Result>;
  /** Runs a retry, its wait included; answers undefined, without running it, where the budget is used up. */
  runRetry<Result>(retry: () => Promise<Result>): Promise<Result> | undefined;
}

export interface RetryBudgetLimits {
  /** Of the requests under way, from 0 to 1. */
  maxShare: number;
  /** So many retries may be under way however few requests there are. */
  minConcurrent: number;
}

export const defaultRetryBudgetLimits: RetryBudgetLimits = { maxShare: 0.2, minConcurrent: 3 };

export function createRetryBudget({ maxShare, minConcurrent }: RetryBudgetLimits): RetryBudget {
  let requests = 0;
  let retries = 0;
  return {
    async runRequest(request) {
      requests++;
      try {
        return await request();
      } finally {
        requests--;
      }
    },
    runRetry(retry) {
      if (retries >= Math.max(minConcurrent, Math.floor(requests * maxShare))) return undefined;
      retries++;
      return retry().finally(() => {
        retries--;
      });
    },
  };
}
