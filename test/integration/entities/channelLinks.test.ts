/**
 * The links between channels and streams over the real REST API: each rule, in both directions, for every selection.
 */
import { describe, expect, it, onTestFinished } from 'vitest';
import type { WireChannel, WireStream } from '../../../src/rest/wire.js';
import { startStillGateway, type TestGateway } from '../../support/gateway.js';
import { tokenFor } from '../../support/sandbox/sandbox.js';

const gateway = await startStillGateway({ sandbox: { siteCount: 12 } });

interface Linked {
  id: string;
  channel: { id: string } | null;
  channelLink: string | null;
}

const UP = '{ streams(first: 1000) { nodes { id channel { id } channelLink } } }';

async function linksUp(from = gateway): Promise<Map<string, string>> {
  const { streams } = await from.ask<{ streams: { nodes: Linked[] } }>(UP);
  const found = streams.nodes.map(({ id, channel, channelLink }): [string, string] => {
    expect(channel === null).toBe(channelLink === null);
    return [id, `${channel?.id ?? 'none'} ${channelLink ?? ''}`.trim()];
  });
  return new Map(found);
}

interface StreamRow {
  id: number;
  site_id: number;
  display_name: string;
  attribute: string | null;
}

/** The same rule over rows of the database. */
function expectedLinks(attributeName = 'channel_id'): Map<string, string> {
  const streams = gateway.sql<StreamRow>(
    `SELECT s.id, s.site_id, s.display_name, (SELECT v.value FROM attribute_value v JOIN attribute a
       ON a.id = v.attribute_id WHERE v.parent_id = s.id AND a.display_name = ?) AS attribute
     FROM stream s WHERE s.account_id = ?`,
    attributeName,
    gateway.accountId,
  );
  const channels = gateway.sql<{ id: number; site_id: number; display_name: string }>(
    `SELECT c.id, d.site_id, c.display_name FROM channel c JOIN device d ON d.id = c.device_id
     WHERE c.account_id = ?`,
    gateway.accountId,
  );
  function ruleFor(stream: StreamRow): string {
    const near = channels.filter(({ site_id }) => site_id === stream.site_id);
    if (stream.attribute !== null) {
      return near.some(({ id }) => String(id) === stream.attribute)
        ? `Channel:${stream.attribute} CUSTOM_ATTRIBUTE`
        : 'none';
    }
    const isNamesake = (thing: { site_id: number; display_name: string }) =>
      thing.site_id === stream.site_id && thing.display_name === stream.display_name;
    const [channel, ...others] = channels.filter(isNamesake);
    const isAlone = others.length === 0 && streams.filter(isNamesake).length === 1;
    return channel && isAlone ? `Channel:${channel.id} NAME` : 'none';
  }
  return new Map(streams.map((stream) => [`Stream:${stream.id}`, ruleFor(stream)]));
}

describe('Stream.channel and Stream.channelLink', () => {
  it('follow the attribute or the only shared name, and are null otherwise', async () => {
    const expected = expectedLinks();
    expect(await linksUp()).toEqual(expected);
    const rules = [...expected.values()].map((text) => text.split(' ')[1]);
    for (const rule of ['CUSTOM_ATTRIBUTE', 'NAME', undefined]) expect(rules).toContain(rule);
  });

  it('are null for two streams of one name, whose channel has no stream', async () => {
    const { streams, channels } = await gateway.ask<{
      streams: { nodes: Linked[] };
      channels: { nodes: { streams: unknown[] }[] };
    }>(`{
      streams(filter: { nameContains: "Tank level" }) { nodes { id channel { id } channelLink } }
      channels(filter: { nameContains: "Tank level" }) { nodes { streams { id } } }
    }`);
    expect(streams.nodes.map(({ channel, channelLink }) => [channel, channelLink])).toEqual([
      [null, null],
      [null, null],
    ]);
    expect(channels.nodes).toEqual([{ streams: [] }]);
  });
});

describe('Channel.streams', () => {
  it('is the inverse of Stream.channel, for every channel of the account', async () => {
    const { channels } = await gateway.ask<{
      channels: { nodes: { id: string; streams: { id: string; channel: { id: string } }[] }[] };
    }>('{ channels(first: 1000) { nodes { id streams { id channel { id } } } } }');
    const down = channels.nodes.flatMap(({ id, streams }) =>
      streams.map((stream) => {
        expect(stream.channel.id).toBe(id);
        return [stream.id, id];
      }),
    );
    const up = [...(await linksUp())].map(([id, link]) => [id, link.split(' ')[0]]);
    expect(down.sort()).toEqual(up.filter(([, channel]) => channel !== 'none').sort());
  });
});

