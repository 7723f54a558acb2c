/** How the examples load: again after changes and failures, and never twice at once. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createRefresh, retryDelay, untilLoaded } from '../../examples/dashboard/refresh.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const RETRY_MS = 5000;

/** Loads that end when the test says so. */
function createLoads() {
  const ends: { resolve(): void; reject(error: Error): void }[] = [];
  const errors: unknown[] = [];
  const load = () => new Promise<void>((resolve, reject) => void ends.push({ resolve, reject }));
  const refresh = createRefresh(load, (error) => errors.push(error));
  return { ends, errors, refresh };
}

it('a refresh repeats a load once after it ends, however many changes arrive in the meantime', async () => {
  const { ends, refresh } = createLoads();
  const loaded = refresh();
  expect(refresh()).toBe(loaded);
  void refresh();
  expect(ends).toHaveLength(1);
  ends[0]?.resolve();
  await vi.advanceTimersByTimeAsync(0);
  expect(ends).toHaveLength(2);
  ends[1]?.resolve();
  await loaded;
  expect(ends).toHaveLength(2);
  void refresh();
  expect(ends).toHaveLength(3);
});

it('a refresh repeats a load that fails until it succeeds, and nothing waits for that', async () => {
  const { ends, errors, refresh } = createLoads();
  const loaded = refresh();
  ends[0]?.reject(new Error('first'));
  await loaded;
  expect(errors).toEqual([new Error('first')]);
  await vi.advanceTimersByTimeAsync(RETRY_MS);
  ends[1]?.reject(new Error('second'));
  await vi.advanceTimersByTimeAsync(RETRY_MS);
  expect(errors).toHaveLength(2);
  ends[2]?.resolve();
  await vi.advanceTimersByTimeAsync(10 * RETRY_MS);
  expect(ends).toHaveLength(3);
});

it('a refresh repeats failed loads once per interval, also if changes arrive during an outage', async () => {
  const { ends, refresh } = createLoads();
  for (let change = 1; change <= 3; change++) {
    const loaded = refresh();
    ends.at(-1)?.reject(new Error('down'));
    await loaded;
  }
  await vi.advanceTimersByTimeAsync(RETRY_MS);
  expect(ends).toHaveLength(4);
});

it('a request is repeated until it has a result', async () => {
  const errors: unknown[] = [];
  const request = vi.fn(async () => {
    if (request.mock.calls.length < 3) throw new Error('down');
    return 'sites';
  });
  const loaded = untilLoaded(request, (error) => errors.push(error));
  await vi.advanceTimersByTimeAsync(2 * RETRY_MS);
  expect(await loaded).toBe('sites');
  expect(errors).toEqual([new Error('down'), new Error('down')]);
});

it('repeats a request when the gateway says that it may succeed, and once a minute after permanent errors', () => {
  const permanent = { message: 'no scope', extensions: { retryable: false } };
  const limited = { message: 'limited', extensions: { retryable: true, retryAfterMs: 12_000 } };
  const brief = { message: 'busy', extensions: { retryable: true, retryAfterMs: 200 } };
  expect(retryDelay(new Error('Failed to fetch'))).toBe(RETRY_MS);
  expect(retryDelay({ errors: [{ message: 'from a proxy' }] })).toBe(RETRY_MS);
  expect(retryDelay({ errors: [brief] })).toBe(RETRY_MS);
  expect(retryDelay({ errors: [limited] })).toBe(12_000);
  expect(retryDelay({ errors: [permanent] })).toBe(60_000);
  expect(retryDelay({ errors: [permanent, limited] })).toBe(12_000);
});
