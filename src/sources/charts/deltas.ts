/**
 * Selects the rows of a chart that are new or changed since an earlier result. Pure.
 *
 * A cursor contains digests of its result, and the gateway stores nothing: the full result is computed again, and its rows
 * up to the first different digest are left out. So the rest replaces exactly the rows that differ, whatever the cause:
 * new samples, late samples, other points of a reduction, another process. A chart costs few milliseconds from cached
 * samples.
 */
import { hash } from 'node:crypto';
import type { Aggregate } from './aggregates.js';
import type { Series, SharedSeries } from './series.js';

/** The rows of a result as columns. `times` are whole milliseconds in ascending order; equal times are allowed. */
export interface ChartRows {
  times: readonly number[];
  columns: readonly (readonly (number | null)[])[];
}

/** Everything that a result depends on, apart from the samples and the end of the range. */
export interface ChartRequest {
  fromMs: number;
  /** Names the field and its other arguments. A cursor of another request has no effect: all rows are sent. */
  identity: readonly unknown[];
}

/** An earlier result, as its cursor describes it. */
export interface EarlierResult {
  request: string;
  /** No row is older. Unix seconds. */
  startSeconds: number;
  rowCount: number;
  /** One digest for each chunk of rows. */
  digests: readonly string[];
}

interface Delta {
  /** The rows from this index on are in the result. */
  firstRow: number;
  /** The result replaces all rows of the earlier result from this time on, in Unix milliseconds. */
  replaceFrom: number;
  cursor: string;
}

const REQUEST_BYTES = 4;
const START_BYTES = 4;
const COUNT_BYTES = 3;
/** With 256 changed chunks a second, a collision hides about one change in a century. */
const DIGEST_BYTES = 5;
const HEAD_BYTES = REQUEST_BYTES + START_BYTES + COUNT_BYTES;
const CHUNK_GROWTH = 4;
const MAX_START_SECONDS = 2 ** (8 * START_BYTES) - 1;
/** The characters of a cursor of 16 million rows. */
const MAX_CURSOR_LENGTH = 128;
const FORMAT = 1;

/** The rows that are not in the earlier result; all rows if there is none or if it belongs to another request. */
export function toDelta(rows: ChartRows, request: ChartRequest, earlier: EarlierResult | undefined): Delta {
  const startMs = Math.min(request.fromMs, rows.times[0] ?? request.fromMs);
  const requestDigest = digestOf(JSON.stringify([FORMAT, request.fromMs, request.identity]), REQUEST_BYTES);
  const cursor = writeCursor(rows, requestDigest, startMs);
  if (earlier === undefined) return { firstRow: 0, replaceFrom: startMs, cursor };
  const unchanged = earlier.request === requestDigest ? countUnchanged(rows, earlier) : 0;
  if (unchanged === 0) {
    return { firstRow: 0, replaceFrom: Math.min(startMs, earlier.startSeconds * 1000), cursor };
  }
  return { ...splitAt(rows, unchanged, unchanged === earlier.rowCount), cursor };
}

/** Undefined for a string that is not a cursor. */
export function parseDeltaCursor(text: string): EarlierResult | undefined {
  const bytes = text.length <= MAX_CURSOR_LENGTH ? Buffer.from(text, 'base64url') : Buffer.alloc(0);
  if (bytes.length < HEAD_BYTES || bytes.toString('base64url') !== text) return undefined;
  const rowCount = bytes.readUIntBE(REQUEST_BYTES + START_BYTES, COUNT_BYTES);
  const chunkCount = chunkEnds(rowCount).length;
  if (bytes.length !== HEAD_BYTES + chunkCount * DIGEST_BYTES) return undefined;
  const textAt = (from: number, length: number) => bytes.subarray(from, from + length).toString('latin1');
  return {
    request: textAt(0, REQUEST_BYTES),
    startSeconds: bytes.readUIntBE(REQUEST_BYTES, START_BYTES),
    rowCount,
    digests: Array.from({ length: chunkCount }, (_, chunk) =>
      textAt(HEAD_BYTES + chunk * DIGEST_BYTES, DIGEST_BYTES),
    ),
  };
}

/**
 * The rows from index `kept` on: the earlier result has those before it. `hasAll`: the earlier result has no other
 * rows. Otherwise its next row may have the same time as the last unchanged row, so the rows of that time are sent
 * again.
 */
function splitAt({ times }: ChartRows, unchanged: number, hasAll: boolean): Omit<Delta, 'cursor'> {
  const lastMs = times[unchanged - 1] ?? 0;
  const nextMs = times[unchanged] ?? lastMs + 1;
  if (hasAll && nextMs > lastMs) return { firstRow: unchanged, replaceFrom: nextMs };
  return { firstRow: times.indexOf(lastMs), replaceFrom: lastMs };
}

/** The number of rows at the beginning that, according to the digests, are also in the earlier result. */
function countUnchanged(rows: ChartRows, { rowCount, digests }: EarlierResult): number {
  let unchanged = 0;
  for (const [chunk, end] of chunkEnds(rowCount).entries()) {
    if (end > rows.times.length || digestOfRows(rows, unchanged, end) !== digests[chunk]) return unchanged;
    unchanged = end;
  }
  return unchanged;
}

