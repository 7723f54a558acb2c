/** The prefetch of data that a long list certainly needs, concurrently with the list, and of nothing else. */
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { required, startStillGateway, type TestGateway } from '../../support/gateway.js';
import { startLiveGateway, WAIT } from '../../support/http/live.js';

const gateway = await startLiveGateway();

/** Expires all cached entries. */
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
  it('collections are requested before the list arrives', async () => {
    gateway.sandbox.faults.add({ match: '/v2.0/site', latencyMs: 2000 });
    const response = gateway.ask(`{ sites ${NESTED} }`);
    await vi.waitFor(
      () => expect(below.map((path) => gateway.sandbox.calls.countOf(path))).toEqual([1, 1, 1, 1, 1]),
      WAIT,
    );
    await response;
    expect(below.map((path) => gateway.sandbox.calls.countOf(path))).toEqual([1, 1, 1, 1, 1]);
  });

  it.each(['(first: 2)', '(filter: { nameContains: "x" })'])(
    'collections are not requested where the list is short or narrowed %s',
    async (list) => {
      gateway.sandbox.faults.add({ match: '/v2.0/site', latencyMs: 500 });
      const response = gateway.ask(`{ sites${list} ${NESTED} }`);
      await vi.waitFor(() => expect(gateway.sandbox.calls.countOf('/v2.0/site')).toBe(1), WAIT);
      expect(below.map((path) => gateway.sandbox.calls.countOf(path))).toEqual([0, 0, 0, 0, 0]);
      await response;
    },
  );

  it('conditional selections are not prefetched', async () => {
    gateway.sandbox.faults.add({ match: '/v2.0/site', latencyMs: 500 });
    const response = gateway.ask(
      'query ($with: Boolean!) { sites { nodes { devices @include(if: $with) { name } } } }',
      {
        with: false,
      },
    );
    await response;
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

  it('its relations are requested before the site arrives', async () => {
    gateway.sandbox.faults.add({ match: SITE, latencyMs: 2000 });
    const response = gateway.ask(`query ($id: ID!) { site(id: $id) ${AT_SITE} }`, { id: `Site:${siteId}` });
    await vi.waitFor(() => expect(callsOf(atSite)).toEqual([1, 1]), WAIT);
    await response;
    expect(callsOf([SITE, ...atSite])).toEqual([1, 1, 1]);
  });

  it('an object from a list is not requested by its id', async () => {
    await gateway.ask(`{ site(id: "${siteId}") ${AT_SITE} }`);
    expect(
      callsOf(['/v2.0/device/id/{deviceId}', '/v2.0/channel/{channelId}', '/v2.0/channel/id/{channelId}']),
    ).toEqual([0, 0, 0]);
  });

  it('unselected relations are not requested', async () => {
    await gateway.ask(`{ site(id: "${siteId}") { name organization { sites { nodes { name } } } } }`);
    expect(callsOf(atSite)).toEqual([0, 0]);
  });

  it('nothing is requested for a site that the list shows not to exist', async () => {
    await gateway.ask('{ sites { totalCount } }');
    await gateway.ask(`{ site(id: "999999999") ${AT_SITE} }`);
    expect(callsOf([SITE, ...atSite])).toEqual([0, 0, 0]);
  });

  it('an invalid id is reported, and nothing is requested', async () => {
    const { body } = await gateway.query(`{ site(id: "Device:1") ${AT_SITE} }`);
    expect(body.errors?.[0]?.extensions.code).toBe('BAD_USER_INPUT');
    expect(callsOf(atSite)).toEqual([0, 0]);
  });
});

describe('of last samples', () => {
  const LAST = '{ streams { lastSample { value } } }';
  let still: TestGateway;
  let siteIds: number[];

  /** Fetch plans depend on measured durations, of which a still clock measures none. */
  beforeEach(async () => {
    still = await startStillGateway();
    const sites = still.sql<{ id: number }>(
      'SELECT site_id AS id FROM stream WHERE account_id = ? GROUP BY site_id ORDER BY count(*) DESC',
      still.accountId,
    );
    siteIds = sites.map(({ id }) => id);
  });

  afterEach(() => still.stop());

  const countBatches = () =>
    ['/v2.0/site/{siteId}/sample/batch', '/v2.0/sample/batch'].map((template) =>
      still.sandbox.calls.countOf(template),
    );

  it('several sites are planned together', async () => {
    expect(siteIds.length).toBeGreaterThan(2);
    await still.ask(`{ ${siteIds.map((id) => `s${id}: site(id: "${id}") ${LAST}`).join(' ')} }`);
    expect(countBatches()).toEqual([0, 1]);
  });

  it('a fresh batch is not searched again for an explained operation', async () => {
    await still.ask(`{ site(id: "${siteIds[0]}") ${LAST} }`);
    expect(countBatches()).toEqual([1, 0]);
    await still.query(`{ site(id: "${siteIds[0]}") ${LAST} }`, {}, { 'X-Explain': 'true' });
    expect(countBatches()).toEqual([1, 0]);
  });

  it('one batch serves the last samples and the newest time', async () => {
    await still.ask(`{ site(id: "${siteIds[0]}") { newestSampledAt streams { lastSample { value } } } }`);
    expect(countBatches()).toEqual([1, 0]);
  });

  it.each([{}, { 'Cache-Control': 'no-cache' }])(
    'the batch and the organization do not wait for the channels (headers %o)',
    async (headers) => {
      const organizations = ['/v2.0/account/organization', '/v2.0/account/organization/{organizationId}'];
      const countOrganizations = () =>
        organizations.reduce((sum, template) => sum + still.sandbox.calls.countOf(template), 0);
      const below = `devices { channels ${LAST} }`;
      for (const match of ['/v2.0/channel', '/v2.0/device/{deviceId}/channels']) {
        still.sandbox.faults.add({ match, latencyMs: 2000 });
      }
      const settled = vi.fn();
      const response = still.query(
        `{ site(id: "${siteIds[0]}") { organization { name } ${below} } }`,
        {},
        headers,
      );
      void response.then(settled);
      await vi.waitFor(() => expect([countOrganizations(), countBatches()]).toEqual([1, [1, 0]]), WAIT);
      expect(settled).not.toHaveBeenCalled();
      await response;
      expect([countOrganizations(), countBatches()]).toEqual([1, [1, 0]]);
    },
  );
});
