/** The order of calls to the platform, and how waiting calls are cancelled. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createCancellation } from '../../../../src/lib/cancellation.js';
import { Bulkhead, type CallOwner } from '../../../../src/rest/resilience/bulkhead.js';
import type { WaitLimits } from '../../../../src/rest/transport/waitLimits.js';
import { createCancelled, createCountedCancellation } from '../../../support/cache/cancellations.js';
import { createGate } from '../../../support/waiting.js';

/** Work that the test ends. */
function createWork() {
  const { open: end, opened: ended } = createGate();
  let hasBegun = false;
  const run = async () => {
    hasBegun = true;
    await ended;
  };
  return { run, end: () => end(), hasBegun: () => hasBegun };
}

/** Runs the work in a slot, as the transport does. The work receives whether it has waited for the slot. */
async function runIn<Result>(
  bulkhead: Bulkhead,
  work: (hasWaited: boolean) => Promise<Result>,
  limits: WaitLimits,
  owner?: CallOwner,
): Promise<Result> {
  const waiting = bulkhead.enter(limits, owner);
  if (waiting !== undefined) await waiting;
  try {
    return await work(waiting !== undefined);
  } finally {
    bulkhead.leave();
  }
}

const settle = () => new Promise((resolve) => setImmediate(resolve));
const longWait = { timeoutMs: 60_000 };
const limits = { maxPerOperation: 4 };

