/**
 * Checks of `fieldgraph doctor` on this machine: Node.js, the port, file descriptors. Then on Redis: connection,
 * password, version, cluster mode, memory policy.
 */
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { RedisClientType } from '@redis/client';
import { type Finding, ok, problem, skipped, warning } from './report.js';

interface ProcessCheckOptions {
  /** Absent: the settings are not usable. */
  host?: string;
  port?: number;
  /** Expected number of open subscriptions. */
  listeners: number;
}

/** The lowest supported version, as `engines` in `package.json` says. */
const MIN_NODE = [20, 19] as const;

/** Descriptors besides those of listeners: REST connections, Redis, files, other requests. */
const OTHER_DESCRIPTORS = 512;

export async function checkProcess({ host, port, listeners }: ProcessCheckOptions): Promise<Finding[]> {
  const limit = readDescriptorLimit();
  return [
    checkNode(process.versions.node),
    host === undefined || port === undefined
      ? skipped('process.port', 'The port was not checked, because the settings are not usable.')
      : await checkPort(host, port),
    checkDescriptors(limit, listeners),
  ];
}

export function checkNode(version: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [minMajor, minMinor] = MIN_NODE;
  const isSupported = major > minMajor || (major === minMajor && minor >= minMinor);
  return isSupported
    ? ok('process.node', `Node.js ${version} is supported.`)
    : problem('process.node', `Node.js ${version} is too old.`, `Install ${MIN_NODE.join('.')} or later.`);
}

/** `limit`: undefined where the system has none, or does not tell. */
export function checkDescriptors(limit: number | undefined, listeners: number): Finding {
  const check = 'process.descriptors';
  const needed = listeners + OTHER_DESCRIPTORS;
  if (limit === undefined || limit >= needed) {
    return ok(check, `${limit ?? 'Any number of'} file descriptors are enough for ${listeners} listeners.`);
  }
  return warning(
    check,
    `${limit} file descriptors are too few for ${listeners} listeners; about ${needed} are needed.`,
    `Raise the limit: \`ulimit -n ${needed}\`, or LimitNOFILE= in a systemd unit.`,
  );
}

function readDescriptorLimit(): number | undefined {
  const report = process.report.getReport() as { userLimits?: { open_files?: { soft?: unknown } } };
  const soft = report.userLimits?.open_files?.soft;
  return typeof soft === 'number' ? soft : undefined;
}

const remedies: Readonly<Record<string, string>> = {
  EACCES: 'Choose a port from 1024 on with PORT, or give the process the right to use it.',
  EADDRNOTAVAIL: 'Set HOST to an address of this machine, or to 0.0.0.0 for all of them.',
  ENOTFOUND: 'Set HOST to an address of this machine, or to 0.0.0.0 for all of them.',
};

async function checkPort(host: string, port: number): Promise<Finding> {
  const check = 'process.port';
  const server = createServer();
  try {
    server.listen(port, host);
    await once(server, 'listening');
    return ok(check, `Port ${port} of ${host} is free.`);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    if (code !== 'EADDRINUSE') {
      const remedy = remedies[code] ?? 'Check HOST and PORT.';
      return problem(check, `The gateway can't listen on ${host}, port ${port} (${code}).`, remedy);
    }
    if (await isGateway(host, port)) return ok(check, `A gateway already answers at ${host}, port ${port}.`);
    const remedy = 'Choose another port with PORT, or stop the program that uses it.';
    return problem(check, `Port ${port} of ${host} is taken by another program.`, remedy);
  } finally {
    server.close();
  }
}

const HEALTH_TIMEOUT_MS = 2000;

async function isGateway(host: string, port: number): Promise<boolean> {
  const name = host.includes(':') ? `[${host}]` : host;
  try {
    const url = `http://${name}:${port}/healthz`;
    const { status } = await fetch(url, { signal: AbortSignal.timeout(HEALTH_TIMEOUT_MS) });
    return status === 200;
  } catch {
    return false;
  }
}

const CONNECT_TIMEOUT_MS = 5000;
const ANSWER_TIMEOUT_MS = 5000;
const MIN_VERSION = 6;

