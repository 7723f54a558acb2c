/** How many retries may be under way at once. */
import { describe, expect, it } from 'vitest';
import { createRetryBudget, defaultRetryBudgetLimits } from '../../../../src/rest/resilience/retryBudget.js';

const never = () => new Promise<never>(() => {});

/** How many of 1,000 retries that do not end are let through while so many requests are under way. */
function allowedDuring(requests: number): number {
  const budget = createRetryBudget(defaultRetryBudgetLimits);
  for (let count = 0; count < requests; count++) void budget.runRequest(never);
  const retries = Array.from({ length: 1_000 }, () => budget.runRetry(never));
  return retries.filter((retry) => retry !== undefined).length;
}

describe('createRetryBudget', () => {
  it('allows a fifth of the requests under way, and three however few they are', () => {
    expect([0, 1, 15, 19, 20, 64, 500].map(allowedDuring)).toEqual([3, 3, 3, 3, 4, 12, 100]);
  });

  it('gets back what a retry that has ended took, whether it failed or not', async () => {
    const budget = createRetryBudget({ maxShare: 0, minConcurrent: 1 });
    await expect(budget.runRetry(() => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
    expect(await budget.runRetry(async () => 'done')).toBe('done');
    const held = budget.runRetry(never);
    expect(held).toBeInstanceOf(Promise);
    expect(budget.runRetry(async () => 'refused')).toBeUndefined();
  });

  it('forgets requests that have ended, whether they failed or not', async () => {
    const budget = createRetryBudget({ maxShare: 1, minConcurrent: 0 });
    await budget.runRequest(async () => 'done');
    await expect(budget.runRequest(() => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
    expect(budget.runRetry(never)).toBeUndefined();
  });
});
