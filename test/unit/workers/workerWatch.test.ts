/** The watch of a worker counts pings in a row without a response. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { watchWorker } from '../../../src/workers/workerWatch.js';

const INTERVAL_MS = 1000;

describe('the watch of a worker', () => {
  let answers: (() => void)[];
  let reports: number[];
  let end: () => void;

  beforeEach(() => {
    vi.useFakeTimers();
    answers = [];
    reports = [];
    end = watchWorker(
      () => new Promise<void>((resolve) => answers.push(resolve)),
      (silentMs) => reports.push(silentMs),
      { intervalMs: INTERVAL_MS, maxUnansweredPings: 3 },
    );
  });

  afterEach(() => {
    end();
    vi.useRealTimers();
  });

  const pass = (intervals: number) => vi.advanceTimersByTimeAsync(intervals * INTERVAL_MS);

  it('reports a worker once that has left three pings unanswered', async () => {
    await pass(3);
    expect(reports).toEqual([]);
    await pass(5);
    expect(reports).toEqual([3000]);
    expect(answers).toHaveLength(3);
  });

  it('counts again after a late answer', async () => {
    await pass(3);
    answers[0]?.();
    await pass(3);
    expect(reports).toEqual([]);
    await pass(1);
    expect(reports).toEqual([3000]);
  });

  it('ends', async () => {
    end();
    await pass(10);
    expect(answers).toEqual([]);
  });
});
