/** Checks of `fieldgraph doctor` on Redis: connection, password, version, cluster mode, memory policy. */
import type { RedisClientType } from '@redis/client';
import { type Finding, ok, problem, skipped, warning } from './report.js';

const CONNECT_TIMEOUT_MS = 5000;
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
    await client.connect();
    const info = parseInfo(await client.sendCommand(['INFO']));
    return [
      ok('redis.connection', 'Redis answers.'),
      ...checkInfo(info),
      await checkPolicy((name) => readSetting(client, name)),
    ];
  } catch (error) {
    return [toConnectionProblem(error)];
  } finally {
    client.destroy();
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
  return [
    Number.parseInt(version, 10) >= MIN_VERSION
      ? ok('redis.version', `Redis ${version} is supported.`)
      : problem('redis.version', `Redis ${version} is too old.`, `Use Redis ${MIN_VERSION} or later.`),
    isCluster
      ? problem(
          'redis.mode',
          'Redis runs in cluster mode, which is not supported.',
          'Use a single server, with a replica for failover.',
        )
      : ok('redis.mode', 'Redis is a single server.'),
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