function writeCursor(rows: ChartRows, requestDigest: string, startMs: number): string {
  const head = Buffer.alloc(HEAD_BYTES);
  head.write(requestDigest, 'latin1');
  const startSeconds = Math.min(MAX_START_SECONDS, Math.max(0, Math.floor(startMs / 1000)));
  head.writeUIntBE(startSeconds, REQUEST_BYTES, START_BYTES);
  head.writeUIntBE(rows.times.length, REQUEST_BYTES + START_BYTES, COUNT_BYTES);
  const ends = chunkEnds(rows.times.length);
  const digests = ends.map((end, chunk) => digestOfRows(rows, ends[chunk - 1] ?? 0, end));
  return Buffer.concat([head, Buffer.from(digests.join(''), 'latin1')]).toString('base64url');
}

/**
 * The ends of the chunks of `rowCount` rows. The last chunk has one row, and all before the last 4, 16, 64, … rows are
 * chunks too: new samples change the last rows, which are then sent again with few others.
 */
function chunkEnds(rowCount: number): number[] {
  const ends: number[] = [];
  for (let behind = 1; behind < rowCount; behind *= CHUNK_GROWTH) ends.push(rowCount - behind);
  ends.reverse();
  return rowCount === 0 ? [] : [...ends, rowCount];
}

function digestOfRows({ times, columns }: ChartRows, from: number, to: number): string {
  const all = [times, ...columns];
  const numbers = new Float64Array(all.length * (to - from));
  let at = 0;
  for (const column of all) {
    for (let row = from; row < to; row++) numbers[at++] = column[row] ?? Number.NaN;
  }
  return digestOf(new Uint8Array(numbers.buffer), DIGEST_BYTES);
}

/** The digest as text with one character for each byte. */
function digestOf(data: string | Uint8Array, bytes: number): string {
  return hash('sha256', data, 'buffer').toString('latin1', 0, bytes);
}

/** The cursor of a result, and the time from which it replaces the earlier result. */
type Continuation = Omit<Delta, 'firstRow'>;

export interface SeriesSince extends Series, Continuation {}
export interface SharedSeriesSince extends SharedSeries, Continuation {}
export type AggregateSince = WithContinuation<Aggregate>;

/** The last row of a list carries the continuation of the whole list. */
export type WithContinuation<Row> = Row & { continuation?: Continuation };

export function toSeriesSince(
  series: Series,
  request: ChartRequest,
  earlier: EarlierResult | undefined,
): SeriesSince {
  const { times, values, min, max } = series;
  const { firstRow, ...continuation } = toDelta({ times, columns: [values, min, max] }, request, earlier);
  const cut = <Item>(column: Item[]) => (firstRow === 0 ? column : column.slice(firstRow));
  const columns = { times: cut(times), values: cut(values), min: cut(min), max: cut(max) };
  return { ...series, ...columns, ...continuation };
}

/** The client's lines can be continued only if the same streams could be read. */
export function toSharedSeriesSince(
  series: SharedSeries,
  request: ChartRequest,
  earlier: EarlierResult | undefined,
): SharedSeriesSince {
  const { times, lines, intervalSeconds } = series;
  const columns = lines.flatMap((line) => (line instanceof Error ? [] : [line.values, line.min, line.max]));
  const streamIds = lines.map((line) => (line instanceof Error ? null : line.streamId));
  const identity = [...request.identity, intervalSeconds, streamIds];
  const { firstRow, ...continuation } = toDelta({ times, columns }, { ...request, identity }, earlier);
  if (firstRow === 0) return { ...series, ...continuation };
  const cutLines = lines.map((line) => {
    if (line instanceof Error) return line;
    const [values, min, max] = [line.values, line.min, line.max].map((column) => column.slice(firstRow));
    return { ...line, values: values ?? [], min: min ?? [], max: max ?? [] };
  });
  return { ...series, times: times.slice(firstRow), lines: cutLines, ...continuation };
}

/**
 * Columns whose values also depend on samples outside their interval: on the next number, and on the usual time
 * between samples.
 */
type Integrals = readonly (readonly (number | null)[])[];

export async function loadIntegrals(aggregates: readonly Aggregate[]): Promise<Integrals> {
  const details = await Promise.all(aggregates.map((row) => row.details()));
  return [details.map(({ integral }) => integral), details.map(({ timeWeightedAvg }) => timeWeightedAvg)];
}

/** `integrals`: if the result has them. */
export function toAggregatesSince(
  aggregates: readonly Aggregate[],
  request: ChartRequest,
  earlier: EarlierResult | undefined,
  integrals: Integrals = [],
): AggregateSince[] {
  const column = (read: (row: Aggregate) => number | null) => aggregates.map(read);
  const rows: ChartRows = {
    times: aggregates.map(({ startAt }) => Date.parse(startAt)),
    columns: [
      aggregates.map(({ endAt }) => Date.parse(endAt)),
      ...[column(({ count }) => count), column(({ min }) => min), column(({ max }) => max)],
      ...[column(({ avg }) => avg), column(({ sum }) => sum)],
      ...integrals,
    ],
  };
  const identity = [...request.identity, integrals.length];
  const { firstRow, ...continuation } = toDelta(rows, { ...request, identity }, earlier);
  return withContinuation(aggregates.slice(firstRow), continuation);
}

/** An empty list needs no continuation: the one that the client has stays valid. */
export function withContinuation<Row extends object>(
  rows: readonly Row[],
  continuation: Continuation,
): WithContinuation<Row>[] {
  const last = rows.at(-1);
  return last === undefined ? [] : [...rows.slice(0, -1), { ...last, continuation }];
}
