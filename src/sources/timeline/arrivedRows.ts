/** Compares the samples that polls have returned with a page that was loaded before them. */
import type { CachedPage } from '../../cache/memory/samplePageStore.js';
import { openPeriodStart } from '../../cache/policies.js';
import { type ColumnTable, joinSorted, rowAt, selectRows, viewOf } from '../../timeseries/columnTable.js';
import type { ArrivedSamples } from '../samples/arrivedSamples.js';
import type { ScalarSample } from '../samples/samples.js';
import type { TableSegment, TimeSpan } from './dayPages.js';
import { ID_COLUMN, SAMPLE_COLUMNS, toSampleTable } from './sampleTable.js';

/** Minimum freshness of a page while the platform is polled: the next poll may return samples after this time. */
const MIN_POLLED_FRESHNESS_MS = 1000;

/**
 * A page of samples with those that have arrived since it was loaded; the same page if there is nothing to add. While the
 * platform is polled, it is as fresh as the last poll. A page of the open period that was loaded before the polling began
 * is stale, because no poll returned the samples that arrived in between.
 */
export function addArrivedSamples(
  loaded: CachedPage<TableSegment>,
  arrived: ArrivedSamples,
  streamId: number,
): CachedPage<TableSegment> {
  const cached = markStaleBefore(loaded, arrived.endedAtMs);
  const { page, storedAtMs, freshness, freshForMs } = cached;
  const missing = rowsWithout(arrivedIn(arrived, streamId, page), page.table);
  const { coverage } = arrived;
  const isCovered = coverage !== undefined && coverage.sinceMs <= storedAtMs;
  const hasMissing = missing.times.length > 0;
  if (coverage !== undefined && !isCovered && page.fromMs >= openPeriodStart(coverage.asOfMs))
    return toStale(cached);
  if (!hasMissing && (freshness === 'fresh' || !isCovered)) return cached;
  const columnCount = page.table.columns.length;
  const table = hasMissing ? joinSorted([page.table, missing], columnCount) : page.table;
  if (!isCovered) return { ...cached, page: { ...page, table } };
  return {
    page: { ...page, table },
    storedAtMs: Math.max(storedAtMs, coverage.asOfMs),
    freshness: 'fresh',
    freshForMs: Math.max(freshForMs, MIN_POLLED_FRESHNESS_MS),
  };
}

/** Marks a page of frames as stale if a sample of its span has arrived since the page was loaded. */
export function markStaleByArrivals(
  loaded: CachedPage<TableSegment>,
  arrived: ArrivedSamples,
  streamId: number,
): CachedPage<TableSegment> {
  const cached = markStaleBefore(loaded, arrived.endedAtMs);
  const ids = arrivedIn(arrived, streamId, cached.page).columns[ID_COLUMN];
  const isComplete = ids?.every((id) => arrived.receivedAtMs(id) <= cached.storedAtMs) ?? true;
  return isComplete ? cached : toStale(cached);
}

/** Marks a page of the open period as stale if it was loaded before `changedAtMs`. */
export function markStaleBefore(
  cached: CachedPage<TableSegment>,
  changedAtMs: number | undefined,
): CachedPage<TableSegment> {
  if (changedAtMs === undefined || cached.storedAtMs >= changedAtMs) return cached;
  return cached.page.toMs > openPeriodStart(changedAtMs) ? toStale(cached) : cached;
}

function toStale(cached: CachedPage<TableSegment>): CachedPage<TableSegment> {
  return { ...cached, freshness: 'ifError', freshForMs: 0 };
}

function arrivedIn(arrived: ArrivedSamples, streamId: number, { fromMs, toMs }: TimeSpan): ColumnTable {
  return viewOf(arrivedTableOf(arrived.ofStream(streamId)), fromMs, toMs);
}

/**
 * A chart reads hundreds of pages, each of which needs the arrived samples. A list is replaced when it changes, so
 * the table can be cached by its list.
 */
const arrivedTables = new WeakMap<readonly ScalarSample[], ColumnTable>();

/** The samples of a list in order of time. */
function arrivedTableOf(samples: readonly ScalarSample[]): ColumnTable {
  const cached = arrivedTables.get(samples);
  if (cached) return cached;
  const rows = samples.map(({ id, streamId, sampledAt, rawValue }) => ({
    ...{ id, stream_id: streamId, sample_date: sampledAt, value: rawValue },
  }));
  const table = joinSorted([toSampleTable(rows)], SAMPLE_COLUMNS);
  arrivedTables.set(samples, table);
  return table;
}

/** The rows whose ids the table does not have. Both are in order of time. */
function rowsWithout(rows: ColumnTable, table: ColumnTable): ColumnTable {
  if (rows.times.length === 0) return rows;
  const [ids, known] = [rows.columns[ID_COLUMN], table.columns[ID_COLUMN]];
  const isKnown = (row: number) => {
    const ms = rows.times[row] ?? 0;
    for (let at = rowAt(table.times, ms); table.times[at] === ms; at++) {
      if (known?.[at] === ids?.[row]) return true;
    }
    return false;
  };
  const missing = [...rows.times.keys()].filter((row) => !isKnown(row));
  return missing.length === rows.times.length ? rows : selectRows(rows, missing);
}
