/** The last samples with which a subscription to threshold changes begins. */
import { expect, it } from 'vitest';
import { SampleFeed } from '../../../src/live/sampleFeed.js';
import { ThresholdEvaluator } from '../../../src/live/thresholdChanges.js';
import type { ScalarSample } from '../../../src/sources/samples/samples.js';

const STREAMS = 10_000;
/** Reads of a map in a turn of the event loop: each takes about half a microsecond. */
const MAX_READS_PER_TURN = 4000;

function toSample(id: number): ScalarSample {
  const sampledAt = '2026-01-01T00:00:00.000Z';
  return { __typename: 'ScalarSample', id, streamId: id, sampledAt, value: 1, rawValue: '1' };
}

/** A map that counts the entries that are read. */
class CountedMap extends Map<number, ScalarSample> {
  reads = 0;

  override get(key: number): ScalarSample | undefined {
    this.reads += 1;
    return super.get(key);
  }

  override [Symbol.iterator](): MapIterator<[number, ScalarSample]> {
    this.reads += this.size;
    return super[Symbol.iterator]();
  }
}

function createFeed() {
  const newest = new CountedMap();
  for (let id = 1; id <= STREAMS; id++) newest.set(id, toSample(id));
  const followPoll = () => ({
    ...{ ready: new Promise<never>(() => {}), wake() {}, stop() {}, pollNow: async () => false },
  });
  return { newest, feed: new SampleFeed(followPoll, { lastSamples: async () => newest }) };
}

it('of a few streams are found without a look at the others', async () => {
  const { newest, feed } = createFeed();
  const found = await feed.lastSamplesUpTo(5, new Set([4, 5, 6, STREAMS + 1]));
  expect([...found.keys()]).toEqual([4, 5]);
  expect(newest.reads).toBe(4);
  feed.stop();
});

it('of all streams are found in several turns of the event loop', async () => {
  const { newest, feed } = createFeed();
  let isFound = false;
  const found = feed.lastSamplesUpTo(STREAMS, undefined).then(({ size }) => {
    isFound = true;
    return size;
  });
  for (let before = 0; !isFound; before = newest.reads) {
    expect(newest.reads - before).toBeLessThanOrEqual(MAX_READS_PER_TURN);
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(await found).toBe(STREAMS);
  feed.stop();
});

it('of all streams cost the caller less than streams whose level is followed', async () => {
  const { feed } = createFeed();
  const lastSamples = feed.lastSamplesUpTo(STREAMS, undefined);
  const evaluator = new ThresholdEvaluator({
    nowMs: () => 0,
    lastSamples,
    renewSources: () => {
      throw new Error('No sample is evaluated.');
    },
  });
  await evaluator.evaluate([]);
  expect((await lastSamples).size).toBe(STREAMS);
  expect(evaluator.bytes).toBe(STREAMS * 48);
  feed.stop();
});
