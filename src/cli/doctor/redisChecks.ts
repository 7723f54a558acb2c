/** Checks of `fieldgraph doctor` on Redis: connection, version, mode, memory, rights and speed. */
import {
  createRedisClient,
  isErrorReply,
  NOT_REDIS,
  type RedisClient,
  toErrorCode,
  withinDeadline,
} from '../../cache/redis/redisClient.js';
import { COMMAND_DEADLINE_MS } from '../../cache/redis/redisConnection.js';
import { messageOf } from '../../lib/errorMessage.js';
import { explainConnection } from './explainConnection.js';
import { type Finding, ok, problem, skipped, warning } from './report.js';

/** For all commands together, and for connecting. */
const TIMEOUT_MS = 5000;
const MIN_VERSION = 6;
const CONNECTION = 'redis.connection';

/** `url`: absent without REDIS_URL. */
export async function checkRedis(url: string | undefined, timeoutMs = TIMEOUT_MS): Promise<Finding[]> {
  if (url === undefined) return [skipped(CONNECTION, 'REDIS_URL is not set: replicas would share nothing.')];
  const client = createRedisClient(url, timeoutMs);
  // A server that is not Redis does not reply to commands; only this event reports it.
  const failure = new Promise<never>((_, reject) => client.on('error', reject));
  const outcome = await withinDeadline(Promise.race([examineRedis(client), failure]), timeoutMs);
  client.destroy();
  if (outcome.kind === 'done') return outcome.value;
  return [toConnectionProblem(outcome.kind === 'failed' ? outcome.error : undefined, url)];
}

async function examineRedis(client: RedisClient): Promise<Finding[]> {
  await client.connect();
  const info = parseInfo(await tryCommand(client, ['INFO']));
  const speed = await checkSpeed(client);
  const policy = await checkPolicy((name) =>
    client.configGet(name).then(
      (found) => found[name],
      () => undefined,
    ),
  );
  const serverFindings = checkInfo(info);
  const isUnusable = serverFindings.some(({ status }) => status === 'problem');
  // A replica or a cluster would refuse commands for a reason that was already reported.
  const commandFindings = isUnusable ? [] : [await checkCommands(client)];
  return [ok(CONNECTION, 'Redis responds.'), ...serverFindings, ...commandFindings, policy, ...speed];
}

/** Undefined if Redis refuses the command. */
async function tryCommand(client: RedisClient, command: string[]): Promise<unknown> {
  return client.sendCommand(command).catch((error: unknown) => {
    if (isErrorReply(error)) return undefined;
    throw error;
  });
}

/** The fastest reply counts, because other checks of this process delay the first ones. */
const PINGS = 5;

async function checkSpeed(client: RedisClient): Promise<Finding[]> {
  let fastestMs = Number.POSITIVE_INFINITY;
  for (let count = 0; count < PINGS; count++) {
    const startMs = performance.now();
    await tryCommand(client, ['PING']);
    fastestMs = Math.min(fastestMs, performance.now() - startMs);
  }
  if (fastestMs <= COMMAND_DEADLINE_MS) return [];
  const message = `Redis responds after ${Math.round(fastestMs)} ms. The gateway waits ${COMMAND_DEADLINE_MS} ms, and then continues without it.`;
  return [warning('redis.speed', message, 'Run Redis near the gateway, or find what slows it down.')];
}

const KEY = 'fieldgraph:doctor';
const WRITE_SCRIPT = `redis.call('DEL', KEYS[1])
redis.call('HSET', KEYS[1], 'field', '')
return redis.call('DEL', KEYS[1])`;

/**
 * Commands of the gateway, in forms that change nothing: the key does not exist, nobody listens, and no script has the
 * hash. The script deletes the key that it makes, before other clients can read it.
 */
const commands: readonly (readonly string[])[] = [
  ['GET', KEY],
  ['SET', KEY, '', 'XX'],
  ['DEL', KEY],
  ['PEXPIRE', KEY, '1'],
  ['HGET', KEY, 'field'],
  ['HMGET', KEY, 'field'],
  ['TIME'],
  ['PUBLISH', KEY, ''],
  ['EVALSHA', '0'.repeat(40), '1', KEY],
  ['EVAL', WRITE_SCRIPT, '1', KEY],
];

/** Remedies by the code of the first refusal. */
const refusalRemedies: Readonly<Record<string, string>> = {
  NOPERM:
    'Give the user these rights, in Redis 6.0 without the part with &: ACL SETUSER name ~fieldgraph:* &fieldgraph:* +@all -@dangerous +info.',
  OOM: 'Redis is full: set `maxmemory-policy allkeys-lru`, or raise `maxmemory`.',
  BUSY: 'Redis runs a script that does not end: send `SCRIPT KILL`, and find the program that sent the script.',
  MISCONF: "Redis can't save its data: check its disk and its log.",
  NOREPLICAS: 'Start the replicas of Redis again, or lower `min-replicas-to-write`.',
};

