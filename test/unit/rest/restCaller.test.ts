/** The REST client with the sandbox, and with servers that break the API. */
import { once } from 'node:events';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createCancellation } from '../../../src/lib/cancellation.js';
import { toMonotonicClock } from '../../../src/lib/clock.js';
import { silentLogger } from '../../../src/lib/logger.js';
import { createTokenManager } from '../../../src/rest/auth/tokenManager.js';
import { requestToken } from '../../../src/rest/auth/tokenRenewal.js';
import { TOKEN_PATH } from '../../../src/rest/path.js';
import { createRestCaller } from '../../../src/rest/restCaller.js';
import { createRestClient, type RestClient } from '../../../src/rest/restClient.js';
import { createTransport } from '../../../src/rest/transport/transport.js';
import { startPlainServer } from '../../support/http/edgeGateway.js';
import { runningClock } from '../../support/runningClock.js';
import { startSandbox } from '../../support/sandbox/sandbox.js';
import type { Fault, TestSandbox } from '../../support/sandbox/testSandbox.js';
import { WAIT } from '../../support/waiting.js';

const CREDENTIAL = { key: 'sandbox', secret: 'sandbox' };
const closes: (() => void)[] = [];

afterEach(() => {
  for (const close of closes.splice(0)) close();
});

/** The client of the gateway. The default timeout suits busy machines; tests of timeouts set a shorter one. */
function createClient(
  baseUrl: string,
  limits: { timeoutMs?: number; maxBodyBytes?: number } = {},
): RestClient {
  const transport = createTransport({
    baseUrl,
    timeoutMs: 90_000,
    maxBodyBytes: 10_000_000,
    ...limits,
  });
  closes.push(() => transport.close());
  const clock = runningClock;
  const logger = silentLogger;
  const tokens = createTokenManager({
    requestToken: () => requestToken(transport, CREDENTIAL, clock),
    clock,
    logger,
  });
  return createRestClient(createRestCaller({ transport, tokens, clock, logger }));
}

let sandbox: TestSandbox;
let client: RestClient;

beforeAll(async () => {
  sandbox = await startSandbox({ siteCount: 2, limits: { tokenRequests: 1000 } });
});

beforeEach(() => {
  sandbox.faults.clear();
  sandbox.calls.reset();
  client = createClient(sandbox.url);
});

const SITES = '/v2.0/site';
const fail = (fault: Fault) => sandbox.faults.add({ match: SITES, ...fault });

describe('a refused token', () => {
  it.each([401, 403] as const)('costs one renewal and one repeat after %s', async (status) => {
    await client.sites({});
    sandbox.revokeTokens(status);
    sandbox.calls.reset();
    expect(await client.sites({})).toHaveLength(2);
    expect([sandbox.calls.countOf(TOKEN_PATH), sandbox.calls.countOf(SITES)]).toEqual([1, 2]);
  });

  it('costs a thousand concurrent calls one shared renewal, and at most one repeat each', async () => {
    await client.sites({});
    sandbox.revokeTokens();
    sandbox.calls.reset();
    // Without a deadline, a call waits 30 s for a token, which a busy machine exceeds here.
    const deadlineAtMs = toMonotonicClock(runningClock).now() + 240_000;
    const results = await Promise.all(
      Array.from({ length: 1000 }, () => client.organizations({ deadlineAtMs })),
    );
    expect(results.every((rows) => rows.length > 0)).toBe(true);
    expect(sandbox.calls.countOf(TOKEN_PATH)).toBe(1);
    expect(sandbox.calls.countOf('/v2.0/account/organization')).toBeLessThanOrEqual(2000);
  });

  it('is renewed when it expires before its expires_in', async () => {
    const hasty = await startSandbox({ siteCount: 1, tokenLifetimeSeconds: 1 });
    const hurried = createClient(hasty.url);
    expect(await hurried.sites({})).toHaveLength(1);
    await expect
      .poll(async () => {
        await hurried.sites({});
        return hasty.calls.countOf(TOKEN_PATH);
      }, WAIT)
      .toBe(2);
    expect(await hurried.sites({})).toHaveLength(1);
  });

  it('is not renewed repeatedly for a call that is always refused', async () => {
    fail({ status: 403 });
    for (let round = 0; round < 5; round++) {
      await expect(client.sites({})).rejects.toMatchObject({ platform: { status: 403 } });
    }
    expect(sandbox.calls.countOf(TOKEN_PATH)).toBeLessThanOrEqual(2);
    expect(sandbox.calls.countOf(SITES)).toBeLessThanOrEqual(6 + 4);
    expect((await client.organizations({})).length).toBeGreaterThan(0);
  });

  it('is renewed for other calls although one call is always refused', async () => {
    fail({ status: 403 });
    await expect(client.sites({})).rejects.toMatchObject({ platform: { status: 403 } });
    sandbox.revokeTokens();
    expect((await client.organizations({})).length).toBeGreaterThan(0);
  });
});

