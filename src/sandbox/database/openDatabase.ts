/** Opens the sandbox's database, in memory or in a file, with its tables in place. */
import Database from 'libsql';
import AsyncDatabase from 'libsql/promise';
import { createQueries, type Queries } from './queries.js';
import { INDEXES, TABLES } from './tables.js';

export interface OpenedDatabase {
  readonly database: Database.Database;
  readonly db: Queries;
  /** Whether it wants seeding. */
  readonly isNew: boolean;
}

/** @param file a path, or undefined for memory. */
export function openDatabase(file: string | undefined): OpenedDatabase {
  const database = new Database(file ?? ':memory:');
  if (file !== undefined) {
    // FULL: an answered write survives a power cut too, not only a killed process.
    database.exec('PRAGMA busy_timeout = 5000; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
  }
  const db = createQueries(database);
  const known = db.one("SELECT name FROM sqlite_master WHERE type = 'table' AND name = 'meta'");
  return { database, db, isNew: known === undefined };
}

export function createTables(database: Database.Database): void {
  database.exec(TABLES);
}

/**
 * Creates the indexes in a thread of the driver, so that the event loop turns meanwhile. An index over all the rows
 * takes a fraction of the time that inserting into it row by row takes.
 *
 * Every statement prepared on this connection must stay referenced until this ends: freeing one waits for the
 * connection, so the garbage collector would hold up the event loop. `Queries` keeps its statements.
 */
export async function createIndexes(database: Database.Database): Promise<void> {
  // Both classes of the driver wrap the same native connection in the same field.
  await Reflect.apply(AsyncDatabase.prototype.exec, database, [INDEXES]);
}

/**
 * For a bulk load, outside a transaction: sorts for an index in runs of 16 MB that go to temporary files. The default
 * sorts all rows in memory at once, which takes twice the memory of the data and twice the time.
 */
export function startBulkLoad(database: Database.Database): void {
  database.exec('PRAGMA temp_store = FILE; PRAGMA cache_size = -16000');
}

/** The settings that `startBulkLoad` changed. */
export function endBulkLoad(database: Database.Database): void {
  database.exec('PRAGMA temp_store = DEFAULT; PRAGMA cache_size = -2000');
}
