/**
 * The process with a platform that refuses it, is down, or starts later: it starts, reports the problem, and leaks no
 * secret.
 */
import { describe, expect, it } from 'vitest';
import { TOKEN_PATH } from '../../src/rest/path.js';
import { findFreePort } from '../support/freePort.js';
import { ask, type GraphqlResult, startPlainServer, until } from '../support/http/edgeGateway.js';
import { startSandbox } from '../support/sandbox/sandbox.js';
import { createTestSandbox } from '../support/sandbox/testSandbox.js';
import { type StartedProcess, start, urlIn } from './startedProcess.js';

const KEY = 'key-that-nobody-sees';
const SECRET = 'secret-that-nobody-sees';

function startBefore(platformUrl: string, settings: Record<string, string> = {}): StartedProcess {
  const environment = { PLATFORM_URL: platformUrl, PLATFORM_KEY: KEY, PLATFORM_SECRET: SECRET };
  return start([], { ...environment, LOG_LEVEL: 'debug', ...settings });
}

/** Its last log lines are complete when it has ended. */
async function stop(gateway: StartedProcess): Promise<void> {
  gateway.kill('SIGTERM');
  await gateway.ended;
}

const codesOf = ({ errors = [] }: GraphqlResult) => errors.map(({ extensions }) => extensions['code']);
const statusOf = async (url: string) => (await fetch(url)).status;

/** Key and secret, plain and encoded as in requests. */
const secrets = [KEY, SECRET, Buffer.from(`${KEY}:${SECRET}`).toString('base64')];

describe('a platform that refuses the credential', () => {
  it('results in PLATFORM_UNAUTHORIZED, few token requests, and no secret in any output', async () => {
    const sandbox = await startSandbox({ siteCount: 1 });
    const gateway = startBefore(sandbox.url);
    const url = urlIn(await gateway.startupOutput());
    const heard = [];
    for (let round = 0; round < 5; round++) {
      const results = Array.from({ length: 20 }, () =>
        ask(url, '{ sites { totalCount } devices { totalCount } }'),
      );
      heard.push(...(await Promise.all(results)));
    }
    expect(new Set(heard.flatMap(codesOf))).toEqual(new Set(['PLATFORM_UNAUTHORIZED']));
    expect(heard.every(({ data }) => data?.['sites'] === null && data['devices'] === null)).toBe(true);
    expect(sandbox.calls.countOf(TOKEN_PATH)).toBeLessThan(15);
    const readiness = await fetch(`${url}/readyz`);
    expect(readiness.status).toBe(503);
    const readinessText = await readiness.text();
    await stop(gateway);
    const words = [gateway.stdout, gateway.stderr, JSON.stringify(heard), readinessText].join('\n');
    expect(secrets.filter((secret) => words.includes(secret))).toEqual([]);
  });
});

describe('a wrong secret', () => {
  it.each([['1'], ['2']])(
    'is logged right after the start with one token request and WORKERS=%s, and the rest is served',
    async (WORKERS) => {
      const sandbox = await startSandbox({ siteCount: 1, key: KEY });
      const gateway = startBefore(sandbox.url, { WORKERS, LOG_LEVEL: 'info' });
      const url = urlIn(await gateway.startupOutput());
      await until(() => gateway.stderr.includes('PLATFORM_SECRET'));
      expect(sandbox.calls.countOf(TOKEN_PATH)).toBe(1);
      expect(await statusOf(`${url}/healthz`)).toBe(200);
      expect(await statusOf(`${url}/readyz`)).toBe(503);
      expect(await ask(url, '{ __typename }')).toEqual({ data: { __typename: 'Query' } });
      await stop(gateway);
      const lines = gateway.stderr.split('\n').filter((line) => line.includes('PLATFORM_SECRET'));
      expect(lines).toHaveLength(1);
      expect(JSON.parse(lines[0] ?? '')).toMatchObject({
        level: 'error',
        code: 'PLATFORM_UNAUTHORIZED',
        msg: expect.stringMatching(/refuses the credential: check PLATFORM_KEY and PLATFORM_SECRET/),
      });
      expect(secrets.filter((secret) => (gateway.stdout + gateway.stderr).includes(secret))).toEqual([]);
    },
  );

  it('is not logged when the secret is right', async () => {
    const sandbox = await startSandbox({ siteCount: 1, key: KEY, secret: SECRET });
    const gateway = startBefore(sandbox.url, { LOG_LEVEL: 'info' });
    await gateway.startupOutput();
    await until(() => sandbox.calls.countOf(TOKEN_PATH) > 0);
    await stop(gateway);
    expect(sandbox.calls.countOf(TOKEN_PATH)).toBe(1);
    expect(gateway.stderr.match(/"level":"\w+"|"msg":"[^"]+"/g)).toEqual([
      ...['"level":"info"', '"msg":"Stopping"'],
      ...['"level":"info"', '"msg":"Stopped"'],
    ]);
  });
});

