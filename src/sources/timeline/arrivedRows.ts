/** Adds the rows that the poll has brought to a page that was loaded before them. Pure. */
import type { CachedPage } from '../../cache/memory/samplePageStore.js';
import { type ColumnTable, joinSorted, rowAt, selectRows } from '../../timeseries/columnTable.js';
import type { ArrivalCoverage } from '../samples/arrivedSamples.js';
import type { TableSegment, TimeSpan } from './dayPages.js';

/** The rows that the poll has brought lately. Their first column is the id. */
export interface ArrivedRows {
  /** Undefined while the platform is not polled. */
  coverage(): ArrivalCoverage | undefined;
  rowsIn(span: TimeSpan): ColumnTable;
}

/** Minimum freshness of a page while the platform is polled: the next poll may bring samples after this time. */
const MIN_POLLED_FRESHNESS_MS = 1000;

/**
 * The page with the rows that have arrived since it was loaded; the same page if there is nothing to add. While the
 * platform is polled, it is as fresh as the last poll.
 */
export function withArrived(
  cached: CachedPage<TableSegment>,
  arrived: ArrivedRows,
): CachedPage<TableSegment> {
  const { page, storedAtMs, freshness, freshForMs } = cached;
  const missing = rowsWithout(arrived.rowsIn(page), page.table);
  const coverage = arrived.coverage();
  const isCovered = coverage !== undefined && coverage.sinceMs <= storedAtMs;
  const hasMissing = missing.times.length > 0;
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

/** The rows whose ids the table does not have. Both are in order of time. */
function rowsWithout(rows: ColumnTable, table: ColumnTable): ColumnTable {
  if (rows.times.length === 0) return rows;
  const [ids, known] = [rows.columns[0], table.columns[0]];
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
