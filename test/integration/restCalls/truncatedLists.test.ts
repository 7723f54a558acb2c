/** A list at the platform's maximum length may be truncated, so objects missing from it are requested one by one. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { POLICIES } from '../../../src/cache/policies.js';
import { MAX_LIST_LENGTH } from '../../../src/sources/core/fetchPlan.js';
import { startStillGateway, type TestGateway } from '../../support/gateway.js';
import { startLiveGateway } from '../../support/http/live.js';

let gateway: TestGateway;

beforeEach(async () => {
  gateway = await startStillGateway();
});

afterEach(() => gateway.stop());

/** Serves a full list of devices or streams that contains none of the existing ones. */
function truncate(
  path: '/v2.0/site' | '/v2.0/device' | '/v2.0/stream' | '/v2.0/stream/customAttributes',
  badRows = 0,
  length = MAX_LIST_LENGTH,
) {
  const rows = Array.from({ length }, (_, index) => ({
    id: index < badRows ? 'no id' : index + 1,
    site_id: 1,
    parent_id: 1,
  }));
  const fault = { match: `GET ${path}`, status: 200, body: JSON.stringify(rows) };
  gateway.sandbox.faults.add(fault);
}

function deviceIds(): string[] {
  const rows = gateway.sql<{ id: number }>(
    'SELECT id FROM device WHERE account_id = ? ORDER BY id LIMIT 5',
    gateway.accountId,
  );
  return rows.map(({ id }) => `Device:${id}`);
}

describe('with a truncated list', () => {
  it('objects by id are still found, and missing ones are still null', async () => {
    truncate('/v2.0/device');
    const ids = [...deviceIds(), 'Device:99999999'];
    const { data, calls } = await gateway.count<{ nodes: ({ id: string } | null)[] }>(
      'query ($ids: [ID!]!) { nodes(ids: $ids) { id } }',
      { ids },
    );
    expect(data.nodes.map((node) => node?.id ?? null)).toEqual([...deviceIds(), null]);
    expect(calls.filter((path) => path === '/v2.0/device')).toHaveLength(1);
    expect(calls.filter((path) => path === '/v2.0/device/id/{deviceId}')).toHaveLength(ids.length);
  });

  it('objects by id are found even if a row of the list is invalid', async () => {
    truncate('/v2.0/device', 1);
    const { nodes } = await gateway.ask<{ nodes: ({ id: string } | null)[] }>(
      'query ($ids: [ID!]!) { nodes(ids: $ids) { id } }',
      { ids: deviceIds() },
    );
    expect(nodes.map((node) => node?.id)).toEqual(deviceIds());
  });

  it.each([
    [MAX_LIST_LENGTH, 0],
    [MAX_LIST_LENGTH, 5],
    [MAX_LIST_LENGTH - 1, 0],
    [3, 1],
  ])(
    'of %i rows, %i of them unreadable, the result shows whether more may exist',
    async (length, badRows) => {
      truncate('/v2.0/device', badRows, length);
      const { devices, sites } = await gateway.ask<Record<'devices' | 'sites', object>>(
        '{ devices { totalCount isComplete } sites { isComplete } }',
      );
      expect(devices).toEqual({
        totalCount: length - badRows,
        isComplete: length < MAX_LIST_LENGTH,
      });
      expect(sites).toEqual({ isComplete: true });
    },
  );

  it('of which no row is readable, only its own field fails', async () => {
    truncate('/v2.0/device', 3, 3);
    const { body } = await gateway.query('{ devices { totalCount } sites { isComplete } }');
    expect(body.data).toEqual({ devices: null, sites: { isComplete: true } });
    expect(body.errors).toMatchObject([{ path: ['devices'], extensions: { code: 'PLATFORM_BAD_RESPONSE' } }]);
  });

  it('each site loads its own streams', async () => {
    const operation = '{ sites { nodes { streams { id } } } }';
    const whole = await gateway.ask(operation);
    truncate('/v2.0/stream');
    const { data, calls } = await gateway.count(operation);
    expect(data).toEqual(whole);
    expect(calls).toContain('/v2.0/site/{siteId}/streams');
  });

  it('a filter by site reads the list of the site, and the list of the account only once', async () => {
    truncate('/v2.0/stream');
    const listOf = (siteId: string) =>
      gateway.count<{ streams: { totalCount: number; isComplete: boolean } }>(
        'query ($siteId: ID!) { streams(filter: { siteId: $siteId }) { totalCount isComplete } }',
        { siteId },
      );
    const [one, other] = gateway.sql<{ id: number; count: number }>(
      `SELECT site.id, count(*) AS count FROM site JOIN stream ON stream.site_id = site.id
       WHERE site.account_id = ? GROUP BY site.id ORDER BY site.id LIMIT 2`,
      gateway.accountId,
    );
    const first = await listOf(`${one?.id}`);
    expect(first.data.streams).toEqual({ totalCount: one?.count, isComplete: true });
    expect(first.calls).toEqual(['/v2.0/stream', '/v2.0/site/{siteId}/streams']);
    const second = await listOf(`${other?.id}`);
    expect(second.data.streams).toEqual({ totalCount: other?.count, isComplete: true });
    expect(second.calls).toEqual(['/v2.0/site/{siteId}/streams']);
    const unknown = await listOf('99999999');
    expect(unknown.data.streams).toEqual({ totalCount: 0, isComplete: true });
  });

  it('a filter by a site whose own list is truncated is not complete', async () => {
    truncate('/v2.0/stream');
    const [site] = gateway.sql<{ id: number }>('SELECT id FROM site WHERE account_id = ?', gateway.accountId);
    const rows = Array.from({ length: MAX_LIST_LENGTH }, (_, index) => ({
      id: index + 1,
      site_id: site?.id,
    }));
    const body = JSON.stringify(rows);
    gateway.sandbox.faults.add({ match: 'GET /v2.0/site/{siteId}/streams', status: 200, body });
    const query = 'query ($siteId: ID!) { streams(filter: { siteId: $siteId }) { totalCount isComplete } }';
    expect(await gateway.ask(query, { siteId: `${site?.id}` })).toEqual({
      streams: { totalCount: MAX_LIST_LENGTH, isComplete: false },
    });
  });

  it('a filter by organization shows that streams of further sites may exist', async () => {
    truncate('/v2.0/site');
    const [stream] = gateway.sql<{ siteId: number; organizationId: number }>(
      `SELECT site_id AS siteId, account_organization_id AS organizationId FROM stream JOIN site ON site.id = site_id
       WHERE site.account_id = ? LIMIT 1`,
      gateway.accountId,
    );
    const { streams } = await gateway.ask<{ streams: object }>(
      `query ($siteId: ID!, $organizationId: ID!) {
        streams(filter: { siteId: $siteId, organizationId: $organizationId }) { totalCount isComplete } }`,
      { siteId: String(stream?.siteId), organizationId: String(stream?.organizationId) },
    );
    expect(streams).toEqual({ totalCount: 0, isComplete: false });
  });

  it('streams are linked to their channels as usual', async () => {
    const operation =
      '{ streams { nodes { id channel { id } channelLink customAttributes { name value } } } }';
    const whole = await gateway.ask(operation);
    truncate('/v2.0/stream/customAttributes');
    const { data, calls } = await gateway.count(operation);
    expect(data).toEqual(whole);
    expect(calls.filter((path) => path === '/v2.0/stream/customAttributes')).toHaveLength(1);
  });

  it('is requested once, and then each site at once', async () => {
    const operation = '{ sites { nodes { streams { customAttributes { value } } } } }';
    truncate('/v2.0/stream/customAttributes');
    const first = await gateway.count(operation);
    const second = await gateway.count(operation);
    expect(first.calls.filter((path) => path === '/v2.0/stream/customAttributes')).toHaveLength(1);
    expect(second.calls).not.toContain('/v2.0/stream/customAttributes');
    expect(second.calls).toContain('/v2.0/site/{siteId}/streams/customAttributes');
    expect(second.calls).not.toContain('/v2.0/stream/{streamId}/customAttributes');
  });
});

