/** Reads samples of the three kinds, by stream, by site and by account, in the orders the API promises. */
import { toRfc3339 } from '../../lib/rfc3339.js';
import type { WireBatch, WireImageSample } from '../../rest/wire.js';
import type { RequestContext } from '../endpoints/endpoint.js';
import { imageSize } from '../image.js';
import { createNotFoundError } from '../server/httpError.js';
import { type RfidSampleRow, type ScalarSampleRow, toRfidSample, toScalarSample } from './rows.js';

export type StoredSampleKind = 'scalar' | 'image' | 'rfid';

/** A batch holds at most this many samples. */
export const BATCH_LIMIT = 10_000;
const NEW_SAMPLES = 100;

export interface ImageSampleRow {
  id: number;
  stream_id: number;
  sample_date: number;
  width: number;
  height: number;
}

type SampleRow = ScalarSampleRow | ImageSampleRow | RfidSampleRow;

const FIELDS: Readonly<Record<StoredSampleKind, string>> = {
  scalar: 'id, stream_id, sample_date, value',
  image: 'id, stream_id, sample_date, width, height',
  rfid: 'id, stream_id, sample_date, start_date, end_date, tag_ids, gps',
};

function selectFrom(kind: StoredSampleKind): string {
  return `SELECT ${FIELDS[kind]} FROM ${kind}_sample`;
}

function toImageSample(row: ImageSampleRow, publicUrl: string): WireImageSample {
  const { id, stream_id, width, height } = row;
  const url = `${publicUrl}/images/${id}.png`;
  const size = imageSize(width, height);
  return { id, stream_id, sample_date: toRfc3339(row.sample_date), url, width, height, size };
}

/** Rows as their wire shape. */
export function toSamples(
  context: RequestContext,
  kind: StoredSampleKind,
  rows: readonly SampleRow[],
): object[] {
  if (kind === 'scalar') return (rows as ScalarSampleRow[]).map(toScalarSample);
  if (kind === 'rfid') return (rows as RfidSampleRow[]).map(toRfidSample);
  return (rows as ImageSampleRow[]).map((row) => toImageSample(row, context.publicUrl));
}

/** Rows of one more than a batch holds as the batch. */
function toBatch(
  context: RequestContext,
  kind: StoredSampleKind,
  rows: readonly SampleRow[],
  limit = BATCH_LIMIT,
): WireBatch<object> {
  return { hasMore: rows.length > limit, samples: toSamples(context, kind, rows.slice(0, limit)) };
}

/** Whose samples are meant: a stream's, a site's or the whole account's. */
export type SampleScope = { readonly streamId: number } | { readonly siteId: number } | 'account';

/**
 * The condition that holds a query to its scope. The `+` keeps SQLite from using the index by stream,
 * for queries that walk along the ids and stop early.
 */
function inScope(
  context: RequestContext,
  scope: SampleScope,
  walk: '' | '+' = '',
): { where: string; value: number } {
  if (scope === 'account') {
    const where = `${walk}stream_id IN (SELECT id FROM stream WHERE account_id = ?)`;
    return { where, value: context.client.accountId };
  }
  if ('streamId' in scope) return { where: 'stream_id = ?', value: scope.streamId };
  return { where: `${walk}stream_id IN (SELECT id FROM stream WHERE site_id = ?)`, value: scope.siteId };
}

/** The stream's scalar sample with the greatest date, of several the one with the greatest id. */
export function lastScalarRow(context: RequestContext, streamId: number): ScalarSampleRow | undefined {
  return lastRow<ScalarSampleRow>(context, 'scalar', streamId);
}

function lastRow<Row>(context: RequestContext, kind: StoredSampleKind, streamId: number): Row | undefined {
  const sql = `${selectFrom(kind)} WHERE stream_id = ? ORDER BY sample_date DESC, id DESC LIMIT 1`;
  return context.db.one<Row>(sql, streamId);
}

/** @throws Refusal 404 when the stream has no sample of the kind. */
export function lastSample(context: RequestContext, kind: StoredSampleKind, streamId: number): unknown {
  const row = lastRow<SampleRow>(context, kind, streamId);
  if (row === undefined) throw createNotFoundError(`Stream ${streamId} has no ${kind} sample.`);
  return toSamples(context, kind, [row])[0];
}

/** @throws Refusal 404 when the account has no such sample. */
export function sampleById(context: RequestContext, kind: StoredSampleKind, id: number): unknown {
  const scope = inScope(context, 'account');
  const row = context.db.one<SampleRow>(
    `${selectFrom(kind)} WHERE id = ? AND ${scope.where}`,
    id,
    scope.value,
  );
  if (row === undefined) throw createNotFoundError(`There is no ${kind} sample with id ${id}.`);
  return toSamples(context, kind, [row])[0];
}

/** Up to 100 samples by id: those after `lastId`, or the newest where it is not given. */
export function newSamples(
  context: RequestContext,
  kind: StoredSampleKind,
  scope: SampleScope,
  lastId: number | undefined,
): object[] {
  const { where, value } = inScope(context, scope);
  const from = `${selectFrom(kind)} WHERE ${where}`;
  const rows =
    lastId === undefined
      ? context.db.all<SampleRow>(`${from} ORDER BY id DESC LIMIT ${NEW_SAMPLES}`, value).reverse()
      : context.db.all<SampleRow>(`${from} AND id > ? ORDER BY id LIMIT ${NEW_SAMPLES}`, value, lastId);
  return toSamples(context, kind, rows);
}

/** Samples dated `sampleDate` or later, by date. */
export function samplesSince(
  context: RequestContext,
  kind: StoredSampleKind,
  scope: SampleScope,
  sampleDate: number,
): WireBatch<object> {
  const { where, value } = inScope(context, scope);
  const sql = `${selectFrom(kind)} WHERE ${where} AND sample_date >= ?
    ORDER BY sample_date, id LIMIT ${BATCH_LIMIT + 1}`;
  return toBatch(context, kind, context.db.all<SampleRow>(sql, value, sampleDate));
}

/** A page of the stream's scalar samples of a closed interval, by date; `offset` 1 is the first. */
export function samplesInRange(
  context: RequestContext,
  streamId: number,
  range: { fromDate: number; toDate: number; limit: number; offset: number },
): WireBatch<object> {
  const sql = `${selectFrom('scalar')} WHERE stream_id = ? AND sample_date BETWEEN ? AND ?
    ORDER BY sample_date, id LIMIT ? OFFSET ?`;
  const { fromDate, toDate, limit, offset } = range;
  const rows = context.db.all<ScalarSampleRow>(sql, streamId, fromDate, toDate, limit + 1, offset - 1);
  return toBatch(context, 'scalar', rows, limit);
}

/** The account's samples with a greater id, by id; `sampledSince` further holds them to that date. */
export function samplesAfter(
  context: RequestContext,
  kind: StoredSampleKind,
  afterId: number,
  sampledSince = 0,
): WireBatch<object> {
  const { where, value } = inScope(context, 'account', '+');
  const sql = `${selectFrom(kind)} WHERE id > ? AND ${where} AND sample_date >= ?
    ORDER BY id LIMIT ${BATCH_LIMIT + 1}`;
  return toBatch(context, kind, context.db.all<SampleRow>(sql, afterId, value, sampledSince));
}
