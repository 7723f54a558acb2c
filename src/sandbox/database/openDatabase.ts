/** Opens the sandbox's database, in memory or in a file, with its tables in place. */
import Database from 'libsql';
import { INDEXES, TABLES } from './tables.js';

/**
 * @param file a path, or undefined for memory.
 * @returns the database, and whether it is new and wants seeding.
 */
export function openDatabase(file: string | undefined): { database: Database.Database; isNew: boolean } {
  const database = new Database(file ?? ':memory:');
  if (file !== undefined) {
    database.pragma('busy_timeout = 5000');
    database.pragma('journal_mode = WAL');
    // FULL: an answered write survives a power cut too, not only a killed process.
    database.pragma('synchronous = FULL');
  }
  const known = database
    .prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name = 'meta'")
    .all();
  return { database, isNew: known.length === 0 };
}

/** Creates the tables; the indexes come after the bulk of the rows, which is twice as fast. */
export function createTables(database: Database.Database): void {
  database.exec(TABLES);
}

export function createIndexes(database: Database.Database): void {
  database.exec(INDEXES);
}
