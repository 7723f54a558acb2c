/**
 * Callers that are restricted to organizations, on every path through the schema: they get the whole account's result
 * without foreign objects, and cannot learn that those exist.
 */
import { describe, expect, it } from 'vitest';
import { createSchema } from '../../src/graphql/schema.js';
import { createQueries } from '../../src/sandbox/database/queries.js';
import { MAX_LIST_LENGTH } from '../../src/sources/core/fetchPlan.js';
import { listEdges, writeField } from '../support/execution/schemaEdges.js';
import { required } from '../support/gateway.js';
import { connectSocket } from '../support/http/callers.js';
import {
  dataOf,
  newestOfStreams,
  ownedTypes,
  startRestrictedGateway,
  type VisibleOrganizations,
} from '../support/http/restrictedGateway.js';
import { type Rule, visibilityRules } from './visibilityRules.js';

const schema = createSchema();
const edges = listEdges(schema);
const withRule = (...rules: readonly Rule[]) =>
  edges.filter(({ name }) => rules.some((rule) => visibilityRules[name] === rule));

const gateway = await startRestrictedGateway();

const OWN_ORGANIZATIONS: readonly number[] = [310, 312];
const canSee = (entry: VisibleOrganizations) => (id: string) => {
  const owner = gateway.ownerOf(id);
  return owner !== null && (entry === '*' || entry.includes(owner));
};

it('every root field and every edge of the schema has a rule, and no rule is superfluous', () => {
  expect(edges.map(({ name }) => name).sort()).toEqual(Object.keys(visibilityRules).sort());
});

describe('edges', () => {
  const owned = withRule('inside', 'up').filter(({ type }) => ownedTypes.some((name) => name === type));

  it.each(owned.map((edge) => [edge.name, edge] as const))(
    '%s stay unchanged from visible objects, and lead to nothing that is not visible',
    async (_, { type, field }) => {
      const ids = gateway.idsOf(required(ownedTypes.find((name) => name === type)));
      const query = `query ($ids: [ID!]!) { nodes(ids: $ids) { ... on ${type} { ${writeField(field, 1)} } } }`;
      const ask = async (entry: VisibleOrganizations) =>
        dataOf(await gateway.askAs<{ nodes: unknown[] }>(entry, query, { ids })).nodes;
      const whole = await ask('*');
      const expected = whole.map((node, index) =>
        canSee(OWN_ORGANIZATIONS)(required(ids[index])) ? node : null,
      );
      expect(await ask(OWN_ORGANIZATIONS)).toEqual(expected);
      expect(expected).toContain(null);
      expect(expected.some((node) => node !== null)).toBe(true);
    },
  );

  it('to RFID reads work only for their owner', async () => {
    const rows = gateway.sql<{ id: string; owner: number }>(newestOfStreams('rfid'));
    expect(rows.length).toBeGreaterThan(0);
    for (const { id, owner } of rows) {
      const query = `{ node(id: "RfidSample:${id}") { id } }`;
      const node = { id: `RfidSample:${id}` };
      expect(dataOf(await gateway.askAs([owner], query))).toEqual({ node });
      expect(dataOf(await gateway.askAs([owner === 311 ? 312 : 311], query))).toEqual({ node: null });
    }
  });

  it('Threshold.levels include no stream of another organization', async () => {
    const query =
      '{ streams(first: 1000) { nodes { threshold { levels { sampleActions { stream { id } } } } } } }';
    const response = JSON.stringify(dataOf(await gateway.askAs(OWN_ORGANIZATIONS, query)));
    for (const [id] of response.matchAll(/Stream:\d+/g)) expect(canSee(OWN_ORGANIZATIONS)(id)).toBe(true);
  });
});