/** `url`: absent without REDIS_URL. */
export async function checkRedis(url: string | undefined): Promise<Finding[]> {
  if (url === undefined) {
    return [skipped('redis.connection', 'REDIS_URL is not set: replicas would share nothing.')];
  }
  const { createClient } = await import('@redis/client');
  const client = createClient({
    url,
    socket: { connectTimeout: CONNECT_TIMEOUT_MS, reconnectStrategy: false },
  }) as RedisClientType;
  // Errors reject the commands below, too.
  client.on('error', () => undefined);
  try {
    return await withDeadline(examineRedis(client));
  } catch (error) {
    return [toConnectionProblem(error)];
  } finally {
    client.destroy();
  }
}

async function examineRedis(client: RedisClientType): Promise<Finding[]> {
  await client.connect();
  const info = parseInfo(await client.sendCommand(['INFO']));
  return [
    ok('redis.connection', 'Redis answers.'),
    ...checkInfo(info),
    await checkPolicy((name) => readSetting(client, name)),
  ];
}

/** Another kind of server may accept the connection and never respond. */
async function withDeadline(examination: Promise<Finding[]>): Promise<Finding[]> {
  // The end of the connection rejects it after the deadline.
  examination.catch(() => undefined);
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<never>((_, reject) => {
    const error = Object.assign(new Error('Redis does not answer.'), { code: 'ETIMEDOUT' });
    timer = setTimeout(() => reject(error), ANSWER_TIMEOUT_MS);
  });
  try {
    return await Promise.race([examination, deadline]);
  } finally {
    clearTimeout(timer);
  }
}

function toConnectionProblem(error: unknown): Finding {
  const check = 'redis.connection';
  // Messages of Redis contain no part of the password.
  const message = error instanceof Error ? error.message : String(error);
  if (/NOAUTH|WRONGPASS|invalid password|NOPERM/i.test(message)) {
    const remedy = 'Correct the user and the password in REDIS_URL: redis://user:password@host:port.';
    return problem(check, 'Redis refuses the user or the password.', remedy);
  }
  if (/DB index/i.test(message)) {
    const remedy = 'Correct the number at the end of REDIS_URL; without a number it is database 0.';
    return problem(check, 'Redis does not have the database of REDIS_URL.', remedy);
  }
  const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
  const remedy = 'Check host and port of REDIS_URL, rediss:// for TLS, and whether a firewall is between.';
  return problem(check, `Redis can't be reached${code}.`, remedy);
}

export function parseInfo(reply: unknown): ReadonlyMap<string, string> {
  const lines = String(reply).split(/\r?\n/);
  const entries = lines.filter((line) => line.includes(':') && !line.startsWith('#'));
  return new Map(
    entries.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1)]),
  );
}

export function checkInfo(info: ReadonlyMap<string, string>): Finding[] {
  const version = info.get('redis_version') ?? 'unknown';
  const isCluster = info.get('cluster_enabled') === '1';
  const isReadOnly = info.get('role') === 'slave' && info.get('slave_read_only') !== '0';
  const mode = 'redis.mode';
  return [
    Number.parseInt(version, 10) >= MIN_VERSION
      ? ok('redis.version', `Redis ${version} is supported.`)
      : problem('redis.version', `Redis ${version} is too old.`, `Use Redis ${MIN_VERSION} or later.`),
    isCluster
      ? problem(
          mode,
          'Redis runs in cluster mode, which is not supported.',
          'Use a single server, with a replica for failover.',
        )
      : isReadOnly
        ? problem(mode, 'Redis is a replica that refuses writes.', 'Set REDIS_URL to its primary server.')
        : ok(mode, 'Redis is a single server.'),
  ];
}

type ReadSetting = (name: string) => Promise<string | undefined>;

export async function checkPolicy(read: ReadSetting): Promise<Finding> {
  const check = 'redis.memory';
  const [limit, policy] = await Promise.all([read('maxmemory'), read('maxmemory-policy')]);
  const remedy = 'Set `maxmemory`, and `maxmemory-policy allkeys-lru`.';
  if (limit === undefined || policy === undefined) {
    return skipped(check, 'Redis does not show its memory settings to this user.');
  }
  if (limit === '0') return warning(check, 'Redis has no limit on its memory.', remedy);
  if (policy.startsWith('noeviction')) {
    return warning(check, 'A full Redis refuses writes (policy noeviction).', remedy);
  }
  return ok(check, `Redis evicts old entries (policy ${policy}).`);
}

async function readSetting(client: RedisClientType, name: string): Promise<string | undefined> {
  try {
    return (await client.configGet(name))[name];
  } catch {
    return undefined;
  }
}
