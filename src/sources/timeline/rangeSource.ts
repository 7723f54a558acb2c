/** The samples of a stream as a timeline. */
import { SECOND_MS } from '../../lib/clock.js';
import type { CallOptions } from '../../rest/callRecord.js';
import type { RestClient } from '../../rest/restClient.js';
import { type ColumnTable, joinColumns, joinSorted, rowAt } from '../../timeseries/columnTable.js';
import type { ArrivedSamples } from '../samples/arrivedSamples.js';
import { MAX_PAGE_LENGTH, type SamplePosition } from '../samples/samplePages.js';
import { addArrivedSamples } from './arrivedRows.js';
import type { TimeSpan } from './dayPages.js';
import {
  ID_COLUMN,
  lastSecond,
  rowsBefore,
  SAMPLE_COLUMNS,
  type ScalarRow,
  toSampleTable,
} from './sampleTable.js';
import { checkAscending, type TimelineSource } from './timeline.js';

export function createRangeSource(
  rest: RestClient,
  streamId: number,
  arrived?: ArrivedSamples,
): TimelineSource {
  const { template } = rest.streamSampleRange;

  async function read({ fromMs, toMs }: TimeSpan, limit: number, offset: number, options: CallOptions) {
    // Whether the platform's spans include their end is not specified; those of the gateway exclude it.
    const page = { fromMs, toMs, limit, ...(offset > 1 && { offset }) };
    const { chunks, hasMore } = await rest.streamSampleRange(streamId, page, { convert: toChunk }, options);
    const tables = chunks.map(({ table }) => table);
    const count = chunks.reduce((total, { rowCount }) => total + rowCount, 0);
    if (hasMore) checkAscending(template, joinColumns(tables.map(({ times }) => times)));
    const joined = joinSorted(tables, SAMPLE_COLUMNS);
    const table = rowsBefore(joined, toMs);
    const isPastEnd = table.times.length < joined.times.length;
    return { table, count, hasMore: hasMore && count > 0, isPastEnd };
  }

  return {
    template,
    parameter: streamId,
    stepMs: SECOND_MS,
    ...(arrived && { withArrivals: (page) => addArrivedSamples(page, arrived, streamId) }),
    /** The last second of an incomplete response may lack samples, so it is left to the next call. */
    async fetch(span, limit, options) {
      const pageLength = Math.min(Math.max(limit, 1), MAX_PAGE_LENGTH);
      let { table, count, hasMore } = await read(span, pageLength, 1, options);
      let reachedMs = lastSecond(table);
      // This second contains more samples than a page, so the rest is read by offset.
      while (hasMore && reachedMs <= span.fromMs) {
        const next = await read(span, MAX_PAGE_LENGTH, count + 1, options);
        const { length } = table.times;
        // A sample that arrives between two calls shifts the offsets by one, so the last sample is returned again.
        table = joinSorted([table, next.table], SAMPLE_COLUMNS);
        count += next.count;
        hasMore = next.hasMore && !next.isPastEnd;
        reachedMs = lastSecond(table);
        // A page with known rows only would be repeated forever. The timeline reports that the pages do not advance.
        if (table.times.length === length && next.table.times.length > 0) break;
      }
      return hasMore
        ? { table: rowsBefore(table, reachedMs), fromMs: span.fromMs, toMs: reachedMs }
        : { table, ...span };
    },
  };
}

/** `rowCount` includes rows without a readable date, since the platform's offsets include them. */
function toChunk(rows: readonly ScalarRow[]) {
  return { table: toSampleTable(rows), rowCount: rows.length };
}

export function rowAfter(table: ColumnTable, position: SamplePosition): number {
  const ids = table.columns[ID_COLUMN] ?? new Float64Array(0);
  let row = rowAt(table.times, position.sampledAtMs);
  while (row < ids.length && table.times[row] === position.sampledAtMs && (ids[row] ?? 0) <= position.id)
    row += 1;
  return row;
}
