/** A stream's numbers as the platform folds them, frame by frame, as the timeline reads them. */
import type { TimeTable } from '../lib/timeTable.js';
import type { CallOptions } from '../rest/restCaller.js';
import type { RestClient } from '../rest/restClient.js';
import { isRecord, type RowOf } from '../rest/rowDecoder.js';
import type { aggregationRow } from '../rest/rows.js';
import type { TimeSpan } from './dayPages.js';
import type { TimelineSource } from './timeline.js';
import { toFloat } from './wireValues.js';

/** The intervals that the platform folds by itself, in minutes. */
export const PLATFORM_FRAMES: readonly number[] = [10, 15, 20, 30, 60];

/** Of a table of frames. */
export const COUNT = 0;
export const MIN = 1;
export const MAX = 2;
export const SUM = 3;
const FRAME_COLUMNS = 4;

const MINUTE_MS = 60_000;
const SECOND_MS = 1000;

type FrameRow = RowOf<typeof aggregationRow>;

/** Spans are of whole frames: what the platform makes of a frame that is asked for in part nobody has specified. */
export function createFrameSource(rest: RestClient, streamId: number, minutes: number): TimelineSource {
  const frameMs = minutes * MINUTE_MS;
  return {
    template: rest.streamAggregation.template,
    parameter: `${streamId} ${minutes} min`,
    stepMs: frameMs,
    async fetch({ fromMs, toMs }: TimeSpan, _limit: number, options: CallOptions) {
      const page = { fromMs, toMs: toMs - SECOND_MS, timeFrame: minutes };
      const { samples, hasMore } = await rest.streamAggregation(streamId, page, options);
      const table = toFrameTable(samples, frameMs);
      const last = table.times.at(-1);
      return { table, fromMs, toMs: hasMore && last !== undefined ? last + frameMs : toMs };
    },
  };
}

/** Frames without a number, and those that can't be read, are left out. */
function toFrameTable(rows: readonly FrameRow[], frameMs: number): TimeTable {
  const frames = rows.map((row) => toFrame(row, frameMs)).filter((frame) => frame !== undefined);
  frames.sort((one, other) => one.ms - other.ms);
  return {
    times: Float64Array.from(frames, ({ ms }) => ms),
    columns: Array.from({ length: FRAME_COLUMNS }, (_, column) =>
      Float64Array.from(frames, ({ numbers }) => numbers[column] ?? 0),
    ),
    texts: new Map(),
  };
}

function toFrame({ start_date, number_of_samples: count, agg_values }: FrameRow, frameMs: number) {
  const ms = Math.floor(Date.parse(start_date) / frameMs) * frameMs;
  const values = isRecord(agg_values) ? agg_values : {};
  const read = (name: string) => toFloat(typeof values[name] === 'string' ? values[name] : undefined);
  const [min, max] = [read('min'), read('max')];
  const sum = read('sum') ?? (read('avg') ?? Number.NaN) * count;
  if (Number.isNaN(ms) || !(count > 0) || min === null || max === null || Number.isNaN(sum)) return undefined;
  return { ms, numbers: [count, min, max, sum] };
}