describe('an invalid response', () => {
  it.each<[string, Fault, string]>([
    ['HTML', { body: '<html>Welcome</html>', contentType: 'text/html' }, 'PLATFORM_BAD_RESPONSE'],
    ['truncated JSON', { body: '[{"id": 1' }, 'PLATFORM_BAD_RESPONSE'],
    ['an empty body', { body: '' }, 'PLATFORM_BAD_RESPONSE'],
    ['an object instead of a list', { body: '{"id": 1}' }, 'PLATFORM_BAD_RESPONSE'],
    ['a redirect', { status: 302, headers: { Location: 'http://127.0.0.1:9/' } }, 'PLATFORM_BAD_RESPONSE'],
    ['a body above the limit', { body: Buffer.alloc(11_000_000, ' ') }, 'PLATFORM_BAD_RESPONSE'],
    ['a connection cut within the body', { cutAfterBytes: 20 }, 'PLATFORM_UNAVAILABLE'],
    ['a connection closed', { destroySocket: true }, 'PLATFORM_UNAVAILABLE'],
    ['status 500', { status: 500 }, 'PLATFORM_UNAVAILABLE'],
    ['status 429', { status: 429, retryAfter: 7 }, 'PLATFORM_RATE_LIMITED'],
    ['status 400', { status: 400 }, 'PLATFORM_REFUSED'],
    ['a missing list', { status: 404 }, 'PLATFORM_REFUSED'],
  ])('%s is %s', async (_, fault, code) => {
    fail(fault);
    await expect(client.sites({})).rejects.toMatchObject({ name: 'GatewayError', code });
  });

  it('has the wait of a 429 in its error', async () => {
    fail({ status: 429, retryAfter: 7 });
    await expect(client.sites({})).rejects.toMatchObject({ retryable: true, retryAfterMs: 7000 });
  });

  it.each([{ hangBeforeHeaders: true }, { hangAfterBytes: 10 }])(
    'is PLATFORM_TIMEOUT if none arrives: %j',
    async (fault) => {
      const hasty = createClient(sandbox.url, { timeoutMs: 2000 });
      await hasty.organizations({});
      fail(fault);
      await expect(hasty.sites({})).rejects.toMatchObject({ code: 'PLATFORM_TIMEOUT', retryable: true });
    },
  );

  it('with status 204 is empty where data is optional; a whole account is never empty', async () => {
    sandbox.faults.add({ status: 204, match: ({ path }) => path !== TOKEN_PATH });
    expect(await client.site(1, {})).toBeNull();
    expect(await client.siteDevices(1, {})).toEqual([]);
    await expect(client.sites({})).rejects.toMatchObject({ code: 'PLATFORM_BAD_RESPONSE' });
  });

  it.each([
    [200, true],
    [201, false],
    [202, false],
    [203, true],
    [206, false],
  ])('with status %i and a body is read: %j', async (status, isRead) => {
    fail({ status, body: '[{"id": 7, "display_name": "Mill"}]' });
    const reading = client.sites({});
    if (isRead) expect(await reading).toHaveLength(1);
    else await expect(reading).rejects.toMatchObject({ code: 'PLATFORM_BAD_RESPONSE', platform: { status } });
  });

  it('that is null does not look like missing data', async () => {
    sandbox.faults.add({ body: 'null', match: ({ path }) => path !== TOKEN_PATH });
    for (const read of [client.site(1, {}), client.siteDevices(1, {}), client.sites({})]) {
      await expect(read).rejects.toMatchObject({ code: 'PLATFORM_BAD_RESPONSE' });
    }
  });

  it('that is an error with status 200 does not look like missing data', async () => {
    const body = JSON.stringify({ message: 'Internal error', request_id: 'r-1' });
    sandbox.faults.add({ body, match: ({ path }) => path !== TOKEN_PATH });
    for (const read of [client.threshold(1, {}), client.thresholdStatus(1, {}), client.uiPreferences({})]) {
      await expect(read).rejects.toMatchObject({ code: 'PLATFORM_BAD_RESPONSE' });
    }
  });

  it('loses a bad row, never the list', async () => {
    fail({ body: '[{"id": 7, "display_name": "Mill"}, {"display_name": "no id"}, null, 3, "x", {"id": 0}]' });
    expect(await client.sites({})).toEqual([expect.objectContaining({ id: 7, display_name: 'Mill' })]);
  });
});

