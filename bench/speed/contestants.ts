/** Starts the measured servers in separate processes and defines the requests to each. */
import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { startGateway, startHelper, startServer } from '../shared/processes.js';
import type { CeilingOrder } from './ceiling.js';
import type { Mode, ServerName } from './cells.js';
import type { RequestFacts } from './load/requestTemplate.js';
import type { Stub } from './stub/stubProcess.js';
import { bodyOf, type Workload } from './workloads.js';

interface Target {
  pid: number;
  port: number;
}

export interface Contestant {
  name: ServerName;
  /** The process that serves the mode. */
  targetFor(mode: Mode): Target;
  requestFor(workload: Workload, mode: Mode): Omit<RequestFacts, 'port'>;
  /** The beginning of its response bodies. */
  start: string;
  stop(): void;
}

/** Relative to `dist/bench/speed`. */
const rivalDirectory = new URL('../../../bench/rivals/', import.meta.url);
const MAX_INSTALL_MS = 120_000;
const rivalFile = (name: string) => new URL(`${name}.js`, rivalDirectory).pathname;
const portOf = (url: string) => Number(new URL(url).port);

const graphql = (workload: Workload, headers?: Record<string, string>) => ({
  method: 'POST' as const,
  path: '/graphql',
  body: bodyOf(workload),
  ...(headers && { headers }),
});

const GRAPHQL_START = '{"data":{';

/** As in production, except for the rate limit. */
export const GATEWAY_ENVIRONMENT = { RATE_PER_SECOND: '0', LOG_LEVEL: 'warn' };

export async function startMeasuredGateway(
  stub: Stub,
  environment: Readonly<Record<string, string>> = {},
): Promise<Contestant> {
  const { url, pid, stop } = await startGateway(stub.url, { ...GATEWAY_ENVIRONMENT, ...environment });
  return {
    name: 'gateway',
    targetFor: () => ({ pid, port: portOf(url) }),
    requestFor: (workload, mode) =>
      graphql(workload, mode === 'cold' ? { 'Cache-Control': 'no-cache' } : undefined),
    start: GRAPHQL_START,
    stop,
  };
}

/** Starts two processes: with and without a cache of REST responses. */
export async function startRival(name: 'conventional' | 'compiled', stub: Stub): Promise<Contestant> {
  const [cached, bare] = await Promise.all([
    startOneRival(name, stub, 'on'),
    startOneRival(name, stub, 'off'),
  ]);
  return {
    name,
    targetFor: (mode) => {
      const { pid, url } = mode === 'cold' ? bare : cached;
      return { pid, port: portOf(url) };
    },
    requestFor: (workload) => graphql(workload),
    start: GRAPHQL_START,
    stop() {
      cached.stop();
      bare.stop();
    },
  };
}

export function startOneRival(name: 'conventional' | 'compiled', stub: Stub, cache: 'on' | 'off') {
  const environment = { PLATFORM_URL: stub.url, REST_CACHE: cache, NODE_ENV: 'production' };
  return startServer([rivalFile(name)], environment);
}

/** @param bodies the response body of each workload. */
export async function startCeiling(bodies: ReadonlyMap<string, string>): Promise<Contestant> {
  const file = new URL('./ceiling.js', import.meta.url);
  const { helper, first } = await startHelper<CeilingOrder, { port: number }>(file);
  for (const [workload, body] of bodies) await helper.request({ path: `/${workload}`, body });
  return {
    name: 'ceiling',
    targetFor: () => ({ pid: helper.pid, port: first.port }),
    requestFor: (workload) => ({ ...graphql(workload), path: `/${workload.name}` }),
    start: GRAPHQL_START,
    stop: helper.stop,
  };
}

/** A single call of the stub: one round trip to the platform. */
export function restCall(stub: Stub): Contestant {
  return {
    name: 'REST call',
    targetFor: () => ({ pid: stub.pid, port: portOf(stub.url) }),
    requestFor: () => ({ method: 'GET', path: '/v2.0/site' }),
    start: '[',
    stop: () => undefined,
  };
}

/** Returns whether the packages are installed. False if npm failed, for example without a registry. */
export function installRivals(): boolean {
  if (areRivalsInstalled()) return true;
  const { status } = spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: rivalDirectory,
    stdio: ['ignore', 'ignore', 'inherit'],
    timeout: MAX_INSTALL_MS,
  });
  return status === 0;
}

/** npm writes this file last. */
function areRivalsInstalled(): boolean {
  const changedAt = (name: string) =>
    statSync(new URL(name, rivalDirectory), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return changedAt('node_modules/.package-lock.json') >= changedAt('package-lock.json');
}
