/** Splits the time of a stream into pages for the page store: one for each UTC day, and one for recent time. Pure. */
import { openPeriodStart, type ResourceKind } from '../../cache/policies.js';
import { DAY_MS } from '../../lib/clock.js';
import { type ColumnTable, copyOf, joinTables, rowAt, viewOf } from '../../timeseries/columnTable.js';

/** A half-open span of time in milliseconds: `fromMs` belongs to it, `toMs` does not. */
export interface TimeSpan {
  fromMs: number;
  toMs: number;
}

/** All rows of the platform in the span. */
export interface TableSegment extends TimeSpan {
  table: ColumnTable;
}

/** The name, the cache policy and the bounds of a page. */
export interface PageSlot extends TimeSpan {
  name: string;
  kind: ResourceKind;
  /** Whether the page stands for many days without rows. */
  isBlock?: boolean;
}

/** Empty days are stored in blocks, so that a stream of last week does not have a page for each day since 2000. */
const BLOCK_DAYS = 64;
const BLOCK_MS = BLOCK_DAYS * DAY_MS;

/** The page of an instant. The open period is one page without an end. */
export function pageAt(ms: number, nowMs: number): PageSlot {
  const open = openPeriodStart(nowMs);
  if (ms >= open) {
    return { name: `from ${open}`, kind: 'samplesOpen', fromMs: open, toMs: Number.POSITIVE_INFINITY };
  }
  const fromMs = floorTo(ms, DAY_MS);
  return { name: `day ${fromMs}`, kind: 'samplesClosed', fromMs, toMs: fromMs + DAY_MS };
}

/** The block of an instant; undefined if it overlaps the open period. Only empty blocks are stored. */
export function blockAt(ms: number, nowMs: number): PageSlot | undefined {
  const fromMs = floorTo(ms, BLOCK_MS);
  if (fromMs + BLOCK_MS > openPeriodStart(nowMs)) return undefined;
  return { name: `empty ${fromMs}`, kind: 'samplesClosed', isBlock: true, fromMs, toMs: fromMs + BLOCK_MS };
}

/** Splits a segment by page. Each part has a copy of its rows. */
export function* splitIntoPages(
  { table, fromMs, toMs }: TableSegment,
  nowMs: number,
): Generator<{ slot: PageSlot; part: TableSegment }> {
  let at = fromMs;
  while (at < toMs) {
    const block = blockAt(at, nowMs);
    const isWhole = block !== undefined && block.fromMs === at && block.toMs <= toMs;
    const slot = isWhole && isEmpty(table, block) ? block : pageAt(at, nowMs);
    const end = Math.min(slot.toMs, toMs);
    yield { slot, part: { table: copyOf(table, at, end), fromMs: at, toMs: end } };
    at = end;
  }
}

/** The page of the same time for a segment that `areApart` from the stored one, as the two ends of a chart are. */
export function secondPageOf(slot: PageSlot): PageSlot {
  return { ...slot, name: `${slot.name} apart` };
}

/** Whether there is a gap between two segments. */
export function areApart(one: TimeSpan, other: TimeSpan): boolean {
  return one.fromMs > other.toMs || other.fromMs > one.toMs;
}

/**
 * Merges a stored segment with a newer one, which takes precedence where they overlap. If there is a gap between
 * them, returns only the newer one.
 */
export function mergeSegments(stored: TableSegment, newer: TableSegment): TableSegment {
  if (areApart(stored, newer)) return newer;
  const before = viewOf(stored.table, stored.fromMs, newer.fromMs);
  const behind = viewOf(stored.table, newer.toMs, stored.toMs);
  return {
    table: joinTables([before, newer.table, behind], newer.table.columns.length),
    fromMs: Math.min(stored.fromMs, newer.fromMs),
    toMs: Math.max(stored.toMs, newer.toMs),
  };
}

function isEmpty({ times }: ColumnTable, { fromMs, toMs }: TimeSpan): boolean {
  return rowAt(times, fromMs) === rowAt(times, toMs);
}

export function floorTo(ms: number, stepMs: number): number {
  return Math.floor(ms / stepMs) * stepMs;
}
