/** Charts of several streams as rows, for tools that read rows: one row for each point of each stream. */
import { createBadInputError } from '../../errors.js';
import { nextTurn } from '../../lib/slicedComputation.js';
import { type CalendarInterval, countIntervals } from '../../timeseries/calendarIntervals.js';
import { foldLevels } from '../../timeseries/thresholdLevels.js';
import type { TimeZone } from '../../timeseries/timeZone.js';
import { formatDateTime } from '../core/wireValues.js';
import type { Sites } from '../entities/sites.js';
import { measuresNumbers, type Stream, type StreamReference, type Streams } from '../entities/streams.js';
import type { Thresholds } from '../entities/thresholds.js';
import type { TimeSpan } from '../timeline/dayPages.js';
import type { Samples } from '../timeline/sampleSources.js';
import type { Aggregates } from './aggregates.js';
import {
  type ChartRequest,
  type EarlierResult,
  toDelta,
  type WithContinuation,
  withContinuation,
} from './deltas.js';
import { checkStreamCount, type SeriesLoader } from './series.js';

export type ChartRowSince = WithContinuation<ReturnType<typeof toRow>>;

export interface StreamSelection {
  streamIds: readonly number[];
  /** All streams of these sites that measure numbers. */
  siteIds: readonly number[];
}

interface ChartRowsRequest extends StreamSelection {
  span: TimeSpan;
  /** Undefined to reduce each stream to `maxPoints` points instead. */
  every: CalendarInterval | undefined;
  zone: TimeZone;
  timeZone: string;
  maxPoints: number;
}

interface RowSources {
  streams: Streams;
  sites: Sites;
  series: SeriesLoader;
  aggregates: Aggregates;
  samples: Samples;
  thresholds: Thresholds;
}

type ChartSources = Pick<RowSources, 'streams' | 'sites' | 'series' | 'aggregates'>;

/** A row before its fields are written. */
interface ChartPoint {
  timeMs: number;
  value: number | null;
  min: number | null;
  max: number | null;
  stream: StreamFields;
}

/** Fields that are equal in all rows of one stream. */
export type StreamFields = Awaited<ReturnType<typeof toStreamFields>>;

/** 10 MB as objects, and 10 MB as JSON. */
const MAX_ROWS = 25_000;

/** Rows by time, then in the order of the streams. Throws BAD_USER_INPUT if there would be too many. */
export async function loadChartRows(
  sources: ChartSources,
  request: ChartRowsRequest,
  earlier: EarlierResult | undefined,
): Promise<ChartRowSince[]> {
  const fields = await loadStreamFields(sources, request);
  checkRowCount(request, fields.length);
  const perStream = await Promise.all(fields.map((one) => loadRows(sources, request, one)));
  const [only = []] = perStream;
  const points =
    perStream.length < 2 ? only : perStream.flat().sort((one, other) => one.timeMs - other.timeMs);
  return cutRows(points, fields, request, earlier);
}

/** At most 50 streams. Omits streams that do not exist and streams that the caller cannot see. */
async function loadStreamFields(
  sources: Pick<RowSources, 'streams' | 'sites'>,
  { streamIds, siteIds }: StreamSelection,
): Promise<StreamFields[]> {
  checkStreamCount('streamIds', streamIds.length);
  checkStreamCount('siteIds', siteIds.length, 'sites');
  const [named, ofSites] = await Promise.all([
    Promise.all(streamIds.map((id) => sources.streams.byId(id))),
    Promise.all(siteIds.map((id) => sources.streams.ofSite(id))),
  ]);
  const all = [...named.filter((stream) => stream !== null), ...ofSites.flat().filter(measuresNumbers)];
  const selected = new Map(all.map((stream) => [stream.id, stream]));
  checkStreamCount('siteIds', selected.size);
  return Promise.all([...selected.values()].map((stream) => toStreamFields(stream, sources)));
}

function checkRowCount({ span, every, maxPoints }: ChartRowsRequest, streamCount: number): void {
  const perStream = every === undefined ? maxPoints : countIntervals(span.fromMs, span.toMs, every);
  const count = perStream * streamCount;
  if (count <= MAX_ROWS) return;
  const [argument, remedy] =
    every === undefined ? ['maxPoints', 'fewer points'] : ['every', 'longer intervals'];
  const problem = `${streamCount} streams with ${perStream} points each exceed the limit of ${MAX_ROWS} rows; use ${remedy}, or fewer streams.`;
  throw createBadInputError(argument, problem);
}

async function toStreamFields(stream: Stream, { sites }: Pick<RowSources, 'sites'>) {
  const { id: streamId, name: streamName, siteId, units } = stream;
  const site = siteId === null ? null : await sites.byId(siteId);
  return { streamId, streamName, siteId, siteName: site?.name ?? null, units };
}

