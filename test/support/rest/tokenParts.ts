/** Token managers as the gateway builds them, over a real platform and a real Redis, and processes with one. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { createCredentialScope } from '../../../src/cache/cacheKey.js';
import { RedisConnection } from '../../../src/cache/redis/redisConnection.js';
import { createRedisTokenStore } from '../../../src/cache/redis/redisTokenStore.js';
import type { Clock } from '../../../src/lib/clock.js';
import type { Logger } from '../../../src/lib/logger.js';
import { createTokenManager } from '../../../src/rest/auth/tokenManager.js';
import { requestToken } from '../../../src/rest/auth/tokenRenewal.js';
import { createRestCaller } from '../../../src/rest/restCaller.js';
import { createRestClient } from '../../../src/rest/restClient.js';
import { createTransport } from '../../../src/rest/transport/transport.js';
import { cleanUpAfterFile } from '../cleanUp.js';
import { runningClock } from '../runningClock.js';
import type { TestSandbox } from '../sandbox/testSandbox.js';
import { WAIT_MS } from '../waiting.js';

export interface TokenPartsOptions {
  sandbox: TestSandbox;
  logger: Logger;
  redisUrl?: string;
  secret?: string;
  /** The shared running clock by default. */
  clock?: Clock;
}

/** One gateway's connection to the platform. */
export function createTokenParts({ sandbox, logger, redisUrl, ...given }: TokenPartsOptions) {
  const [{ key, secret: knownSecret }] = sandbox.credentials;
  const secret = given.secret ?? knownSecret;
  const { clock = runningClock } = given;
  const redis =
    redisUrl === undefined
      ? undefined
      : new RedisConnection({
          url: redisUrl,
          commandDeadlineMs: 20_000,
          connectTimeoutMs: 20_000,
          logger,
          clock,
        });
  const scope = createCredentialScope(sandbox.url, key);
  const transport = createTransport({
    baseUrl: sandbox.url,
    timeoutMs: WAIT_MS,
    maxBodyBytes: 10_000_000,
  });
  const tokens = createTokenManager({
    requestToken: () => requestToken(transport, { key, secret }, clock),
    clock,
    logger,
    store: redis && createRedisTokenStore({ redis, scope, secret }),
  });
  const rest = createRestClient(createRestCaller({ transport, tokens, clock, logger }));
  return {
    tokens,
    rest,
    async close() {
      transport.close();
      await redis?.close();
    },
  };
}

const children = new Set<ChildProcess>();

cleanUpAfterFile(() => {
  for (const child of children) child.kill('SIGKILL');
});

const script = fileURLToPath(new URL('tokenProcess.js', import.meta.url));

/** A separate process, built from `dist`, which ends after it gets a token. */
export function startTokenProcess(sandbox: TestSandbox, redisUrl: string): ChildProcess {
  const [{ key, secret }] = sandbox.credentials;
  const child = spawn(process.execPath, [script, sandbox.url, key, secret, redisUrl], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.add(child);
  child.once('exit', () => children.delete(child));
  return child;
}

/** The output of a process. */
export async function tokenOf(child: ChildProcess): Promise<string> {
  let text = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  await once(child, 'close');
  return text;
}