describe('the link', () => {
  it('is the same in a query for one stream, one channel, one site or everything', async () => {
    const all = await linksUp();
    const bySite = new Map<string, string>();
    const sites = gateway.sql<{ id: number }>('SELECT id FROM site WHERE account_id = ?', gateway.accountId);
    for (const { id } of sites) {
      const { site } = await gateway.ask<{ site: { streams: Linked[] } }>(
        'query ($id: ID!) { site(id: $id) { streams { id channel { id } channelLink } } }',
        { id },
      );
      for (const one of site.streams) {
        bySite.set(one.id, `${one.channel?.id ?? 'none'} ${one.channelLink ?? ''}`.trim());
      }
    }
    expect(bySite).toEqual(all);

    for (const id of [...all.keys()].slice(0, 30)) {
      const { stream } = await gateway.ask<{ stream: Linked }>(
        'query ($id: ID!) { stream(id: $id) { channel { id } channelLink } }',
        { id },
      );
      expect(`${stream.channel?.id ?? 'none'} ${stream.channelLink ?? ''}`.trim()).toBe(all.get(id));
    }
  });
});

describe('a changed CHANNEL_ATTRIBUTE', () => {
  it('links by the attribute of that name and by no other', async () => {
    const other = await startStillGateway({
      sandbox: { siteCount: 12 },
      gateway: { channelAttribute: 'Last calibration' },
    });
    onTestFinished(() => other.stop());
    expect(await linksUp(other)).toEqual(expectedLinks('Last calibration'));
  });
});

/** Serves a list of the sandbox with `change` applied to each row. */
async function changeRows<Row>(from: TestGateway, path: string, change: (row: Row) => object) {
  const [{ key, secret }] = from.sandbox.credentials;
  const headers = { Authorization: `Bearer ${await tokenFor(from.sandbox.url, key, secret)}` };
  const rows = (await (await fetch(from.sandbox.url + path, { headers })).json()) as Row[];
  from.sandbox.faults.add({ match: `GET ${path}`, status: 200, body: JSON.stringify(rows.map(change)) });
}

describe('a channel id in the REST response', () => {
  it('takes precedence, and saves the call for the attributes', async () => {
    const other = await startStillGateway({ sandbox: { siteCount: 3 } });
    onTestFinished(() => other.stop());
    const channels = other.sql<WireChannel & { site_id: number }>(
      `SELECT c.*, d.site_id FROM channel c JOIN device d ON d.id = c.device_id WHERE c.account_id = ?
       ORDER BY c.id DESC`,
      other.accountId,
    );
    const channelFor = (stream: WireStream) => channels.find(({ site_id }) => site_id === stream.site_id)?.id;
    await changeRows<WireStream>(other, '/v2.0/stream', (row) => ({ ...row, channel_id: channelFor(row) }));

    const { data, calls } = await other.count<{ streams: { nodes: Linked[] } }>(UP);
    const nodes = data.streams.nodes;
    expect(nodes.length).toBeGreaterThan(3);
    expect(new Set(nodes.map(({ channelLink }) => channelLink))).toEqual(new Set(['CHANNEL_ID']));
    expect(calls).not.toContain('/v2.0/stream/customAttributes');
  });

  it('of another site links nothing, and prevents the links by attribute and name', async () => {
    const other = await startStillGateway({ sandbox: { siteCount: 3 } });
    onTestFinished(() => other.stop());
    await changeRows<WireStream>(other, '/v2.0/stream', (row) => ({ ...row, channel_id: 999_999 }));
    const { streams } = await other.ask<{ streams: { nodes: Linked[] } }>(UP);
    expect(streams.nodes.map(({ channel }) => channel)).toEqual(streams.nodes.map(() => null));
  });
});

describe('an attribute that names a channel of another site', () => {
  it('links nothing, in either direction', async () => {
    const other = await startStillGateway({ sandbox: { siteCount: 3 } });
    onTestFinished(() => other.stop());
    const [far] = other.sql<{ id: number }>(
      `SELECT c.id FROM channel c JOIN device d ON d.id = c.device_id
       WHERE d.site_id = (SELECT max(id) FROM site WHERE account_id = ?)`,
      other.accountId,
    );
    await changeRows<{ display_name: string }>(other, '/v2.0/stream/customAttributes', (row) =>
      row.display_name === 'channel_id' ? { ...row, value: String(far?.id) } : row,
    );
    const { sites } = await other.ask<{
      sites: { nodes: { streams: Linked[]; devices: { channels: { streams: unknown[] }[] }[] }[] };
    }>(`{ sites { nodes { streams { id channel { id } channelLink }
      devices { channels { streams { id } } } } } }`);
    const [first] = sites.nodes;
    const byAttribute = first?.streams.filter(({ channelLink }) => channelLink === 'CUSTOM_ATTRIBUTE');
    expect(byAttribute).toEqual([]);
    const channels = first?.devices.flatMap((device) => device.channels) ?? [];
    const linked = first?.streams.filter(({ channel }) => channel !== null) ?? [];
    expect(channels.flatMap(({ streams }) => streams)).toHaveLength(linked.length);
  });
});
