/** For any order of pushes, reads and ends, a queue loses, repeats and reorders nothing. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { EventQueue } from '../../../src/live/feedListener.js';

type Step = { push: number } | { take: number } | 'end';

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: fc.record({ push: fc.integer({ min: 0, max: 1500 }) }) },
    { weight: 5, arbitrary: fc.record({ take: fc.integer({ min: 1, max: 1500 }) }) },
    { weight: 1, arbitrary: fc.constant('end' as const) },
  ),
  { maxLength: 12 },
);

/** A simple model of a queue: events in a list, and whether it has ended. */
function createModel(capacity: number) {
  const events: (number | string)[] = [];
  let taken = 0;
  let isOpen = true;
  const end = (last: string) => {
    if (isOpen) events.push(last);
    isOpen = false;
  };
  return {
    expected: () => events,
    end,
    push(arrived: readonly number[]) {
      if (events.length - taken >= capacity) end('overflow');
      else if (isOpen) events.push(...arrived);
    },
    /** How many of `count` events can be read without waiting. */
    take(count: number) {
      const available = Math.min(count, events.length - taken);
      taken += available;
      return available;
    },
  };
}

it('a queue returns its events in order, up to its end', async () => {
  await fc.assert(
    fc.asyncProperty(steps, fc.integer({ min: 1, max: 2000 }), async (given, capacity) => {
      const queue = new EventQueue<number | string>({
        capacity,
        createOverflowEvent: () => 'overflow',
        onEnd: () => undefined,
      });
      const model = createModel(capacity);
      const told: (number | string)[] = [];
      let next = 0;
      for (const step of [...given, 'end' as const]) {
        if (step === 'end') {
          model.end('end');
          queue.end('end');
        } else if ('push' in step) {
          const arrived = Array.from({ length: step.push }, () => next++);
          model.push(arrived);
          queue.push(arrived);
        } else {
          const available = model.take(step.take);
          for (let count = 0; count < available; count++) told.push((await queue.next()).value);
        }
      }
      for await (const event of queue) told.push(event);
      expect(told).toEqual(model.expected());
    }),
    { numRuns: 100 },
  );
});
