/** Events that are made of samples: how far they are delivered while their conversion takes time. */
import { expect, it } from 'vitest';
import type { Context } from '../../../../src/graphql/context.js';
import { createEvents } from '../../../../src/graphql/resolvers/subscriptionEvents.js';

it('of a restricted caller are not delivered while the gateway checks whether it sees their streams', async () => {
  let answer = (_: boolean) => {};
  const canSeeStream = () => new Promise<boolean>((resolve) => (answer = resolve));
  const sources = { accessScope: { isWholeAccount: false, canSeeStream } };
  const context = { sources, nowMs: () => 0, resetSources() {} } as unknown as Context;
  const from = [{ kind: 'SCALAR', id: 1, cursor: 'ScalarSample:1' }];
  const progress = { asOfMs: 1000, positions: from };
  const events = createEvents<{ streamId: number }>(
    {
      kinds: ['SCALAR'],
      replay: undefined,
      positionOf: () => undefined,
      progress: () => progress,
      start: async () => ({
        from,
        next: async () => ({ value: [{ streamId: 1 }], done: false }),
        return: async () => ({ value: undefined, done: true }),
      }),
    },
    context,
  );
  const batches = await events.start();
  expect(batches.from).toEqual(from);
  expect(events.progress?.()).toEqual(progress);
  const next = batches.next();
  await new Promise((resolve) => setImmediate(resolve));
  expect(events.progress?.()).toBeUndefined();
  answer(true);
  expect((await next).value).toEqual([{ streamId: 1 }]);
  expect(events.progress?.()).toEqual(progress);
});
