/** An operation begins as many loads as it is allowed, in order, and always at least one. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { CallGate } from '../../../../src/sources/core/callGate.js';

const turn = () => new Promise((resolve) => setImmediate(resolve));

it('never exceeds the allowance, and begins all loads in order, however the allowance changes', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 30 }),
      fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1 }),
      async (loads, allowances) => {
        let change = 0;
        const allowance = () => allowances[change % allowances.length] ?? 1;
        const gate = new CallGate(allowance);
        const begun: number[] = [];
        let active = 0;
        await Promise.all(
          Array.from({ length: loads }, async (_, index) => {
            await gate.enter();
            begun.push(index);
            active += 1;
            expect(active).toBeLessThanOrEqual(Math.max(...allowances));
            await turn();
            change += 1;
            active -= 1;
            gate.leave();
          }),
        );
        expect(begun).toEqual(begun.toSorted((one, other) => one - other));
        expect(begun).toHaveLength(loads);
      },
    ),
    { numRuns: 100 },
  );
});

it('begins no further load while the allowance is used', async () => {
  const gate = new CallGate(() => 2);
  expect([gate.enter(), gate.enter()]).toEqual([undefined, undefined]);
  let hasBegun = false;
  void gate.enter()?.then(() => {
    hasBegun = true;
  });
  await turn();
  expect(hasBegun).toBe(false);
  gate.leave();
  await turn();
  expect(hasBegun).toBe(true);
});
