/** The maximum age of a response: fresh, stale while revalidating, stale on error. */

import http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { POLICIES } from '../../../src/cache/policies.js';
import type { Gateway } from '../../../src/gateway/gateway.js';
import { queryGateway, readOperation, startGatewayFor } from '../../support/gateway.js';
import { startPlainServer } from '../../support/http/edgeGateway.js';
import { firstSite, startLiveGateway, WAIT } from '../../support/http/live.js';
import type { Fault } from '../../support/sandbox/testSandbox.js';
import { createGate } from '../../support/waiting.js';

const SITE = '/v2.0/site';
const QUERY = '{ sites(first: 1, orderBy: { field: ID }) { nodes { name } } }';
const { timeToLiveMs, staleWhileRevalidateMs, staleIfErrorMs } = POLICIES.site;

const gateway = await startLiveGateway();
const siteId = firstSite(gateway);

/** Each test starts with one fresh response in the cache. */
beforeEach(async () => {
  gateway.clock.advance(timeToLiveMs + staleIfErrorMs + staleWhileRevalidateMs);
  rename('first');
  expect(await readName()).toBe('first');
  gateway.sandbox.calls.reset();
});

afterEach(() => gateway.sandbox.faults.clear());

const rename = (name: string) => gateway.run('UPDATE site SET display_name = ? WHERE id = ?', name, siteId);
const calls = () => gateway.sandbox.calls.countOf(SITE);
const untilCalls = (count: number) => vi.waitFor(() => expect(calls()).toBe(count), WAIT);

interface Sites {
  sites: { nodes: { name: string }[] } | null;
}

async function readName(): Promise<string | undefined> {
  return (await gateway.ask<Sites>(QUERY)).sites?.nodes[0]?.name;
}

/** Until the background call after the response has ended. */
async function untilRenewed(name: string): Promise<void> {
  await vi.waitFor(async () => expect(await readName()).toBe(name), WAIT);
}

describe('a response', () => {
  it('is served without a call until its time to live ends', async () => {
    rename('second');
    gateway.clock.advance(timeToLiveMs - 1);
    expect(await readName()).toBe('first');
    expect(calls()).toBe(0);
  });

  it.each([timeToLiveMs, timeToLiveMs + staleWhileRevalidateMs - 1])(
    'that is %i ms old is served at once while one call renews it',
    async (ageMs) => {
      rename('second');
      gateway.clock.advance(ageMs);
      // However slow the platform is, no caller waits for it.
      gateway.sandbox.faults.add({ match: SITE, latencyMs: 1500, times: 1 });
      const names = await Promise.all(Array.from({ length: 10 }, readName));
      expect(new Set(names)).toEqual(new Set(['first']));
      await untilCalls(1);
      await untilRenewed('second');
      expect(calls()).toBe(1);
    },
  );

  it('that is older is loaded again', async () => {
    rename('second');
    gateway.clock.advance(timeToLiveMs + staleWhileRevalidateMs);
    expect(await readName()).toBe('second');
    expect(calls()).toBe(1);
  });
});

const outages: [string, Fault][] = [
  ['status 503', { status: 503 }],
  ['status 500', { status: 500 }],
  ['a rate limit', { status: 429, retryAfter: 1 }],
  ['a closed connection', { destroySocket: true }],
  ['a response that is not JSON', { body: '<html>', contentType: 'text/html' }],
];

describe('while the platform fails', () => {
  it.each(outages)('for %s, the stale response is served without an error', async (_, fault) => {
    rename('second');
    gateway.clock.advance(timeToLiveMs + staleIfErrorMs - 1);
    const mend = gateway.sandbox.faults.add({ match: SITE, ...fault });
    const { body } = await gateway.query<Sites>(QUERY);
    expect(body.errors).toBeUndefined();
    expect(body.data?.sites?.nodes[0]?.name).toBe('first');
    expect(calls()).toBeGreaterThan(0);
    mend();
    gateway.clock.advance(60_000);
    expect(await readName()).toBe('second');
  });

  it('for longer than that, the error is returned', async () => {
    gateway.clock.advance(timeToLiveMs + staleIfErrorMs);
    gateway.sandbox.faults.add({ match: SITE, status: 500 });
    const { body } = await gateway.query<Sites>(QUERY);
    expect(body.data).toEqual({ sites: null });
    expect(body.errors).toMatchObject([
      { path: ['sites'], extensions: { code: 'PLATFORM_UNAVAILABLE', platform: { status: 500 } } },
    ]);
  });

  it('a client error is returned at once, because it is a definite response', async () => {
    gateway.clock.advance(timeToLiveMs + staleWhileRevalidateMs);
    gateway.sandbox.faults.add({ match: SITE, status: 400 });
    const { body } = await gateway.query<Sites>(QUERY);
    expect(body.errors).toMatchObject([{ extensions: { code: 'PLATFORM_REFUSED' } }]);
  });

  it('no-cache returns the error instead of the stale response', async () => {
    gateway.sandbox.faults.add({ match: SITE, status: 500 });
    const { body } = await gateway.query<Sites>(QUERY, {}, { 'Cache-Control': 'no-cache' });
    expect(body.errors).toMatchObject([{ extensions: { code: 'PLATFORM_UNAVAILABLE' } }]);
    expect(await readName()).toBe('first');
  });
});

