/**
 * Runs mixed traffic against the built gateway with faults, reconnects and reloaded API keys, and fails on growth of its
 * heap, handles, sockets or Redis keys, and on wrong responses.
 *
 *     npm run soak -- --minutes 10
 *
 * Each round of traffic is followed by a moment of quiet, in which the figures are measured. Needs `redis-server` and
 * Linux.
 */
import { execFile, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs, promisify } from 'node:util';
import { MAIN_FILE, startGateway, startSandbox } from '../shared/processes.js';
import { createRandom } from '../shared/random.js';
import { print, tableHead, tableRow } from '../shared/tables.js';
import { startFaultyPlatform } from './faultyPlatform.js';
import { findGrowth, type GrowthBound } from './growth.js';
import type { ProcessFigures } from './probe.js';
import { SoakListener } from './soakListener.js';
import { type Headers, sendOperation, Traffic } from './traffic.js';

const { values: options } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    /** Requests per second of the traffic, beside writes and listeners. */
    rate: { type: 'string', default: '10' },
    seed: { type: 'string', default: '1' },
  },
});

const ROUND_MS = 15_000;
/** Time for unused connections to close, and for the responses of abandoned requests to arrive. */
const QUIET_MS = 2_000;
const TRAFFIC_LANES = 4;
const WRITE_EVERY_MS = 3_000;
const SSE_MS = 3_000;
/** Rounds of one cycle: in the first the platform fails, in the second its circuit breakers close again. */
const CYCLE_ROUNDS = 4;
const RELOAD_MS = 10_000;
const SETTLE_MS = 60_000;

type Figure = 'heap' | 'handles' | 'sockets' | 'files' | 'redisKeys';

const bounds: Readonly<Record<Figure, GrowthBound>> = {
  heap: { relative: 0.1, absolute: 4 * 1024 * 1024 },
  handles: { relative: 0.1, absolute: 8 },
  sockets: { relative: 0.1, absolute: 6 },
  files: { relative: 0.1, absolute: 6 },
  redisKeys: { relative: 0.1, absolute: 50 },
};

const wrong: string[] = [];
const MAX_PRINTED = 20;

function onWrong(message: string): void {
  wrong.push(message);
  if (wrong.length <= MAX_PRINTED) print(`WRONG after ${Math.round(performance.now() / 1000)} s: ${message}`);
}

const folder = mkdtempSync(path.join(tmpdir(), 'fieldgraph-soak-'));
const keysFile = path.join(folder, 'keys.json');

