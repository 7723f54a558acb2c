/**
 * Followers wait for the process that renews the token while it runs, and take over when it exits: real platform and
 * Redis.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { silentLogger } from '../../../src/lib/logger.js';
import { TOKEN_PATH } from '../../../src/rest/path.js';
import { isRedisAvailable, type RedisServer, startRedisServer } from '../../support/cache/redisServer.js';
import { createTokenParts, startTokenProcess } from '../../support/rest/tokenParts.js';
import { startSandbox } from '../../support/sandbox/sandbox.js';
import type { TestSandbox } from '../../support/sandbox/testSandbox.js';

// Each has its own sandbox, and with it its own token in the shared Redis.
describe
  .skipIf(!isRedisAvailable)
  .concurrent('processes that wait for one another (needs redis-server)', () => {
    let redis: RedisServer;
    const open: { close(): Promise<void> }[] = [];

    beforeAll(async () => {
      redis = await startRedisServer();
    });
    afterAll(async () => {
      await Promise.all(open.map((parts) => parts.close()));
      await redis.stop();
    });

    function startReplica(sandbox: TestSandbox) {
      const parts = createTokenParts({ sandbox, logger: silentLogger, redisUrl: redis.url });
      open.push(parts);
      return parts;
    }

    it('take over a renewal whose lease holder exits during it', async () => {
      const sandbox = await startSandbox();
      sandbox.faults.add({ match: TOKEN_PATH, times: 1, hangBeforeHeaders: true });
      const holder = startTokenProcess(sandbox, redis.url);
      while (sandbox.calls.countOf(TOKEN_PATH) === 0) await sleep(20);
      const replicas = [startReplica(sandbox), startReplica(sandbox)];
      const tokens = Promise.all(replicas.map(({ tokens }) => tokens.get()));
      await sleep(300);
      holder.kill('SIGKILL');
      expect(new Set(await tokens).size).toBe(1);
      expect(sandbox.calls.countOf(TOKEN_PATH)).toBe(2);
    });

    it('wait for a slow renewal while its lease holder lives', async () => {
      const sandbox = await startSandbox();
      sandbox.faults.add({ match: TOKEN_PATH, times: 1, latencyMs: 8000 });
      const replicas = [startReplica(sandbox), startReplica(sandbox), startReplica(sandbox)];
      const tokens = await Promise.all(replicas.map(({ tokens }) => tokens.get()));
      expect(new Set(tokens).size).toBe(1);
      expect(sandbox.calls.countOf(TOKEN_PATH)).toBe(1);
    });
  });