describe('the credential', () => {
  it('follows no redirect to another origin, in calls or at the token endpoint', async () => {
    const heard: unknown[] = [];
    const other = await startPlainServer((request, response) => {
      heard.push(request.headers);
      response.end('[]');
    });
    for (const status of [301, 302, 303, 307, 308]) {
      sandbox.faults.add({ match: SITES, times: 1, status, headers: { Location: `${other.url}/v2.0/site` } });
      await expect(client.sites({})).rejects.toMatchObject({ code: 'PLATFORM_BAD_RESPONSE' });
    }
    sandbox.faults.add({
      match: TOKEN_PATH,
      status: 307,
      headers: { Location: `${other.url}${TOKEN_PATH}` },
    });
    await expect(createClient(sandbox.url).sites({})).rejects.toMatchObject({
      code: 'PLATFORM_BAD_RESPONSE',
    });
    expect(heard).toEqual([]);
  });

  it('is sent through no proxy of the environment', async () => {
    const heard: unknown[] = [];
    const proxy = await startPlainServer((request, response) => {
      heard.push(request.headers);
      response.end('[]');
    });
    const names = ['http_proxy', 'HTTP_PROXY', 'https_proxy', 'all_proxy', 'ALL_PROXY'];
    const before = names.map((name) => process.env[name]);
    for (const name of names) process.env[name] = proxy.url;
    try {
      expect(await createClient(sandbox.url).sites({})).toHaveLength(2);
    } finally {
      names.forEach((name, index) => {
        if (before[index] === undefined) delete process.env[name];
        else process.env[name] = before[index];
      });
    }
    expect(heard).toEqual([]);
  });

  it('does not reach another host or path through an id', async () => {
    const paths: string[] = [];
    const platform = await startPlainServer((request, response) => {
      paths.push(request.url ?? '');
      const isToken = request.url === TOKEN_PATH;
      response.end(isToken ? '{"access_token":"t","expires_in":3600}' : '{"id":1}');
    });
    const plain = createClient(platform.url);
    const serialNumbers = [
      'a/b',
      '//evil.example/',
      '../../auth/token',
      'ä 水?x=1#y',
      '%2e%2e',
      '{serialNumber}',
      'a\\b',
      '...',
    ];
    for (const one of serialNumbers) await plain.deviceBySerialNumber(one, {});
    expect(paths.slice(1).map((path) => decodeURIComponent(path.replace('/v2.0/device/', '')))).toEqual(
      serialNumbers,
    );
    expect(paths.slice(1).filter((path) => path.split('/').length !== 4 || /[?#]/.test(path))).toEqual([]);
    for (const refused of ['.', '..', '', '\ud800', 'x'.repeat(257)]) {
      await expect(plain.deviceBySerialNumber(refused, {})).rejects.toMatchObject({ code: 'BAD_USER_INPUT' });
    }
    expect(paths).toHaveLength(1 + serialNumbers.length);
  });
});

describe('a range of samples', () => {
  const row = (id: number, value: string) => ({
    id,
    stream_id: 7,
    sample_date: '2026-01-01T00:00:00Z',
    value,
  });
  const rows = Array.from({ length: 2000 }, (_, index) => row(index + 1, `${index}.5`));
  const page = { fromMs: Date.UTC(2026, 0, 1), toMs: Date.UTC(2026, 0, 2) };

  async function read(body: string) {
    const platform = await startPlainServer((request, response) => {
      response.end(request.url === TOKEN_PATH ? '{"access_token":"t","expires_in":3600}' : body);
    });
    const leftOut: number[] = [];
    const onCall = ({ skippedRows }: { skippedRows: number }) => leftOut.push(skippedRows);
    const converter = { convert: <Row>(some: readonly Row[]) => [...some] };
    const reading = createClient(platform.url).streamSampleRange(7, page, converter, { onCall });
    return { ...(await reading), leftOut };
  }

  it.each([
    ['without spaces', JSON.stringify({ hasMore: true, samples: rows })],
    ['with spaces', JSON.stringify({ samples: rows, hasMore: true }, null, 2)],
    [
      'with other lists in it',
      JSON.stringify({ tags: [{ id: 1 }, { id: 2 }], samples: rows, hasMore: true }),
    ],
  ])('is the same, written %s', async (_, body) => {
    const { chunks, hasMore } = await read(body);
    expect([hasMore, chunks.flat()]).toEqual([true, rows]);
  });

  it('is repaired and reduced row by row, in every chunk', async () => {
    const odd = [{ id: '2001', streamId: 7, sampleDate: '2026-01-01', value: 5 }, { id: 0 }, 'none', null];
    const { chunks, leftOut } = await read(JSON.stringify({ samples: [...odd, ...rows, ...odd] }));
    const mended = expect.objectContaining({ id: 2001, stream_id: 7, sample_date: '2026-01-01', value: '5' });
    expect(chunks.length).toBeGreaterThan(1);
    expect([chunks.flat(), leftOut]).toEqual([[mended, ...rows, mended], [6]]);
  });

  it.each(['{"samples":[{"id":1},]}', '{"samples":{"0":[]}}', '[]', '{"hasMore":true}', '', '"["'])(
    'is refused as %s',
    async (body) => {
      await expect(read(body)).rejects.toMatchObject({ code: 'PLATFORM_BAD_RESPONSE' });
    },
  );
});

describe('a caller', () => {
  it('that cancels also cancels the REST call', async () => {
    let calls = 0;
    const platform = await startPlainServer((request, response) => {
      calls++;
      if (request.url === TOKEN_PATH) response.end('{"access_token":"t","expires_in":3600}');
      else platform.server.emit('waiting', once(response, 'close'));
    });
    const leaving = createCancellation();
    const waiting = once(platform.server, 'waiting') as Promise<[Promise<unknown>]>;
    const call = expect(createClient(platform.url).sites({ cancellation: leaving })).rejects.toMatchObject({
      code: 'CANCELLED',
    });
    const [closed] = await waiting;
    leaving.abort();
    await call;
    await closed;
    expect(calls).toBe(2);
  });

  it('gets fresh data only on request', async () => {
    const seen: (string | undefined)[] = [];
    const platform = await startPlainServer((request, response) => {
      const isToken = request.url === TOKEN_PATH;
      if (!isToken) seen.push(request.headers['cache-control']);
      response.end(isToken ? '{"access_token":"t","expires_in":3600}' : '[]');
    });
    const plain = createClient(platform.url);
    await plain.sites({ noCache: true });
    await plain.sites({});
    expect(seen).toEqual(['no-cache', undefined]);
  });
});
