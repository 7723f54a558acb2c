/** `X-Explain: 1`: what an operation cost and what it was spared, told to whoever asks, with nothing secret in it. */
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ExplainedCall, ExplainedPlan } from '../../../src/sources/core/explanation.js';
import { type GraphqlBody, readOperation, required } from '../../support/gateway.js';
import { type LiveGateway, startLiveGateway, WAIT } from '../../support/http/live.js';

const [KEY, SECRET] = ['explained-key', 'explained-secret'];
const EXPLAIN = { 'X-Explain': '1' };
const SITES = '{ sites { nodes { name } } }';

interface Explain {
  calls: ExplainedCall[];
  plans: ExplainedPlan[];
  token: { remainingMilliseconds: number; requestsLeft: number };
  breakers: object;
}

let gateway: LiveGateway;
let fleet: string;

beforeAll(async () => {
  gateway = await startLiveGateway({ sandbox: { key: KEY, secret: SECRET } });
  fleet = await readOperation('Fleet');
});

/** Nothing that was cached before serves any more. */
beforeEach(() => {
  gateway.clock.advance(2 * 86_400_000);
  gateway.sandbox.faults.clear();
  gateway.sandbox.calls.reset();
});

interface Explained extends GraphqlBody<unknown> {
  extensions?: { explain: Explain };
}

async function ask(query: string, headers: Record<string, string> = EXPLAIN): Promise<Explained> {
  return (await gateway.query(query, {}, headers)).body;
}

async function explain(query: string, headers: Record<string, string> = EXPLAIN): Promise<Explain> {
  const { extensions, errors } = await ask(query, headers);
  expect(errors).toBeUndefined();
  return required(extensions).explain;
}

const endpoints = ({ calls }: Explain) => calls.map(({ endpoint }) => endpoint).sort();
const origins = ({ calls }: Explain) => [...new Set(calls.map(({ origin }) => origin))];

describe('an explanation', () => {
  it('names every REST call that was made, as the platform saw them', async () => {
    const told = await explain(fleet);
    const made = gateway.restCalls();
    expect(made.length).toBeGreaterThan(5);
    expect(endpoints(told)).toEqual(made.map(({ pathTemplate }) => pathTemplate).sort());
    expect(origins(told)).toEqual(['network']);
    for (const call of told.calls) {
      // A stream without a number answers so.
      expect(call.endpoint.endsWith('/sample/last') ? [200, 404] : [200]).toContain(call.status);
      expect(call.milliseconds).toBeGreaterThanOrEqual(0);
      expect(call.bytes).toBeGreaterThan(2);
      expect(call.ageMilliseconds).toBeNull();
    }
  });

  it('says how relations were planned, and why', async () => {
    const { plans } = await explain(fleet);
    const relations = plans.map(({ relation }) => relation);
    expect(relations).toEqual(expect.arrayContaining(['devices of sites', 'last samples of streams']));
    const devices = required(plans.find(({ relation }) => relation === 'devices of sites'));
    expect(devices.keys).toBeGreaterThan(1);
    expect(devices.way).toBe('collection');
    expect(devices.because).toMatch(/^perParent [\d.]+, collection [\d.]+$/);
  });

  it('tells how long the token lasts and how many may still be asked for', async () => {
    const { token, breakers } = await explain(SITES);
    expect(token.remainingMilliseconds).toBeGreaterThan(0);
    expect(token.requestsLeft).toBeGreaterThanOrEqual(0);
    expect(token.requestsLeft).toBeLessThanOrEqual(15);
    const before = token.remainingMilliseconds;
    gateway.clock.advance(1000);
    expect((await explain(SITES)).token.remainingMilliseconds).toBe(before - 1000);
    expect(breakers).toBeTypeOf('object');
  });

  it('of the same operation again shows the cache alone, and no call was made', async () => {
    const first = await explain(fleet);
    gateway.sandbox.calls.reset();
    gateway.clock.advance(500);
    const second = await explain(fleet);
    expect(gateway.sandbox.calls.total()).toBe(0);
    expect(origins(second)).toEqual(['cache']);
    // Batches of samples that were looked through on the way are not told.
    expect(new Set(endpoints(second))).toEqual(
      new Set(endpoints(first).filter((endpoint) => endpoint !== '/v2.0/sample/batch')),
    );
    for (const { status, milliseconds, bytes, ageMilliseconds } of second.calls) {
      expect({ status, milliseconds, bytes }).toEqual({ status: null, milliseconds: null, bytes: null });
      expect(ageMilliseconds).toBe(500);
    }
  });

  it('says what is stale, and how old', async () => {
    await explain(SITES);
    gateway.clock.advance(90_000);
    expect((await explain(SITES)).calls).toMatchObject([
      { endpoint: '/v2.0/site', origin: 'stale', ageMilliseconds: 90_000 },
    ]);
    // The call behind it ends before the next test moves the clock.
    await vi.waitFor(async () => expect(origins(await explain(SITES))).toEqual(['cache']), WAIT);
  });

  it('says what came with a call that was already under way', async () => {
    await gateway.ask('{ uiPreferences { dateFormat } }');
    gateway.sandbox.faults.add({ match: '/v2.0/site', latencyMs: 500 });
    const told = await Promise.all([explain(SITES), explain(SITES), explain(SITES)]);
    expect(told.flatMap(({ calls }) => calls.map(({ origin }) => origin)).sort()).toEqual([
      'joined',
      'joined',
      'network',
    ]);
    expect(gateway.sandbox.calls.countOf('/v2.0/site')).toBe(1);
  });

  it('tells of calls that failed, beside the errors', async () => {
    gateway.sandbox.faults.add({ match: '/v2.0/user', status: 403 });
    const { errors, extensions } = await ask(`{ users { totalCount } ${SITES.slice(1)}`);
    expect(errors).toHaveLength(1);
    const { calls } = required(extensions).explain;
    expect(calls.map(({ endpoint, status }) => [endpoint, status]).sort()).toEqual([
      ['/v2.0/site', 200],
      ['/v2.0/user', 403],
    ]);
  });

  it('holds no address, no credential and no token', async () => {
    const failing = gateway.sandbox.faults.add({ match: '/v2.0/channel', status: 500, times: 4 });
    const text = JSON.stringify((await ask(fleet)).extensions);
    failing();
    const { host, port } = new URL(gateway.sandbox.url);
    const basic = Buffer.from(`${KEY}:${SECRET}`).toString('base64');
    for (const secret of [KEY, SECRET, basic, 'http', host, port, 'Bearer', 'eyJ']) {
      expect(text).not.toContain(secret);
    }
  });
});

describe('without being asked', () => {
  it.each([{}, { 'X-Explain': '0' }, { 'X-Explain': '' }, { 'X-Explain': 'true' }])(
    'by headers %j nothing is explained',
    async (headers) => {
      const body = await ask(SITES, headers as Record<string, string>);
      expect(body.data).toBeDefined();
      expect(body).not.toHaveProperty('extensions');
    },
  );

  it('an operation that is explained has the same answer', async () => {
    expect((await ask(fleet)).data).toEqual((await ask(fleet, {})).data);
  });
});
