/** As much work is in flight as allowed, begun in order, and always at least one. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { CallGate } from '../../../src/lib/callGate.js';

const turn = () => new Promise((resolve) => setImmediate(resolve));

it('never exceeds the limit, and begins all loads in order, however the limit changes', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 30 }),
      fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1 }),
      async (loads, limits) => {
        let change = 0;
        const limit = () => limits[change % limits.length] ?? 1;
        const gate = new CallGate(limit);
        const begun: number[] = [];
        let active = 0;
        await Promise.all(
          Array.from({ length: loads }, (_, index) =>
            gate.run(async () => {
              begun.push(index);
              active += 1;
              expect(active).toBeLessThanOrEqual(Math.max(...limits));
              await turn();
              change += 1;
              active -= 1;
            }),
          ),
        );
        expect(begun).toEqual(begun.toSorted((one, other) => one - other));
        expect(begun).toHaveLength(loads);
      },
    ),
    { numRuns: 100 },
  );
});

it('begins work at once, and no further while the limit is used', async () => {
  const gate = new CallGate(() => 2);
  const ends: (() => void)[] = [];
  const begin = () => gate.run(() => new Promise<void>((resolve) => ends.push(resolve)));
  const all = [begin(), begin()];
  expect(ends).toHaveLength(2);
  all.push(begin());
  await turn();
  expect(ends).toHaveLength(2);
  ends[0]?.();
  await turn();
  expect(ends).toHaveLength(3);
  for (const end of ends) end();
  await Promise.all(all);
});

it('passes the place of failed work on', async () => {
  const gate = new CallGate(() => 1);
  const failed = gate.run(() => Promise.reject(new Error('failed')));
  const next = gate.run(async () => 'done');
  await expect(failed).rejects.toThrow('failed');
  expect(await next).toBe('done');
});
