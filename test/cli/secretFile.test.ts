/** The process with a platform secret in a file, which changes while it runs. */
import { writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { TOKEN_PATH } from '../../src/rest/path.js';
import { isRedisAvailable, startRedisServer } from '../support/cache/redisServer.js';
import { findFreePort } from '../support/freePort.js';
import { ask, until } from '../support/http/edgeGateway.js';
import { startSandbox } from '../support/sandbox/sandbox.js';
import type { TestSandbox } from '../support/sandbox/testSandbox.js';
import { childrenOf } from '../support/workers/workers.js';
import { start, urlIn } from './startedProcess.js';

const KEY = 'key-in-a-file';
const OLD_SECRET = 'old-secret-in-a-file';
const SECRET = 'new-secret-in-a-file';

describe('a platform secret in a file', () => {
  let sandbox: TestSandbox;
  let keyFile: string;
  let secretFile: string;

  beforeEach(async () => {
    sandbox = await startSandbox({ siteCount: 1, key: KEY, secret: SECRET });
    const directory = await mkdtemp(path.join(tmpdir(), 'fieldgraph-secret-'));
    keyFile = path.join(directory, 'key');
    secretFile = path.join(directory, 'secret');
    writeFileSync(keyFile, KEY);
    writeFileSync(secretFile, OLD_SECRET);
  });

  async function startGateway(settings: Record<string, string>) {
    const credential = { PLATFORM_KEY_FILE: keyFile, PLATFORM_SECRET_FILE: secretFile };
    const gateway = start([], { PLATFORM_URL: sandbox.url, LOG_LEVEL: 'info', ...credential, ...settings });
    const url = urlIn(await gateway.startupOutput());
    const messages = (level: string) =>
      gateway.stderr
        .split('\n')
        .filter((line) => line.includes(`"level":"${level}"`))
        .map((line) => JSON.parse(line) as { msg: string; cause?: string });
    const hasSites = async () => (await ask(url, '{ sites { totalCount } }')).data?.['sites'] != null;
    return { gateway, url, hasSites, messages };
  }

  it.each([['1'], ['2']])('is replaced without a restart with WORKERS=%s', async (WORKERS) => {
    const { gateway, hasSites, messages } = await startGateway({ WORKERS });
    await until(() => gateway.stderr.includes('"code":"PLATFORM_UNAUTHORIZED"'));
    expect(await hasSites()).toBe(false);
    writeFileSync(secretFile, `${SECRET}\n`);
    await until(hasSites);
    expect(messages('info').map(({ msg }) => msg)).toContain('Platform secret read');
    expect(sandbox.calls.countOf(TOKEN_PATH)).toBeLessThan(6);
    expect(gateway.stderr).not.toContain(SECRET);
  });

  it('is that of the file for a worker that replaces another one', async () => {
    const PORT = String(await findFreePort());
    const { gateway, hasSites } = await startGateway({ WORKERS: '2', PORT });
    await until(() => gateway.stderr.includes('"code":"PLATFORM_UNAUTHORIZED"'));
    writeFileSync(secretFile, SECRET);
    await until(hasSites);
    await until(() => gateway.stderr.split('Platform secret read').length > 2);
    const isRefused = ({ path, status }: { path: string; status: number }) =>
      path === TOKEN_PATH && status === 401;
    const refusedBefore = sandbox.calls.list().filter(isRefused).length;
    sandbox.revokeTokens();
    const before = childrenOf(gateway.pid);
    for (const pid of before) process.kill(pid, 'SIGKILL');
    await until(() => childrenOf(gateway.pid).filter((pid) => !before.includes(pid)).length === 2);
    await until(() => hasSites().catch(() => false));
    expect(sandbox.calls.list().filter(isRefused)).toHaveLength(refusedBefore);
  });

  it('stays in use while its file is empty, and if the key changes too', async () => {
    writeFileSync(secretFile, SECRET);
    const { gateway, hasSites, messages } = await startGateway({});
    const failures = () => messages('error').map(({ msg, cause }) => `${msg}: ${JSON.stringify(cause)}`);
    writeFileSync(secretFile, '\n');
    await until(() => failures().length > 0);
    writeFileSync(keyFile, 'another-key');
    writeFileSync(secretFile, OLD_SECRET);
    await until(() => failures().length > 1);
    expect(failures()).toEqual([
      expect.stringMatching(/^PLATFORM_SECRET_FILE is not usable; keeping the previous secret: .*empty/),
      expect.stringMatching(/PLATFORM_KEY_FILE has another key\. A new key needs a restart/),
    ]);
    sandbox.revokeTokens(401);
    await until(hasSites);
    expect(gateway.stderr).not.toContain('PLATFORM_UNAUTHORIZED');
    expect(messages('info')).toEqual([]);
  });

  it.skipIf(!isRedisAvailable)(
    'shares its token with replicas that start later (needs redis-server)',
    async () => {
      const redis = await startRedisServer();
      const calls = () => ({ all: sandbox.calls.total(), tokens: sandbox.calls.countOf(TOKEN_PATH) });
      const first = await startGateway({ REDIS_URL: redis.url });
      await until(() => first.gateway.stderr.includes('"code":"PLATFORM_UNAUTHORIZED"'));
      writeFileSync(secretFile, SECRET);
      await until(first.hasSites);
      const callsBefore = calls();
      const second = await startGateway({ REDIS_URL: redis.url });
      await until(() => second.gateway.stderr.includes('Redis connected'));
      expect((await fetch(`${second.url}/readyz`)).status).toBe(200);
      expect(await second.hasSites()).toBe(true);
      // The token and the sites are those of the first replica.
      expect(calls()).toEqual(callsBefore);
      await redis.stop();
    },
  );
});
