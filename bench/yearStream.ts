/** A sandbox with a stream of one year of samples, one every five minutes. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import Database from 'libsql';
import { type RunningServer, startSandbox } from './shared/processes.js';

export const SAMPLES_PER_YEAR = 105_120;
const STEP_SECONDS = 300;

export interface YearSandbox extends RunningServer {
  streamId: number;
  /** Unix seconds. */
  from: number;
  to: number;
}

/** Lets the sandbox create a database file, adds the year, and starts the sandbox again over the file. */
export async function startYearSandbox(): Promise<YearSandbox> {
  const directory = mkdtempSync(path.join(tmpdir(), 'fieldgraph-year-'));
  const file = path.join(directory, 'sandbox.db');
  const environment = { SANDBOX_SITES: '1', SANDBOX_DB: file };
  const first = await startSandbox(environment);
  first.stop();
  const year = writeYear(file);
  const sandbox = await startSandbox(environment);
  return {
    ...sandbox,
    ...year,
    stop() {
      sandbox.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

function writeYear(file: string) {
  const database = new Database(file);
  const to = Math.floor(Date.now() / 1000 / STEP_SECONDS) * STEP_SECONDS;
  const from = to - SAMPLES_PER_YEAR * STEP_SECONDS;
  const streamId = 990_001;
  const [site] = database.prepare('SELECT id, account_id FROM site ORDER BY id LIMIT 1').all() as {
    id: number;
    account_id: number;
  }[];
  database
    .prepare(`INSERT INTO stream VALUES (?, ?, ?, ?, 'Year', 1, 'Pressure', 'bar', '1', 1)`)
    .run(streamId, site?.account_id, site?.id, from);
  const insert = database.prepare('INSERT INTO scalar_sample VALUES (?, ?, ?, ?)');
  database.exec('BEGIN');
  for (let index = 0; index < SAMPLES_PER_YEAR; index++) {
    const value = Math.round((5 + 2 * Math.sin(index / 46) + Math.sin(index / 3.3)) * 1000) / 1000;
    insert.run(2_000_000_000 + index, streamId, from + index * STEP_SECONDS, value);
  }
  database.exec('COMMIT');
  database.close();
  return { streamId, from, to };
}
