/**
 * Converts rows of sample tables to objects, and caches the objects of rows that are requested again. Dashboards read the
 * same days repeatedly, and the JSON text of identical objects is cached too.
 */
import { LRUCache } from 'lru-cache';
import { type ColumnTable, copyRows } from '../../timeseries/columnTable.js';
import type { ScalarSample } from '../samples/samples.js';
import { toScalarSamples } from './sampleTable.js';

export type SampleChunk = readonly ScalarSample[];

/** A sample takes about 200 bytes. */
const MAX_CACHED_SAMPLES = 20_000;
const MAX_SEEN_RANGES = 2048;

const cachedChunks = new LRUCache<string, SampleChunk>({
  maxSize: MAX_CACHED_SAMPLES,
  sizeCalculation: ({ length }) => length + 1,
});
/** Ranges requested before. Most ranges are requested only once, so that a chunk is cached at the second request. */
const seenRanges = new LRUCache<string, true>({ max: MAX_SEEN_RANGES });
/** Tables with the same rows share a buffer, which identifies them. */
const bufferIds = new WeakMap<ArrayBufferLike, number>();
let lastBufferId = 0;

/** The samples in the rows from `fromRow` to before `toRow`; the same array for a range requested before. */
export function toSampleChunk(
  table: ColumnTable,
  streamId: number,
  fromRow: number,
  toRow: number,
): SampleChunk {
  const { buffer, byteOffset, BYTES_PER_ELEMENT } = table.times;
  const first = byteOffset / BYTES_PER_ELEMENT + fromRow;
  const key = `${bufferIdOf(buffer)} ${first} ${toRow - fromRow}`;
  const cached = cachedChunks.get(key);
  if (cached) return cached;
  if (!seenRanges.has(key)) {
    seenRanges.set(key, true);
    return toScalarSamples(table, streamId, fromRow, toRow);
  }
  // Samples reference their table. A copy of the rows keeps the days around them out of memory.
  const chunk = toScalarSamples(copyRows(table, fromRow, toRow), streamId);
  cachedChunks.set(key, chunk);
  return chunk;
}

function bufferIdOf(buffer: ArrayBufferLike): number {
  const id = bufferIds.get(buffer);
  if (id !== undefined) return id;
  lastBufferId += 1;
  bufferIds.set(buffer, lastBufferId);
  return lastBufferId;
}