it.each([
  ['has no token endpoint', 404, 1],
  ['responds with pages', 200, 1],
  ['is down for a moment', 503, 0],
])(
  'a PLATFORM_URL that %s is named once after the start unless a retry may succeed',
  async (_, status, count) => {
    const other = await startPlainServer((_request, response) => response.writeHead(status).end('<html>'));
    const gateway = startBefore(other.url, { LOG_LEVEL: 'info' });
    await gateway.startupOutput();
    await until(() => gateway.stderr.includes('Token request failed'));
    await stop(gateway);
    const lines = gateway.stderr.split('\n').filter((line) => line.includes('fieldgraph doctor'));
    expect(lines).toHaveLength(count);
    if (count > 0)
      expect(JSON.parse(lines[0] ?? '')).toMatchObject({
        level: 'error',
        msg: expect.stringContaining('PLATFORM_URL'),
      });
  },
);

describe('a platform that accepts the credential', () => {
  it('leaks its token neither in output nor in responses', async () => {
    const sandbox = await startSandbox({ siteCount: 1, key: KEY, secret: SECRET });
    const gateway = startBefore(sandbox.url);
    const url = urlIn(await gateway.startupOutput());
    sandbox.faults.add({ match: '/v2.0/site', status: 500 });
    sandbox.faults.add({ match: '/v2.0/device', cutAfterBytes: 10 });
    const query = '{ sites { totalCount } devices { totalCount } }';
    const refused = await ask(url, query);
    sandbox.faults.clear();
    const results = [refused, await ask(url, query)];
    expect(refused.errors).toHaveLength(2);
    expect(results[1]).toMatchObject({ data: { sites: { totalCount: 1 } } });
    await stop(gateway);
    expect(gateway.stderr).toContain('PLATFORM_UNAVAILABLE');
    const words = gateway.stdout + gateway.stderr + JSON.stringify(results);
    expect(words).not.toMatch(/eyJ[\w-]{8,}/);
    expect(secrets.filter((secret) => words.includes(secret))).toEqual([]);
  });
});

describe('a platform that is down', () => {
  it('prevents no start, is reported by /readyz and each query, and is used once it is up', async () => {
    const port = await findFreePort();
    const gateway = startBefore(`http://127.0.0.1:${port}`);
    const url = urlIn(await gateway.startupOutput());
    expect(await statusOf(`${url}/healthz`)).toBe(200);
    expect(await statusOf(`${url}/readyz`)).toBe(503);
    const refused = await ask(url, '{ sites { totalCount } }');
    expect(codesOf(refused)).toEqual(['PLATFORM_UNAVAILABLE']);
    expect(refused.errors?.[0]?.extensions).toMatchObject({ retryable: true });
    expect(await ask(url, '{ __typename }')).toEqual({ data: { __typename: 'Query' } });
    expect(await statusOf(`${url}/healthz`)).toBe(200);

    const sandbox = await createTestSandbox({ port, key: KEY, secret: SECRET, siteCount: 2, historyDays: 1 });
    try {
      await expect.poll(() => statusOf(`${url}/readyz`)).toBe(200);
      expect(await ask(url, '{ sites { totalCount } }')).toEqual({ data: { sites: { totalCount: 2 } } });
    } finally {
      await sandbox.close();
    }
  });
});
