/** The operations of a caller, and of all callers, that execute at the same time, by their cost. */
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ExecutionLimit } from '../../../../src/http/rateLimits/executionLimit.js';
import { createCancellation } from '../../../../src/lib/cancellation.js';

const MAX_COST = 1000;
const neverCancelled = createCancellation();
const toCost = (estimated: number) => ({ estimated, budget: MAX_COST });

// Operations that still wait when a test ends would be refused later.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});

afterEach(() => {
  vi.useRealTimers();
});

const session = { checkCredential: async () => undefined };

/** `totalCost`: of the operations of all callers for which the heap has room. */
function createLimit(totalCost = Number.POSITIVE_INFINITY) {
  const maxHeapBytes = 2 * 1500 * totalCost;
  const limit = new ExecutionLimit({ maxCost: MAX_COST, maxWaitMs: 10_000, maxHeapBytes });
  /** Names of the operations that execute, in the order of their start. */
  const executing: string[] = [];
  const ends = new Map<string, () => void>();
  const run = (name: string, cost = MAX_COST, caller = 'one', cancellation = neverCancelled) =>
    limit.run(caller, toCost(cost), { cancellation, session }, () => {
      executing.push(name);
      return new Promise<void>((resolve) => ends.set(name, resolve));
    });
  async function end(name: string, turns = 10) {
    executing.splice(executing.indexOf(name), 1);
    ends.get(name)?.();
    for (let turn = 0; turn < turns; turn++) await setImmediate();
  }
  return { limit, executing, run, end };
}

it('operations of one caller cost at most four times the highest cost, and others wait in order', async () => {
  const { limit, executing, run, end } = createLimit();
  expect(limit.hasRoom('one', toCost(MAX_COST))).toBe(true);
  for (const name of ['a', 'b', 'c']) void run(name);
  void run('half', MAX_COST / 2);
  expect(limit.hasRoom('one', toCost(MAX_COST))).toBe(false);
  expect(limit.hasRoom('one', toCost(1))).toBe(true);
  void run('d');
  // It would have room, and does not overtake.
  expect(limit.hasRoom('one', toCost(1))).toBe(false);
  void run('small', 1);
  expect(executing).toEqual(['a', 'b', 'c', 'half']);
  await end('a');
  expect(executing).toEqual(['b', 'c', 'half', 'd', 'small']);
});

it('operations of other callers do not wait', () => {
  const { executing, run } = createLimit();
  for (const name of ['a', 'b', 'c', 'd', 'e']) void run(name);
  void run('other', MAX_COST, 'two');
  expect(executing).toEqual(['a', 'b', 'c', 'd', 'other']);
});

it('operations that have waited start in separate turns of the event loop', async () => {
  const { executing, run, end } = createLimit();
  for (let index = 0; index < 4; index++) void run(`large ${index}`);
  for (let index = 0; index < 10; index++) void run(`small ${index}`, 1);
  await end('large 0', 0);
  const counts: number[] = [];
  while (executing.length < 13) {
    await setImmediate();
    counts.push(executing.length);
  }
  const started = counts.map((count, index) => count - (counts[index - 1] ?? 3));
  expect(Math.max(...started)).toBe(1);
});

it.each([
  [MAX_COST, undefined, 40],
  [MAX_COST, toCost(0.5), 40],
  [MAX_COST, toCost(99.5), 40],
  [MAX_COST, toCost(100.5), 39],
  [MAX_COST, toCost(1e9), 1],
  [1, toCost(1), 4],
])('with a highest cost of %i, operations of cost %o execute %i at a time', (maxCost, cost, count) => {
  const limit = new ExecutionLimit({ maxCost, maxWaitMs: 10_000, maxHeapBytes: Number.POSITIVE_INFINITY });
  let started = 0;
  for (let index = 0; index < 50; index++) {
    void limit.run('one', cost, { cancellation: neverCancelled, session }, () => {
      started += 1;
      return new Promise(() => undefined);
    });
  }
  expect(started).toBe(count);
});

it('an operation ends with its error, and the next one starts', async () => {
  const { limit, executing, run } = createLimit();
  const fail = () => Promise.reject(new Error('broken'));
  const failed = limit.run('one', toCost(4 * MAX_COST), { cancellation: neverCancelled, session }, fail);
  void run('next');
  expect(executing).toEqual([]);
  await expect(failed).rejects.toThrow('broken');
  for (let turn = 0; turn < 10; turn++) await setImmediate();
  expect(executing).toEqual(['next']);
});

it('an operation whose client disconnects leaves the queue, and the next one gets its place', async () => {
  const { executing, run, end } = createLimit();
  void run('most', 3 * MAX_COST + 500);
  const cancellation = createCancellation();
  const cancelled = run('large', MAX_COST, 'one', cancellation);
  void run('half', MAX_COST / 2);
  cancellation.abort();
  await expect(cancelled).rejects.toMatchObject({ code: 'CANCELLED' });
  await expect(run('late', MAX_COST, 'one', cancellation)).rejects.toMatchObject({ code: 'CANCELLED' });
  for (let turn = 0; turn < 10; turn++) await setImmediate();
  expect(executing).toEqual(['most', 'half']);
  await end('most');
  expect(executing).toEqual(['half']);
});

