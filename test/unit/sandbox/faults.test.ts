/** The sandbox's controls for tests: latency, errors, hangs, token revocation, call counts. */
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createTestClock, startSandbox, tokenFor } from '../../support/sandbox/sandbox.js';
import type { Fault, TestSandbox } from '../../support/sandbox/testSandbox.js';

const sandbox = await startSandbox({ siteCount: 3 });
const token = await tokenFor(sandbox.url, 'sandbox', 'sandbox');

function ask(
  path: string,
  init: RequestInit = {},
  box: TestSandbox = sandbox,
  bearer = token,
): Promise<Response> {
  return fetch(box.url + path, { headers: { Authorization: `Bearer ${bearer}` }, ...init });
}

async function under<Result>(fault: Fault, work: () => Promise<Result>): Promise<Result> {
  const remove = sandbox.faults.add(fault);
  try {
    return await work();
  } finally {
    remove();
  }
}

describe('faults', () => {
  it('respond with a status, an error body and Retry-After, a number of times', async () => {
    sandbox.faults.add({ match: '/v2.0/site', status: 429, retryAfter: 7, times: 2 });
    const statuses = [];
    for (let call = 0; call < 3; call++) statuses.push((await ask('/v2.0/site')).status);
    expect(statuses).toEqual([429, 429, 200]);
    const date = 'Wed, 21 Oct 2026 07:28:00 GMT';
    const response = await under({ status: 503, retryAfter: date }, () => ask('/v2.0/site'));
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, date]);
    expect(await response.json()).toHaveProperty('request_id');
  });

  it('match by template, by method and template, by predicate, and until removed', async () => {
    await under({ match: 'GET /v2.0/site/{siteId}', status: 500 }, async () => {
      expect((await ask('/v2.0/site')).status).toBe(200);
      expect((await ask('/v2.0/site/16801')).status).toBe(500);
    });
    await under({ match: ({ path }) => path.endsWith('16802'), status: 502 }, async () => {
      expect((await ask('/v2.0/site/16801')).status).toBe(200);
      expect((await ask('/v2.0/site/16802')).status).toBe(502);
    });
    sandbox.faults.add({ status: 500 });
    sandbox.faults.clear();
    expect((await ask('/v2.0/site/16801')).status).toBe(200);
  });

  it('replace body, type and headers', async () => {
    const page = { body: '<html>', contentType: 'text/html', status: 200 };
    const response = await under(page, () => ask('/v2.0/site'));
    expect([response.headers.get('content-type'), await response.text()]).toEqual(['text/html', '<html>']);
    const away = { status: 302, headers: { Location: 'http://127.0.0.1:1/' } };
    const moved = await under(away, () => ask('/v2.0/site', { redirect: 'manual' }));
    expect([moved.status, moved.headers.get('location')]).toEqual([302, 'http://127.0.0.1:1/']);
    const huge = await under({ body: Buffer.alloc(3_000_000, ' ') }, () => ask('/v2.0/site'));
    expect((await huge.arrayBuffer()).byteLength).toBe(3_000_000);
  });

  it('delay responses', async () => {
    const start = performance.now();
    expect((await under({ latencyMs: 60 }, () => ask('/v2.0/site'))).status).toBe(200);
    expect(performance.now() - start).toBeGreaterThan(55);
  });

  it('destroy the socket, truncate the response, or hang', async () => {
    await expect(under({ destroySocket: true }, () => ask('/v2.0/site'))).rejects.toThrow();
    await under({ cutAfterBytes: 20 }, async () => {
      const response = await ask('/v2.0/site');
      expect(response.status).toBe(200);
      await expect(response.text()).rejects.toThrow();
    });
    await under({ hangBeforeHeaders: true }, async () => {
      const before = sandbox.calls.total();
      const waiting = new AbortController();
      const outcome = ask('/v2.0/site', { signal: waiting.signal, headers: {} }).catch(() => 'aborted');
      expect(await Promise.race([outcome, sleep(80, 'hangs')])).toBe('hangs');
      await expect.poll(() => sandbox.calls.total()).toBe(before + 1);
      waiting.abort();
      expect(await outcome).toBe('aborted');
    });
    await under({ hangAfterBytes: 5 }, async () => {
      const reading = new AbortController();
      const response = await ask('/v2.0/site', { signal: reading.signal, headers: { Authorization: token } });
      expect(response.status).toBe(200);
      const text = response.text().catch(() => 'aborted');
      expect(await Promise.race([text, sleep(80, 'hangs')])).toBe('hangs');
      reading.abort();
      expect(await text).toBe('aborted');
    });
  });
});

describe('the call log', () => {
  it('counts every request by template, token requests included', async () => {
    sandbox.calls.reset();
    await tokenFor(sandbox.url, 'sandbox', 'sandbox');
    await ask('/v2.0/site/16801');
    await ask('/v2.0//site/16802/?a=1&a=2');
    await ask('/nowhere');
    expect(sandbox.calls.total()).toBe(4);
    expect(sandbox.calls.countOf('/v2.0/site/{siteId}')).toBe(2);
    expect(sandbox.calls.countOf('/auth/token')).toBe(1);
    expect(sandbox.calls.list().map(({ status }) => status)).toEqual([200, 200, 200, 404]);
    expect(sandbox.calls.list()[2]).toMatchObject({
      method: 'GET',
      path: '/v2.0//site/16802/',
      pathTemplate: '/v2.0/site/{siteId}',
      query: { a: '2' },
    });
    sandbox.calls.reset();
    expect([sandbox.calls.total(), sandbox.calls.list()]).toEqual([0, []]);
  });
});

describe('tokens', () => {
  it('are refused after revocation, with 401 or 403, and new ones work', async () => {
    const box = await startSandbox({ siteCount: 1 });
    for (const status of [401, 403] as const) {
      const bearer = await tokenFor(box.url, 'sandbox', 'sandbox');
      expect((await ask('/v2.0/site', {}, box, bearer)).status).toBe(200);
      box.revokeTokens(status);
      expect((await ask('/v2.0/site', {}, box, bearer)).status).toBe(status);
    }
    const fresh = await tokenFor(box.url, 'sandbox', 'sandbox');
    expect((await ask('/v2.0/site', {}, box, fresh)).status).toBe(200);
  });

  it('expire at the end of their lifetime', async () => {
    const clock = createTestClock();
    const box = await startSandbox({ siteCount: 1, clock, tokenLifetimeSeconds: 60 });
    const bearer = await tokenFor(box.url, 'sandbox', 'sandbox');
    clock.advance(59_000);
    expect((await ask('/v2.0/site', {}, box, bearer)).status).toBe(200);
    clock.advance(2_000);
    const response = await ask('/v2.0/site', {}, box, bearer);
    expect([response.status, await response.json()]).toMatchObject([401, { message: /expired/ }]);
  });
});

describe('a sandbox', () => {
  it('ends open connections when it is closed, and can be closed twice', async () => {
    const box = await startSandbox({ siteCount: 1 });
    box.faults.add({ hangBeforeHeaders: true });
    const hanging = fetch(box.url).catch(() => 'ended');
    await expect.poll(() => box.calls.total()).toBe(1);
    await Promise.all([box.close(), box.close()]);
    expect(await hanging).toBe('ended');
  });

  it('fails to start on a port that is in use', async () => {
    const port = Number(new URL(sandbox.url).port);
    await expect(startSandbox({ siteCount: 1, port })).rejects.toThrow(/EADDRINUSE/);
  });
});
