/** Pages of a stream's samples, oldest or newest first. A cursor is a sample, so late arrivals do not shift pages. */
import { LRUCache } from 'lru-cache';
import { ChunkedList } from '../../lib/chunkedList.js';
import { SECOND_MS } from '../../lib/clock.js';
import { type ColumnTable, copyRows } from '../../timeseries/columnTable.js';
import { DEFAULT_INTERVAL_MS } from '../../timeseries/sampleSpacing.js';
import { MAX_PAGE_LENGTH, type SamplePosition } from '../samples/samplePages.js';
import type { ScalarSample } from '../samples/samples.js';
import { floorTo, type TableSegment, type TimeSpan } from './dayPages.js';
import { rowAfter } from './rangeSource.js';
import { toTableSamples } from './sampleTable.js';
import type { Timeline } from './timeline.js';

interface RangePageRequest {
  span: TimeSpan;
  /** The page starts after this sample in its own order. */
  after: SamplePosition | undefined;
  count: number;
}

/** Pages that one call loads. Clients often continue reading, and then find the next pages in the page store. */
const PAGES_PER_CALL = 10;

export type RangePaginator = ReturnType<typeof createRangePaginator>;

interface RangePaginatorOptions {
  timeline: Timeline;
  streamId: number;
  nowMs: () => number;
  /** False if the caller bypasses the cache: then only the requested page is worth loading. */
  readsAhead: boolean;
  /** See `SiteSamples`. */
  prefetch(span: TimeSpan, maxRows: number): Promise<void>;
  /** The time of the stream's newest sample; null for a stream without samples. */
  newestMs(): Promise<number | null>;
}

export function createRangePaginator(options: RangePaginatorOptions) {
  const { timeline, streamId, readsAhead, prefetch } = options;
  // Two samples more than the page: one shows whether there is a next page, one is the sample at the cursor.
  const rowsPerCall = (count: number) =>
    Math.min(readsAhead ? Math.max(count * PAGES_PER_CALL, count + 2) : count + 2, MAX_PAGE_LENGTH);

  async function oldestFirst({ span, after, count }: RangePageRequest) {
    const page = createPage(count);
    if (!after) await prefetch(span, rowsPerCall(count));
    const fromMs = after ? Math.max(span.fromMs, floorToSecond(after.sampledAtMs)) : span.fromMs;
    for await (const { table } of timeline.readSegments({ fromMs, toMs: span.toMs }, rowsPerCall(count))) {
      const fromRow = after ? rowAfter(table, after) : 0;
      const toRow = fromRow + page.add(table.times.length - fromRow);
      page.chunks.push(toSampleChunk(table, streamId, fromRow, toRow));
      if (page.hasMore()) break;
    }
    return { items: new ChunkedList(page.chunks), hasMore: page.hasMore() };
  }

  async function newestFirst({ span, after, count }: RangePageRequest) {
    const page = createPage(count);
    const toMs = after ? Math.min(span.toMs, floorToSecond(after.sampledAtMs) + SECOND_MS) : span.toMs;
    for await (const table of readBackwards({ fromMs: span.fromMs, toMs }, rowsPerCall(count), options)) {
      // Ids are whole numbers, so the rows before a sample end at the id before its own.
      const toRow = after ? rowAfter(table, { ...after, id: after.id - 1 }) : table.times.length;
      const fromRow = toRow - page.add(toRow);
      page.chunks.push(toSampleChunk(table, streamId, fromRow, toRow));
      if (page.hasMore()) break;
    }
    return { items: new ChunkedList(page.chunks.reverse()).reversed(), hasMore: page.hasMore() };
  }

  async function count(span: TimeSpan): Promise<number> {
    let total = 0;
    for await (const { table } of timeline.readSegments(span)) total += table.times.length;
    return total;
  }

  return { oldestFirst, newestFirst, count };
}

/** Collects chunks with up to `count` samples. */
function createPage(count: number) {
  let missing = count;
  let isExceeded = false;
  return {
    chunks: [] as SampleChunk[],
    /** How many of the next `found` samples fit. */
    add(found: number): number {
      const added = Math.min(found, missing);
      missing -= added;
      isExceeded ||= found > added;
      return added;
    },
    /** Whether a sample did not fit. */
    hasMore: () => isExceeded,
  };
}

/** The window after an empty one is this many times as long. */
const WINDOW_GROWTH = 4;
/** An incomplete call leaves out its last second, so this share of `rowsPerCall` counts as a full call. */
const FULL_CALL_SHARE = 0.9;

/**
 * The lengths of windows that are read one after another, for about `rowsPerCall` samples each. The density of the
 * samples sets the length of the next window.
 */
function createWindowLengths(rowsPerCall: number) {
  let lengthMs = rowsPerCall * DEFAULT_INTERVAL_MS;
  let gaps = 0;
  return {
    /** Before the first gap there are often few samples or none, so the whole rest is read at once. */
    next: () => (gaps === 1 ? Number.POSITIVE_INFINITY : lengthMs),
    /** The window has more samples than a call returns; `rows` of them are in its first `readMs`. */
    shrink(readMs: number, rows: number): void {
      if (gaps === 1) gaps += 1;
      else lengthMs = Math.min(lengthMs / 2, (rowsPerCall * readMs) / rows);
    },
    grow(readMs: number, rows: number): void {
      const neededMs = rows === 0 ? Number.POSITIVE_INFINITY : (rowsPerCall * readMs) / rows;
      lengthMs = Math.min(neededMs, lengthMs * WINDOW_GROWTH);
    },
    /** The window is empty, although the stream may have older samples. */
    passGap(): void {
      gaps += 1;
    },
  };
}

