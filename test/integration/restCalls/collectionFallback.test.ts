/** A failing collection is replaced by other calls if possible, and costs few calls while it fails. */
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { STILL_NOW_MS, startStillGateway, type TestGateway } from '../../support/gateway.js';
import type { Fault } from '../../support/sandbox/testSandbox.js';

const DEVICES = '/v2.0/device';
const OF_SITE = '/v2.0/site/{siteId}/devices';
const BY_ID = '/v2.0/device/id/{deviceId}';
const NESTED = '{ sites { nodes { devices { id } } } }';
const SITE_COUNT = 8;

let nowMs = STILL_NOW_MS;
let gateway: TestGateway;

beforeEach(async () => {
  nowMs = STILL_NOW_MS;
  gateway = await startStillGateway({
    sandbox: { siteCount: SITE_COUNT },
    gateway: { clock: { now: () => nowMs } },
  });
});

afterEach(() => gateway.stop());

const fail = (match: string, fault: Fault) =>
  gateway.sandbox.faults.add({
    ...fault,
    match: ({ method, pathTemplate }) => method === 'GET' && pathTemplate === match,
  });

/** The calls to each of these endpoints for an uncached operation that may fail. */
async function callsFor(operation: string, ...templates: string[]) {
  gateway.sandbox.calls.reset();
  const { body } = await gateway.query(operation, {}, { 'Cache-Control': 'no-cache' });
  const codes = new Set(body.errors?.map(({ extensions }) => extensions.code));
  return { codes: [...codes], calls: templates.map((template) => gateway.sandbox.calls.countOf(template)) };
}

describe('a collection that fails', () => {
  it.each<[string, Fault, number]>([
    ['500', { status: 500 }, 1],
    ['408', { status: 408 }, 3],
    // Repeated once, because the token may have been the reason.
    ['403', { status: 403 }, 2],
    ['400', { status: 400 }, 1],
    ['a response that is not JSON', { status: 200, body: '<html>' }, 1],
  ])(
    'with %s is replaced by calls for each parent, and paused for a minute',
    async (_, fault, calledLists) => {
      const whole = await gateway.ask(NESTED);
      const mend = fail(DEVICES, fault);
      const { data, calls } = await gateway.count(NESTED);
      expect(data).toEqual(whole);
      const siteCount = calls.filter((path) => path === OF_SITE).length;
      expect(siteCount).toBeGreaterThan(2);
      expect(calls.filter((path) => path === DEVICES)).toHaveLength(calledLists);

      expect(await callsFor(NESTED, DEVICES, OF_SITE)).toEqual({ codes: [], calls: [0, siteCount] });
      nowMs += 60_000;
      expect(await callsFor(NESTED, DEVICES, OF_SITE)).toEqual({
        codes: [],
        calls: [calledLists, siteCount],
      });
      mend();
      nowMs += 60_000;
      expect(await callsFor(NESTED, DEVICES, OF_SITE)).toEqual({ codes: [], calls: [1, 0] });
    },
  );

  it('is replaced by calls for each object too', async () => {
    const { devices } = await gateway.ask<{ devices: { nodes: { id: string }[] } }>(
      '{ devices { nodes { id } } }',
    );
    const ids = devices.nodes.slice(0, 5).map(({ id }) => id);
    fail(DEVICES, { status: 500 });
    const { data, calls } = await gateway.count('query ($ids: [ID!]!) { nodes(ids: $ids) { id } }', { ids });
    expect(data).toEqual({ nodes: ids.map((id) => ({ id })) });
    expect(calls).toEqual([DEVICES, ...ids.map(() => BY_ID)]);
  });

  it('of the attributes of streams is replaced by the lists of the sites', async () => {
    const attributes = '/v2.0/stream/customAttributes';
    const operation = '{ sites { nodes { streams { customAttributes { name value } } } } }';
    const whole = await gateway.ask(operation);
    fail(attributes, { status: 500 });
    const { data, calls } = await gateway.count(operation);
    expect(data).toEqual(whole);
    expect(calls.filter((path) => path === attributes)).toHaveLength(1);
    const second = await callsFor(operation, attributes);
    expect(second).toEqual({ codes: [], calls: [0] });
  });

  it('still makes its own list null, which has no fallback', async () => {
    fail(DEVICES, { status: 500 });
    const { body } = await gateway.query('{ devices { totalCount } sites { nodes { devices { id } } } }');
    expect(body.data).toMatchObject({ devices: null });
    expect(body.errors?.map(({ path }) => path)).toEqual([['devices']]);
  });

  it('for a platform error costs one more call, and is requested again', async () => {
    fail(DEVICES, { status: 500 });
    fail(OF_SITE, { status: 500 });
    for (let round = 0; round < 2; round++) {
      expect(await callsFor(NESTED, DEVICES, OF_SITE)).toEqual({
        codes: ['PLATFORM_UNAVAILABLE'],
        calls: [1, 1],
      });
    }
  });

  it.each<[string, Fault, string, number]>([
    ['the platform is down', { destroySocket: true }, 'PLATFORM_UNAVAILABLE', 3],
    ['the call limit is reached', { status: 429, retryAfter: 60 }, 'PLATFORM_RATE_LIMITED', 1],
    ['it does not exist', { status: 404 }, 'PLATFORM_REFUSED', 1],
  ])('because %s is not replaced', async (_, fault, code, tries) => {
    fail(DEVICES, fault);
    // A request that is lost on a connection with an earlier response is repeated once without counting as an attempt.
    gateway.sandbox.faults.add({ headers: { Connection: 'close' } });
    expect(await callsFor(NESTED, DEVICES, OF_SITE)).toEqual({ codes: [code], calls: [tries, 0] });
  });
});

describe('a collection of more than 200 parents', () => {
  it('is replaced where the platform refuses it, but not where it fails', async () => {
    const large = await startStillGateway({
      sandbox: { siteCount: 450, days: 1 },
      gateway: { clock: { now: () => nowMs } },
    });
    onTestFinished(() => large.stop());
    const operation = '{ sites(first: 1000) { totalCount nodes { devices { id } } } }';
    const whole = await large.ask<{ sites: { totalCount: number } }>(operation);
    const { totalCount } = whole.sites;
    expect(totalCount).toBeGreaterThan(200);
    const query = async (status: number) => {
      large.sandbox.calls.reset();
      const mend = large.sandbox.faults.add({ match: `GET ${DEVICES}`, status });
      const { body } = await large.query(operation, {}, { 'Cache-Control': 'no-cache' });
      mend();
      const { calls } = large.sandbox;
      return { body, lists: calls.countOf(DEVICES), calls: calls.countOf(OF_SITE) };
    };
    const failed = await query(500);
    expect(failed.body.errors?.[0]?.extensions.code).toBe('PLATFORM_UNAVAILABLE');
    expect([failed.lists, failed.calls]).toEqual([1, 0]);
    // After a 403 the list is called again, because the token may have been the reason.
    for (const [status, lists, listsAfterwards] of [
      [400, 1, 0],
      [403, 2, 1],
    ] as const) {
      expect(await query(status)).toEqual({ body: { data: whole }, lists, calls: totalCount });
      const again = { body: { data: whole }, lists: listsAfterwards, calls: totalCount };
      expect(await query(status)).toEqual(again);
      nowMs += 60_000;
    }
  });
});