describe('the cache does not store', () => {
  it('an error', async () => {
    gateway.clock.advance(timeToLiveMs + staleIfErrorMs);
    gateway.sandbox.faults.add({ match: SITE, status: 400, times: 1 });
    expect((await gateway.query(QUERY)).body.errors).toHaveLength(1);
    expect(await readName()).toBe('first');
    expect(calls()).toBe(2);
  });

  it('a response with omitted rows', async () => {
    gateway.clock.advance(timeToLiveMs + staleIfErrorMs);
    const body = JSON.stringify([{ id: 1, display_name: 'partial' }, { display_name: 'without id' }]);
    gateway.sandbox.faults.add({ match: SITE, body, times: 1 });
    expect(await readName()).toBe('partial');
    expect(await readName()).toBe('first');
    expect(calls()).toBe(2);
    await readName();
    expect(calls()).toBe(2);
  });
});

describe('Cache-Control: no-cache', () => {
  it('loads again, for all later callers', async () => {
    rename('second');
    const { body } = await gateway.query<Sites>(QUERY, {}, { 'Cache-Control': 'no-cache' });
    expect(body.data?.sites?.nodes[0]?.name).toBe('second');
    expect(await readName()).toBe('second');
    expect(calls()).toBe(1);
  });

  it('reaches the platform, and is not sent for other calls', async () => {
    const requested: [string | undefined, string | undefined][] = [];
    const platform = await startPlainServer((request, response) => {
      if (request.method === 'GET') requested.push([request.url, request.headers['cache-control']]);
      request.pipe(
        http.request(
          gateway.sandbox.url + request.url,
          { method: request.method, headers: request.headers },
          (result) => {
            response.writeHead(result.statusCode ?? 500, result.headers);
            result.pipe(response);
          },
        ),
      );
    });
    const other = await startBehind(platform.url);
    await queryGateway(other.url, QUERY, {}, { 'Cache-Control': 'max-age=0, no-cache' });
    await queryGateway(other.url, '{ users { totalCount } }', {}, { 'Cache-Control': 'max-age=0' });
    await other.stop();
    expect(requested).toEqual([
      [SITE, 'no-cache'],
      ['/v2.0/user', undefined],
    ]);
  });
});

function startBehind(url: string): Promise<Gateway> {
  const [{ key, secret }] = gateway.sandbox.credentials;
  return startGatewayFor({ url, key, secret }, { clock: gateway.clock });
}

const STRUCTURE = `{ organizations { nodes { name sites { nodes { name devices { serialNumber channels { name
  streams { name units } } } } } } } }`;

const callsMade = () =>
  gateway
    .restCalls()
    .map(({ pathTemplate }) => pathTemplate)
    .sort();

/** With new samples on the platform, and an expired cache. */
function startAnew(): void {
  gateway.pass(180);
  gateway.sandbox.calls.reset();
}

describe('one query', () => {
  it('of 1,000 concurrent callers costs the calls of one', async () => {
    startAnew();
    await gateway.ask(STRUCTURE);
    const ofOne = callsMade();
    startAnew();
    const results = await Promise.all(Array.from({ length: 1000 }, () => gateway.query(STRUCTURE)));
    expect(results.filter(({ body }) => body.errors !== undefined)).toEqual([]);
    expect(new Set(results.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect(callsMade()).toEqual(ofOne);
  });

  it('that shares the last calls of an equal query costs no call', async () => {
    const fleet = await readOperation('Fleet');
    const last = '/v2.0/stream/{streamId}/sample/last';
    // The number of these calls depends on the samples, so both gateways are new and read the same ones.
    const { url } = gateway.sandbox;
    const [alone, joined] = await Promise.all([startBehind(url), startBehind(url)]);
    await queryGateway(alone.url, fleet);
    const ofOne = callsMade();
    expect(ofOne).toContain(last);
    gateway.sandbox.calls.reset();
    const { open: release, opened: until } = createGate();
    gateway.sandbox.faults.add({ match: last, until });
    const first = queryGateway(joined.url, fleet);
    await vi.waitFor(() => expect(gateway.sandbox.calls.countOf(last)).toBeGreaterThan(0), WAIT);
    const second = queryGateway(joined.url, fleet);
    // Time in which it could make its own call.
    await sleep(200);
    release();
    expect((await second).body).toEqual((await first).body);
    expect((await first).body.errors).toBeUndefined();
    expect(callsMade()).toEqual(ofOne);
    await Promise.all([alone.stop(), joined.stop()]);
  });
});
