/** The answers of charts without the rows that the client already has. */
import type { Aggregate } from './aggregates.js';
import { type ChartRequest, type ChartRows, type Delta, type EarlierAnswer, toDelta } from './deltas.js';
import type { Series, SharedSeries } from './series.js';

/** The cursor behind a result, and the time from which it replaces the earlier result. */
type Continuation = Omit<Delta, 'firstRow'>;

export interface SeriesSince extends Series, Continuation {}
export interface SharedSeriesSince extends SharedSeries, Continuation {}
export type AggregateSince = WithContinuation<Aggregate>;

/** The last row of a list carries the continuation of the whole list. */
export type WithContinuation<Row> = Row & { continuation?: Continuation };

export function toSeriesSince(
  series: Series,
  request: ChartRequest,
  earlier: EarlierAnswer | undefined,
): SeriesSince {
  const { times, values, min, max } = series;
  const { firstRow, ...continuation } = toDelta({ times, columns: [values, min, max] }, request, earlier);
  const cut = <Item>(column: Item[]) => (firstRow === 0 ? column : column.slice(firstRow));
  const columns = { times: cut(times), values: cut(values), min: cut(min), max: cut(max) };
  return { ...series, ...columns, ...continuation };
}

/** The lines of a client match only where the same streams could be read. */
export function toSharedSeriesSince(
  series: SharedSeries,
  request: ChartRequest,
  earlier: EarlierAnswer | undefined,
): SharedSeriesSince {
  const { times, lines, intervalSeconds } = series;
  const columns = lines.flatMap((line) => (line instanceof Error ? [] : [line.values, line.min, line.max]));
  const streamIds = lines.map((line) => (line instanceof Error ? null : line.streamId));
  const identity = [...request.identity, intervalSeconds, streamIds];
  const { firstRow, ...continuation } = toDelta({ times, columns }, { ...request, identity }, earlier);
  if (firstRow === 0) return { ...series, ...continuation };
  const cutLines = lines.map((line) => {
    if (line instanceof Error) return line;
    const [values, min, max] = [line.values, line.min, line.max].map((column) => column.slice(firstRow));
    return { ...line, values: values ?? [], min: min ?? [], max: max ?? [] };
  });
  return { ...series, times: times.slice(firstRow), lines: cutLines, ...continuation };
}

export function toAggregatesSince(
  aggregates: readonly Aggregate[],
  request: ChartRequest,
  earlier: EarlierAnswer | undefined,
): AggregateSince[] {
  const column = (read: (row: Aggregate) => number | null) => aggregates.map(read);
  // The integral of an interval reaches up to the first number of the next one, so a change there changes both.
  const ofNext = (read: (row: Aggregate) => number | null) => column(read).slice(1);
  const rows: ChartRows = {
    times: aggregates.map(({ startAt }) => Date.parse(startAt)),
    columns: [
      aggregates.map(({ endAt }) => Date.parse(endAt)),
      ...[column(({ count }) => count), column(({ min }) => min), column(({ max }) => max)],
      ...[column(({ avg }) => avg), column(({ sum }) => sum)],
      ...[ofNext(({ count }) => count), ofNext(({ min }) => min)],
      ...[ofNext(({ max }) => max), ofNext(({ sum }) => sum)],
    ],
  };
  const { firstRow, ...continuation } = toDelta(rows, request, earlier);
  return withContinuation(aggregates.slice(firstRow), continuation);
}

/** An empty list needs no continuation: the earlier one is still the same. */
export function withContinuation<Row extends object>(
  rows: readonly Row[],
  continuation: Continuation,
): WithContinuation<Row>[] {
  const last = rows.at(-1);
  return last === undefined ? [] : [...rows.slice(0, -1), { ...last, continuation }];
}
