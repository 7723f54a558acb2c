/** When a worker that ended is replaced. */
import { describe, expect, it } from 'vitest';
import { countConsecutiveExits, restartDelayMs } from '../../../src/workers/workerPool.js';

describe('the replacement of a worker', () => {
  it('starts at once at first, and ever later while workers keep ending', () => {
    expect([1, 2, 3, 4, 7, 8, 50].map(restartDelayMs)).toEqual([100, 200, 400, 800, 6400, 10_000, 10_000]);
  });

  it('starts at once again after a long life', () => {
    expect(countConsecutiveExits(7, 59_999)).toBe(8);
    expect(countConsecutiveExits(7, 60_000)).toBe(1);
  });
});
