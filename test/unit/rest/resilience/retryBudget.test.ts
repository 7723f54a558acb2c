/** The number of retries that may run at once. */
import { describe, expect, it } from 'vitest';
import { createRetryBudget, defaultRetryBudgetLimits } from '../../../../src/rest/resilience/retryBudget.js';

const never = () => new Promise<never>(() => {});

/** How many of 1,000 unending retries are permitted with this many requests in flight. */
function allowedDuring(requests: number): number {
  const budget = createRetryBudget(defaultRetryBudgetLimits);
  for (let count = 0; count < requests; count++) budget.beginRequest();
  const retries = Array.from({ length: 1_000 }, () => budget.runRetry(never));
  return retries.filter((retry) => retry !== undefined).length;
}

describe('createRetryBudget', () => {
  it('permits a fifth of the requests in flight, and at least three', () => {
    expect([0, 1, 15, 19, 20, 64, 500].map(allowedDuring)).toEqual([3, 3, 3, 3, 4, 12, 100]);
  });

  it('is refunded when a retry ends, with success or failure', async () => {
    const budget = createRetryBudget({ maxShare: 0, minConcurrent: 1 });
    await expect(budget.runRetry(() => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
    expect(await budget.runRetry(async () => 'done')).toBe('done');
    const running = budget.runRetry(never);
    expect(running).toBeInstanceOf(Promise);
    expect(budget.runRetry(async () => 'refused')).toBeUndefined();
  });

  it('does not count ended requests', () => {
    const budget = createRetryBudget({ maxShare: 1, minConcurrent: 0 });
    budget.beginRequest();
    budget.endRequest();
    expect(budget.runRetry(never)).toBeUndefined();
  });
});