/** Runs last, because the connection then listens and accepts few other commands. */
async function checkCommands(client: RedisClient): Promise<Finding> {
  const check = 'redis.commands';
  const refusals = new Map<string, string>();
  const note = (name: string) => (error: unknown) => {
    if (!isErrorReply(error)) throw error;
    const code = toErrorCode(error);
    if (code !== 'NOSCRIPT') refusals.set(name, code);
  };
  await Promise.all(
    commands.map((command) => client.sendCommand([...command]).catch(note(command[0] ?? ''))),
  );
  await client.subscribe(KEY, () => undefined).catch(note('SUBSCRIBE'));
  const [code] = refusals.values();
  if (code === undefined) return ok(check, 'Redis accepts the commands of the gateway.');
  const message = `Redis refuses ${[...refusals.keys()].join(', ')} (${[...new Set(refusals.values())].join(', ')}).`;
  const remedy = refusalRemedies[code] ?? 'Allow these commands in Redis. Its log may give the reason.';
  return problem(check, message, remedy);
}

/** Mostly errors that Redis itself sends. Their messages are not shown, because they may quote the password. */
const replyCauses: readonly { pattern: RegExp; check?: string; message: string; remedy: string }[] = [
  {
    pattern: NOT_REDIS,
    message: 'The server is not Redis.',
    remedy: 'Check host and port of REDIS_URL. If the port serves TLS, use rediss:// in REDIS_URL.',
  },
  {
    pattern: /^NOAUTH/,
    message: 'Redis requires a password, and REDIS_URL has none.',
    remedy: 'Add the user and the password to REDIS_URL: redis://user:password@host:port.',
  },
  {
    pattern: /^WRONGPASS|invalid password|without any password/i,
    message: 'Redis refuses the user or the password.',
    remedy: 'Correct the user and the password in REDIS_URL: redis://user:password@host:port.',
  },
  {
    pattern: /DB index/i,
    message: 'Redis does not have the database of REDIS_URL.',
    remedy: 'Correct the number at the end of REDIS_URL; without a number it is database 0.',
  },
  {
    pattern: /max number of clients/i,
    message: 'Redis accepts no further connections.',
    remedy: 'Raise `maxclients`, or find which programs keep connections open.',
  },
  {
    pattern: /^DENIED/,
    message: 'Redis accepts connections from its own machine only (protected mode).',
    remedy: 'Set a password in Redis, and name it in REDIS_URL.',
  },
  {
    pattern: /^LOADING/,
    message: 'Redis is still loading its data.',
    remedy: 'Run `fieldgraph doctor` again in a moment.',
  },
  {
    pattern: /unknown command.*HELLO|NOPROTO/i,
    check: 'redis.version',
    message: 'Redis is too old, or the server is another product.',
    remedy: `Use Redis ${MIN_VERSION} or later.`,
  },
  {
    pattern: /^NOPERM/,
    check: 'redis.commands',
    message: 'Redis does not let this user connect.',
    remedy: 'Give the user the right to the commands +@connection.',
  },
];

function toConnectionProblem(error: unknown, url: string): Finding {
  const message = messageOf(error);
  const cause = replyCauses.find(({ pattern }) => pattern.test(message));
  if (cause) return problem(cause.check ?? CONNECTION, cause.message, cause.remedy);
  if (isErrorReply(error)) {
    const remedy = 'Check that REDIS_URL names a Redis server, and read the log of that server.';
    return problem(CONNECTION, `Redis responds with an error (${toErrorCode(error)}).`, remedy);
  }
  const isClosed = /closed unexpectedly/i.test(message);
  const shown = isClosed ? Object.assign(new Error(message), { code: 'ECONNRESET' }) : error;
  return explainConnection(shown, { setting: 'REDIS_URL', url, check: CONNECTION });
}

/** Empty if Redis does not show it. */
export function parseInfo(reply: unknown): ReadonlyMap<string, string> {
  const lines = String(reply).matchAll(/^([^#:\r\n][^:\r\n]*):(.*)$/gm);
  return new Map([...lines].map(([, name = '', value = '']) => [name, value]));
}

export function checkInfo(info: ReadonlyMap<string, string>): Finding[] {
  const version = info.get('redis_version');
  if (version === undefined)
    return [skipped('redis.version', 'Redis does not show its version and mode to this user (INFO).')];
  return [
    Number.parseInt(version, 10) >= MIN_VERSION
      ? ok('redis.version', `Redis ${version} is supported.`)
      : problem('redis.version', `Redis ${version} is too old.`, `Use Redis ${MIN_VERSION} or later.`),
    checkMode(info),
  ];
}

function checkMode(info: ReadonlyMap<string, string>): Finding {
  const check = 'redis.mode';
  // Valkey 8 uses another name for this field.
  if ((info.get('redis_mode') ?? info.get('server_mode')) === 'sentinel') {
    const message = 'This is a Redis Sentinel, which stores no data.';
    return problem(check, message, 'Set REDIS_URL to the primary server.');
  }
  if (info.get('cluster_enabled') === '1') {
    const message = 'Redis runs in cluster mode, which is not supported.';
    return problem(check, message, 'Use a single server, with a replica for failover.');
  }
  if (info.get('role') === 'slave' && info.get('slave_read_only') !== '0')
    return problem(check, 'Redis is a replica that refuses writes.', 'Set REDIS_URL to its primary server.');
  return ok(check, 'Redis is a single server.');
}

export async function checkPolicy(read: (name: string) => Promise<string | undefined>): Promise<Finding> {
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
