/** Many processes share one token, over a real platform and a real Redis that fails and recovers. */
import { inspect } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { silentLogger } from '../../../src/lib/logger.js';
import { TOKEN_PATH } from '../../../src/rest/path.js';
import {
  isRedisAvailable,
  type RedisServer,
  startRedisProxy,
  startRedisServer,
} from '../../support/cache/redisServer.js';
import { createRecordingLogger } from '../../support/http/edgeGateway.js';
import { createTokenParts, type TokenPartsOptions } from '../../support/rest/tokenParts.js';
import { createTestClock, startSandbox } from '../../support/sandbox/sandbox.js';
import type { TestSandbox } from '../../support/sandbox/testSandbox.js';

describe.skipIf(!isRedisAvailable)('replicas that share a Redis (needs redis-server)', () => {
  let redis: RedisServer;
  let sandbox: TestSandbox;
  const open = new Set<{ close(): Promise<void> }>();

  beforeAll(async () => {
    redis = await startRedisServer();
  });
  beforeEach(async () => {
    await redis.restart();
    sandbox = await startSandbox({ key: 'key-of-the-test', secret: 'secret-of-the-test' });
  });
  afterEach(async () => {
    await Promise.all([...open].map((parts) => parts.close()));
    open.clear();
    await sandbox.close();
  });
  afterAll(() => redis.stop());

  function startReplica(options: Partial<TokenPartsOptions> = {}) {
    const parts = createTokenParts({ sandbox, logger: silentLogger, redisUrl: redis.url, ...options });
    open.add(parts);
    return parts;
  }
  const startReplicas = (count: number, options: Partial<TokenPartsOptions> = {}) =>
    Array.from({ length: count }, () => startReplica(options));
  const tokenRequests = () => sandbox.calls.countOf(TOKEN_PATH);

  it.each([401, 403] as const)(
    'renew a token revoked with %i once for a thousand callers',
    async (status) => {
      // The result of a probe is used for five seconds, in which a loaded machine does not receive all responses.
      const replicas = startReplicas(4, { clock: createTestClock() });
      await Promise.all(replicas.map(({ rest }) => rest.organizations({})));
      sandbox.revokeTokens(status);
      sandbox.calls.reset();
      const calls = replicas.flatMap(({ rest }) =>
        Array.from({ length: 250 }, (_, index) => (index % 2 ? rest.sites({}) : rest.devices({}))),
      );
      for (const rows of await Promise.all(calls)) expect(rows.length).toBeGreaterThan(0);
      expect(tokenRequests()).toBe(1);
      const probes = status === 403 ? replicas.length : 0;
      expect(sandbox.calls.countOf('/v2.0/user/uiPreferences')).toBe(probes);
      expect(sandbox.calls.countOf('/v2.0/account/organization')).toBe(probes);
      // Each of the thousand was repeated at most once. The third probe is a call for the sites.
      expect(sandbox.calls.total() - 3 * probes).toBeLessThanOrEqual(2001);
    },
  );

  it('find the token with which another replica replaced the refused one', async () => {
    const [first, second] = startReplicas(2);
    await Promise.all([first?.rest.sites({}), second?.rest.sites({})]);
    sandbox.revokeTokens(403);
    await first?.rest.sites({});
    expect(tokenRequests()).toBe(2);
    await second?.rest.sites({});
    expect(tokenRequests()).toBe(2);
  });

  it('respect a 429 that one of them received', async () => {
    sandbox.faults.add({ match: TOKEN_PATH, status: 429, retryAfter: 120 });
    const [first, second] = startReplicas(2);
    for (const replica of [first, second, first, second, startReplica()]) {
      const error = await replica?.rest.sites({}).catch((reason: unknown) => reason);
      expect(error).toMatchObject({ code: 'PLATFORM_RATE_LIMITED', platform: { status: 429 } });
      expect((error as { retryAfterMs: number }).retryAfterMs).toBeGreaterThan(60_000);
    }
    expect(tokenRequests()).toBe(1);
  });

  it('share the token although the first attempt to connect fails', async () => {
    const token = await startReplica().tokens.get();
    const proxy = await startRedisProxy(redis.port);
    open.add({ close: () => proxy.stop() });
    proxy.cut();
    const logger = { ...silentLogger, warn: () => proxy.mend() };
    expect(await startReplica({ redisUrl: proxy.url, logger }).tokens.get()).toBe(token);
    expect(tokenRequests()).toBe(1);
  });

  it('continue by themselves after Redis has stopped', async () => {
    const [first, second] = startReplicas(2);
    const token = await first?.tokens.get();
    await second?.tokens.get();
    await redis.kill();
    sandbox.revokeTokens();
    expect(await first?.rest.sites({})).not.toHaveLength(0);
    expect(await second?.rest.sites({})).not.toHaveLength(0);
    expect(await first?.tokens.get()).not.toBe(token);
    expect(tokenRequests()).toBeLessThanOrEqual(3);
  });

  it('start and continue while Redis is down, hangs or is full', async () => {
    await redis.limitMemory(1);
    expect(await startReplica().rest.sites({})).not.toHaveLength(0);
    redis.pause();
    expect(await startReplica().rest.sites({})).not.toHaveLength(0);
    redis.resume();
    await redis.kill();
    expect(await startReplica().rest.sites({})).not.toHaveLength(0);
    expect(tokenRequests()).toBe(3);
  });

  it('request a new token where the stored one is damaged or has another secret', async () => {
    const token = await startReplica().tokens.get();
    await expect(startReplica({ secret: 'wrong' }).tokens.get()).rejects.toMatchObject({
      code: 'PLATFORM_UNAUTHORIZED',
    });
    expect(await startReplica().tokens.get()).toBe(token);
    for (const key of await keys()) await redis.ask(`SET ${key} ${'damaged'.repeat(20)}`);
    const other = await startReplica().tokens.get();
    expect(other).toMatch(/^ey/);
    expect(await startReplica().tokens.get()).toBe(other);
  });

  it('leave no part of secret or token in Redis or in the log', async () => {
    const logger = createRecordingLogger();
    const replica = startReplica({ logger });
    const token = await replica.tokens.get();
    sandbox.revokeTokens();
    // A plain token is not JSON: the parse error must not quote it.
    sandbox.faults.add({ match: TOKEN_PATH, times: 1, body: token });
    const error = await replica.rest.sites({}).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'PLATFORM_BAD_RESPONSE' });
    const names = await keys();
    expect(names).toHaveLength(1);
    const stored = await Promise.all(names.map((name) => redis.ask(`GET ${name}`)));
    expect(stored.join('').length).toBeGreaterThan(token.length);

    const [{ key, secret }] = sandbox.credentials;
    const basic = Buffer.from(`${key}:${secret}`).toString('base64');
    const written = [
      ...names,
      ...stored,
      inspect(logger.lines, { depth: 10 }),
      inspect(error, { depth: 10 }),
    ];
    expect(logger.lines.length).toBeGreaterThan(1);
    for (const text of written) {
      for (const part of token.split('.')) expect(text).not.toContain(part.slice(0, 12));
      expect(text).not.toContain(basic);
      expect(text).not.toContain(secret);
      expect(text).not.toContain(key);
    }
  });

  async function keys(): Promise<string[]> {
    const reply = await redis.ask('KEYS fieldgraph:token:*');
    return reply.split('\r\n').filter((line) => line.startsWith('fieldgraph:'));
  }
});
