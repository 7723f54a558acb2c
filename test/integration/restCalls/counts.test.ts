/** The number of REST calls of queries, as a guard against one call per row. */
import { describe, expect, it, onTestFinished } from 'vitest';
import type { WireBatch, WireScalarSample } from '../../../src/rest/wire.js';
import {
  fullestStream,
  readOperation,
  required,
  STILL_NOW_MS,
  startStillGateway,
  TOKEN_PATH,
} from '../../support/gateway.js';

const gateway = await startStillGateway({ sandbox: { siteCount: 40 } });
await gateway.ask('{ sites(first: 1) { totalCount } }');

function idsOf(table: 'site' | 'device' | 'stream' | 'channel', count: number): number[] {
  const rows = gateway.sql<{ id: number }>(
    `SELECT id FROM ${table} WHERE account_id = ? ORDER BY id LIMIT ${count}`,
    gateway.accountId,
  );
  return rows.map(({ id }) => id);
}

describe('the whole fleet', () => {
  it('costs six calls without last samples, for any number of sites', async () => {
    const fleet = (await readOperation('Fleet')).replace(/lastSample\s*\{[^}]*\}/, '');
    expect(fleet).not.toContain('lastSample');
    const { data, calls } = await gateway.count<{
      organizations: { nodes: { sites: { nodes: unknown[] } }[] };
    }>(fleet);
    expect(calls.sort()).toEqual([
      '/v2.0/account/organization',
      '/v2.0/channel',
      '/v2.0/device',
      '/v2.0/site',
      '/v2.0/stream',
      '/v2.0/stream/customAttributes',
    ]);
    expect(data.organizations.nodes.flatMap(({ sites }) => sites.nodes).length).toBeGreaterThan(38);
  });

  it('costs one more batch with last samples, and a call for each stream without recent samples', async () => {
    const { calls } = await gateway.count(await readOperation('Fleet'));
    const [silent] = gateway.sql<{ count: number }>(
      `SELECT count(*) AS count FROM stream s WHERE account_id = ? AND NOT EXISTS
        (SELECT 1 FROM scalar_sample x WHERE x.stream_id = s.id AND x.sample_date >= ?)`,
      gateway.accountId,
      STILL_NOW_MS / 1000 - 3600,
    );
    expect(silent?.count).toBeLessThan(50);
    expect(calls.length).toBeLessThanOrEqual(7 + (silent?.count ?? 0));
  });

  it.each([
    [
      'the account',
      '/v2.0/sample/batch',
      '{ streams(first: 1000) { nodes { id lastSample { platformId } } } }',
    ],
    [
      'a site',
      '/v2.0/site/{siteId}/sample/batch',
      `{ site(id: SITE) { streams { id lastSample { platformId } } } }`,
    ],
  ])('costs no more if the batch of %s has a sample without a readable date', async (_, batch, query) => {
    const operation = query.replace('SITE', String(idsOf('site', 1)[0]));
    const sound = await gateway.count(operation);
    expect(sound.calls).toContain(batch);
    let undated: WireScalarSample | undefined;
    const edit = (json: unknown) => {
      const { samples } = json as WireBatch<WireScalarSample>;
      undated = samples.at(-1);
      return { hasMore: false, samples: samples.with(-1, { ...required(undated), sample_date: '' }) };
    };
    onTestFinished(gateway.sandbox.faults.add({ match: `GET ${batch}`, edit }));
    const { data, calls } = await gateway.count(operation);
    expect(calls.length).toBe(sound.calls.length);
    // Without a date the sample cannot be the last one, so the one before it is.
    const [before] = gateway.sql<{ id: number }>(
      'SELECT id FROM scalar_sample WHERE stream_id = ? AND id <> ? ORDER BY sample_date DESC, id DESC LIMIT 1',
      ...[required(undated).stream_id, required(undated).id],
    );
    const expected = JSON.stringify(sound.data).replace(`"${undated?.id}"`, `"${before?.id}"`);
    expect(JSON.stringify(data)).toBe(expected);
  });
});

describe('lists', () => {
  it.each(['sites', 'devices', 'channels', 'streams', 'organizations', 'users'])(
    'of %s cost one call',
    async (list) => {
      const { calls } = await gateway.count(`{ ${list}(first: 1000) { totalCount nodes { id } } }`);
      expect(calls).toHaveLength(1);
    },
  );

  it('cost no more for a filtered and sorted page than for the whole list', async () => {
    const { calls } = await gateway.count(`{
      sites(first: 2, filter: { nameContains: "a", status: "Active" }, orderBy: { field: NAME }) { nodes { name } }
    }`);
    expect(calls).toEqual(['/v2.0/site']);
  });

  it('of sites with custom attributes cost the sites and all attributes', async () => {
    const { calls } = await gateway.count('{ sites { nodes { customAttributes { name value } } } }');
    expect(calls.sort()).toEqual(['/v2.0/site', '/v2.0/site/customAttributes']);
  });

  it('of streams with site, organization and channel cost six calls', async () => {
    const { calls } = await gateway.count(`{
      streams(first: 1000) { nodes { site { organization { name } } channel { device { name } } } }
    }`);
    expect(new Set(calls).size).toBe(calls.length);
    expect(calls.length).toBeLessThanOrEqual(6);
  });

  it('are fetched once under several aliases', async () => {
    const { calls } = await gateway.count('{ a: sites { totalCount } b: sites(first: 1) { totalCount } }');
    expect(calls).toEqual(['/v2.0/site']);
  });
});

