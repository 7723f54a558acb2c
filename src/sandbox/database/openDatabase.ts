/** Opens the sandbox's database, in memory or in a file, and creates tables and indexes. */
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import path from 'node:path';
import Database from 'libsql';
import AsyncDatabase from 'libsql/promise';
import { messageOf } from '../../lib/errorMessage.js';
import { createQueries, type Queries } from './queries.js';

export interface OpenedDatabase {
  readonly database: Database.Database;
  readonly db: Queries;
  /** True without tables: the database needs seeding. */
  readonly isNew: boolean;
}

/** Tables by which a database of the sandbox is recognised, of this version or an earlier one. */
const OWN_TABLES = ['meta', 'client', 'source', 'scalar_sample'];

/**
 * @param file a path, or undefined for memory.
 * @throws without changing the file if it is the database of another program.
 */
export function openDatabase(file: string | undefined): OpenedDatabase {
  const database = new Database(file ?? ':memory:');
  try {
    database.exec('PRAGMA busy_timeout = 5000');
    const db = createQueries(database);
    const isNew = hasNoTables(db);
    if (file !== undefined) {
      // FULL: an acknowledged write survives a power failure, not only a killed process.
      database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
    }
    return { database, db, isNew };
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Why the file can't become or be a database of the sandbox, as a sentence. Changes nothing. */
export function findFileProblem(file: string): string | undefined {
  if (!isWritable(path.dirname(file))) return `The folder of ${file} does not exist or is not writable.`;
  if (!existsSync(file)) return undefined;
  if (!isWritable(file)) return `${file} is not writable.`;
  const stats = statSync(file);
  if (!stats.isFile()) return `${file} is ${stats.isDirectory() ? 'a folder' : 'not a regular file'}.`;
  try {
    checkTables(file);
    return undefined;
  } catch (error) {
    return `${file} can't be used: ${messageOf(error).replace(/\.$/, '')}.`;
  }
}

function isWritable(fileOrFolder: string): boolean {
  try {
    accessSync(fileOrFolder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Throws if the file is damaged or the database of another program. */
function checkTables(file: string): void {
  const database = new Database(file, { readonly: true });
  try {
    hasNoTables(createQueries(database));
  } finally {
    database.close();
  }
}

function hasNoTables(db: Queries): boolean {
  const rows = db.all<{ name: string }>("SELECT name FROM sqlite_master WHERE type = 'table'");
  const tables = rows.map(({ name }) => name);
  if (tables.length > 0 && !OWN_TABLES.every((name) => tables.includes(name))) {
    throw new Error('it belongs to another program.');
  }
  return tables.length === 0;
}

export function createTables(database: Database.Database): void {
  database.exec(TABLES);
}

/**
 * Creates the indexes in a thread of the driver, so that the event loop is not blocked. Building an index once takes a
 * fraction of the time of updating it with each row.
 *
 * Every statement prepared on this connection must stay referenced until the end. Freeing a statement waits for
 * the connection, so the garbage collector would block the event loop. `Queries` references its statements.
 */
export async function createIndexes(database: Database.Database): Promise<void> {
  // Both classes of the driver wrap the same native connection in the same field.
  await Reflect.apply(AsyncDatabase.prototype.exec, database, [INDEXES]);
}

/**
 * Call it outside a transaction. During `load`, SQLite sorts the rows of an index in runs of 16 MB in temporary files. By
 * default it sorts all rows in memory at once, which takes twice the memory of the data and twice the time.
 */
export async function loadInBulk(database: Database.Database, load: () => Promise<void>): Promise<void> {
  database.exec('PRAGMA temp_store = FILE; PRAGMA cache_size = -16000');
  await load();
  database.exec('PRAGMA temp_store = DEFAULT; PRAGMA cache_size = -2000');
}

/**
 * The tables. Dates are whole Unix seconds. Tables that the API lists have an `account_id`, so that every query can be
 * restricted to the caller's account. Samples belong to the account of their stream.
 */
const TABLES = `
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE account (id INTEGER PRIMARY KEY, display_name TEXT NOT NULL);
CREATE TABLE client (
  id INTEGER PRIMARY KEY, account_id INTEGER NOT NULL, user_id INTEGER NOT NULL,
  key TEXT NOT NULL UNIQUE, secret_hash TEXT NOT NULL);
CREATE TABLE organization (id INTEGER PRIMARY KEY, account_id INTEGER NOT NULL, display_name TEXT NOT NULL);
CREATE TABLE user (
  id INTEGER PRIMARY KEY, account_id INTEGER NOT NULL, user_name TEXT NOT NULL, email_address TEXT,
  timezone_name TEXT NOT NULL, first_name TEXT, last_name TEXT, mobile_phone TEXT,
  date_format TEXT NOT NULL, time_format TEXT NOT NULL);
CREATE TABLE site (
  id INTEGER PRIMARY KEY, account_id INTEGER NOT NULL, creation_date INTEGER NOT NULL,
  display_name TEXT NOT NULL, status TEXT NOT NULL, latitude TEXT NOT NULL, longitude TEXT NOT NULL,
  account_organization_id INTEGER);
CREATE TABLE device (
  id INTEGER PRIMARY KEY, account_id INTEGER NOT NULL, site_id INTEGER NOT NULL, serial_number TEXT NOT NULL,
  display_name TEXT NOT NULL, model_number TEXT NOT NULL, akid TEXT NOT NULL, iccid TEXT NOT NULL,
  iccid2 TEXT NOT NULL, meid TEXT NOT NULL, firmware_version TEXT NOT NULL);
CREATE TABLE channel (
  id INTEGER PRIMARY KEY, account_id INTEGER NOT NULL, device_id INTEGER NOT NULL,
  creation_date INTEGER NOT NULL, display_name TEXT NOT NULL, on_device_num INTEGER NOT NULL,
  type_id INTEGER NOT NULL, type_display_name TEXT NOT NULL, status_id INTEGER NOT NULL,
  display_status_name TEXT NOT NULL);
CREATE TABLE stream (
  id INTEGER PRIMARY KEY, account_id INTEGER NOT NULL, site_id INTEGER NOT NULL,
  creation_date INTEGER NOT NULL, display_name TEXT NOT NULL, type_id INTEGER NOT NULL,
  type_display_name TEXT NOT NULL, units TEXT NOT NULL, value_scale TEXT NOT NULL, status_id INTEGER NOT NULL);
CREATE TABLE attribute (
  id INTEGER PRIMARY KEY, account_id INTEGER NOT NULL, target TEXT NOT NULL, display_name TEXT NOT NULL);
CREATE TABLE attribute_value (
  attribute_id INTEGER NOT NULL, parent_id INTEGER NOT NULL, value TEXT NOT NULL,
  PRIMARY KEY (attribute_id, parent_id)) WITHOUT ROWID;
CREATE TABLE threshold (stream_id INTEGER PRIMARY KEY, levels TEXT NOT NULL);
CREATE TABLE scalar_sample (
  id INTEGER PRIMARY KEY, stream_id INTEGER NOT NULL, sample_date INTEGER NOT NULL, value);
CREATE TABLE image_sample (
  id INTEGER PRIMARY KEY, stream_id INTEGER NOT NULL, sample_date INTEGER NOT NULL,
  width INTEGER NOT NULL, height INTEGER NOT NULL);
CREATE TABLE rfid_sample (
  id INTEGER PRIMARY KEY, stream_id INTEGER NOT NULL, sample_date INTEGER NOT NULL,
  start_date INTEGER NOT NULL, end_date INTEGER NOT NULL, tag_ids TEXT NOT NULL, gps TEXT);
CREATE TABLE device_health (
  id INTEGER PRIMARY KEY, device_id INTEGER NOT NULL, sample_date INTEGER NOT NULL,
  counter_type_id INTEGER NOT NULL, value INTEGER NOT NULL);
CREATE TABLE device_log (
  id INTEGER PRIMARY KEY, device_id INTEGER NOT NULL, log_date INTEGER NOT NULL,
  source TEXT NOT NULL, message TEXT NOT NULL);
CREATE TABLE batch_cursor (
  client_id INTEGER NOT NULL, kind TEXT NOT NULL, position INTEGER NOT NULL, delivered INTEGER NOT NULL,
  PRIMARY KEY (client_id, kind)) WITHOUT ROWID;
CREATE TABLE archive (
  stream_id INTEGER NOT NULL, block INTEGER NOT NULL, samples INTEGER NOT NULL,
  PRIMARY KEY (stream_id, block)) WITHOUT ROWID;
CREATE TABLE source (stream_or_device_id INTEGER NOT NULL, kind TEXT NOT NULL, plan TEXT NOT NULL);
`;

/** Mostly for the samples of one stream by date, which nearly every sample query reads. */
const INDEXES = `
CREATE INDEX scalar_by_stream ON scalar_sample (stream_id, sample_date);
CREATE INDEX image_by_stream ON image_sample (stream_id, sample_date);
CREATE INDEX rfid_by_stream ON rfid_sample (stream_id, sample_date);
CREATE INDEX health_by_device ON device_health (device_id, counter_type_id, sample_date);
CREATE INDEX log_by_device ON device_log (device_id, log_date);
CREATE INDEX device_by_site ON device (site_id);
CREATE INDEX channel_by_device ON channel (device_id);
CREATE INDEX stream_by_site ON stream (site_id);
CREATE INDEX attribute_value_by_parent ON attribute_value (parent_id);
`;

type MetaName = 'seed' | 'archive' | 'simulated_until' | 'signing_key';

/** Single values that survive a restart: the signing key, the seed, the time of the last simulated sample. */
export function readMeta(db: Queries, name: MetaName): string | undefined {
  return db.one<{ value: string }>('SELECT value FROM meta WHERE name = ?', name)?.value;
}

export function writeMeta(db: Queries, name: MetaName, value: string): void {
  db.run('INSERT OR REPLACE INTO meta (name, value) VALUES (?, ?)', name, value);
}
