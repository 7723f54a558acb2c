/** Opens the sandbox's database, in memory or in a file, and creates tables and indexes. */
import Database from 'libsql';
import AsyncDatabase from 'libsql/promise';
import { createQueries, type Queries } from './queries.js';
import { INDEXES, TABLES } from './tables.js';

export interface OpenedDatabase {
  readonly database: Database.Database;
  readonly db: Queries;
  /** True without tables: the database needs seeding. */
  readonly isNew: boolean;
}

/** @param file a path, or undefined for memory. */
export function openDatabase(file: string | undefined): OpenedDatabase {
  const database = new Database(file ?? ':memory:');
  if (file !== undefined) {
    // FULL: an acknowledged write survives a power failure, not only a killed process.
    database.exec('PRAGMA busy_timeout = 5000; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
  }
  const db = createQueries(database);
  const meta = db.one("SELECT name FROM sqlite_master WHERE type = 'table' AND name = 'meta'");
  return { database, db, isNew: meta === undefined };
}

export function createTables(database: Database.Database): void {
  database.exec(TABLES);
}

/**
 * Creates the indexes in a thread of the driver, so that the event loop is not blocked. Building an index once takes a
 * fraction of the time of updating it with each row.
 *
 * Every statement prepared on this connection must stay referenced until the end. Freeing a statement waits for the
 * connection, so garbage collection would block the event loop. `Queries` references its statements.
 */
export async function createIndexes(database: Database.Database): Promise<void> {
  // Both classes of the driver wrap the same native connection in the same field.
  await Reflect.apply(AsyncDatabase.prototype.exec, database, [INDEXES]);
}

/**
 * Call it before a bulk load, outside a transaction. SQLite then sorts the rows of an index in runs of 16 MB in temporary
 * files. By default it sorts all rows in memory at once, which takes twice the memory of the data and twice the time.
 */
export function startBulkLoad(database: Database.Database): void {
  database.exec('PRAGMA temp_store = FILE; PRAGMA cache_size = -16000');
}

/** Restores the settings that `startBulkLoad` changed. */
export function endBulkLoad(database: Database.Database): void {
  database.exec('PRAGMA temp_store = DEFAULT; PRAGMA cache_size = -2000');
}
