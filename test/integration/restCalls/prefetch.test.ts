/** What a long list is certain to lead to is asked for side by side with it, and nothing else is. */
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { required } from '../../support/gateway.js';
import { type LiveGateway, startLiveGateway, WAIT } from '../../support/http/live.js';

let gateway: LiveGateway;

beforeAll(async () => {
  gateway = await startLiveGateway();
});

/** Nothing that was cached before serves any more. */
beforeEach(() => {
  gateway.clock.advance(2 * 86_400_000);
  gateway.sandbox.faults.clear();
  gateway.sandbox.calls.reset();
});

const NESTED =
  '{ nodes { organization { name } devices { channels { streams { lastSample { value } } } } } }';
const below = [
  '/v2.0/account/organization',
  '/v2.0/device',
  '/v2.0/channel',
  '/v2.0/stream',
  '/v2.0/sample/batch',
];

describe('below a list of sites', () => {
  it('collections are asked for before the sites are there', async () => {
    gateway.sandbox.faults.add({ match: '/v2.0/site', latencyMs: 2000 });
    const answer = gateway.ask(`{ sites ${NESTED} }`);
    await vi.waitFor(
      () => expect(below.map((path) => gateway.sandbox.calls.countOf(path))).toEqual([1, 1, 1, 1, 1]),
      WAIT,
    );
    await answer;
    expect(below.map((path) => gateway.sandbox.calls.countOf(path))).toEqual([1, 1, 1, 1, 1]);
  });

  it.each(['(first: 2)', '(filter: { nameContains: "x" })'])(
    'that is short or narrowed %s, they are not',
    async (list) => {
      gateway.sandbox.faults.add({ match: '/v2.0/site', latencyMs: 500 });
      const answer = gateway.ask(`{ sites${list} ${NESTED} }`);
      await vi.waitFor(() => expect(gateway.sandbox.calls.countOf('/v2.0/site')).toBe(1), WAIT);
      expect(below.map((path) => gateway.sandbox.calls.countOf(path))).toEqual([0, 0, 0, 0, 0]);
      await answer;
    },
  );

  it('what may be left out is not counted on', async () => {
    gateway.sandbox.faults.add({ match: '/v2.0/site', latencyMs: 500 });
    const answer = gateway.ask(
      'query ($with: Boolean!) { sites { nodes { devices @include(if: $with) { name } } } }',
      {
        with: false,
      },
    );
    await answer;
    expect(gateway.sandbox.calls.countOf('/v2.0/device')).toBe(0);
  });
});

describe('of one site', () => {
  const AT_SITE = '{ name devices { name channels { name device { name } streams { name } } } }';
  const SITE = '/v2.0/site/{siteId}';
  const atSite = [`${SITE}/devices`, `${SITE}/streams`];
  const callsOf = (templates: readonly string[]) =>
    templates.map((template) => gateway.sandbox.calls.countOf(template));
  let siteId: number;

  beforeAll(() => {
    const [site] = gateway.sql<{ id: number }>(
      'SELECT site_id AS id FROM device WHERE account_id = ? LIMIT 1',
      gateway.accountId,
    );
    siteId = required(site).id;
  });

  it('what is at it is asked for before the site is there', async () => {
    gateway.sandbox.faults.add({ match: SITE, latencyMs: 2000 });
    const answer = gateway.ask(`query ($id: ID!) { site(id: $id) ${AT_SITE} }`, { id: `Site:${siteId}` });
    await vi.waitFor(() => expect(callsOf(atSite)).toEqual([1, 1]), WAIT);
    await answer;
    expect(callsOf([SITE, ...atSite])).toEqual([1, 1, 1]);
  });

  it('nothing is asked for by its id that came in a list', async () => {
    await gateway.ask(`{ site(id: "${siteId}") ${AT_SITE} }`);
    expect(
      callsOf(['/v2.0/device/id/{deviceId}', '/v2.0/channel/{channelId}', '/v2.0/channel/id/{channelId}']),
    ).toEqual([0, 0, 0]);
  });

  it('nothing is asked for that is not wanted', async () => {
    await gateway.ask(`{ site(id: "${siteId}") { name organization { sites { nodes { name } } } } }`);
    expect(callsOf(atSite)).toEqual([0, 0]);
  });

  it('nothing is asked for where the list tells that there is none', async () => {
    await gateway.ask('{ sites { totalCount } }');
    await gateway.ask(`{ site(id: "999999999") ${AT_SITE} }`);
    expect(callsOf([SITE, ...atSite])).toEqual([0, 0, 0]);
  });

  it('an id that is none is told of, and nothing is asked for', async () => {
    const { body } = await gateway.query(`{ site(id: "Device:1") ${AT_SITE} }`);
    expect(body.errors?.[0]?.extensions.code).toBe('BAD_USER_INPUT');
    expect(callsOf(atSite)).toEqual([0, 0]);
  });
});
