/** The platform's aggregates of a stream as a timeline: one row for each frame of 10 to 60 minutes. */
import { MINUTE_MS } from '../../lib/clock.js';
import { isRecord } from '../../lib/records.js';
import type { CallOptions } from '../../rest/callRecord.js';
import type { RowOf } from '../../rest/decode/rowDecoder.js';
import { aggregatedValuesRow, type aggregationRow } from '../../rest/decode/rows.js';
import type { RestClient } from '../../rest/restClient.js';
import { type ColumnTable, joinColumns, joinSorted, viewOf } from '../../timeseries/columnTable.js';
import { createDateParser, toFloat } from '../core/wireValues.js';
import type { ArrivedSamples } from '../samples/arrivedSamples.js';
import { markStaleByArrivals } from './arrivedRows.js';
import type { TimeSpan } from './dayPages.js';
import { checkAscending, type TimelineSource } from './timeline.js';

/** The intervals of the platform's aggregates, in minutes. */
export const PLATFORM_FRAMES: readonly number[] = [10, 15, 20, 30, 60];

/** The columns of a table of frames. */
export const COUNT_COLUMN = 0;
export const MIN_COLUMN = 1;
export const MAX_COLUMN = 2;
export const SUM_COLUMN = 3;
const FRAME_COLUMNS = 4;

type FrameRow = RowOf<typeof aggregationRow>;

/** Spans are multiples of a frame, since the platform's result for a part of a frame is not specified. */
export function createFrameSource(
  rest: RestClient,
  streamId: number,
  minutes: number,
  arrived?: ArrivedSamples,
): TimelineSource {
  const frameMs = minutes * MINUTE_MS;
  const { template } = rest.streamAggregation;
  return {
    template,
    parameter: `${streamId} ${minutes} min`,
    stepMs: frameMs,
    ...(arrived && { withArrivals: (page) => markStaleByArrivals(page, arrived, streamId) }),
    async fetch({ fromMs, toMs }: TimeSpan, _limit: number, options: CallOptions) {
      // The platform may include the end, and return the frame that begins there.
      const page = { fromMs, toMs, timeFrame: minutes };
      const converter = {
        convert: (rows: readonly FrameRow[]) => toFrameChunk(rows, frameMs),
        // A frame with unreadable values is left out like an unreadable row, so that no page without it is stored.
        countSkipped: ({ unreadable }: FrameChunk) => unreadable,
      };
      const { chunks, hasMore } = await rest.streamAggregation(streamId, page, converter, options);
      const tables = chunks.map(({ table }) => table);
      if (hasMore) checkAscending(template, joinColumns(tables.map(({ times }) => times)));
      // An incomplete response without a date does not advance, which the timeline reports as an error.
      const reachedMs = chunks.reduce((latestMs, { endMs }) => Math.max(latestMs, endMs), fromMs);
      const table = viewOf(joinSorted(tables, FRAME_COLUMNS), fromMs, toMs);
      return { table, fromMs, toMs: hasMore ? Math.min(reachedMs, toMs) : toMs };
    },
  };
}

interface FrameChunk {
  table: ColumnTable;
  /** The end of the last frame, with or without numbers. */
  endMs: number;
  /** The number of frames whose date or values are unreadable. */
  unreadable: number;
}

/** Skips frames without numbers. */
function toFrameChunk(rows: readonly FrameRow[], frameMs: number): FrameChunk {
  const parseDate = createDateParser();
  const times = new Float64Array(rows.length);
  const columns = Array.from({ length: FRAME_COLUMNS }, () => new Float64Array(rows.length));
  let length = 0;
  let endMs = Number.NEGATIVE_INFINITY;
  let unreadable = 0;
  for (const row of rows) {
    const startMs = Math.floor(parseDate(row.start_date) / frameMs) * frameMs;
    if (startMs + frameMs > endMs) endMs = startMs + frameMs;
    const numbers = Number.isNaN(startMs) ? undefined : numbersOf(row);
    if (numbers === undefined) {
      if (hasValues(row)) unreadable += 1;
      continue;
    }
    times[length] = startMs;
    for (const [column, number] of numbers.entries()) (columns[column] ?? times)[length] = number;
    length += 1;
  }
  const cut = (column: Float64Array) => column.subarray(0, length);
  return { table: { times: cut(times), columns: columns.map(cut), texts: new Map() }, endMs, unreadable };
}

/** Count, minimum, maximum and sum. The sum is computed from the average if the platform sends none. */
function numbersOf(row: FrameRow): [number, number, number, number] | undefined {
  const values = aggregatedValuesRow(row.agg_values);
  const count = row.number_of_samples;
  const [min, max] = [toFloat(values?.min), toFloat(values?.max)];
  const sum = toFloat(values?.sum) ?? (toFloat(values?.avg) ?? Number.NaN) * count;
  return count > 0 && min !== null && max !== null && Number.isFinite(sum)
    ? [count, min, max, sum]
    : undefined;
}

/** A frame without samples has none. */
function hasValues({ number_of_samples, agg_values }: FrameRow): boolean {
  const values = isRecord(agg_values) ? Object.values(agg_values) : [];
  return number_of_samples > 0 && values.some((value) => value !== null && value !== '');
}