describe('lookups', () => {
  /** Variables for each root field, with a foreign id, the id of an object without an owner, and an unknown id. */
  const probes: Readonly<Record<string, { sql: string; unknown: string }>> = {
    node: { sql: "SELECT 'Stream:' || id AS id, site_id FROM stream", unknown: 'Stream:999999' },
    organization: {
      sql: 'SELECT id, NULL AS site_id FROM organization WHERE id IN (311, 314)',
      unknown: '999999',
    },
    site: { sql: 'SELECT id, id AS site_id FROM site', unknown: '999999' },
    device: { sql: 'SELECT id, site_id FROM device', unknown: '999999' },
    deviceBySerialNumber: { sql: 'SELECT serial_number AS id, site_id FROM device', unknown: 'SN-NONE' },
    channel: {
      sql: 'SELECT c.id, site_id FROM channel c JOIN device d ON d.id = device_id',
      unknown: '999999',
    },
    stream: { sql: 'SELECT id, site_id FROM stream', unknown: '999999' },
    image: {
      sql: 'SELECT i.id, site_id FROM image_sample i JOIN stream t ON t.id = stream_id',
      unknown: '999999',
    },
  };

  it('are all tested', () => {
    const roots = withRule('lookup').map(({ field }) => field.name);
    expect([...Object.keys(probes), 'nodes'].sort()).toEqual(roots.sort());
  });

  it.each(Object.keys(probes))(
    'by %s return the same for a foreign object and a missing one',
    async (root) => {
      const { sql, unknown } = required(probes[root]);
      const rows = gateway.sql<{ id: string | number; site_id: number | null }>(sql);
      const foreign = rows
        .filter(({ site_id }) => !canSee(OWN_ORGANIZATIONS)(`Site:${site_id}`))
        .map(({ id }) => String(id));
      expect(foreign.length).toBeGreaterThan(0);
      const field = required(schema.getQueryType()?.getFields()[root]);
      const [argument] = field.args;
      const type = String(required(argument).type);
      const query = `query ($value: ${type}) { ${writeField(field, 0, `(${argument?.name}: $value)`)} }`;
      const responses = async (value: string) => {
        gateway.sandbox.calls.reset();
        const body = await gateway.askAs(
          OWN_ORGANIZATIONS,
          query,
          { value },
          { 'Cache-Control': 'no-cache', 'X-Explain': '1' },
        );
        return { body, kinds: new Set(gateway.restCalls().map(({ pathTemplate }) => pathTemplate)) };
      };
      const nothing = await responses(unknown);
      expect(nothing.body).toEqual({ data: { [root]: null } });
      for (const value of foreign) expect(await responses(value)).toEqual(nothing);
    },
  );

  it('find a visible site, and no foreign one, that a truncated list does not contain', async () => {
    const [own, foreign] = [OWN_ORGANIZATIONS[0], 311].map((owner) =>
      required(gateway.idsOf('Site').find((id) => gateway.ownerOf(id) === owner)),
    );
    const rows = Array.from({ length: MAX_LIST_LENGTH }, (_, index) => ({ id: index + 1 }));
    const fresh = await startRestrictedGateway();
    fresh.sandbox.faults.add({ match: 'GET /v2.0/site', status: 200, body: JSON.stringify(rows) });
    const query = 'query ($ids: [ID!]!) { nodes(ids: $ids) { id } }';
    const data = dataOf(await fresh.askAs(OWN_ORGANIZATIONS, query, { ids: [own, foreign] }));
    expect(data).toEqual({ nodes: [{ id: own }, null] });
  });

  it('fail alike for both when the platform fails', async () => {
    const foreign = required(gateway.idsOf('Channel').find((id) => !canSee(OWN_ORGANIZATIONS)(id)));
    for (const endpoint of ['GET /v2.0/device', 'GET /v2.0/site', 'GET /v2.0/device/id/{deviceId}']) {
      gateway.sandbox.faults.add({ match: endpoint, status: 400 });
      const ask = async (id: string) => {
        const query = 'query ($id: ID!) { node(id: $id) { id } }';
        const { data, errors } = await gateway.askAs(
          OWN_ORGANIZATIONS,
          query,
          { id },
          { 'Cache-Control': 'no-cache' },
        );
        return { data, code: errors?.[0]?.extensions.code };
      };
      expect(await ask(foreign)).toEqual(await ask('Channel:999999'));
      gateway.sandbox.faults.clear();
    }
  });
});

