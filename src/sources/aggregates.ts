/** What the numbers of an interval come to, as the platform folds them. */
import type { CallOptions } from '../rest/restCaller.js';
import type { RestClient } from '../rest/restClient.js';
import { isRecord, type RowOf } from '../rest/rowDecoder.js';
import type { aggregationRow } from '../rest/rows.js';
import { toDateTime, toFloat } from './wireValues.js';

export interface Aggregate {
  startAt: string;
  count: number;
  min: number | null;
  max: number | null;
  avg: number | null;
  sum: number | null;
}

/** The intervals that the platform folds by itself, in minutes. */
export const PLATFORM_FRAMES: readonly number[] = [10, 15, 20, 30, 60];

/** A span of time in milliseconds: `fromMs` belongs to it, `toMs` does not. */
export interface TimeSpan {
  fromMs: number;
  toMs: number;
}

/** Null for a frame without a readable date. */
export function toAggregate(row: RowOf<typeof aggregationRow>): Aggregate | null {
  const startAt = toDateTime(row.start_date);
  if (startAt === null) return null;
  const values = isRecord(row.agg_values) ? row.agg_values : {};
  const read = (name: string) => toFloat(typeof values[name] === 'string' ? values[name] : undefined);
  return {
    startAt,
    count: row.number_of_samples,
    min: read('min'),
    max: read('max'),
    avg: read('avg'),
    sum: read('sum'),
  };
}

export type Aggregates = ReturnType<typeof createAggregates>;

export function createAggregates(rest: RestClient, options: CallOptions) {
  /** The frames that begin before the span's end, oldest first; `minutes` is one of `PLATFORM_FRAMES`. */
  async function ofStream(streamId: number, span: TimeSpan, minutes: number): Promise<Aggregate[]> {
    const found = new Map<string, Aggregate>();
    let fromMs = ceilToSecond(span.fromMs);
    // The platform's spans hold both ends, ours end before `toMs`; its samples lie on whole seconds.
    const toMs = ceilToSecond(span.toMs) - 1000;
    if (fromMs > toMs) return [];
    for (;;) {
      const page = { fromMs, toMs, timeFrame: minutes };
      const { samples, hasMore } = await rest.streamAggregation(streamId, page, options);
      const known = found.size;
      for (const row of samples) {
        const aggregate = toAggregate(row);
        if (aggregate && Date.parse(aggregate.startAt) < span.toMs) found.set(aggregate.startAt, aggregate);
      }
      if (!hasMore || found.size === known) return [...found.values()];
      fromMs = Date.parse([...found.keys()].at(-1) ?? '') + minutes * 60_000;
    }
  }

  return { ofStream };
}

function ceilToSecond(ms: number): number {
  return Math.ceil(ms / 1000) * 1000;
}
