/**
 * The sandbox: an implementation of the monitoring platform's REST API over SQLite, for trying and testing the gateway
 * without a platform.
 */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Database } from 'libsql';
import { type Clock, systemClock } from '../lib/clock.js';
import { runInSlices, runToCompletion, type SlicedComputation } from '../lib/slicedComputation.js';
import { createCredentials, type SandboxCredential, storeClients } from './auth/clients.js';
import { createTokens } from './auth/tokens.js';
import {
  createIndexes,
  createTables,
  loadInBulk,
  type OpenedDatabase,
  openDatabase,
  readMeta,
  writeMeta,
} from './database/openDatabase.js';
import type { Queries } from './database/queries.js';
import { type ArchiveSpan, SampleArchive } from './seed/archive.js';
import type { SeedProgress } from './seed/progressLog.js';
import { createReportingSchedule, emitBetween } from './seed/reportingSchedule.js';
import { createSampleWriter } from './seed/sampleWriter.js';
import { type SeedOptions, seedDatabase } from './seed/seedDatabase.js';
import type { WorldShape } from './seed/sitePlan.js';
import type { Source } from './seed/source.js';
import { createHttpServer, type Interceptor, type SandboxLog } from './server/httpServer.js';
import { createRequestHandler, defaultLimits, type SandboxLimits } from './server/requestHandler.js';

export interface SandboxOptions {
  /** Default 0: any free port. */
  readonly port?: number;
  /** Default: in memory. An existing file is used as it is, without seeding. */
  readonly databaseFile?: string;
  /** Sites of the first account, default 40. */
  readonly siteCount?: number;
  /** The first account's API client, default `sandbox` and `sandbox`. */
  readonly key?: string;
  readonly secret?: string;
  /** The same seed and the same start of the clock give the same data. Default 1. */
  readonly seed?: number;
  /** Days of samples before the start, default `historyDays`. Those before the history are generated when first read. */
  readonly days?: number;
  /** Days of samples that are written at the first start, default 14 or `days` if that is less. */
  readonly historyDays?: number;
  /**
   * Equal numbers of devices and streams at each site of the first account, without cameras and tag readers. Default:
   * varied.
   */
  readonly shape?: WorldShape;
  readonly clock?: Clock;
  /** Milliseconds between two steps of the simulator, default 5000. With false only `simulator.step()` appends. */
  readonly simulatorIntervalMs?: number | false;
  /** Default 3600. */
  readonly tokenLifetimeSeconds?: number;
  readonly limits?: Partial<SandboxLimits>;
  readonly log?: SandboxLog;
  /** Called many times while a new database is seeded. */
  readonly onSeedProgress?: SeedProgress;
  /** Sends the response to each request. Default: sends it unchanged. */
  readonly intercept?: Interceptor;
}

export interface Sandbox {
  /** For example `http://127.0.0.1:4010`. */
  readonly url: string;
  /** One per account, the first account's first. */
  readonly credentials: readonly [SandboxCredential, SandboxCredential];
  readonly simulator: Simulator;
  /** Revokes all issued tokens. Requests with a revoked token get this status, default 401. */
  revokeTokens(status?: 401 | 403): void;
  /** For queries in tests. Do not write to it. */
  readonly database: Database;
  /** Stops listening, ends open connections, closes the database. */
  close(): Promise<void>;
}

/** The sandbox has well-known credentials, so it listens only on loopback. */
const HOST = '127.0.0.1';
/** A thousand calls may connect at once while the event loop is busy. Linux resets those beyond this number. */
const MAX_WAITING_CONNECTIONS = 4096;

const MAX_HISTORY_DAYS = 14;

function seedOptionsOf(options: SandboxOptions, clock: Clock): SeedOptions {
  const historyDays = options.historyDays ?? Math.min(options.days ?? MAX_HISTORY_DAYS, MAX_HISTORY_DAYS);
  return {
    seed: options.seed ?? 1,
    now: Math.floor(clock.now() / 1000),
    siteCount: options.siteCount ?? 40,
    historyDays,
    days: options.days ?? historyDays,
    shape: options.shape,
  };
}

/** Seeds in one transaction. A process that ends while seeding leaves an empty file, which the next start seeds. */
async function seedInSlices(opened: OpenedDatabase, seed: SeedOptions, onProgress: SeedProgress) {
  const { database, db } = opened;
  const load = async () => {
    createTables(database);
    await runInSlices(seedDatabase(db, seed, (share) => onProgress('samples', share)));
    onProgress('indexes', 0);
    await createIndexes(database);
    onProgress('indexes', 1);
  };
  await loadInBulk(database, () => db.transaction(load));
}

/** Rejects if the server emits an error instead of listening. */
async function listen(server: ReturnType<typeof createHttpServer>, port: number): Promise<string> {
  server.listen({ port, host: HOST, backlog: MAX_WAITING_CONNECTIONS });
  await once(server, 'listening');
  return `http://${HOST}:${(server.address() as AddressInfo).port}`;
}

/**
 * Steps the simulator at an interval that does not keep the process alive. Returns a function that stops it. Only
 * the first of several consecutive failures is logged as a warning.
 */
