/** When the place of a worker that ended is filled. */
import { describe, expect, it } from 'vitest';
import { countConsecutiveExits, restartDelayMs } from '../../../src/workers/restartDelay.js';

describe('the place of a worker that ended', () => {
  it('is filled at once at first, and ever later while they keep ending', () => {
    expect([1, 2, 3, 4, 7, 8, 50].map(restartDelayMs)).toEqual([100, 200, 400, 800, 6400, 10_000, 10_000]);
  });

  it('is filled at once again after a long life', () => {
    expect(countConsecutiveExits(7, 59_999)).toBe(8);
    expect(countConsecutiveExits(7, 60_000)).toBe(1);
  });
});
