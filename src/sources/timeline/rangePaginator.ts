/** Pages of a stream's samples, oldest or newest first. A place is a sample, so late arrivals move nothing. */
import { ChunkedList } from '../../lib/chunkedList.js';
import { type ColumnTable, rowAt } from '../../timeseries/columnTable.js';
import { DEFAULT_INTERVAL_MS } from '../../timeseries/sampleSpacing.js';
import { MAX_PAGE_LENGTH, type SamplePosition } from '../samples/samplePages.js';
import type { ScalarSample } from '../samples/samples.js';
import type { TimeSpan } from './dayPages.js';
import { rowAfter } from './rangeSource.js';
import { type SampleChunk, toSampleChunk } from './sampleChunks.js';
import { ID_COLUMN } from './sampleTable.js';
import type { Timeline } from './timeline.js';

export interface RangePageRequest {
  span: TimeSpan;
  /** Behind this sample, in the order asked for. */
  after: SamplePosition | undefined;
  count: number;
}

/** Whoever reads a page often reads on: a call brings as many pages as this, which the next questions find kept. */
const PAGES_PER_CALL = 10;

/** Samples in the order asked for. */
export interface SampleRangePage {
  samples: ChunkedList<ScalarSample>;
  hasMore: boolean;
}

/** How the pages of one stream are read. */
export interface RangePaginator {
  oldestFirst(request: RangePageRequest): Promise<SampleRangePage>;
  newestFirst(request: RangePageRequest): Promise<SampleRangePage>;
  count(span: TimeSpan): Promise<number>;
}

export interface RangePaginatorOptions {
  timeline: Timeline;
  streamId: number;
  nowMs: () => number;
  /** False where nothing is kept: then only what is asked for is worth reading. */
  readsAhead: boolean;
  /** When the stream's newest sample was taken; null where it has none. */
  newestMs(): Promise<number | null>;
}

export function createRangePaginator(parts: RangePaginatorOptions): RangePaginator {
  const { timeline, streamId, readsAhead } = parts;
  // Two more than asked for: the one that tells whether there is more, and the place's own.
  const worthOf = (count: number) =>
    Math.min(readsAhead ? Math.max(count * PAGES_PER_CALL, count + 2) : count + 2, MAX_PAGE_LENGTH);

  async function oldestFirst({ span, after, count }: RangePageRequest) {
    const page = createPage(count);
    const fromMs = after ? Math.max(span.fromMs, floorToSecond(after.sampledAtMs)) : span.fromMs;
    for await (const { table } of timeline.readSegments({ fromMs, toMs: span.toMs }, worthOf(count))) {
      const fromRow = after ? rowAfter(table, after) : 0;
      const toRow = fromRow + page.take(table.times.length - fromRow);
      page.pieces.push(toSampleChunk(table, streamId, fromRow, toRow));
      if (page.hasMore()) break;
    }
    return { samples: new ChunkedList(page.pieces), hasMore: page.hasMore() };
  }

  async function newestFirst({ span, after, count }: RangePageRequest) {
    const page = createPage(count);
    const toMs = after ? Math.min(span.toMs, floorToSecond(after.sampledAtMs) + SECOND_MS) : span.toMs;
    for await (const table of readBackwards({ fromMs: span.fromMs, toMs }, worthOf(count), parts)) {
      const toRow = after ? rowBefore(table, after) : table.times.length;
      const fromRow = toRow - page.take(toRow);
      page.pieces.push(toSampleChunk(table, streamId, fromRow, toRow));
      if (page.hasMore()) break;
    }
    return { samples: new ChunkedList(page.pieces.reverse()).reversed(), hasMore: page.hasMore() };
  }

  async function count(span: TimeSpan): Promise<number> {
    let total = 0;
    for await (const { table } of timeline.readSegments(span, MAX_PAGE_LENGTH)) total += table.times.length;
    return total;
  }

  return { oldestFirst, newestFirst, count };
}

/** A page that is being filled: with pieces, up to so many samples. */
function createPage(count: number) {
  let room = count;
  let isOver = false;
  return {
    pieces: [] as SampleChunk[],
    /** How many of so many further samples it takes. */
    take(found: number): number {
      const taken = Math.min(found, room);
      room -= taken;
      isOver ||= found > taken;
      return taken;
    },
    /** Whether there was a sample that it had no room for. */
    hasMore: () => isOver,
  };
}

const SECOND_MS = 1000;
/** A window without a sample is followed by one so many times as long. */
const WINDOW_GROWTH = 4;
/** A call that was cut off leaves out the samples of its last second: so much of what is worth reading is all of it. */
const ENOUGH_SHARE = 0.9;

/**
 * The tables of a span from its end to its beginning. The platform pages from old to new alone: a window at the end
 * is read, as long as `worth` samples are likely to take up, then the one before it, by the density met.
 */
async function* readBackwards(
  span: TimeSpan,
  worth: number,
  { timeline, nowMs, newestMs }: RangePaginatorOptions,
): AsyncGenerator<ColumnTable> {
  let toMs = span.toMs;
  let widthMs = worth * DEFAULT_INTERVAL_MS;
  let hasLooked = false;
  while (toMs > span.fromMs) {
    // Hardly anything is dated ahead of now: a window begins from now back, and reaches as far ahead as asked.
    const endMs = Math.min(toMs, Math.max(nowMs(), span.fromMs + SECOND_MS));
    const window = { fromMs: Math.max(span.fromMs, floorToSecond(endMs - widthMs)), toMs };
    const { tables, rows, reachedMs } = await readWindow(timeline, window, worth);
    if (reachedMs < toMs) {
      widthMs = Math.min(widthMs / 2, (worth * (reachedMs - window.fromMs)) / rows);
      continue;
    }
    yield* tables.reverse();
    const isQuiet = rows === 0;
    widthMs = isQuiet
      ? widthMs * WINDOW_GROWTH
      : Math.min((worth * (endMs - window.fromMs)) / rows, widthMs * WINDOW_GROWTH);
    toMs = window.fromMs;
    if (isQuiet && !hasLooked && span.toMs >= nowMs()) {
      hasLooked = true;
      const lastMs = await newestMs();
      toMs = lastMs === null ? span.fromMs : Math.min(toMs, floorToSecond(lastMs) + SECOND_MS);
    }
  }
}

/** Gives up where a window of more than a second holds more samples than are worth reading. */
async function readWindow(timeline: Timeline, window: TimeSpan, worth: number) {
  const tables: ColumnTable[] = [];
  let rows = 0;
  let reachedMs = window.fromMs;
  for await (const { table, toMs } of timeline.readSegments(window, worth)) {
    tables.push(table);
    rows += table.times.length;
    reachedMs = toMs;
    if (rows >= worth * ENOUGH_SHARE && window.toMs - window.fromMs > SECOND_MS) break;
  }
  // A walk begins on a whole second and at the platform's least date: what lies before holds nothing.
  return { tables, rows, reachedMs: tables.length === 0 ? window.toMs : reachedMs };
}

/** The rows before a place in time. */
function rowBefore(table: ColumnTable, position: SamplePosition): number {
  const ids = table.columns[ID_COLUMN] ?? new Float64Array(0);
  let row = rowAt(table.times, position.sampledAtMs);
  while (row < ids.length && table.times[row] === position.sampledAtMs && (ids[row] ?? 0) < position.id)
    row += 1;
  return row;
}

function floorToSecond(ms: number): number {
  return Math.floor(ms / SECOND_MS) * SECOND_MS;
}
