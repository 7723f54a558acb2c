/** A stream's samples of a span, call by call, as the timeline reads them. */

import type { CallOptions } from '../../rest/restCaller.js';
import type { RestClient } from '../../rest/restClient.js';
import { type ColumnTable, joinSorted, joinTables, rowAt } from '../../timeseries/columnTable.js';
import { MAX_PAGE_LENGTH } from '../samples/samplePages.js';
import type { TimeSpan } from './dayPages.js';
import {
  ID_COLUMN,
  lastSecond,
  rowsBefore,
  SAMPLE_COLUMNS,
  type ScalarRow,
  toSampleTable,
} from './sampleTable.js';
import type { TimelineSource } from './timeline.js';

const SECOND_MS = 1000;

export function createRangeSource(rest: RestClient, streamId: number): TimelineSource {
  async function ask({ fromMs, toMs }: TimeSpan, limit: number, offset: number, options: CallOptions) {
    // The platform's spans hold both ends, ours end before `toMs`; its samples lie on whole seconds.
    const page = { fromMs, toMs: toMs - SECOND_MS, limit, ...(offset > 1 && { offset }) };
    const { chunks, hasMore } = await rest.streamSampleRange(streamId, page, toPiece, options);
    const tables = chunks.map(({ table }) => table);
    const count = chunks.reduce((total, { rowCount }) => total + rowCount, 0);
    return { table: joinSorted(tables, SAMPLE_COLUMNS), count, hasMore: hasMore && count > 0 };
  }

  return {
    template: rest.streamSampleRange.template,
    parameter: streamId,
    stepMs: SECOND_MS,
    /** Where there is more, the last second may lack some of its samples and is left for the next call. */
    async fetch(span, limit, options) {
      const most = Math.min(Math.max(limit, 1), MAX_PAGE_LENGTH);
      let { table, count, hasMore } = await ask(span, most, 1, options);
      let reachedMs = lastSecond(table);
      // More samples of one second than the call brought: only counting gets behind them.
      while (hasMore && reachedMs <= span.fromMs) {
        const next = await ask(span, MAX_PAGE_LENGTH, count + 1, options);
        table = withoutDuplicates(joinTables([table, next.table], SAMPLE_COLUMNS));
        count += next.count;
        hasMore = next.hasMore;
        reachedMs = lastSecond(table);
      }
      return hasMore
        ? { table: rowsBefore(table, reachedMs), fromMs: span.fromMs, toMs: reachedMs }
        : { table, ...span };
    },
  };
}

/** Counted with the rows that have no place in time: the platform's offsets count them, too. */
function toPiece(rows: readonly ScalarRow[]) {
  return { table: toSampleTable(rows), rowCount: rows.length };
}

/** A sample that arrives between two calls moves those behind it by one: the last one comes again. */
function withoutDuplicates(table: ColumnTable): ColumnTable {
  const ids = table.columns[ID_COLUMN] ?? new Float64Array(0);
  const lastRows = new Map<number, number>();
  for (const [row, id] of ids.entries()) lastRows.set(id, row);
  if (lastRows.size === ids.length) return table;
  const isLast = (row: number) => lastRows.get(ids[row] ?? 0) === row;
  const thin = (column: Float64Array) => column.filter((_, row) => isLast(row));
  return { times: thin(table.times), columns: table.columns.map(thin), texts: table.texts };
}

/** The row behind which a table's rows are later than a place in time. */
export function rowAfter(table: ColumnTable, place: { sampledAtMs: number; id: number }): number {
  const ids = table.columns[ID_COLUMN] ?? new Float64Array(0);
  let row = rowAt(table.times, place.sampledAtMs);
  while (row < ids.length && table.times[row] === place.sampledAtMs && (ids[row] ?? 0) <= place.id) row += 1;
  return row;
}