function runSimulator(simulator: Simulator, intervalMs: number | false, log: SandboxLog) {
  if (intervalMs === false) return () => {};
  let isFailing = false;
  const timer = setInterval(() => {
    try {
      simulator.step();
      if (isFailing) log('The simulator works again', 'debug');
      isFailing = false;
    } catch (error) {
      log(`The simulator failed: ${String(error)}`, isFailing ? 'debug' : 'warn');
      isFailing = true;
    }
  }, intervalMs);
  timer.unref();
  return () => clearInterval(timer);
}

/**
 * Opens or seeds the database and starts to listen.
 * @throws when the port is in use or the file is not a database of the sandbox.
 */
export async function createSandbox(options: SandboxOptions): Promise<Sandbox> {
  const opened = openDatabase(options.databaseFile);
  try {
    return await startSandbox(opened, options);
  } catch (error) {
    opened.database.close();
    throw error;
  }
}

async function startSandbox(opened: OpenedDatabase, options: SandboxOptions): Promise<Sandbox> {
  const { clock = systemClock, port = 0, log = () => {} } = options;
  const { database, db } = opened;
  if (opened.isNew) {
    const { onSeedProgress = () => {} } = options;
    await seedInSlices(opened, seedOptionsOf(options, clock), onSeedProgress);
  }
  const credentials = createCredentials(options.key ?? 'sandbox', options.secret ?? 'sandbox');
  db.transaction(() => storeClients(db, credentials));
  const tokens = createTokens(db, clock, options.tokenLifetimeSeconds ?? 3600);
  const plans = db.all<{ plan: string }>('SELECT plan FROM source');
  // The sources do not change while the sandbox runs.
  const sources = plans.map(({ plan }) => JSON.parse(plan) as Source);
  const seed = Number(readMeta(db, 'seed') ?? 0);
  const simulator = createSimulator(db, sources, seed, clock);
  const archive = openArchive(db, sources, seed);
  await simulator.catchUp();
  let url = '';
  const limits = { ...defaultLimits, ...options.limits };
  const handler = createRequestHandler({ db, clock, archive, tokens, limits, url: () => url });
  const server = createHttpServer(handler, log, options.intercept);
  url = await listen(server, port);
  const stopSimulator = runSimulator(simulator, options.simulatorIntervalMs ?? 5000, log);

  function shutDown(): Promise<void> {
    stopSimulator();
    return new Promise((resolve) => {
      server.close(() => {
        // Moves the data from the journal into the file, so that this file alone is a complete copy.
        database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
        database.close();
        resolve();
      });
      server.closeAllConnections();
    });
  }

  let closing: Promise<void> | undefined;
  return {
    url,
    credentials,
    simulator,
    revokeTokens: (status = 401) => tokens.revokeAll(status),
    database,
    close() {
      closing ??= shutDown();
      return closing;
    },
  };
}

/** After a longer downtime the samples have a gap before this span. */
const MAX_CATCH_UP_SECONDS = 2 * 86_400;

/** A database file from before there were archives has none. */
function openArchive(db: Queries, sources: readonly Source[], seed: number): SampleArchive {
  const none: ArchiveSpan = { from: 0, to: 0, firstIds: { scalar: 0, image: 0, rfid: 0 } };
  const stored = readMeta(db, 'archive');
  const span = stored === undefined ? none : (JSON.parse(stored) as ArchiveSpan);
  return new SampleArchive(db, sources, seed, span);
}

type Simulator = ReturnType<typeof createSimulator>;

/** Appends samples as time passes, from the last simulated time in the database. */
function createSimulator(db: Queries, sources: readonly Source[], seed: number, clock: Clock) {
  const schedule = createReportingSchedule(sources);
  // Read in each transaction, because another process may use the same file.
  const readSimulatedUntil = () => Number(readMeta(db, 'simulated_until') ?? 0);
  let until = readSimulatedUntil();

  function* append(now: number): SlicedComputation<number> {
    const from = Math.max(until, readSimulatedUntil(), now - MAX_CATCH_UP_SECONDS);
    if (from >= now) return 0;
    const writer = createSampleWriter(db);
    yield* emitBetween(schedule, seed, { from, to: now }, writer.write);
    const count = writer.flush();
    // If there is no row, the progress is not saved: a second run over the same span would emit none either.
    if (count > 0) writeMeta(db, 'simulated_until', String(now));
    return count;
  }

  const nowInSeconds = () => Math.floor(clock.now() / 1000);
  return {
    /** Appends the samples that are due, in one transaction. Returns the number of rows. */
    step(): number {
      const now = nowInSeconds();
      if (now <= until) return 0;
      const count = db.transaction(() => runToCompletion(append(now)));
      until = now;
      return count;
    },
    /** Like `step`, but over several turns of the event loop. Nothing else may use the database in the meantime. */
    async catchUp(): Promise<number> {
      const now = nowInSeconds();
      if (now <= until) return 0;
      const count = await db.transaction(() => runInSlices(append(now)));
      until = now;
      return count;
    },
  };
}