it('an operation that waits for too long is refused', async () => {
  const { executing, run, end } = createLimit();
  void run('all', 4 * MAX_COST);
  const refused = run('refused');
  const expected = expect(refused).rejects.toMatchObject({ code: 'RATE_LIMITED', retryAfterMs: 1000 });
  vi.advanceTimersByTime(5000);
  void run('later');
  vi.advanceTimersByTime(5000);
  await expected;
  await end('all');
  expect(executing).toEqual(['later']);
});

it('of one caller, 1,000 operations wait, and a further one is refused', async () => {
  const { executing, run, end } = createLimit();
  for (let index = 0; index < 1004; index++) void run(`${index}`);
  const expected = { code: 'RATE_LIMITED', retryable: true, retryAfterMs: 1000 };
  await expect(run('refused', 1)).rejects.toMatchObject(expected);
  void run('other', 1, 'two');
  await end('0');
  expect(executing).toEqual(['1', '2', '3', 'other', '4']);
  void run('next');
  expect(executing).not.toContain('next');
});

describe('the operations of all callers', () => {
  /** Three quarters are for operations that cost more than a hundredth. */
  const TOTAL = 4 * MAX_COST;

  it('that are expensive cost at most three quarters of what the heap has room for', async () => {
    const { limit, executing, run, end } = createLimit(TOTAL);
    for (const name of ['a', 'b', 'c', 'd', 'e']) void run(name, MAX_COST, `caller of ${name}`);
    expect(executing).toEqual(['a', 'b', 'c']);
    expect(limit.hasRoom('another', toCost(MAX_COST))).toBe(false);
    expect(limit.counts()).toEqual({ executing: 3, waiting: 2 });
    await end('b');
    expect(executing).toEqual(['a', 'c', 'd']);
    await end('a');
    await end('c');
    expect(executing).toEqual(['d', 'e']);
    expect(limit.hasRoom('another', toCost(MAX_COST))).toBe(true);
  });

  it('that are cheap do not wait for expensive ones, and take at most a quarter', async () => {
    const { executing, run, end } = createLimit(100 * MAX_COST);
    for (let index = 0; index < 75; index++) void run('large', 4 * MAX_COST, `caller ${index}`);
    expect(executing).toHaveLength(18);
    for (let index = 0; index < 30; index++) void run('cheap', MAX_COST, `caller ${100 + index}`);
    expect(executing.filter((name) => name === 'cheap')).toHaveLength(25);
    await end('cheap');
    expect(executing.filter((name) => name === 'cheap')).toHaveLength(25);
  });

  it('start by turns of their callers, and none overtakes an expensive one', async () => {
    const { executing, run, end } = createLimit(TOTAL);
    void run('x', 2 * MAX_COST, 'x');
    void run('y', MAX_COST, 'y');
    for (const name of ['a1', 'a2', 'a3']) void run(name, MAX_COST / 2, 'a');
    void run('b1', 2 * MAX_COST, 'b');
    void run('c1', MAX_COST, 'c');
    expect(executing).toEqual(['x', 'y']);
    await end('y');
    expect(executing).toEqual(['x', 'a1']);
    await end('a1');
    expect(executing).toEqual(['x']);
    await end('x');
    expect(executing).toEqual(['b1', 'c1']);
    await end('c1');
    expect(executing).toEqual(['b1', 'a2', 'a3']);
  });

  it('of one caller cost at most half of what all expensive ones may cost', async () => {
    const { executing, run, end } = createLimit(TOTAL);
    for (const name of ['a1', 'a2', 'a3', 'a4']) void run(name, MAX_COST / 2, 'a');
    void run('b1', 1.5 * MAX_COST, 'b');
    expect(executing).toEqual(['a1', 'a2', 'a3', 'b1']);
    await end('a1');
    expect(executing).toEqual(['a2', 'a3', 'b1', 'a4']);
  });

  it('execute alone if they cost more than the heap has room for', async () => {
    const { executing, run, end } = createLimit(TOTAL / 40);
    for (const name of ['a', 'b']) void run(name, MAX_COST, name);
    expect(executing).toEqual(['a']);
    await end('a');
    expect(executing).toEqual(['b']);
  });

  it('wait for 5 s, then the gateway is overloaded; or less if the client disconnects', async () => {
    const { limit, executing, run, end } = createLimit(TOTAL);
    for (const name of ['a', 'b', 'c']) void run(name, MAX_COST, name);
    const refused = run('refused', MAX_COST, 'd');
    const expected = expect(refused).rejects.toMatchObject({
      ...{ code: 'OVERLOADED', retryable: true, retryAfterMs: 1000 },
    });
    const cancellation = createCancellation();
    const cancelled = run('cancelled', MAX_COST, 'd', cancellation);
    cancellation.abort();
    await expect(cancelled).rejects.toMatchObject({ code: 'CANCELLED' });
    vi.advanceTimersByTime(5000);
    await expected;
    expect(limit.counts()).toEqual({ executing: 3, waiting: 0 });
    void run('later', MAX_COST, 'd');
    await end('a');
    expect(executing).toEqual(['b', 'c', 'later']);
  });

  it('are refused at once while 10,000 wait', async () => {
    const { run } = createLimit(TOTAL);
    for (let index = 0; index < 10_003; index++) void run('waits', MAX_COST, `caller ${index}`);
    await expect(run('refused', MAX_COST, 'another')).rejects.toMatchObject({ code: 'OVERLOADED' });
  });
});
