/** How the time of a stream is cut into pages to be kept: by days of UTC, and what is recent as one. Pure. */
import type { ResourceKind } from '../../cache/policies.js';
import { type ColumnTable, copyOf, joinTables, viewOf } from '../../timeseries/columnTable.js';

/** A span of time in milliseconds: `fromMs` belongs to it, `toMs` does not. */
export interface TimeSpan {
  fromMs: number;
  toMs: number;
}

/** All that the platform has in the span. */
export interface TableSegment extends TimeSpan {
  table: ColumnTable;
}

/** A page of the grid: where it begins and ends, how long it keeps, and what it is called. */
export interface PageSlot extends TimeSpan {
  name: string;
  kind: ResourceKind;
}

export const DAY_MS = 86_400_000;
/** Days without a row are kept together by so many: a stream of last week has no page for each day since 2000. */
const BLOCK_DAYS = 64;
const BLOCK_MS = BLOCK_DAYS * DAY_MS;

/** Where the open end begins: yesterday. What lies before is closed, though late samples may still come. */
export function openPeriodStart(nowMs: number): number {
  return floorTo(nowMs - DAY_MS, DAY_MS);
}

/** The page that an instant lies in. The open end is one page without an end. */
export function pageAt(ms: number, nowMs: number): PageSlot {
  const open = openPeriodStart(nowMs);
  if (ms >= open) {
    return { name: `from ${open}`, kind: 'samplesOpen', fromMs: open, toMs: Number.POSITIVE_INFINITY };
  }
  const fromMs = floorTo(ms, DAY_MS);
  return { name: `day ${fromMs}`, kind: 'samplesClosed', fromMs, toMs: fromMs + DAY_MS };
}

/** The block of days that an instant lies in, kept where it is empty; undefined where it reaches into the open end. */
export function blockAt(ms: number, nowMs: number): PageSlot | undefined {
  const fromMs = floorTo(ms, BLOCK_MS);
  if (fromMs + BLOCK_MS > openPeriodStart(nowMs)) return undefined;
  return { name: `empty ${fromMs}`, kind: 'samplesClosed', fromMs, toMs: fromMs + BLOCK_MS };
}

/** A stretch in pieces, each with the page it belongs to; each piece has memory of its own. */
export function* splitIntoPages(
  { table, fromMs, toMs }: TableSegment,
  nowMs: number,
): Generator<{ place: PageSlot; piece: TableSegment }> {
  let at = fromMs;
  while (at < toMs) {
    const block = blockAt(at, nowMs);
    const isWhole = block !== undefined && block.fromMs === at && block.toMs <= toMs;
    const place = isWhole && isEmpty(table, block) ? block : pageAt(at, nowMs);
    const end = Math.min(place.toMs, toMs);
    yield { place, piece: { table: copyOf(table, at, end), fromMs: at, toMs: end } };
    at = end;
  }
}

/** What is known with a newer stretch; where a hole is between the two, the newer one alone. */
export function mergeSegments(known: TableSegment, newer: TableSegment): TableSegment {
  if (known.fromMs > newer.toMs || newer.fromMs > known.toMs) return newer;
  const before = viewOf(known.table, known.fromMs, newer.fromMs);
  const behind = viewOf(known.table, newer.toMs, known.toMs);
  return {
    table: joinTables([before, newer.table, behind], newer.table.columns.length),
    fromMs: Math.min(known.fromMs, newer.fromMs),
    toMs: Math.max(known.toMs, newer.toMs),
  };
}

function isEmpty({ times }: ColumnTable, { fromMs, toMs }: TimeSpan): boolean {
  return viewOf({ times, columns: [], texts: new Map() }, fromMs, toMs).times.length === 0;
}

function floorTo(ms: number, step: number): number {
  return Math.floor(ms / step) * step;
}
