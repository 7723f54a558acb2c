/** Fills a new database: the planned world, its history of samples, and the marks to go on from. */
import { createBulkInsert } from '../database/bulkInsert.js';
import { writeMeta } from '../database/meta.js';
import type { Queries } from '../database/queries.js';
import { createSampleWriter, type SampleWriter } from '../database/sampleWriter.js';
import { emitOlderRows, historyOf } from './olderRows.js';
import { planWorld, type WorldOptions } from './planWorld.js';
import { emitBetween, inReportingOrder, type Source } from './source.js';
import { WORLD_COLUMNS, type WorldTable } from './world.js';

export interface SeedOptions extends WorldOptions {
  readonly historyDays: number;
}

const DAY = 86_400;

/** To be run inside a transaction, before the indexes are created. */
export function seedDatabase(db: Queries, options: SeedOptions): void {
  const world = planWorld(options);
  for (const table of Object.keys(WORLD_COLUMNS) as WorldTable[]) {
    const insert = createBulkInsert(db, table, WORLD_COLUMNS[table]);
    for (const row of world.rows[table]) insert.add(row);
    insert.flush();
  }
  const sources = inReportingOrder(world.sources);
  writeSources(db, sources);
  writeHistory(createSampleWriter(db), sources, options);
  writeMeta(db, 'seed', String(options.seed));
  writeMeta(db, 'simulated_until', String(options.now));
}

function writeSources(db: Queries, sources: readonly Source[]): void {
  const insert = createBulkInsert(db, 'source', ['stream_or_device_id', 'kind', 'plan']);
  for (const source of sources) insert.add([source.id, source.kind, JSON.stringify(source)]);
  insert.flush();
}

function writeHistory(writer: SampleWriter, sources: readonly Source[], options: SeedOptions): void {
  const { seed, now } = options;
  const from = now - Math.round(options.historyDays * DAY);
  emitOlderRows(sources, seed, { from, to: now }, writer.write);
  // A device that fell silent before the history begins still left a last half day behind.
  for (const source of sources) {
    const end = source.silentFrom;
    if (end === undefined || end > from) continue;
    emitBetween([source], seed, historyOf(source, { from, to: now }), writer.write);
  }
  emitBetween(sources, seed, { from, to: now }, writer.write);
  writer.flush();
}