/**
 * Yields the tables of a span from its end to its beginning. The platform pages only from old to new, so a window at the
 * end is read, then the window before it.
 */
async function* readBackwards(
  span: TimeSpan,
  rowsPerCall: number,
  { timeline, nowMs, newestMs, prefetch }: RangePaginatorOptions,
): AsyncGenerator<ColumnTable> {
  const lengths = createWindowLengths(rowsPerCall);
  let toMs = span.toMs;
  let knowsNewest = false;
  while (toMs > span.fromMs) {
    // Hardly any sample has a date in the future, so the length of a window is measured back from now.
    const endMs = Math.min(toMs, Math.max(nowMs(), span.fromMs + SECOND_MS));
    const window = { fromMs: Math.max(span.fromMs, floorToSecond(endMs - lengths.next())), toMs };
    await prefetch(window, rowsPerCall);
    const { tables, rows, reachedMs } = await readWindow(timeline, window, rowsPerCall);
    if (reachedMs < toMs && reachedMs >= endMs) {
      // A shorter window would not help: it also ends with these samples, whose dates are in the future.
      const ahead = await readEnd(timeline, { fromMs: floorToSecond(endMs), toMs }, rowsPerCall);
      yield* ahead.tables;
      toMs = ahead.fromMs;
      continue;
    }
    if (reachedMs < toMs) {
      lengths.shrink(reachedMs - window.fromMs, rows);
      continue;
    }
    yield* tables.reverse();
    lengths.grow(endMs - window.fromMs, rows);
    toMs = window.fromMs;
    knowsNewest ||= rows > 0 || span.toMs < nowMs();
    if (rows === 0 && knowsNewest) lengths.passGap();
    if (!knowsNewest) {
      knowsNewest = true;
      const lastMs = await newestMs();
      toMs = lastMs === null ? span.fromMs : Math.min(toMs, floorToSecond(lastMs) + SECOND_MS);
    }
  }
}

/**
 * Reads the segments of a window. Stops early if a window of more than a second has more samples than one call
 * returns.
 */
async function readWindow(timeline: Timeline, window: TimeSpan, rowsPerCall: number) {
  const tables: ColumnTable[] = [];
  let rows = 0;
  let reachedMs = window.fromMs;
  for await (const { table, toMs } of timeline.readSegments(window, rowsPerCall)) {
    tables.push(table);
    rows += table.times.length;
    reachedMs = toMs;
    if (rows >= rowsPerCall * FULL_CALL_SHARE && window.toMs - window.fromMs > SECOND_MS) break;
  }
  // Segments begin on whole seconds, not before the platform's lowest date: an earlier window has none.
  return { tables, rows, reachedMs: tables.length === 0 ? window.toMs : reachedMs };
}

/**
 * The tables at the end of a span, last one first: as many as have `rowsPerCall` rows together, or all. Reads the
 * whole span.
 */
async function readEnd(timeline: Timeline, span: TimeSpan, rowsPerCall: number) {
  const segments: TableSegment[] = [];
  let rows = 0;
  for await (const segment of timeline.readSegments(span)) {
    segments.push(segment);
    rows += rowsIn(segment);
    while (rows - rowsIn(segments[0]) >= rowsPerCall) rows -= rowsIn(segments.shift());
  }
  return { tables: segments.map(({ table }) => table).reverse(), fromMs: segments[0]?.fromMs ?? span.fromMs };
}

function rowsIn(segment: TableSegment | undefined): number {
  return segment?.table.times.length ?? 0;
}

function floorToSecond(ms: number): number {
  return floorTo(ms, SECOND_MS);
}

type SampleChunk = readonly ScalarSample[];

/** A sample takes about 200 bytes. */
const MAX_CACHED_SAMPLES = 20_000;
const MAX_SEEN_RANGES = 2048;

const cachedChunks = new LRUCache<string, SampleChunk>({
  maxSize: MAX_CACHED_SAMPLES,
  sizeCalculation: ({ length }) => length + 1,
});
/** Ranges requested before. Most ranges are requested only once, so a chunk is cached only at the second request. */
const seenRanges = new LRUCache<string, true>({ max: MAX_SEEN_RANGES });
/** Tables with the same rows share a buffer, which identifies them. */
const bufferIds = new WeakMap<ArrayBufferLike, number>();
let lastBufferId = 0;

/**
 * Converts the rows from `fromRow` to before `toRow` to samples. A range requested before gives the same array: dashboards
 * read the same days repeatedly, and the JSON text of identical objects is cached too.
 */
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
    return toTableSamples(table, streamId, fromRow, toRow);
  }
  // Samples reference their table. Copying the rows lets the days around them be garbage collected.
  const chunk = toTableSamples(copyRows(table, fromRow, toRow), streamId);
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
