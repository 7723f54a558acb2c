/** The data of random operations, without HTTP: sources over a sandbox whose clock stands still. */
import { afterAll } from 'vitest';
import { createLocalCoordinator } from '../../../src/gateway/coordinator.js';
import { createPlatformAccess } from '../../../src/gateway/platformAccess.js';
import { createSessionOpener } from '../../../src/gateway/sessions.js';
import { WriteLog } from '../../../src/gateway/writeLog.js';
import type { Context } from '../../../src/graphql/context.js';
import { createAuthenticator } from '../../../src/http/auth/authenticator.js';
import type { OpenSession } from '../../../src/http/auth/callerSession.js';
import { silentLogger } from '../../../src/lib/logger.js';
import { STILL_NOW_MS } from '../gateway.js';
import type { Random } from '../random.js';
import { createTestSandbox, type TestSandbox } from '../sandbox/testSandbox.js';
import type { ScalarValues } from './randomArguments.js';

export interface ExecutionWorld {
  sandbox: TestSandbox;
  /** The context of a new operation. Data that earlier operations read stays cached. */
  createContext(): Context;
  /** The same for a request over HTTP. */
  openSession: OpenSession;
  /** Ids and values that exist, and some that do not. */
  scalars: ScalarValues;
}

const HOUR_MS = 3_600_000;
const HISTORY_DAYS = 0.1;
const clock = { now: () => STILL_NOW_MS };

/** Closed after the file's tests. */
export async function createExecutionWorld(siteCount: number): Promise<ExecutionWorld> {
  const sandbox = await createTestSandbox({
    siteCount,
    historyDays: HISTORY_DAYS,
    simulatorIntervalMs: false,
    clock,
  });
  const [{ key, secret }] = sandbox.credentials;
  const access = createPlatformAccess({
    platform: { url: sandbox.url, key, secret },
    usesCallerCredentials: false,
    coordinator: createLocalCoordinator(clock),
    livePollMs: 1000,
    clock,
    logger: silentLogger,
  });
  const authenticator = await createAuthenticator({ kind: 'open' }, { clock, logger: silentLogger });
  const openSession = createSessionOpener({
    writeLog: new WriteLog(silentLogger),
    callerLogger: silentLogger,
    authenticator,
    access,
    channelAttribute: 'channel_id',
    healthCounters: new Map(),
    maxRestCalls: Number.POSITIVE_INFINITY,
    operationTimeoutMs: 30_000,
    clock,
  });
  const session = await openSession({}, '127.0.0.1');
  afterAll(async () => {
    session.release();
    await access.close();
    await sandbox.close();
  });
  const createContext = () => session.createContext({ requestId: 'random' });
  await readSamples(createContext());
  return { sandbox, createContext, openSession, scalars: createScalars(await findIds(createContext())) };
}

/**
 * Loads the samples of all charts into memory before the tests. Otherwise two executions have different results: charts of
 * several streams choose other intervals from samples in memory than from aggregates of the platform.
 */
async function readSamples({ sources }: Context): Promise<void> {
  const span = { fromMs: STILL_NOW_MS - 24 * HOUR_MS, toMs: STILL_NOW_MS + 2 * HOUR_MS };
  for (const stream of (await sources.streams.list()).items) {
    await sources.series.ofStream({ stream, span, maxPoints: 3, method: 'LTTB' });
  }
}

/** By the names that argument paths use, such as `site` in `filter.siteId`. */
export type Ids = Readonly<Record<string, readonly string[]>>;

async function findIds({ sources }: Context): Promise<Ids> {
  const first = (type: string, items: readonly { id: number }[]) =>
    items.slice(0, 4).flatMap(({ id }) => [`${type}:${id}`, String(id)]);
  const streams = (await sources.streams.list()).items;
  const samples = await Promise.all(streams.slice(0, 4).map((stream) => sources.samples.last(stream)));
  return {
    site: first('Site', (await sources.sites.list()).items),
    device: first('Device', (await sources.devices.list()).items),
    stream: first('Stream', streams),
    channel: first('Channel', (await sources.channels.list()).items),
    organization: first('Organization', (await sources.organizations.list()).items),
    user: first('User', (await sources.users.list()).items),
    samples: first(
      'ScalarSample',
      samples.filter((sample) => sample !== null),
    ),
    wrong: ['Site:424242', '424242', 'Stream:0', 'nonsense', ''],
  };
}

const texts = ['a', 'e', 'Pump', 'Pressure', 'psi', 'Active', '', '"\\\u2028'];
const zones = ['UTC', 'Europe/Berlin', 'America/New_York', 'Nowhere'];
const oddCounts = [0, -1, 1001, 100_000];

export function createScalars(ids: Ids): ScalarValues {
  return (type, path, random) => {
    if (type === 'ID') return random.pick(idsFor(path, ids, random));
    if (type === 'Int') return countFor(random);
    if (type === 'Boolean') return random.chance(0.5);
    if (type === 'Float') return path.endsWith('ongitude') ? -84.5 : random.pick([39.1, 38, 41, 100, -90.5]);
    if (type === 'DateTime') return dateFor(path, random);
    return random.pick(path.endsWith('timeZone') ? zones : texts);
  };
}

function countFor(random: Random): number {
  return random.chance(0.05) ? random.pick(oddCounts) : 1 + random.below(5);
}

function dateFor(path: string, random: Random): string {
  const hours = path.endsWith('.to') ? random.below(3) - 1 : -random.below(4);
  return new Date(STILL_NOW_MS + hours * HOUR_MS).toISOString();
}

/** Ids that match the name of the argument, and sometimes others. */
function idsFor(path: string, ids: Ids, random: Random): readonly string[] {
  const kinds = Object.keys(ids);
  const fitting = kinds.find((kind) =>
    path
      .toLowerCase()
      .split('.')
      .reverse()
      .some((part) => part.startsWith(kind)),
  );
  const kind = fitting === undefined || random.chance(0.1) ? random.pick(kinds) : fitting;
  return ids[kind] ?? [];
}