function toReference({ streamId, siteId }: StreamFields): StreamReference {
  return { id: streamId, siteId };
}

async function loadRows(
  { series, aggregates }: ChartSources,
  { span, every, zone, maxPoints }: ChartRowsRequest,
  stream: StreamFields,
): Promise<ChartPoint[]> {
  const reference = toReference(stream);
  const { units } = stream;
  if (every !== undefined) {
    const request = { span, every, zone, includesEmpty: false, units };
    const intervals = await aggregates.ofStream(reference, request);
    return intervals.map(({ startAt, avg: value, min, max }) => {
      return { timeMs: Date.parse(startAt), value, min, max, stream };
    });
  }
  const { times, values, min, max } = await series.ofStream({
    ...{ stream: reference, span, maxPoints },
    method: 'LTTB',
  });
  return times.map((timeMs, index) => ({
    timeMs,
    value: values[index] ?? null,
    min: min[index] ?? null,
    max: max[index] ?? null,
    stream,
  }));
}

/** Written field by field, because copying objects by spread took more than half of the time of a chart. */
function toRow({ timeMs, value, min, max, stream }: ChartPoint) {
  return {
    time: formatDateTime(timeMs),
    value,
    min,
    max,
    streamId: stream.streamId,
    streamName: stream.streamName,
    siteId: stream.siteId,
    siteName: stream.siteName,
    units: stream.units,
  };
}

/** Names and units are part of the identity, so the rows of a renamed stream are sent again. */
function cutRows(
  points: readonly ChartPoint[],
  fields: readonly StreamFields[],
  { span, every, timeZone, maxPoints }: ChartRowsRequest,
  earlier: EarlierResult | undefined,
): ChartRowSince[] {
  const identity = ['chart', fields, every ?? maxPoints, every && timeZone];
  const request: ChartRequest = { fromMs: span.fromMs, identity };
  const columns = [
    points.map(({ stream }) => stream.streamId),
    ...[points.map(({ value }) => value), points.map(({ min }) => min), points.map(({ max }) => max)],
  ];
  const chart = { times: points.map(({ timeMs }) => timeMs), columns };
  const { firstRow, ...continuation } = toDelta(chart, request, earlier);
  return withContinuation(points.slice(firstRow).map(toRow), continuation);
}

/** A past change of a threshold level, for the annotations of a chart. */
export interface ThresholdRow extends StreamFields {
  /** RFC 3339: the first sample in the level. */
  time: string;
  level: string;
  previousLevel: string;
  /** The value of the sample that completed the change. */
  value: number | null;
}

/** Ten weeks of samples every five minutes. */
const MAX_SAMPLES = 20_000;
const MAX_CHANGES = 10_000;

/** Rows by time. Throws BAD_USER_INPUT if a stream has too many samples in the range, or there are too many rows. */
export async function loadThresholdRows(
  sources: Pick<RowSources, 'streams' | 'sites' | 'samples' | 'thresholds'>,
  selection: StreamSelection,
  span: TimeSpan,
): Promise<ThresholdRow[]> {
  const fields = await loadStreamFields(sources, selection);
  const perStream = await Promise.all(
    fields.map((stream) => sources.samples.runLimited(() => loadChanges(sources, stream, span))),
  );
  const rows = perStream.flat();
  if (rows.length > MAX_CHANGES) {
    throw createBadInputError('range', `has more than ${MAX_CHANGES} changes; use a shorter range.`);
  }
  return rows.sort((one, other) => Date.parse(one.time) - Date.parse(other.time));
}

/** Reads samples in order of measurement, so a late sample counts at the time when it was taken. */
async function loadChanges(
  { samples, thresholds }: Pick<RowSources, 'samples' | 'thresholds'>,
  stream: StreamFields,
  span: TimeSpan,
): Promise<ThresholdRow[]> {
  const levels = await thresholds.levels(stream.streamId);
  if (levels.length < 2) return [];
  const paginator = samples.inRange(toReference(stream));
  const { items, hasMore } = await paginator.oldestFirst({ span, after: undefined, count: MAX_SAMPLES });
  if (hasMore) {
    const problem = `has more than ${MAX_SAMPLES} samples of the stream ${stream.streamId}; use a shorter range.`;
    throw createBadInputError('range', problem);
  }
  await nextTurn();
  const nameOf = (index: number) => levels[index]?.name ?? '';
  return foldLevels(levels, undefined, items).changes.map(({ sample, level, previous, enteredAtMs }) => ({
    time: formatDateTime(enteredAtMs),
    value: sample.value,
    level: nameOf(level),
    previousLevel: nameOf(previous),
    ...stream,
  }));
}
