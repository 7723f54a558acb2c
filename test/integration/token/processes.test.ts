/** Processes that start together or repeatedly need one token, over a real platform and a real Redis. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TOKEN_PATH } from '../../../src/rest/path.js';
import { isRedisAvailable, type RedisServer, startRedisServer } from '../../support/cache/redisServer.js';
import { startTokenProcess, tokenOf } from '../../support/rest/tokenParts.js';
import { startSandbox } from '../../support/sandbox/sandbox.js';

/** Fifty processes are many for a busy machine. */
const TIMEOUT_MS = 300_000;

describe.skipIf(!isRedisAvailable)('processes that share a Redis (needs redis-server)', () => {
  let redis: RedisServer;

  beforeAll(async () => {
    redis = await startRedisServer();
  });
  afterAll(() => redis.stop());

  it(
    'make one token request where 20 start at once',
    async () => {
      const sandbox = await startSandbox();
      const children = Array.from({ length: 20 }, () => startTokenProcess(sandbox, redis.url));
      const tokens = await Promise.all(children.map(tokenOf));
      expect(new Set(tokens).size).toBe(1);
      expect(tokens[0]).toMatch(/^ey/);
      expect(sandbox.calls.countOf(TOKEN_PATH)).toBe(1);
    },
    TIMEOUT_MS,
  );

  it(
    'make one token request in a crash loop of 30 starts',
    async () => {
      const sandbox = await startSandbox();
      const tokens = new Set<string>();
      for (let round = 0; round < 6; round++) {
        const children = [0, 1, 2, 3, 4].map(() => startTokenProcess(sandbox, redis.url));
        for (const token of await Promise.all(children.map(tokenOf))) tokens.add(token);
      }
      expect([...tokens]).toEqual([expect.stringMatching(/^ey/)]);
      expect(sandbox.calls.countOf(TOKEN_PATH)).toBe(1);
    },
    TIMEOUT_MS,
  );
});
