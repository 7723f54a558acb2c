/**
 * Makes objects of the rows of sample tables, and keeps those that are asked for again: dashboards read the same days
 * over and over, and objects that stay the same need not be written as text again either.
 */
import { LRUCache } from 'lru-cache';
import { type ColumnTable, copyRows } from '../../timeseries/columnTable.js';
import type { ScalarSample } from '../samples/samples.js';
import { toScalarSamples } from './sampleTable.js';

export type SampleChunk = readonly ScalarSample[];

/** Samples; each takes about 200 bytes. */
const MAX_CACHED_SAMPLES = 20_000;
const MAX_SEEN_RANGES = 2048;

const cachedChunks = new LRUCache<string, SampleChunk>({
  maxSize: MAX_CACHED_SAMPLES,
  sizeCalculation: ({ length }) => length + 1,
});
/** Rows that were asked for before. Most that are asked for once never are again. */
const seenRanges = new LRUCache<string, true>({ max: MAX_SEEN_RANGES });
/** Tables that show the same rows share their memory: it tells them from all others. */
const bufferIds = new WeakMap<ArrayBufferLike, number>();
let lastBufferId = 0;

/** The samples of a table, those from `fromRow` and before `toRow`; of rows asked for before, the same array. */
export function toSampleChunk(
  table: ColumnTable,
  streamId: number,
  fromRow: number,
  toRow: number,
): SampleChunk {
  const { buffer, byteOffset, BYTES_PER_ELEMENT } = table.times;
  const first = byteOffset / BYTES_PER_ELEMENT + fromRow;
  const key = `${bufferIdOf(buffer)} ${first} ${toRow - fromRow}`;
  const known = cachedChunks.get(key);
  if (known) return known;
  if (!seenRanges.has(key)) {
    seenRanges.set(key, true);
    return toScalarSamples(table, streamId, fromRow, toRow);
  }
  // Samples hold on to their table: to all of the days around them, if it were this one.
  const piece = toScalarSamples(copyRows(table, fromRow, toRow), streamId);
  cachedChunks.set(key, piece);
  return piece;
}

function bufferIdOf(memory: ArrayBufferLike): number {
  const known = bufferIds.get(memory);
  if (known !== undefined) return known;
  lastBufferId += 1;
  bufferIds.set(memory, lastBufferId);
  return lastBufferId;
}
