/**
 * The batch cursor of an API client and a kind of sample: the id of the last sample that the client received.
 * An acknowledgement only moves it forward, so that a late or repeated one loses nothing. A backfill moves it back.
 */
import type { WireBatch } from '../../rest/wire.js';
import type { ScalarSampleRow, StoredSampleKind } from '../database/rows.js';
import { createNotFoundError } from '../httpError.js';
import type { RequestContext } from '../requestContext.js';
import { samplesAfter, streamsOf, toSamples } from './sampleQueries.js';

type BatchKind = Exclude<StoredSampleKind, 'image'>;

interface BatchCursor {
  position: number;
  /** 1 after the first delivery. A new client has a cursor before its first delivery. */
  delivered: number;
}

const DAY_SECONDS = 86_400;
const OWN_STREAMS = 'stream_id IN (SELECT id FROM stream WHERE account_id = ?)';

function nowSeconds(context: RequestContext): number {
  return Math.floor(context.clock.now() / 1000);
}

/** The position before the first sample of the last day, so that a new client's first batch is not empty. */
function startOf(context: RequestContext, kind: BatchKind): BatchCursor {
  const sql = `SELECT min(id) AS id FROM ${kind}_sample WHERE ${OWN_STREAMS} AND sample_date >= ?`;
  const since = nowSeconds(context) - DAY_SECONDS;
  const first = context.db.one<{ id: number | null }>(sql, context.client.accountId, since)?.id;
  const newest = () => context.db.one<{ id: number | null }>(`SELECT max(id) AS id FROM ${kind}_sample`)?.id;
  return { position: first ? first - 1 : (newest() ?? 0), delivered: 0 };
}

function readCursor(context: RequestContext, kind: BatchKind): BatchCursor {
  const sql = 'SELECT position, delivered FROM batch_cursor WHERE client_id = ? AND kind = ?';
  const stored = context.db.one<BatchCursor>(sql, context.client.id, kind);
  if (stored) return stored;
  const start = startOf(context, kind);
  writeCursor(context, kind, start);
  return start;
}

function writeCursor(context: RequestContext, kind: BatchKind, cursor: BatchCursor): void {
  const sql =
    'INSERT OR REPLACE INTO batch_cursor (client_id, kind, position, delivered) VALUES (?, ?, ?, ?)';
  context.db.run(sql, context.client.id, kind, cursor.position, cursor.delivered);
}

function moveForward(context: RequestContext, kind: BatchKind, sampleId: number): void {
  const { position } = readCursor(context, kind);
  writeCursor(context, kind, { position: Math.max(position, sampleId), delivered: 1 });
}

interface NewBatchQuery {
  /** False: the read moves the cursor. */
  readonly enableAck: boolean;
  /** Read after this id instead of after the cursor. */
  readonly afterId: number | undefined;
  /** Read the samples of these last hours instead of those after the cursor. */
  readonly backfillHours: number | undefined;
}

export function readNewBatch(
  context: RequestContext,
  kind: BatchKind,
  query: NewBatchQuery,
): WireBatch<object> {
  const { afterId, backfillHours } = query;
  const batch =
    backfillHours === undefined
      ? samplesAfter(context, kind, afterId ?? readCursor(context, kind).position)
      : samplesAfter(context, kind, afterId ?? 0, nowSeconds(context) - backfillHours * 3600);
  const last = batch.samples.at(-1) as { id: number } | undefined;
  if (!query.enableAck && last) moveForward(context, kind, last.id);
  return batch;
}

/** @throws HttpError 404 when the account has no such sample. */
export function acknowledge(
  context: RequestContext,
  kind: BatchKind,
  parameter: string,
  sampleId: number,
): void {
  const sql = `SELECT id FROM ${kind}_sample WHERE id = ? AND ${OWN_STREAMS}`;
  if (!context.db.one(sql, sampleId, context.client.accountId)) {
    throw createNotFoundError(`${parameter}: there is no ${kind} sample with id ${sampleId}.`);
  }
  moveForward(context, kind, sampleId);
}

/** Stores the account's older samples of the days around a date. */
function storeAround(context: RequestContext, kind: BatchKind, date: number): void {
  const streams = () => streamsOf(context, 'account');
  context.archive.storeBetween(kind, streams, date - DAY_SECONDS, date + DAY_SECONDS);
}

/**
 * Moves the cursor before the sample whose date is nearest to `sampleDate`; if several are equally near, before
 * the first of them.
 */
export function backfill(context: RequestContext, kind: BatchKind, sampleDate: number): void {
  storeAround(context, kind, sampleDate);
  const sql = `SELECT id FROM ${kind}_sample WHERE ${OWN_STREAMS}
    ORDER BY abs(sample_date - ?), id LIMIT 1`;
  const nearest = context.db.one<{ id: number }>(sql, context.client.accountId, sampleDate);
  if (!nearest) return;
  const { delivered } = readCursor(context, kind);
  writeCursor(context, kind, { position: nearest.id - 1, delivered });
}

/** @throws HttpError 404 before the first delivery to the client. */
export function lastDelivered(context: RequestContext, kind: BatchKind): unknown {
  const { position, delivered } = readCursor(context, kind);
  const sql = `SELECT * FROM ${kind}_sample WHERE id <= ? AND +${OWN_STREAMS} ORDER BY id DESC LIMIT 1`;
  storeAround(context, kind, context.archive.dateOf(kind, position));
  const rows = delivered ? context.db.all<ScalarSampleRow>(sql, position, context.client.accountId) : [];
  if (rows.length === 0)
    throw createNotFoundError(`No ${kind} sample has been delivered to this API client yet.`);
  return toSamples(context, kind, rows)[0];
}
