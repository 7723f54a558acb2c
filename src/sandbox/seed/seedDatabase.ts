/** Fills a new database: the planned world, its history of samples, and the state from which the simulator continues. */
import { ROWS_PER_SLICE, type SlicedComputation } from '../../lib/slicedComputation.js';
import { writeMeta } from '../database/openDatabase.js';
import { createBulkInsert, type Queries, type SqlValue } from '../database/queries.js';
import { type ArchiveSpan, planArchive } from './archive.js';
import { planWorld, type WorldOptions } from './planWorld.js';
import { createReportingSchedule, emitBetween, inReportingOrder } from './reportingSchedule.js';
import { createSampleWriter, FIRST_IDS, type SampleWriter } from './sampleWriter.js';
import { type Emission, type Emit, emitAt, type Source } from './source.js';
import { WORLD_TABLES } from './world.js';

export interface SeedOptions extends WorldOptions {
  /** Days of samples that are written. */
  readonly historyDays: number;
  /** Days of samples in total. The archive has those before the history. Default `historyDays`. */
  readonly days?: number;
}

const DAY = 86_400;
/** Seconds of history between two calls of `onProgress`. */
const PROGRESS_STEP = DAY / 8;

/**
 * Run it inside a transaction, before the indexes are created. Pauses at least once every few thousand rows.
 * @param onProgress receives the share of the history that is written, from 0 to 1.
 */
export function* seedDatabase(
  db: Queries,
  options: SeedOptions,
  onProgress: (share: number) => void,
): SlicedComputation<void> {
  const world = yield* planWorld(options);
  for (const table of WORLD_TABLES) yield* insertAll(db, table, world.rows[table]);
  const sources = inReportingOrder(world.sources);
  yield* insertAll(db, 'source', sourceRows(sources));
  const archive = archiveOf(sources, options);
  const { scalar, image, rfid } = archive.firstIds;
  const firstIds = { ...FIRST_IDS, scalar_sample: scalar, image_sample: image, rfid_sample: rfid };
  const writer = createSampleWriter(db, firstIds);
  yield* writeHistory(writer, sources, options, onProgress);
  writer.flush();
  writeMeta(db, 'seed', String(options.seed));
  writeMeta(db, 'archive', JSON.stringify(archive));
  writeMeta(db, 'simulated_until', String(options.now));
}

function archiveOf(sources: readonly Source[], { now, historyDays, days }: SeedOptions): ArchiveSpan {
  const to = now - Math.round(historyDays * DAY);
  const from = Math.min(to, now - Math.round((days ?? historyDays) * DAY));
  const { scalar_sample: scalar, image_sample: image, rfid_sample: rfid } = FIRST_IDS;
  return planArchive(sources, { from, to }, { scalar, image, rfid });
}

function* insertAll(
  db: Queries,
  table: string,
  rows: Iterable<readonly SqlValue[]>,
): SlicedComputation<void> {
  const insert = createBulkInsert(db, table);
  let count = 0;
  for (const row of rows) {
    insert.add(row);
    if (++count % ROWS_PER_SLICE === 0) yield;
  }
  insert.flush();
}

function* sourceRows(sources: readonly Source[]): Generator<readonly SqlValue[]> {
  for (const source of sources) yield [source.id, source.kind, JSON.stringify(source)];
}

function* writeHistory(
  writer: SampleWriter,
  sources: readonly Source[],
  { seed, now, historyDays }: SeedOptions,
  onProgress: (share: number) => void,
): SlicedComputation<void> {
  const start = now - Math.round(historyDays * DAY);
  const history = { from: start, to: now };
  yield* emitOlderRows(sources, seed, history, writer.write);
  // Emits the last half day of each device that went silent before the history begins.
  for (const source of sources) {
    if (source.silentFrom === undefined || source.silentFrom > start) continue;
    yield* emitBetween(createReportingSchedule([source]), seed, historyOf(source, history), writer.write);
  }
  const schedule = createReportingSchedule(sources);
  for (let from = start; from < now; from += PROGRESS_STEP) {
    onProgress((from - start) / (now - start));
    yield* emitBetween(schedule, seed, { from, to: Math.min(from + PROGRESS_STEP, now) }, writer.write);
  }
  onProgress(1);
}

/** Rows that arrived after `from` and up to `to`, in Unix seconds. */
type SeedSpan = Pick<ArchiveSpan, 'from' | 'to'>;

const HALF_DAY = 43_200;

/** The source's part of the history. For a source that went silent before the history, its last half day. */
function historyOf({ silentFrom }: Source, { from, to }: SeedSpan): SeedSpan {
  if (silentFrom === undefined) return { from, to };
  return { from: silentFrom > from ? from : silentFrom - HALF_DAY, to: silentFrom };
}

/** Throw after this many consecutive moments without a row. A log emits at 6 of 100 moments. */
const MAX_MOMENTS = 1000;

/** The latest moment up to `to` at which the source emits rows, and these rows. */
function latestEmission(source: Source, seed: number, to: number) {
  const rows: Emission[] = [];
  const { interval, phase } = source;
  let at = Math.floor((to - phase) / interval) * interval + phase;
  for (let moment = 0; moment < MAX_MOMENTS; moment++, at -= interval) {
    emitAt(source, seed, at, (row) => rows.push(row));
    if (rows.length > 0) return { at, rows };
  }
  throw new Error(`The ${source.kind} of ${source.id} emits no row.`);
}

const SOURCES_PER_SLICE = ROWS_PER_SLICE / 20;

/** Emits the latest rows of the sources that emit none in their history, in order of arrival. */
function* emitOlderRows(
  sources: readonly Source[],
  seed: number,
  span: SeedSpan,
  emit: Emit,
): SlicedComputation<void> {
  const older: { at: number; rows: Emission[] }[] = [];
  for (const [index, source] of sources.entries()) {
    const { from, to } = historyOf(source, span);
    const latest = latestEmission(source, seed, to);
    if (latest.at <= from) older.push(latest);
    if ((index + 1) % SOURCES_PER_SLICE === 0) yield;
  }
  older.sort((a, b) => a.at - b.at);
  for (const { rows } of older) for (const row of rows) emit(row);
}
