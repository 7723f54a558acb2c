/** Reads samples and aggregates by stream, site or account, in the orders that the API promises. */
import type { WireAggregation, WireBatch, WireImageSample } from '../../rest/wire.js';
import {
  type RfidSampleRow,
  type ScalarSampleRow,
  type StoredSample,
  type StoredSampleKind,
  toRfc3339,
  toWire,
  toWireRfidSample,
  toWireScalarSample,
} from '../database/rows.js';
import { createNotFoundError } from '../httpError.js';
import { imageSize } from '../image.js';
import type { RequestContext } from '../requestContext.js';

export const MAX_BATCH_ROWS = 10_000;
const NEW_SAMPLES = 100;

interface ImageSampleRow extends StoredSample {
  width: number;
  height: number;
}

type SampleRow = ScalarSampleRow | ImageSampleRow | RfidSampleRow;

const SELECT: Readonly<Record<StoredSampleKind, string>> = {
  scalar: 'SELECT id, stream_id, sample_date, value FROM scalar_sample',
  image: 'SELECT id, stream_id, sample_date, width, height FROM image_sample',
  rfid: 'SELECT id, stream_id, sample_date, start_date, end_date, tag_ids, gps FROM rfid_sample',
};

function toImageSample(row: ImageSampleRow, baseUrl: string): WireImageSample {
  const url = `${baseUrl}/images/${row.id}.png`;
  return { ...toWire<WireImageSample>(row), url, size: imageSize(row.width, row.height) };
}

export function toSamples(
  context: RequestContext,
  kind: StoredSampleKind,
  rows: readonly SampleRow[],
): object[] {
  if (kind === 'scalar') return (rows as ScalarSampleRow[]).map(toWireScalarSample);
  if (kind === 'rfid') return (rows as RfidSampleRow[]).map(toWireRfidSample);
  return (rows as ImageSampleRow[]).map((row) => toImageSample(row, context.url));
}

/** @param rows one row more than `limit` if more samples follow. */
function toBatch(
  context: RequestContext,
  kind: StoredSampleKind,
  rows: readonly SampleRow[],
  limit = MAX_BATCH_ROWS,
): WireBatch<object> {
  return { hasMore: rows.length > limit, samples: toSamples(context, kind, rows.slice(0, limit)) };
}

type SampleScope = { readonly streamId: number } | { readonly siteId: number } | 'account';

/**
 * The SQL condition of a scope. The prefix `+` of a column stops SQLite from using its index: here the index by stream,
 * for queries that scan by id and stop early.
 */
function inScope(context: RequestContext, scope: SampleScope, prefix: '' | '+' = '') {
  const { streams, value } = selectStreams(context, scope);
  if (streams === undefined) return { where: 'stream_id = ?', value };
  return { where: `${prefix}stream_id IN (${streams})`, value };
}

/** The query for the streams of a site or account; undefined for a single stream. */
function selectStreams({ client }: RequestContext, scope: SampleScope) {
  const select = 'SELECT id FROM stream WHERE';
  if (scope === 'account') return { streams: `${select} account_id = ?`, value: client.accountId };
  if ('streamId' in scope) return { streams: undefined, value: scope.streamId };
  return { streams: `${select} site_id = ?`, value: scope.siteId };
}

/** The streams of a scope, whose older samples a query needs. */
export function streamsOf(context: RequestContext, scope: SampleScope): number[] {
  const { streams, value } = selectStreams(context, scope);
  if (streams === undefined) return [value];
  return context.db.all<{ id: number }>(streams, value).map(({ id }) => id);
}

/** The stream's sample with the latest date; of several with that date, the one with the highest id. */
export function lastRow<Row>(
  context: RequestContext,
  kind: StoredSampleKind,
  streamId: number,
): Row | undefined {
  const sql = `${SELECT[kind]} WHERE stream_id = ? ORDER BY sample_date DESC, id DESC LIMIT 1`;
  return context.db.one<Row>(sql, streamId);
}

/** @throws HttpError 404 when the stream has no sample of the kind. */
export function lastSample(context: RequestContext, kind: StoredSampleKind, streamId: number): unknown {
  const row = lastRow<SampleRow>(context, kind, streamId);
  if (row === undefined) throw createNotFoundError(`Stream ${streamId} has no ${kind} sample.`);
  return toSamples(context, kind, [row])[0];
}

/** @throws HttpError 404 when the account has no such sample. */
export function sampleById(context: RequestContext, kind: StoredSampleKind, id: number): unknown {
  const { where, value } = inScope(context, 'account');
  const date = context.archive.dateOf(kind, id);
  context.archive.storeBetween(kind, () => streamsOf(context, 'account'), date, date);
  const row = context.db.one<SampleRow>(`${SELECT[kind]} WHERE id = ? AND ${where}`, id, value);
  if (row === undefined) throw createNotFoundError(`There is no ${kind} sample with id ${id}.`);
  return toSamples(context, kind, [row])[0];
}

