/**
 * Makes objects of the rows of sample tables, and keeps those that are asked for again: dashboards read the same days
 * over and over, and objects that stay the same need not be written as text again either.
 */
import { LRUCache } from 'lru-cache';
import { copyRows, type TimeTable } from '../lib/timeTable.js';
import type { ScalarSample } from './samples.js';
import { toScalarSamples } from './sampleTable.js';

export type ScalarPiece = readonly ScalarSample[];

/** Samples; each takes about 200 bytes. */
const MOST_KEPT = 20_000;
const MOST_SEEN = 2048;

const kept = new LRUCache<string, ScalarPiece>({
  maxSize: MOST_KEPT,
  sizeCalculation: ({ length }) => length + 1,
});
/** Rows that were asked for before. Most that are asked for once never are again. */
const seen = new LRUCache<string, true>({ max: MOST_SEEN });
/** Tables that show the same rows share their memory: it tells them from all others. */
const memoryNumbers = new WeakMap<ArrayBufferLike, number>();
let lastNumber = 0;

/** The samples of a table, those from `fromRow` and before `toRow`; of rows asked for before, the same array. */
export function toScalarPiece(
  table: TimeTable,
  streamId: number,
  fromRow: number,
  toRow: number,
): ScalarPiece {
  const { buffer, byteOffset, BYTES_PER_ELEMENT } = table.times;
  const first = byteOffset / BYTES_PER_ELEMENT + fromRow;
  const key = `${numberOf(buffer)} ${first} ${toRow - fromRow}`;
  const known = kept.get(key);
  if (known) return known;
  if (!seen.has(key)) {
    seen.set(key, true);
    return toScalarSamples(table, streamId, fromRow, toRow);
  }
  // Samples hold on to their table: to all of the days around them, if it were this one.
  const piece = toScalarSamples(copyRows(table, fromRow, toRow), streamId);
  kept.set(key, piece);
  return piece;
}

function numberOf(memory: ArrayBufferLike): number {
  const known = memoryNumbers.get(memory);
  if (known !== undefined) return known;
  lastNumber += 1;
  memoryNumbers.set(memory, lastNumber);
  return lastNumber;
}
