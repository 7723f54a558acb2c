/** The token part of one gateway start: gets a token, writes it to standard output, ends. */
import { setTimeout as sleep } from 'node:timers/promises';
import { createCredentialScope } from '../../../build/cache/cacheKey.js';
import { RedisConnection } from '../../../build/cache/redis/redisConnection.js';
import { createRedisTokenStore } from '../../../build/cache/redis/redisTokenStore.js';
import { systemClock as clock } from '../../../build/lib/clock.js';
import { silentLogger as logger } from '../../../build/lib/logger.js';
import { createTokenManager } from '../../../build/rest/auth/tokenManager.js';
import { requestToken } from '../../../build/rest/auth/tokenRenewal.js';

const [platformUrl, key, secret, redisUrl] = process.argv.slice(2);
const redis = new RedisConnection({
  url: redisUrl,
  // Long: a busy machine must not look like a Redis that is down.
  commandDeadlineMs: 20_000,
  connectTimeoutMs: 20_000,
  logger,
  clock,
});
while (!redis.isConnected()) await sleep(5);
const scope = createCredentialScope(platformUrl, key);
const store = createRedisTokenStore({ redis, scope, secret });
/** Axios takes longer to load than all the rest: too long for a test that starts fifty of these. */
const transport = {
  async send({ path, method, headers, body }) {
    const response = await fetch(platformUrl + path, { method, headers, body });
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: Buffer.from(await response.arrayBuffer()),
    };
  },
};
const tokens = createTokenManager({
  requestToken: () => requestToken(transport, { key, secret }, clock),
  clock,
  logger,
  store,
});
const token = await tokens.get();
process.stdout.write(token, () => process.kill(process.pid, 'SIGKILL'));
