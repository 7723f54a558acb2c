/**
 * Finds samples by their ids. The platform has no endpoint for this, so the samples that arrived around the id are
 * read.
 */
import DataLoader from 'dataloader';
import { newestId } from './sampleQueues.js';

export interface SampleKey {
  streamId: number;
  id: number;
}

/** Up to 100 samples of a stream after an id, by rising id; empty for an unknown stream. */
type ReadArrivals<Sample> = (streamId: number, afterId: number) => Promise<readonly Sample[]>;

/** The lowest id that the platform accepts. The sample with id 1 is never found. */
const MIN_ID = 1;

/**
 * Resolves to null for a sample that does not exist. Samples that arrived close together at a stream share one call.
 * If a stream cannot be read, only its own samples fail.
 */
export function createSampleByIdLoader<Sample extends { id: number }>(
  readAfter: ReadArrivals<Sample>,
): (key: SampleKey) => Promise<Sample | null> {
  const loaders = new Map<number, DataLoader<number, Sample | null>>();

  function createLoader(streamId: number) {
    const loader = new DataLoader<number, Sample | null>((ids) => findInStream(streamId, ids, readAfter));
    loaders.set(streamId, loader);
    return loader;
  }

  return ({ streamId, id }) => (loaders.get(streamId) ?? createLoader(streamId)).load(id);
}

async function findInStream<Sample extends { id: number }>(
  streamId: number,
  ids: readonly number[],
  readAfter: ReadArrivals<Sample>,
): Promise<(Sample | null)[]> {
  const found = new Map<number, Sample>();
  let readUpTo = 0;
  for (const id of [...ids].sort((one, other) => one - other)) {
    if (id <= readUpTo) continue;
    const samples = await readAfter(streamId, Math.max(id - 1, MIN_ID));
    for (const sample of samples) found.set(sample.id, sample);
    readUpTo = Math.max(id, newestId(samples));
  }
  return ids.map((id) => found.get(id) ?? null);
}
