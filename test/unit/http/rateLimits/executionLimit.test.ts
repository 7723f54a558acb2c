/** The operations of a caller that execute at the same time, by their cost. */
import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createExecutionLimit } from '../../../../src/http/rateLimits/executionLimit.js';
import { createCancellation } from '../../../../src/lib/cancellation.js';

const MAX_COST = 1000;
const neverCancelled = createCancellation();

function createLimit() {
  const limit = createExecutionLimit(MAX_COST);
  /** Names of the operations that execute, in the order of their start. */
  const executing: string[] = [];
  const leaves = new Map<string, () => void>();
  async function enter(name: string, estimated = MAX_COST, caller = 'one', cancellation = neverCancelled) {
    const leave = await limit.enter(caller, { estimated }, cancellation);
    executing.push(name);
    leaves.set(name, leave);
  }
  async function leave(name: string) {
    executing.splice(executing.indexOf(name), 1);
    leaves.get(name)?.();
    await setImmediate();
  }
  return { executing, enter, leave };
}

it('operations of one caller cost at most four times the highest cost, and others wait in order', async () => {
  const { executing, enter, leave } = createLimit();
  for (const name of ['a', 'b', 'c']) void enter(name);
  void enter('half', MAX_COST / 2);
  void enter('d');
  void enter('small', 1);
  await setImmediate();
  // The small one would have room, and does not overtake.
  expect(executing).toEqual(['a', 'b', 'c', 'half']);
  await leave('a');
  expect(executing).toEqual(['b', 'c', 'half', 'd', 'small']);
});

it('operations of other callers do not wait', async () => {
  const { executing, enter } = createLimit();
  for (const name of ['a', 'b', 'c', 'd', 'e']) void enter(name);
  void enter('other', MAX_COST, 'two');
  await setImmediate();
  expect(executing).toEqual(['a', 'b', 'c', 'd', 'other']);
});

it.each([
  [undefined, 40],
  [{ estimated: 0.5 }, 40],
  [{ estimated: 99.5 }, 40],
  [{ estimated: 100.5 }, 39],
  [{ estimated: 1e9 }, 1],
])('operations of cost %o execute %i at a time', async (cost, count) => {
  const limit = createExecutionLimit(MAX_COST);
  let started = 0;
  for (let index = 0; index < 50; index++) {
    void Promise.resolve(limit.enter('one', cost, neverCancelled)).then(() => {
      started += 1;
    });
  }
  await setImmediate();
  expect(started).toBe(count);
});

it('an operation whose client disconnects leaves the queue, and the next one gets its place', async () => {
  const { executing, enter } = createLimit();
  void enter('most', 3 * MAX_COST + 500);
  const cancellation = createCancellation();
  const cancelled = enter('large', MAX_COST, 'one', cancellation);
  void enter('small');
  void enter('smaller', MAX_COST / 2);
  cancellation.abort();
  await expect(cancelled).rejects.toMatchObject({ code: 'CANCELLED' });
  const late = enter('late', MAX_COST, 'one', cancellation);
  await expect(late).rejects.toMatchObject({ code: 'CANCELLED' });
  expect(executing).toEqual(['most']);
});

it('of one caller, 1,000 operations wait, and a further one is refused', async () => {
  const { executing, enter, leave } = createLimit();
  for (let index = 0; index < 1004; index++) void enter(`op ${index}`);
  const refused = enter('refused', 1);
  await expect(refused).rejects.toMatchObject({ code: 'RATE_LIMITED', retryable: true, retryAfterMs: 1000 });
  await enter('other', 1, 'two');
  await leave('op 0');
  expect(executing).toEqual(['op 1', 'op 2', 'op 3', 'other', 'op 4']);
  void enter('next');
  for (let index = 1; index < 1004; index++) await leave(`op ${index}`);
  expect(executing).toEqual(['other', 'next']);
});
