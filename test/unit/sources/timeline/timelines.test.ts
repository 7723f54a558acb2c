/** The samples that one operation reads for its charts and aggregates, and their limit. */
import { expect, it } from 'vitest';
import { createTimelines } from '../../../../src/sources/timeline/timelines.js';
import { createManualClock } from '../../../support/cache/cacheParts.js';
import { createComputedRest, createReaders } from '../../../support/rest/readerParts.js';

function createReads() {
  const clock = createManualClock();
  const { rest } = createComputedRest(() => ({ samples: [], hasMore: false }), clock);
  return createTimelines(rest, createReaders({ clock }).createReader(), clock.now);
}

const SPAN = { fromMs: Date.UTC(2024, 0, 1), toMs: Date.UTC(2024, 0, 3) };

it('reads samples once for an operation with no-cache', async () => {
  const clock = createManualClock();
  const { rest, paths } = createComputedRest(() => ({ samples: [], hasMore: false }), clock);
  const readers = createReaders({ clock, noCache: true });
  for (const calls of [1, 2]) {
    const timelines = createTimelines(rest, readers.createReader(), clock.now);
    for (let field = 0; field < 2; field++) {
      for await (const { table } of timelines.samples(1).readSegments(SPAN))
        expect(table.times).toHaveLength(0);
      expect(paths).toHaveLength(calls);
    }
  }
});

const refusal = expect.objectContaining({ code: 'BAD_USER_INPUT' });

it('refuses a read beyond 2,000,000 rows, and leaves its rows to the other reads', () => {
  const timelines = createReads();
  const [first, second, third] = [timelines.startRead(), timelines.startRead(), timelines.startRead()];
  first.add(800_000);
  second.add(700_000);
  third.add(500_000);
  expect(() => second.add(1)).toThrow(refusal);
  first.add(300_000);
  third.add(400_000);
  expect(() => third.add(1)).toThrow(refusal);
});

it('counts no rows that are discarded', () => {
  const timelines = createReads();
  const frames = timelines.startRead();
  frames.add(1_500_000);
  frames.discard();
  frames.discard();
  timelines.startRead().add(2_000_000);
  expect(() => timelines.startRead().add(1)).toThrow(refusal);
});

it('ends the parts of a read that is discarded, and counts none of their rows', () => {
  const timelines = createReads();
  const frames = timelines.startRead();
  frames.discard();
  expect(() => frames.add(1)).toThrow(refusal);
  timelines.startRead().add(2_000_000);
});
