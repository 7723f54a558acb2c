/** A listener whose queue is full at any number of samples. */
import { unlimitedBytes } from '../../../src/lib/byteBudget.js';
import { FeedListener } from '../../../src/live/feedListener.js';
import type { ScalarSample } from '../../../src/sources/samples/samples.js';

/** Memory of a sample without text. */
const SAMPLE_BYTES = 240;

export function testSamples(...ids: readonly number[]): ScalarSample[] {
  return ids.map((id) => ({
    ...{ __typename: 'ScalarSample', id, streamId: 1, sampledAt: '2024-01-01T00:00:00Z' },
    ...{ value: null, rawValue: '' },
  }));
}

export function createTestListener({
  capacity = 1000,
  maxBatch,
  streamIds,
}: {
  capacity?: number;
  maxBatch?: number;
  streamIds?: ReadonlySet<number>;
} = {}) {
  let bytes = 0;
  let ends = 0;
  const add = (more: number) => {
    bytes += more;
  };
  const isExceeded = () => bytes >= capacity * SAMPLE_BYTES;
  const budget = { ...unlimitedBytes, add, isExceeded };
  const selection = { kinds: ['SCALAR' as const], streamIds, budget, maxBatch };
  const listener = new FeedListener(selection, () => {
    ends += 1;
  });
  return { listener, ends: () => ends, used: () => bytes };
}

/** The ids of the next batch; empty at the end. */
export async function takeIds(listener: FeedListener): Promise<number[]> {
  const { value, done } = await listener.next();
  return done ? [] : value.map(({ id }) => id);
}
