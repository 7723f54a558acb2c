/** One start of a gateway, so far as its token goes: gets one, writes it to standard output, dies. */
import { createCredentialScope } from '../../dist/cache/cacheKey.js';
import { createRedisConnection } from '../../dist/cache/redisConnection.js';
import { createRedisTokenStore } from '../../dist/cache/redisTokenStore.js';
import { systemClock as clock } from '../../dist/lib/clock.js';
import { silentLogger as logger } from '../../dist/lib/logger.js';
import { requestToken } from '../../dist/rest/requestToken.js';
import { createTokenManager } from '../../dist/rest/tokenManager.js';
import { createTransport } from '../../dist/rest/transport.js';

const [platformUrl, key, secret, redisUrl] = process.argv.slice(2);
const redis = createRedisConnection({
  url: redisUrl,
  commandDeadlineMs: 1000,
  connectTimeoutMs: 5000,
  logger,
  clock,
});
const scope = createCredentialScope(platformUrl, key);
const store = createRedisTokenStore({ redis, scope, secret });
const transport = createTransport({
  baseUrl: platformUrl,
  timeoutMs: 30_000,
  maxBodyBytes: 1_000_000,
  maxSockets: 4,
});
const tokens = createTokenManager({
  requestToken: () => requestToken(transport, { key, secret }, clock),
  clock,
  logger,
  store,
});
const token = await tokens.get();
process.stdout.write(token, () => process.kill(process.pid, 'SIGKILL'));
