/** `X-Explain: 1` adds the REST calls and savings of an operation to its response, without secrets. */
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { ExplainedCall, ExplainedPlan } from '../../../src/sources/core/explanation.js';
import { type GraphqlBody, readOperation, required } from '../../support/gateway.js';
import { createRecordingLogger } from '../../support/http/edgeGateway.js';
import { startLiveGateway, WAIT } from '../../support/http/live.js';

const [KEY, SECRET] = ['explained-key', 'explained-secret'];
const EXPLAIN = { 'X-Explain': '1' };
const SITES = '{ sites { nodes { name } } }';

interface Explain {
  calls: ExplainedCall[];
  plans: ExplainedPlan[];
  token: { remainingMilliseconds: number; requestsLeft: number };
  breakers: object;
}

const logger = createRecordingLogger();
const gateway = await startLiveGateway({
  sandbox: { key: KEY, secret: SECRET },
  gateway: { logger, accessLog: 1 },
});
const fleet = await readOperation('Fleet');

/** Expires all cached entries. */
beforeEach(() => {
  gateway.clock.advance(2 * 86_400_000);
  gateway.sandbox.faults.clear();
  gateway.sandbox.calls.reset();
  logger.lines.length = 0;
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

/** The count in the log line of the operation, which is written after the response. */
async function loggedCalls(): Promise<unknown> {
  return vi.waitFor(() => {
    const line = logger.lines.find(({ message }) => message === 'Operation completed');
    return Reflect.get(required(line).fields, 'restCalls');
  }, WAIT);
}

const endpoints = ({ calls }: Explain) => calls.map(({ endpoint }) => endpoint).sort();
const origins = ({ calls }: Explain) => [...new Set(calls.map(({ origin }) => origin))];

describe('an explanation', () => {
  it('lists every REST call that the platform received', async () => {
    const explained = await explain(fleet);
    const made = gateway.restCalls();
    expect(made.length).toBeGreaterThan(5);
    expect(endpoints(explained)).toEqual(made.map(({ pathTemplate }) => pathTemplate).sort());
    expect(origins(explained)).toEqual(['network']);
    for (const call of explained.calls) {
      // The response for a stream that is not scalar.
      expect(call.endpoint.endsWith('/sample/last') ? [200, 404] : [200]).toContain(call.status);
      expect(call.milliseconds).toBeGreaterThanOrEqual(0);
      expect(call.startMilliseconds).toBeGreaterThanOrEqual(0);
      expect(call.attempts).toBe(1);
      expect(call.bytes).toBeGreaterThan(2);
      expect(call.ageMilliseconds).toBeNull();
    }
  });

  it('counts the retries of a call', async () => {
    gateway.sandbox.faults.add({ match: 'GET /v2.0/site', times: 2, status: 503, retryAfter: 0 });
    expect((await explain(SITES)).calls).toMatchObject([
      { endpoint: '/v2.0/site', status: 200, attempts: 3 },
    ]);
    expect(await loggedCalls()).toBe(3);
  });

  it('does not count a call that is not sent', async () => {
    gateway.sandbox.faults.add({ match: 'GET /v2.0/site', status: 429, retryAfter: 60 });
    await ask(SITES);
    expect(await loggedCalls()).toBe(1);
    gateway.sandbox.calls.reset();
    logger.lines.length = 0;
    const { extensions } = await ask(SITES);
    expect(gateway.sandbox.calls.total()).toBe(0);
    expect(required(extensions).explain.calls).toMatchObject([{ endpoint: '/v2.0/site', attempts: 0 }]);
    expect(await loggedCalls()).toBe(0);
  });

  it('contains the fetch plan of each relation, with the reason', async () => {
    const { plans } = await explain(fleet);
    const relations = plans.map(({ relation }) => relation);
    expect(relations).toEqual(expect.arrayContaining(['devices of sites', 'last samples of streams']));
    const devices = required(plans.find(({ relation }) => relation === 'devices of sites'));
    expect(devices.keys).toBeGreaterThan(1);
    expect(devices.strategy).toBe('collection');
    expect(devices.reason).toMatch(/^perParent [\d.]+, collection [\d.]+$/);
  });

  it('contains the remaining life of the token and the remaining token requests', async () => {
    const { token, breakers } = await explain(SITES);
    expect(token.remainingMilliseconds).toBeGreaterThan(0);
    expect(token.requestsLeft).toBeGreaterThanOrEqual(0);
    expect(token.requestsLeft).toBeLessThanOrEqual(15);
    const before = token.remainingMilliseconds;
    gateway.clock.advance(1000);
    expect((await explain(SITES)).token.remainingMilliseconds).toBe(before - 1000);
    expect(breakers).toBeTypeOf('object');
  });

  it('of a repeated operation lists only cache hits, and no call', async () => {
    const first = await explain(fleet);
    gateway.sandbox.calls.reset();
    gateway.clock.advance(500);
    const second = await explain(fleet);
    expect(gateway.sandbox.calls.total()).toBe(0);
    expect(origins(second)).toEqual(['cache']);
    // Only the first explanation lists the batches that were searched.
    expect(new Set(endpoints(second))).toEqual(
      new Set(endpoints(first).filter((endpoint) => endpoint !== '/v2.0/sample/batch')),
    );
    for (const { status, milliseconds, bytes, ageMilliseconds } of second.calls) {
      expect({ status, milliseconds, bytes }).toEqual({ status: null, milliseconds: null, bytes: null });
      expect(ageMilliseconds).toBe(500);
    }
  });

  it('marks stale entries, with their age', async () => {
    await explain(SITES);
    gateway.clock.advance(90_000);
    expect((await explain(SITES)).calls).toMatchObject([
      { endpoint: '/v2.0/site', origin: 'stale', ageMilliseconds: 90_000 },
    ]);
    // Its background call ends before the next test moves the clock.
    await vi.waitFor(async () => expect(origins(await explain(SITES))).toEqual(['cache']), WAIT);
  });

  it('marks entries that came from a call in flight', async () => {
    await gateway.ask('{ uiPreferences { dateFormat } }');
    gateway.sandbox.faults.add({ match: '/v2.0/site', latencyMs: 2000 });
    const explained = await Promise.all([explain(SITES), explain(SITES), explain(SITES)]);
    expect(explained.flatMap(({ calls }) => calls.map(({ origin }) => origin)).sort()).toEqual([
      'network',
      'shared',
      'shared',
    ]);
    expect(gateway.sandbox.calls.countOf('/v2.0/site')).toBe(1);
  });

  it('lists failed calls, beside the errors', async () => {
    gateway.sandbox.faults.add({ match: '/v2.0/user', status: 403 });
    const { errors, extensions } = await ask(`{ users { totalCount } ${SITES.slice(1)}`);
    expect(errors).toHaveLength(1);
    const { calls } = required(extensions).explain;
    expect(calls.map(({ endpoint, status }) => [endpoint, status]).sort()).toEqual([
      ['/v2.0/site', 200],
      ['/v2.0/user', 403],
    ]);
  });

  it('contains no address, no credential and no token', async () => {
    const failing = gateway.sandbox.faults.add({ match: '/v2.0/channel', status: 500, times: 4 });
    const text = JSON.stringify((await ask(fleet)).extensions);
    failing();
    const { hostname } = new URL(gateway.sandbox.url);
    const basic = Buffer.from(`${KEY}:${SECRET}`).toString('base64');
    for (const secret of [KEY, SECRET, basic, 'http', hostname, 'Bearer', 'eyJ']) {
      expect(text).not.toContain(secret);
    }
  });
});

describe('without X-Explain', () => {
  it.each([{}, { 'X-Explain': '0' }, { 'X-Explain': '' }, { 'X-Explain': 'true' }])(
    'headers %j add no explanation',
    async (headers) => {
      const body = await ask(SITES, headers as Record<string, string>);
      expect(body.data).toBeDefined();
      expect(body).not.toHaveProperty('extensions');
    },
  );

  it('an operation has the same data as with it', async () => {
    expect((await ask(fleet)).data).toEqual((await ask(fleet, {})).data);
  });
});
