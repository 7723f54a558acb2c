/**
 * Bounds retries to a share of the requests in flight, so that retries do not triple the load of a failing platform.
 * The rule and its numbers are Envoy's.
 */

export type RetryBudget = ReturnType<typeof createRetryBudget>;

export interface RetryBudgetLimits {
  /** Share of the requests in flight, from 0 to 1. */
  maxShare: number;
  /** Retries that are allowed however few requests are in flight. */
  minConcurrent: number;
}

export const defaultRetryBudgetLimits: RetryBudgetLimits = { maxShare: 0.2, minConcurrent: 3 };

export function createRetryBudget({ maxShare, minConcurrent }: RetryBudgetLimits) {
  let requests = 0;
  let retries = 0;
  return {
    /** Counts a request as in flight, until `endRequest`, including its retries. */
    beginRequest(): void {
      requests++;
    },
    endRequest(): void {
      requests--;
    },
    /** Runs a retry including its delay; returns undefined without running it if the budget is exhausted. */
    runRetry<Result>(retry: () => Promise<Result>): Promise<Result> | undefined {
      if (retries >= Math.max(minConcurrent, Math.floor(requests * maxShare))) return undefined;
      retries++;
      return retry().finally(() => {
        retries--;
      });
    },
  };
}