describe('objects by id', () => {
  it('cost no calls for users that a list has loaded', async () => {
    const { users } = await gateway.ask<{ users: { nodes: { id: string }[] } }>(
      '{ users { nodes { id userName } } }',
    );
    expect(users.nodes.length).toBeGreaterThan(1);
    gateway.sandbox.calls.reset();
    const query = 'query ($ids: [ID!]!) { nodes(ids: $ids) { ... on User { id } } }';
    const { nodes } = await gateway.ask<{ nodes: unknown[] }>(query, {
      ids: users.nodes.map(({ id }) => id),
    });
    expect(nodes).toEqual(users.nodes.map(({ id }) => ({ id })));
    expect(gateway.restCalls()).toEqual([]);
  });

  it('cost one call for fourteen aliases of one device', async () => {
    const [id] = idsOf('device', 1);
    const aliases = Array.from({ length: 14 }, (_, index) => `d${index}: device(id: "${id}") { name }`);
    const { data, calls } = await gateway.count<Record<string, { name: string }>>(
      `{ ${aliases.join('\n')} }`,
    );
    expect(calls).toEqual(['/v2.0/device/id/{deviceId}']);
    expect(new Set(Object.values(data).map(({ name }) => name)).size).toBe(1);
    expect(Object.keys(data)).toHaveLength(14);
  });

  it.each(['site', 'device', 'channel', 'stream'] as const)(
    'cost at most two calls for many %ss through `nodes`, and keep the order of the ids',
    async (table) => {
      const type = `${table[0]?.toUpperCase()}${table.slice(1)}`;
      const ids = idsOf(table, 100)
        .map((id) => `${type}:${id}`)
        .reverse();
      expect(ids.length).toBeGreaterThan(30);
      const { data, calls } = await gateway.count<{ nodes: { id: string }[] }>(
        'query ($ids: [ID!]!) { nodes(ids: $ids) { id } }',
        { ids },
      );
      expect(calls.length).toBeLessThanOrEqual(2);
      expect(data.nodes.map(({ id }) => id)).toEqual(ids);
    },
  );

  it('are fetched once for a device on two edges', async () => {
    const [id] = idsOf('channel', 1);
    const { calls } = await gateway.count(
      'query ($id: ID!) { channel(id: $id) { device { site { id } } again: device { name } } }',
      { id: String(id) },
    );
    expect(calls).toEqual(['/v2.0/channel/{channelId}', '/v2.0/device/id/{deviceId}', '/v2.0/site/{siteId}']);
  });
});

describe('one site', () => {
  it('is fetched by itself, without the lists of the whole account', async () => {
    const [id] = idsOf('site', 1);
    const { calls } = await gateway.count(
      'query ($id: ID!) { site(id: $id) { devices { name } streams { name } customAttributes { value } } }',
      { id: `Site:${id}` },
    );
    expect(calls.sort()).toEqual([
      '/v2.0/site/{siteId}',
      '/v2.0/site/{siteId}/customAttributes',
      '/v2.0/site/{siteId}/devices',
      '/v2.0/site/{siteId}/streams',
    ]);
  });

  it('takes one call for the attributes of all its streams', async () => {
    const [id] = idsOf('site', 1);
    const { calls } = await gateway.count(
      'query ($id: ID!) { site(id: $id) { streams { customAttributes { name value } } } }',
      { id: `Site:${id}` },
    );
    expect(calls.sort()).toEqual([
      '/v2.0/site/{siteId}',
      '/v2.0/site/{siteId}/streams',
      '/v2.0/site/{siteId}/streams/customAttributes',
    ]);
  });
});

