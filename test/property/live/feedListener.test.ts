/** For any order of pushes, reads and ends, a listener loses, repeats and reorders nothing. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createStoppingError } from '../../../src/errors.js';
import { createTestListener, takeIds, testSamples } from '../../support/live/testListener.js';

type Step = { push: number } | { take: number } | 'end';

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: fc.record({ push: fc.integer({ min: 0, max: 1500 }) }) },
    { weight: 5, arbitrary: fc.record({ take: fc.integer({ min: 1, max: 1500 }) }) },
    { weight: 1, arbitrary: fc.constant('end' as const) },
  ),
  { maxLength: 12 },
);

/** A simple model of a queue: ids in a list, and the code of its end. */
function createModel(capacity: number) {
  const ids: number[] = [];
  let taken = 0;
  let code: string | undefined;
  return {
    expected: () => ({ ids, code }),
    end: () => {
      code ??= 'STOPPING';
    },
    push(arrived: readonly number[]) {
      if (arrived.length === 0 || code !== undefined) return;
      if (ids.length - taken >= capacity) code = 'SLOW_CONSUMER';
      else ids.push(...arrived);
    },
    /** How many of `count` samples can be read without waiting. */
    take(count: number) {
      const available = Math.min(count, ids.length - taken);
      taken += available;
      return available;
    },
  };
}

it('a listener returns its samples in order, up to its end', async () => {
  await fc.assert(
    fc.asyncProperty(steps, fc.integer({ min: 1, max: 2000 }), async (given, capacity) => {
      const { listener } = createTestListener({ capacity, maxBatch: 1 });
      const model = createModel(capacity);
      const received: number[] = [];
      let next = 0;
      for (const step of [...given, 'end' as const]) {
        if (step === 'end') {
          model.end();
          listener.end(createStoppingError());
        } else if ('push' in step) {
          const arrived = Array.from({ length: step.push }, () => next++);
          model.push(arrived);
          listener.push(testSamples(...arrived));
        } else {
          const available = model.take(step.take);
          for (let count = 0; count < available; count++) received.push(...(await takeIds(listener)));
        }
      }
      for (let ids = await takeIds(listener); ids.length > 0; ids = await takeIds(listener))
        received.push(...ids);
      const { value } = await listener.next();
      expect({ ids: received, code: (value as { code?: string } | undefined)?.code }).toEqual(
        model.expected(),
      );
    }),
    { numRuns: 100 },
  );
});
