/** The watch of a worker counts pings in a row without a response. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { watchWorker } from '../../../src/workers/workerPool.js';

const INTERVAL_MS = 5000;

describe('the watch of a worker', () => {
  let responses: (() => void)[];
  let reports: number[];
  let end: () => void;

  beforeEach(() => {
    vi.useFakeTimers();
    responses = [];
    reports = [];
    end = watchWorker(
      () => new Promise<void>((resolve) => responses.push(resolve)),
      (silentMs) => reports.push(silentMs),
    );
  });

  afterEach(() => {
    end();
    vi.useRealTimers();
  });

  const pass = (intervals: number) => vi.advanceTimersByTimeAsync(intervals * INTERVAL_MS);

  it('reports a worker once that has left six pings unanswered', async () => {
    await pass(6);
    expect(reports).toEqual([]);
    await pass(5);
    expect(reports).toEqual([30_000]);
    expect(responses).toHaveLength(6);
  });

  it('counts again after a late response', async () => {
    await pass(6);
    responses[0]?.();
    await pass(6);
    expect(reports).toEqual([]);
    await pass(1);
    expect(reports).toEqual([30_000]);
  });

  it('ends', async () => {
    end();
    await pass(10);
    expect(responses).toEqual([]);
  });
});
