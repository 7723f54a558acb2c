/** Folds a stream's numeric samples into frames of some minutes, aligned to Unix time. */
import { toRfc3339 } from '../../lib/rfc3339.js';
import type { WireAggregation, WireBatch } from '../../rest/wire.js';
import type { RequestContext } from '../endpoints/endpoint.js';
import { BATCH_LIMIT } from './samples.js';

interface AggregateFrameRow {
  frame: number;
  count: number;
  min: number;
  max: number;
  sum: number;
}

// CAST: the driver binds numbers as REAL, by which the division would not round down.
const FRAMES = `SELECT sample_date / CAST(? AS INTEGER) AS frame, count(*) AS count,
    min(value) AS min, max(value) AS max, sum(value) AS sum
  FROM scalar_sample
  WHERE stream_id = ? AND sample_date BETWEEN ? AND ? AND typeof(value) IN ('integer', 'real')
  GROUP BY frame ORDER BY frame LIMIT ${BATCH_LIMIT + 1}`;

/** Frames without a numeric sample are absent; dates are Unix seconds, both ends included. */
export function aggregate(
  context: RequestContext,
  streamId: number,
  range: { timeFrame: number; fromDate: number; toDate: number },
): WireBatch<WireAggregation> {
  const seconds = range.timeFrame * 60;
  const rows = context.db.all<AggregateFrameRow>(FRAMES, seconds, streamId, range.fromDate, range.toDate);
  const samples = rows.slice(0, BATCH_LIMIT).map((row) => ({
    stream_id: streamId,
    start_date: toRfc3339(row.frame * seconds),
    number_of_samples: row.count,
    agg_values: {
      min: row.min.toFixed(4),
      max: row.max.toFixed(4),
      avg: (row.sum / row.count).toFixed(4),
      sum: row.sum.toFixed(4),
    },
  }));
  return { hasMore: rows.length > BATCH_LIMIT, samples };
}
