/** The number of token requests that fit into the platform's window, and the time of the next one. */
import { describe, expect, it } from 'vitest';
import {
  budgetWaitMs,
  recentAttempts,
  remainingAttempts,
  WINDOW_MS,
} from '../../../../src/rest/auth/tokenBudget.js';

const NOW_MS = 10_000_000;
/** This many attempts, a second apart, the last one now. */
const attempts = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    id: `${index}`,
    atMs: NOW_MS - (count - 1 - index) * 1000,
  }));

describe('the budget of token requests', () => {
  it.each([
    [0, 'need', 0],
    [14, 'need', 0],
    [15, 'need', WINDOW_MS - 14_000],
    [17, 'need', WINDOW_MS - 14_000],
    [11, 'ahead', 0],
    [12, 'ahead', WINDOW_MS - 11_000],
    [15, 'ahead', WINDOW_MS - 11_000],
  ] as const)('after %i attempts makes one for %s wait %i ms', (count, purpose, expected) => {
    expect(budgetWaitMs(attempts(count), NOW_MS, purpose)).toBe(expected);
    expect(budgetWaitMs(attempts(count), NOW_MS + expected, purpose)).toBe(0);
    if (expected > 0) expect(budgetWaitMs(attempts(count), NOW_MS + expected - 1, purpose)).toBe(1);
  });

  it('uses a sliding window, a little longer than the platform’s', () => {
    expect(WINDOW_MS).toBeGreaterThan(900_000);
    expect(remainingAttempts(attempts(15), NOW_MS)).toBe(0);
    expect(remainingAttempts(attempts(15), NOW_MS + WINDOW_MS - 14_000)).toBe(1);
    expect(remainingAttempts(attempts(15), NOW_MS + WINDOW_MS)).toBe(15);
  });

  it('counts attempts in the future as made now, so that they expire', () => {
    const counted = recentAttempts([{ id: 'ahead', atMs: NOW_MS * 1000 }], NOW_MS);
    expect(counted).toEqual([{ id: 'ahead', atMs: NOW_MS }]);
  });
});