describe('data of the account', () => {
  it('includes no users', async () => {
    const user = required(gateway.idsOf('User')[0]);
    const query = `{ users { totalCount isComplete nodes { id } } user(id: "${user}") { id } node(id: "${user}") { id } }`;
    expect(dataOf(await gateway.askAs(OWN_ORGANIZATIONS, query))).toEqual({
      users: { totalCount: 0, isComplete: true, nodes: [] },
      user: null,
      node: null,
    });
  });

  it('does not include delivery queues: they are refused without a REST call', async () => {
    const query = '{ sampleBatch(kind: SCALAR) { hasMore } sampleBatchStatus(kind: RFID) { id } }';
    gateway.sandbox.calls.reset();
    const { data, errors } = await gateway.askAs(OWN_ORGANIZATIONS, query);
    expect(data).toEqual({ sampleBatch: null, sampleBatchStatus: null });
    expect(errors?.map(({ extensions }) => extensions.code)).toEqual(['FORBIDDEN', 'FORBIDDEN']);
    expect(gateway.restCalls()).toEqual([]);
  });

  it('includes the attribute names of visible objects', async () => {
    const query = '{ siteCustomAttributeNames { name } streamCustomAttributeNames { name } }';
    const named = (target: string, organizations: string) =>
      gateway.sql<{ name: string }>(
        `SELECT DISTINCT a.display_name AS name FROM attribute a JOIN attribute_value v ON v.attribute_id = a.id
         JOIN ${target === 'site' ? 'site s ON s.id' : 'stream t ON t.id = v.parent_id JOIN site s ON s.id = t.site_id AND t.id'} = v.parent_id
         WHERE a.target = '${target}' AND s.account_organization_id IN (${organizations}) ORDER BY a.id`,
      );
    for (const organizations of [[311], [312], [310, 312], [313]]) {
      expect(dataOf(await gateway.askAs(organizations, query))).toEqual({
        siteCustomAttributeNames: named('site', organizations.join()),
        streamCustomAttributeNames: named('stream', organizations.join()),
      });
    }
  });

  it('includes no X-Explain for a restricted caller', async () => {
    const explained = async (entry: VisibleOrganizations) =>
      Object.keys(await gateway.askAs(entry, '{ sites { totalCount } }', {}, { 'X-Explain': '1' }));
    expect(await explained('*')).toContain('extensions');
    expect(await explained(OWN_ORGANIZATIONS)).not.toContain('extensions');
  });
});

describe('rows of streams', () => {
  const range = 'range: { from: 1000000000000, to: 4000000000000 }';

  it.each([
    ['chart', `${range}, maxPoints: 3`],
    ['thresholdChanges', range],
  ])('of %s are those of visible streams alone, by stream and by site', async (field, args) => {
    const query = `query ($streams: [ID!], $sites: [ID!]) {
      rows: ${field}(streamIds: $streams, siteIds: $sites, ${args}) { streamId } }`;
    const sites = gateway.idsOf('Site').filter((id) => gateway.ownerOf(id) !== null);
    const streams = gateway.idsOf('Stream').slice(0, 50);
    for (const variables of [{ streams }, { sites: sites.slice(0, 5) }]) {
      const ask = async (entry: VisibleOrganizations) =>
        dataOf(await gateway.askAs<{ rows: { streamId: string }[] }>(entry, query, variables)).rows;
      const whole = await ask('*');
      const visible = whole.filter(({ streamId }) => canSee(OWN_ORGANIZATIONS)(streamId));
      expect(await ask(OWN_ORGANIZATIONS)).toEqual(visible);
      if (field === 'chart') expect(visible.length).toBeLessThan(whole.length);
    }
  });
});