describe('a selection', () => {
  it('of threshold levels without the status costs one call, and the reverse too', async () => {
    const [id] = idsOf('stream', 1);
    const levels = await gateway.count(
      'query ($id: ID!) { stream(id: $id) { threshold { levels { name } } } }',
      {
        id,
      },
    );
    expect(levels.calls).toEqual(['/v2.0/stream/{streamId}', '/v2.0/stream/{streamId}/threshold']);
    const status = await gateway.count('query ($id: ID!) { stream(id: $id) { threshold { status } } }', {
      id,
    });
    expect(status.calls).toEqual(['/v2.0/stream/{streamId}', '/v2.0/stream/{streamId}/threshold/status']);
  });

  it('of threshold levels that the filter has read costs nothing', async () => {
    const [site] = idsOf('site', 1);
    const alarms = (selection: string) =>
      gateway.count<{ streams: { totalCount: number } }>(
        `query ($site: ID!) {
          streams(filter: { siteId: $site, alarmLevel: [NONE, EVENT, EMERGENCY] }) { totalCount ${selection} } }`,
        { site },
      );
    const { data, calls } = await alarms('nodes { threshold { alarmLevel levels { name } } }');
    const ofLevels = calls.filter((template) => template === '/v2.0/stream/{streamId}/threshold');
    expect(data.streams.totalCount).toBeGreaterThan(1);
    expect(ofLevels).toHaveLength(data.streams.totalCount);
    expect(calls.sort()).toEqual((await alarms('')).calls.sort());
  });

  it('of the total costs nothing where the page is the whole list', async () => {
    const [id] = idsOf('stream', 1);
    const { calls } = await gateway.count(
      `query ($id: ID!) { stream(id: $id) {
        samples(first: 1000, range: { from: "2020-01-01T00:00:00Z", to: "2100-01-01T00:00:00Z" }) { totalCount }
      } }`,
      { id },
    );
    expect(calls).toEqual(['/v2.0/stream/{streamId}', '/v2.0/stream/{streamId}/sample/range']);
  });
});

describe('a stream with a few samples', () => {
  it.each([3, 100])('takes three calls for a page of %i newest ones', async (first) => {
    const small = await startStillGateway({ sandbox: { siteCount: 3 } });
    onTestFinished(() => small.stop());
    const id = fullestStream(small, 'scalar');
    small.sandbox.database.exec(
      `DELETE FROM scalar_sample WHERE stream_id = ${id} AND id NOT IN
        (SELECT id FROM scalar_sample WHERE stream_id = ${id} ORDER BY sample_date DESC LIMIT 2)`,
    );
    const { data, calls } = await small.count<{ stream: { samples: { nodes: object[] } } }>(
      'query ($id: ID!, $first: Int) { stream(id: $id) { samples(first: $first, order: DESC) { nodes { value } } } }',
      { id, first },
    );
    expect(data.stream.samples.nodes).toHaveLength(2);
    expect(calls).toEqual([
      '/v2.0/stream/{streamId}',
      ...Array(3).fill('/v2.0/stream/{streamId}/sample/range'),
    ]);
  });
});

describe('the token', () => {
  it('is requested once by concurrent callers, and reused by later ones', async () => {
    const fresh = await startStillGateway({ sandbox: { siteCount: 3 } });
    await Promise.all(Array.from({ length: 20 }, () => fresh.ask('{ devices { totalCount } }')));
    await fresh.ask('{ sites { nodes { name } } }');
    expect(fresh.sandbox.calls.countOf(TOKEN_PATH)).toBe(1);
    expect(fresh.sandbox.calls.countOf('/v2.0/site')).toBe(1);
  });
});

describe('last images and RFID reads', () => {
  it('come from two batches, and one by one for streams without units that the batches lack', async () => {
    interface Found {
      streams: { nodes: { units: string; lastImage: object | null; lastRfidRead: object | null }[] };
    }
    const { data, calls } = await gateway.count<Found>(
      '{ streams(first: 1000) { nodes { units lastImage { url } lastRfidRead { rawTagIds } } } }',
    );
    const unitless = data.streams.nodes.filter(({ units }) => units === '');
    const withImages = unitless.filter(({ lastImage }) => lastImage).length;
    const withReads = unitless.filter(({ lastRfidRead }) => lastRfidRead).length;
    expect(Math.min(withImages, withReads)).toBeGreaterThan(0);
    expect(unitless.length).toBeLessThan(data.streams.nodes.length / 2);
    expect(calls.sort()).toEqual([
      '/v2.0/sample/image/batch',
      '/v2.0/sample/rfid/batch',
      '/v2.0/stream',
      ...Array(unitless.length - withImages).fill('/v2.0/stream/{streamId}/sample/image/last'),
      ...Array(unitless.length - withReads).fill('/v2.0/stream/{streamId}/sample/rfid/last'),
    ]);
    for (const { id } of gateway.sql<{ id: number }>(
      `SELECT DISTINCT s.id FROM stream s JOIN (SELECT stream_id FROM image_sample UNION SELECT stream_id FROM rfid_sample) x
       ON x.stream_id = s.id WHERE units <> '' AND account_id = ?`,
      gateway.accountId,
    ))
      expect.fail(`The stream ${id} has units and yet images or reads.`);
  });
});