async function main(): Promise<void> {
  const random = createRandom(Number(options.seed));
  const redis = await startRedis();
  const sandbox = await startSandbox({});
  const platform = await startFaultyPlatform(sandbox.url, random);
  const headers = await createKey('soak', 'read,write');
  const gateway = await startGateway(
    platform.url,
    { CALLER_AUTH: 'api-key', API_KEYS_FILE: keysFile, REDIS_URL: redis.url, LOG_LEVEL: 'silent' },
    {
      nodeArguments: ['--expose-gc', '--import', new URL('./probe.js', import.meta.url).href],
      hasChannel: true,
    },
  );
  try {
    let hasFaults = false;
    const target = { url: gateway.url, headers, random, hasFaults: () => hasFaults, onWrong };
    const traffic = new Traffic(target, Date.now());
    await traffic.begin();
    const listeners = await openListeners(gateway.url, headers);
    const measured: Record<Figure, number[]> = {
      heap: [],
      handles: [],
      sockets: [],
      files: [],
      redisKeys: [],
    };
    const names = Object.keys(measured) as Figure[];
    print(tableHead(['seconds', ...names, 'queries', 'writes', 'failed calls', 'samples', 'wrong']));

    const rounds = Math.max(1, Math.round((Number(options.minutes) * 60_000) / (ROUND_MS + QUIET_MS)));
    for (let round = 0; round < rounds; round += 1) {
      platform.setFaults(round % CYCLE_ROUNDS === 0);
      hasFaults = round % CYCLE_ROUNDS < 2;
      await runRound(traffic, listeners.second, gateway.url, random);
      platform.setFaults(false);
      await pause(QUIET_MS);
      const figures = await measure(gateway, redis.countKeys);
      for (const name of names) measured[name].push(figures[name]);
      const { queries, writes } = traffic.counts;
      const row = [queries, writes, platform.failed(), listeners.first.received.size, wrong.length];
      print(tableRow([Math.round(performance.now() / 1000), ...names.map((name) => figures[name]), ...row]));
    }
    await compareListeners(listeners);
    report(measured, traffic, listeners);
  } finally {
    gateway.stop();
    platform.close();
    sandbox.stop();
    redis.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function runRound(
  traffic: Traffic,
  listener: SoakListener,
  url: string,
  random: () => number,
): Promise<void> {
  const untilMs = performance.now() + ROUND_MS;
  const lanes = Array.from({ length: TRAFFIC_LANES }, () =>
    traffic.run(untilMs, (1000 * TRAFFIC_LANES) / Number(options.rate)),
  );
  await Promise.all([
    ...lanes,
    writeUntil(untilMs, traffic),
    traffic.listen(SSE_MS),
    rotateKey(url),
    pause(random() * ROUND_MS).then(() => listener.cut()),
  ]);
}

async function writeUntil(untilMs: number, traffic: Traffic): Promise<void> {
  while (performance.now() < untilMs) {
    await traffic.write();
    await pause(WRITE_EVERY_MS);
  }
}

/** Adds a key, uses it, removes it. */
async function rotateKey(url: string): Promise<void> {
  const before = readFileSync(keysFile, 'utf8');
  const headers = await createKey('rotating', 'read');
  if (!(await waitForStatus(url, headers, 200))) onWrong('A new API key is refused.');
  writeFileSync(keysFile, before);
  if (!(await waitForStatus(url, headers, 401))) onWrong('A removed API key is accepted.');
}

async function waitForStatus(url: string, headers: Headers, status: number): Promise<boolean> {
  const endMs = performance.now() + RELOAD_MS;
  while (performance.now() < endMs) {
    const response = await sendOperation(url, headers, '{ __typename }');
    if (response.status === status) return true;
    await pause(300);
  }
  return false;
}

/** The first stays connected; the second is disconnected in each round and resumes after a sample of the first. */
async function openListeners(url: string, headers: Headers) {
  const first = new SoakListener(url, headers);
  while (first.received.size === 0) await pause(200);
  const [begin] = first.received;
  return { first, second: new SoakListener(url, headers, begin) };
}

type Listeners = Awaited<ReturnType<typeof openListeners>>;

/** Both have the same samples, once the second has caught up. The newest may be on their way. */
async function compareListeners({ first, second }: Listeners): Promise<void> {
  const [begin = '', ...expected] = [...first.received];
  const endMs = performance.now() + SETTLE_MS;
  while (performance.now() < endMs && expected.some((id) => !second.received.has(id))) await pause(200);
  const lost = expected.filter((id) => !second.received.has(id));
  if (lost.length > 0) onWrong(`${lost.length} samples were lost in reconnects, such as ${lost[0]}.`);
  const missed = [...second.received].filter((id) => id !== begin && !first.received.has(id));
  if (missed.length > 0) onWrong(`${missed.length} samples did not reach a connected listener.`);
  const doubled = first.doubled + second.doubled;
  if (doubled > 0) onWrong(`${doubled} samples were sent twice.`);
  first.close();
  second.close();
}

async function measure(
  gateway: { pid: number; request(message: string): Promise<unknown> },
  countKeys: () => Promise<number>,
): Promise<Record<Figure, number>> {
  const { heapBytes, handles, sockets } = (await gateway.request('figures')) as ProcessFigures;
  const files = readdirSync(`/proc/${gateway.pid}/fd`).length;
  return { heap: heapBytes, handles, sockets, files, redisKeys: await countKeys() };
}

function report(measured: Record<Figure, number[]>, { counts }: Traffic, { first, second }: Listeners): void {
  print('');
  print(tableHead(['figure', 'earlier', 'later', 'result']));
  let isGrowing = false;
  for (const [name, values] of Object.entries(measured) as [Figure, number[]][]) {
    const growth = findGrowth(values, bounds[name]);
    isGrowing ||= growth?.isGrowing === true;
    const result = growth === undefined ? 'too few rounds' : growth.isGrowing ? 'GROWS' : 'steady';
    print(tableRow([name, growth?.earlier ?? '', growth?.later ?? '', result]));
  }
  print('');
  print(
    `${counts.queries} queries (${counts.faulty} with errors of the failing platform), ${counts.aborted} left early, ` +
      `${counts.writes} writes, ${first.received.size} samples over ${first.connections} and ${second.connections} ` +
      `connections, ${counts.events} chunks over SSE, ${wrong.length} wrong responses.`,
  );
  const hasFailed = isGrowing || wrong.length > 0;
  print(hasFailed ? 'FAILED' : 'PASSED');
  process.exitCode = hasFailed ? 1 : 0;
}

async function createKey(name: string, scopes: string): Promise<Headers> {
  const args = [MAIN_FILE, 'api-key', '--name', name, '--scopes', scopes];
  const env = { PATH: process.env['PATH'], API_KEYS_FILE: keysFile };
  const { stdout } = await promisify(execFile)(process.execPath, args, { env });
  return { authorization: `Bearer ${/^ {2}(\S+)$/m.exec(stdout)?.[1] ?? ''}` };
}

/** A separate Redis, so that all its keys belong to the gateway. */
async function startRedis() {
  const port = await findFreePort();
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
  const child = spawn('redis-server', args, { stdio: 'ignore', cwd: folder });
  const failed = new Promise<never>((_, reject) => {
    child.once('error', () => reject(new Error('The soak test needs redis-server.')));
  });
  const cli = async (...words: string[]) =>
    (await promisify(execFile)('redis-cli', ['-p', String(port), ...words])).stdout.trim();
  const isReady = async () => {
    while ((await cli('ping').catch(() => '')) !== 'PONG') await pause(100);
  };
  await Promise.race([isReady(), failed]);
  return {
    url: `redis://127.0.0.1:${port}`,
    countKeys: async () => Number(await cli('dbsize')),
    stop: () => child.kill(),
  };
}

function findFreePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer();
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' ? (address?.port ?? 0) : 0));
    });
  });
}

await main();
