/** Items that are called at one interval. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { StaggeredInterval } from '../../../../../src/http/delivery/sockets/staggeredInterval.js';

const INTERVAL_MS = 12_000;

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

it('calls each item once in an interval until it is deleted', () => {
  const calls: string[] = [];
  const rounds = new StaggeredInterval<string>(INTERVAL_MS, (item) => calls.push(item));
  rounds.add('a');
  vi.advanceTimersByTime(INTERVAL_MS / 2);
  rounds.add('b');
  vi.advanceTimersByTime(INTERVAL_MS);
  expect(calls).toEqual(['a', 'b']);
  rounds.delete('a');
  rounds.delete('a');
  vi.advanceTimersByTime(INTERVAL_MS);
  expect(calls).toEqual(['a', 'b', 'b']);
  rounds.delete('b');
  expect(vi.getTimerCount()).toBe(0);
});