it('with a failing batch of the account, last samples come from a batch for each site', async () => {
  const operation = '{ sites { nodes { streams { lastSample { rawValue } } } } }';
  const whole = await gateway.ask(operation);
  gateway.sandbox.faults.add({ match: 'GET /v2.0/sample/batch', status: 500 });
  const { data, calls } = await gateway.count(operation);
  expect(data).toEqual(whole);
  expect(calls.filter((path) => path === '/v2.0/sample/batch')).toHaveLength(1);
  expect(calls).toContain('/v2.0/site/{siteId}/sample/batch');
});

describe('with a truncated batch of a site, last samples come from the batch of the account', () => {
  const SITE_BATCH = '/v2.0/site/{siteId}/sample/batch';
  const ACCOUNT_BATCH = '/v2.0/sample/batch';
  const operation =
    '{ sites(first: 1, orderBy: { field: ID }) { nodes { streams { lastSample { rawValue } } } } }';
  const body = JSON.stringify({ hasMore: true, samples: [] });

  it('instead of one call for each stream', async () => {
    gateway.sandbox.faults.add({ match: `GET ${SITE_BATCH}`, status: 200, body });
    const { data, calls } = await gateway.count(operation);
    expect(calls.filter((path) => path.endsWith('/batch'))).toEqual([SITE_BATCH, ACCOUNT_BATCH]);
    gateway.sandbox.faults.clear();
    expect(data).toEqual(await gateway.ask(operation));
  });

  it('also after their time to live, without the batch of the site', async () => {
    const live = await startLiveGateway();
    live.sandbox.faults.add({ match: `GET ${SITE_BATCH}`, status: 200, body });
    const first = await live.ask(operation);
    expect(live.sandbox.calls.countOf(SITE_BATCH)).toBe(1);
    const { timeToLiveMs, staleWhileRevalidateMs } = POLICIES.lastSample;
    live.clock.advance(timeToLiveMs + staleWhileRevalidateMs);
    live.sandbox.calls.reset();
    expect(await live.ask(operation)).toEqual(first);
    expect(live.sandbox.calls.countOf(SITE_BATCH)).toBe(0);
    expect(live.sandbox.calls.countOf(ACCOUNT_BATCH)).toBe(1);
  });
});