describe('Bulkhead', () => {
  it('runs a limited number of calls at once and the others in order', async () => {
    const bulkhead = new Bulkhead({ ...limits, maxConcurrent: 2, maxQueued: 10 });
    const works = Array.from({ length: 5 }, createWork);
    const runs = works.map(({ run }) => runIn(bulkhead, run, longWait));
    const begun = () => works.map(({ hasBegun }) => hasBegun());
    await settle();
    expect(begun()).toEqual([true, true, false, false, false]);
    works[1]?.end();
    await settle();
    expect(begun()).toEqual([true, true, true, false, false]);
    for (const { end } of works) end();
    await Promise.all(runs);
    expect([bulkhead.activeCount(), bulkhead.queuedCount()]).toEqual([0, 0]);
  });

  it('tells the work whether it has waited for its slot', async () => {
    const bulkhead = new Bulkhead({ ...limits, maxConcurrent: 1, maxQueued: 1 });
    const hasWaited = async (waited: boolean) => waited;
    const runs = [runIn(bulkhead, hasWaited, longWait), runIn(bulkhead, hasWaited, longWait)];
    expect(await Promise.all(runs)).toEqual([false, true]);
    expect(await runIn(bulkhead, hasWaited, longWait)).toBe(false);
  });

  it('frees its slot when the work fails', async () => {
    const bulkhead = new Bulkhead({ ...limits, maxConcurrent: 1, maxQueued: 0 });
    await expect(runIn(bulkhead, () => Promise.reject(new Error('failed')), longWait)).rejects.toThrow(
      'failed',
    );
    expect(await runIn(bulkhead, async () => 'done', longWait)).toBe('done');
  });

  it('refuses calls when the queue is full', async () => {
    const bulkhead = new Bulkhead({ ...limits, maxConcurrent: 1, maxQueued: 1 });
    const works = [createWork(), createWork(), createWork()];
    const runs = works.map(({ run }) => runIn(bulkhead, run, longWait));
    await expect(runs[2]).rejects.toMatchObject({ code: 'PLATFORM_UNAVAILABLE', retryable: true });
    for (const { end } of works) end();
    await Promise.all(runs.slice(0, 2));
    expect(works.map(({ hasBegun }) => hasBegun())).toEqual([true, true, false]);
  });

  it('removes a cancelled call from the queue, and the next one gets the slot', async () => {
    const bulkhead = new Bulkhead({ ...limits, maxConcurrent: 1, maxQueued: 10 });
    const [first, second, third] = [createWork(), createWork(), createWork()];
    const caller = createCancellation();
    const running = runIn(bulkhead, first.run, longWait);
    const leaving = runIn(bulkhead, second.run, { ...longWait, cancellation: caller });
    const waiting = runIn(bulkhead, third.run, longWait);
    caller.abort();
    await expect(leaving).rejects.toMatchObject({ code: 'CANCELLED' });
    first.end();
    third.end();
    await Promise.all([running, waiting]);
    expect([second.hasBegun(), third.hasBegun(), bulkhead.activeCount()]).toEqual([false, true, 0]);
  });

  it('runs nothing for a call that was cancelled before', async () => {
    const bulkhead = new Bulkhead({ ...limits, maxConcurrent: 1, maxQueued: 10 });
    const work = createWork();
    const left = runIn(bulkhead, work.run, { ...longWait, cancellation: createCancelled() });
    await expect(left).rejects.toMatchObject({ code: 'CANCELLED' });
    expect([work.hasBegun(), bulkhead.activeCount()]).toEqual([false, 0]);
  });

  it('ends a wait that takes too long, and accepts limits longer than timers allow', async () => {
    const bulkhead = new Bulkhead({ ...limits, maxConcurrent: 1, maxQueued: 10 });
    const [first, second, third] = [createWork(), createWork(), createWork()];
    const running = runIn(bulkhead, first.run, longWait);
    const cancellation = createCountedCancellation();
    const brief = runIn(bulkhead, second.run, { timeoutMs: 5, cancellation });
    const endless = runIn(bulkhead, third.run, { timeoutMs: Number.MAX_SAFE_INTEGER });
    await expect(brief).rejects.toMatchObject({ code: 'PLATFORM_TIMEOUT' });
    expect([bulkhead.queuedCount(), cancellation.listenerCount()]).toEqual([1, 0]);
    first.end();
    third.end();
    await Promise.all([running, endless]);
    expect(second.hasBegun()).toBe(false);
  });

  it('lets operations take turns, and keeps the order of the calls of each', async () => {
    const bulkhead = new Bulkhead({ ...limits, maxConcurrent: 1, maxQueued: 100 });
    const begun: string[] = [];
    const run = (operation: string, call: number) =>
      runIn(bulkhead, async () => void begun.push(`${operation}${call}`), longWait, {
        requestId: operation,
      });
    const blocker = createWork();
    const runs = [runIn(bulkhead, blocker.run, longWait)];
    for (const call of [1, 2, 3, 4]) runs.push(run('a', call));
    for (const call of [1, 2]) runs.push(run('b', call));
    runs.push(run('c', 1));
    blocker.end();
    await Promise.all(runs);
    expect(begun).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4']);
  });

  it('in a full queue refuses only operations with more than an equal part of it', async () => {
    const bulkhead = new Bulkhead({ ...limits, maxConcurrent: 1, maxQueued: 6 });
    const blocker = createWork();
    const runs = [runIn(bulkhead, blocker.run, longWait)];
    const queue = (requestId: string) => runs.push(runIn(bulkhead, async () => {}, longWait, { requestId }));
    queue('b');
    for (let call = 0; call < 5; call++) queue('a');
    for (let call = 0; call < 2; call++) queue('b');
    expect([bulkhead.queuedCount(), bulkhead.currentCallLimit()]).toEqual([8, 2]);
    await expect(runIn(bulkhead, async () => {}, longWait, { requestId: 'a' })).rejects.toMatchObject({
      code: 'PLATFORM_UNAVAILABLE',
    });
    await expect(runIn(bulkhead, async () => {}, longWait, { requestId: 'b' })).rejects.toMatchObject({
      code: 'PLATFORM_UNAVAILABLE',
    });
    for (const operation of ['c', 'd', 'e', 'f', 'g']) queue(operation);
    expect([bulkhead.queuedCount(), bulkhead.currentCallLimit()]).toEqual([13, 1]);
    blocker.end();
    await Promise.all(runs);
    expect([bulkhead.queuedCount(), bulkhead.currentCallLimit()]).toEqual([0, 4]);
  });

  it('lets callers take turns, and the operations of each', async () => {
    const bulkhead = new Bulkhead({ ...limits, maxConcurrent: 1, maxQueued: 100 });
    const begun: string[] = [];
    const blocker = createWork();
    const runs = [runIn(bulkhead, blocker.run, longWait)];
    for (const name of ['A.a1', 'A.a2', 'A.b1', 'A.c1', 'B.a1', 'B.a2', 'B.a3']) {
      const [callerId = '', call = ''] = name.split('.');
      const owner = { callerId, requestId: call.slice(0, 1) };
      runs.push(runIn(bulkhead, async () => void begun.push(name), longWait, owner));
    }
    blocker.end();
    await Promise.all(runs);
    expect(begun).toEqual(['A.a1', 'B.a1', 'A.b1', 'B.a2', 'A.c1', 'B.a3', 'A.a2']);
  });

  it('makes a call that further callers wait for in the first turn of any of them', async () => {
    const bulkhead = new Bulkhead({ ...limits, maxConcurrent: 1, maxQueued: 100 });
    const begun: string[] = [];
    const blocker = createWork();
    const runs = [runIn(bulkhead, blocker.run, longWait)];
    const shared = ['early', 'late', 'left'].map((name) => ({ name, cancellation: createCancellation() }));
    const [early, late, left] = shared.map(({ cancellation }) => cancellation);
    early?.addWaiter({ callerId: 'B', requestId: 'b' });
    const names = ['1', '2', '3', '4', 'left', 'early', 'late'];
    for (const name of names) {
      const cancellation = shared.find((call) => call.name === name)?.cancellation;
      const owner = { callerId: 'A', requestId: 'a' };
      runs.push(runIn(bulkhead, async () => void begun.push(name), { ...longWait, cancellation }, owner));
    }
    for (const cancellation of [late, left]) cancellation?.addWaiter({ callerId: 'C', requestId: 'c' });
    left?.abort();
    expect(bulkhead.queuedCount()).toBe(6);
    blocker.end();
    await Promise.allSettled(runs);
    expect(begun).toEqual(['1', 'early', 'late', '2', '3', '4']);
    expect([bulkhead.queuedCount(), bulkhead.currentCallLimit('D')]).toEqual([0, 4]);
  });

  it('gives each caller an equal part of the queue, whatever the number of its operations', async () => {
    const bulkhead = new Bulkhead({ maxPerOperation: 100, maxConcurrent: 1, maxQueued: 12 });
    const blocker = createWork();
    const runs = [runIn(bulkhead, blocker.run, longWait)];
    const run = (callerId: string, requestId: string) =>
      runIn(bulkhead, async () => {}, longWait, { callerId, requestId });
    const queue = (callerId: string, operations: string) => {
      for (const requestId of operations) runs.push(run(callerId, requestId));
    };
    queue('A', 'abcde');
    expect(['A', 'B'].map((caller) => bulkhead.currentCallLimit(caller))).toEqual([2, 6]);
    queue('A', 'abcdeab');
    expect(bulkhead.queuedCount()).toBe(12);
    await expect(run('A', 'a')).rejects.toMatchObject({ code: 'PLATFORM_UNAVAILABLE' });
    queue('B', 'aaaaaa');
    await expect(run('B', 'a')).rejects.toMatchObject({ code: 'PLATFORM_UNAVAILABLE' });
    blocker.end();
    await Promise.all(runs);
    expect(bulkhead.queuedCount()).toBe(0);
    expect(['A', 'B'].map((caller) => bulkhead.currentCallLimit(caller))).toEqual([12, 12]);
  });

  it('forgets a caller whose waiting calls are cancelled', async () => {
    const bulkhead = new Bulkhead({ ...limits, maxConcurrent: 1, maxQueued: 8 });
    const blocker = createWork();
    const running = runIn(bulkhead, blocker.run, longWait);
    const cancellation = createCancellation();
    const owner = { callerId: 'A', requestId: 'a' };
    const cancelled = [1, 2].map(() => runIn(bulkhead, async () => {}, { ...longWait, cancellation }, owner));
    const kept = runIn(bulkhead, async () => 'kept', longWait, { callerId: 'B', requestId: 'b' });
    expect(bulkhead.currentCallLimit('C')).toBe(2);
    cancellation.abort();
    const codes = await Promise.all(cancelled.map((run) => run.catch(({ code }) => code)));
    expect(codes).toEqual(['CANCELLED', 'CANCELLED']);
    expect([bulkhead.queuedCount(), bulkhead.currentCallLimit('C')]).toEqual([1, 4]);
    blocker.end();
    await running;
    expect(await kept).toBe('kept');
  });

  it('leaves no listener on a long-lived cancellation', async () => {
    const bulkhead = new Bulkhead({ ...limits, maxConcurrent: 2, maxQueued: 100 });
    const cancellation = createCountedCancellation();
    const works = Array.from({ length: 60 }, createWork);
    const runs = works.map(({ run }) => runIn(bulkhead, run, { ...longWait, cancellation }));
    expect(cancellation.listenerCount()).toBeGreaterThan(0);
    for (const { end } of works) end();
    await Promise.all(runs);
    expect(cancellation.listenerCount()).toBe(0);
  });

  it('never exceeds its slots and runs all calls that are not cancelled, in any order of cancellations', async () => {
    const caller = fc.record({ leavesAfter: fc.option(fc.nat(8)), lasts: fc.nat(6) });
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 4 }), fc.array(caller, { maxLength: 30 }), runCallers),
      { numRuns: 60 },
    );
  });
});

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await settle();
}

async function runCallers(
  maxConcurrent: number,
  callers: { leavesAfter: number | null; lasts: number }[],
): Promise<void> {
  const bulkhead = new Bulkhead({ ...limits, maxConcurrent, maxQueued: 100 });
  let running = 0;
  let maxRunning = 0;
  const begun: number[] = [];
  const runs = callers.map(({ leavesAfter, lasts }, index) => {
    const cancellation = createCancellation();
    if (leavesAfter !== null) void turns(leavesAfter).then(() => cancellation.abort());
    const work = async () => {
      begun.push(index);
      maxRunning = Math.max(maxRunning, ++running);
      await turns(lasts);
      running--;
    };
    return runIn(bulkhead, work, { timeoutMs: 60_000, cancellation });
  });
  const results = await Promise.allSettled(runs);
  const served = results.flatMap(({ status }, index) => (status === 'fulfilled' ? [index] : []));
  expect(maxRunning).toBeLessThanOrEqual(maxConcurrent);
  expect(begun).toEqual(served);
  for (const [index, { leavesAfter }] of callers.entries()) {
    if (leavesAfter === null) expect(served).toContain(index);
  }
  expect([bulkhead.activeCount(), bulkhead.queuedCount()]).toEqual([0, 0]);
}
