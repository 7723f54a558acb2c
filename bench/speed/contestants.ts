/** Starts the servers to be measured, each in processes of its own, and says how each is asked. */
import { startProduct, startProgram } from '../product.js';
import type { CeilingOrder } from './ceiling.js';
import type { Mode, ServerName } from './cells.js';
import { startHelper } from './childProcess.js';
import type { RequestFacts } from './requestTemplate.js';
import type { Stub } from './stubProcess.js';
import { bodyOf, type Workload } from './workloads.js';

/** A process to be asked. */
export interface Target {
  pid: number;
  port: number;
}

export interface Contestant {
  name: ServerName;
  /** In which process it does what the mode asks. */
  targetFor(mode: Mode): Target;
  requestFor(workload: Workload, mode: Mode): Omit<RequestFacts, 'port'>;
  /** How its answers begin. */
  start: string;
  stop(): void;
}

const rivalFile = (name: string) => new URL(`../../../bench/rivals/${name}.js`, import.meta.url).pathname;
const portOf = (url: string) => Number(new URL(url).port);

const graphql = (workload: Workload, headers?: Record<string, string>) => ({
  method: 'POST' as const,
  path: '/graphql',
  body: bodyOf(workload),
  ...(headers && { headers }),
});

const GRAPHQL_START = '{"data":{';

/** As its users start it, but for how often one caller may ask. */
export function gatewayEnvironment(stub: Stub): Record<string, string> {
  return {
    PORT: '0',
    PLATFORM_URL: stub.url,
    PLATFORM_KEY: 'bench',
    PLATFORM_SECRET: 'bench',
    RATE_PER_SECOND: '0',
    LOG_LEVEL: 'warn',
  };
}

export async function startGateway(
  stub: Stub,
  environment: Readonly<Record<string, string>> = {},
): Promise<Contestant> {
  const { url, pid, stop } = await startProduct([], { ...gatewayEnvironment(stub), ...environment });
  return {
    name: 'gateway',
    targetFor: () => ({ pid, port: portOf(url) }),
    requestFor: (workload, mode) =>
      graphql(workload, mode === 'cold' ? { 'Cache-Control': 'no-cache' } : undefined),
    start: GRAPHQL_START,
    stop,
  };
}

/** Twice: with a cache in front of REST, and without. */
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
  return startProgram([rivalFile(name)], environment);
}

/** Answers what `bodies` says for each workload. */
export async function startCeiling(bodies: ReadonlyMap<string, string>): Promise<Contestant> {
  const file = new URL('./ceiling.js', import.meta.url);
  const { helper, greeting } = await startHelper<CeilingOrder, { port: number }>(file, []);
  for (const [workload, body] of bodies) await helper.ask({ path: `/${workload}`, body });
  return {
    name: 'ceiling',
    targetFor: () => ({ pid: helper.pid, port: greeting.port }),
    requestFor: (workload) => ({ ...graphql(workload), path: `/${workload.name}` }),
    start: GRAPHQL_START,
    stop: helper.stop,
  };
}

/** One call of the stub: what a round trip to the platform takes. */
export function restCall(stub: Stub): Contestant {
  return {
    name: 'REST call',
    targetFor: () => ({ pid: stub.pid, port: portOf(stub.url) }),
    requestFor: () => ({ method: 'GET', path: '/v2.0/site' }),
    start: '[',
    stop: () => undefined,
  };
}