/** Up to 100 samples by id: those after `lastId`, or the newest if it is undefined. */
export function newSamples(
  context: RequestContext,
  kind: StoredSampleKind,
  scope: SampleScope,
  lastId: number | undefined,
): object[] {
  const { where, value } = inScope(context, scope);
  const from = `${SELECT[kind]} WHERE ${where}`;
  const streams = () => streamsOf(context, scope);
  if (lastId !== undefined) {
    context.archive.storeFrom(kind, streams, context.archive.dateOf(kind, lastId), NEW_SAMPLES);
    const sql = `${from} AND id > ? ORDER BY id LIMIT ${NEW_SAMPLES}`;
    return toSamples(context, kind, context.db.all<SampleRow>(sql, value, lastId));
  }
  const readNewest = () =>
    context.db.all<SampleRow>(`${from} ORDER BY id DESC LIMIT ${NEW_SAMPLES}`, value).reverse();
  const newest = readNewest();
  if (newest.length === NEW_SAMPLES) return toSamples(context, kind, newest);
  context.archive.storeNewest(kind, streams, NEW_SAMPLES);
  return toSamples(context, kind, readNewest());
}

/** Samples of `sampleDate` or later, by date. */
export function samplesSince(
  context: RequestContext,
  kind: StoredSampleKind,
  scope: SampleScope,
  sampleDate: number,
): WireBatch<object> {
  const { where, value } = inScope(context, scope);
  context.archive.storeFrom(kind, () => streamsOf(context, scope), sampleDate, MAX_BATCH_ROWS);
  const sql = `${SELECT[kind]} WHERE ${where} AND sample_date >= ?
    ORDER BY sample_date, id LIMIT ${MAX_BATCH_ROWS + 1}`;
  return toBatch(context, kind, context.db.all<SampleRow>(sql, value, sampleDate));
}

/** A page of the stream's scalar samples in a closed interval, by date. `offset` counts from 1. */
export function samplesInRange(
  context: RequestContext,
  streamId: number,
  range: { fromDate: number; toDate: number; limit: number; offset: number },
): WireBatch<object> {
  const sql = `${SELECT.scalar} WHERE stream_id = ? AND sample_date BETWEEN ? AND ?
    ORDER BY sample_date, id LIMIT ? OFFSET ?`;
  const { fromDate, toDate, limit, offset } = range;
  context.archive.storeBetween('scalar', () => [streamId], fromDate, toDate);
  const rows = context.db.all<ScalarSampleRow>(sql, streamId, fromDate, toDate, limit + 1, offset - 1);
  return toBatch(context, 'scalar', rows, limit);
}

/** The account's samples with an id above `afterId` and a date from `sampledSince`, by id. */
export function samplesAfter(
  context: RequestContext,
  kind: StoredSampleKind,
  afterId: number,
  sampledSince = 0,
): WireBatch<object> {
  const { archive, batchLimit } = context;
  const since = Math.max(sampledSince, archive.dateOf(kind, afterId));
  archive.storeFrom(kind, () => streamsOf(context, 'account'), since, batchLimit);
  const byDate = readsByDate(context, kind, afterId, sampledSince);
  const { where, value } = inScope(context, 'account', byDate ? '' : '+');
  const id = byDate ? '+id' : 'id';
  const sql = `${SELECT[kind]} WHERE ${id} > ? AND ${where} AND sample_date >= ? ORDER BY ${id} LIMIT ?`;
  const rows = context.db.all<SampleRow>(sql, afterId, value, sampledSince, batchLimit + 1);
  return toBatch(context, kind, rows, batchLimit);
}

/**
 * Whether the index by stream and date reads fewer rows than a scan by id: the samples since the date are sorted, the
 * others are not read. A scan by id reads the samples from before the date, and stops at the end of the page.
 */
function readsByDate(
  { db, clock }: RequestContext,
  kind: StoredSampleKind,
  afterId: number,
  sampledSince: number,
): boolean {
  const sql = `SELECT sample_date AS date FROM ${kind}_sample WHERE id > ? ORDER BY id LIMIT 1`;
  const first = db.one<{ date: number }>(sql, afterId);
  return first !== undefined && sampledSince - first.date > clock.now() / 1000 - sampledSince;
}

interface FoldedFrame {
  frame: number;
  count: number;
  min: number;
  max: number;
  sum: number;
}

// CAST: the driver binds numbers as REAL, and a division of REALs would not round down.
const FRAMES = `SELECT sample_date / CAST(? AS INTEGER) AS frame, count(*) AS count,
    min(value) AS min, max(value) AS max, sum(value) AS sum
  FROM scalar_sample
  WHERE stream_id = ? AND sample_date BETWEEN ? AND ? AND typeof(value) IN ('integer', 'real')
  GROUP BY frame ORDER BY frame LIMIT ${MAX_BATCH_ROWS + 1}`;

/**
 * Aggregates a stream's numeric samples in frames of `timeFrame` minutes, aligned to Unix time. Leaves out empty frames.
 * Both dates are Unix seconds, inclusive.
 */
export function aggregate(
  { db, archive }: RequestContext,
  streamId: number,
  range: { timeFrame: number; fromDate: number; toDate: number },
): WireBatch<WireAggregation> {
  const seconds = range.timeFrame * 60;
  archive.storeBetween('scalar', () => [streamId], range.fromDate, range.toDate);
  const rows = db.all<FoldedFrame>(FRAMES, seconds, streamId, range.fromDate, range.toDate);
  const samples = rows.slice(0, MAX_BATCH_ROWS).map(({ frame, count, min, max, sum }) => ({
    stream_id: streamId,
    start_date: toRfc3339(frame * seconds),
    number_of_samples: count,
    agg_values: {
      min: min.toFixed(4),
      max: max.toFixed(4),
      avg: (sum / count).toFixed(4),
      sum: sum.toFixed(4),
    },
  }));
  return { hasMore: rows.length > MAX_BATCH_ROWS, samples };
}