describe('live samples', () => {
  it('are those of visible streams, for any filter', async () => {
    const token = await gateway.tokenOf([310]);
    const start = gateway.sql<{ id: number }>('SELECT max(id) - 200 AS id FROM scalar_sample')[0];
    const foreignSite = required(gateway.idsOf('Site').find((id) => gateway.ownerOf(id) === 312));
    const foreignStream = required(gateway.idsOf('Stream').find((id) => gateway.ownerOf(id) === 311));
    const query = `subscription ($sites: [ID!], $streams: [ID!]) {
      sampleReceived(kinds: [SCALAR], siteIds: $sites, streamIds: $streams, after: "ScalarSample:${start?.id}") { id stream { id } } }`;
    const waiting = gateway.sql<{ id: number; stream_id: number }>(
      `SELECT c.id, stream_id FROM scalar_sample c JOIN stream t ON t.id = stream_id WHERE c.id > ? AND account_id = ? ORDER BY c.id`,
      required(start).id,
      gateway.accountId,
    );
    const expected = waiting.filter(({ stream_id }) => gateway.ownerOf(`Stream:${stream_id}`) === 310);
    expect(expected.length).toBeGreaterThan(3);
    expect(expected.length).toBeLessThan(waiting.length);

    const socket = connectSocket(gateway.url, { params: { Authorization: `Bearer ${token}` } });
    const refused = socket.client.iterate({
      query,
      variables: { sites: [foreignSite], streams: [foreignStream] },
    });
    const ofOthers = refused.next().then(
      ({ value }) => value?.errors,
      (errors) => errors,
    );
    const received: unknown[] = [];
    for await (const { data } of socket.client.iterate<{ sampleReceived: unknown }>({ query })) {
      received.push(data?.sampleReceived);
      if (received.length === expected.length) break;
    }
    expect(received).toEqual(
      expected.map(({ id, stream_id }) => ({
        id: `ScalarSample:${stream_id}:${id}`,
        stream: { id: `Stream:${stream_id}` },
      })),
    );
    // The same as for an id that no object has, so that the result does not reveal whether the object exists.
    expect(await ofOthers).toMatchObject([
      {
        message: expect.stringMatching(
          /^(siteIds\[0\]: There is no Site|streamIds\[0\]: There is no Stream):\d+\.$/,
        ),
        extensions: { code: 'BAD_USER_INPUT' },
      },
    ]);
  });
});

describe('changes of threshold levels', () => {
  it('are those of visible streams', async () => {
    // The tests above have put the levels of some streams into the cache of the shared gateway.
    const fresh = await startRestrictedGateway();
    const { run } = createQueries(fresh.sandbox.database);
    // A limit between the values of each stream, so that all streams change their level.
    run(`INSERT OR REPLACE INTO threshold (stream_id, levels)
      SELECT stream_id, '[{"display_name":"Low","upper_limit":' || avg(value) || '},{"display_name":"High"}]'
      FROM scalar_sample WHERE typeof(value) = 'real' GROUP BY stream_id`);
    const start = fresh.sql<{ id: number }>('SELECT max(id) - 3000 AS id FROM scalar_sample')[0];
    const query = `subscription { thresholdStatusChanged(after: "ScalarSample:${start?.id}") { id: cursor stream { id } level { name } } }`;
    interface Change {
      id: string;
      stream: { id: string };
    }
    const changesOf = async (entry: VisibleOrganizations, count: number) => {
      const token = await fresh.tokenOf(entry);
      const socket = connectSocket(fresh.url, { params: { Authorization: `Bearer ${token}` } });
      const changes: Change[] = [];
      for await (const { data } of socket.client.iterate<{ thresholdStatusChanged: Change }>({ query })) {
        if (data) changes.push(data.thresholdStatusChanged);
        if (changes.length === count) break;
      }
      return changes;
    };
    const all = await changesOf('*', 60);
    const visible = all.filter(({ stream }) => fresh.ownerOf(stream.id) === 310);
    expect(visible.length).toBeGreaterThan(3);
    expect(visible.length).toBeLessThan(all.length);
    expect(await changesOf([310], visible.length)).toEqual(visible);
  });
});
