/** Follows every edge of the graph in both directions, and compares the results with the database. */
import { describe, expect, it } from 'vitest';
import { startStillGateway } from '../../support/gateway.js';

const gateway = await startStillGateway();

interface Identified {
  id: string;
}
interface Page<Node> {
  nodes: Node[];
}

/** Pairs of ids from the database, ordered by the first id. */
function pairs(sql: string): [string, string | null][] {
  return gateway
    .sql<{ one: string; other: string | null }>(sql, gateway.accountId)
    .map(({ one, other }) => [one, other]);
}

describe('Organization and Site', () => {
  interface Down {
    organizations: Page<Identified & { sites: { totalCount: number; nodes: (Identified & Up)[] } }>;
  }
  interface Up {
    organization: Identified | null;
  }

  it('an organization contains the sites that name it, and each of them leads back', async () => {
    const { organizations } = await gateway.ask<Down>(
      '{ organizations { nodes { id sites { totalCount nodes { id organization { id } } } } } }',
    );
    const found = organizations.nodes.flatMap(({ id, sites }) => {
      expect(sites.totalCount).toBe(sites.nodes.length);
      expect(sites.nodes.every(({ organization }) => organization?.id === id)).toBe(true);
      return sites.nodes.map((site) => [site.id, id]);
    });
    expect(found.sort()).toEqual(
      pairs(`SELECT 'Site:' || id AS one, 'Organization:' || account_organization_id AS other FROM site
        WHERE account_id = ? AND account_organization_id IS NOT NULL ORDER BY id`),
    );
  });

  it('with several organizations, a site that names none belongs to none', async () => {
    const { sites } = await gateway.ask<{ sites: Page<Identified & Up> }>(
      '{ sites { nodes { id organization { id } } } }',
    );
    const expected = pairs(`SELECT 'Site:' || id AS one, 'Organization:' || account_organization_id AS other
      FROM site WHERE account_id = ? ORDER BY id`);
    expect(sites.nodes.map(({ id, organization }) => [id, organization?.id ?? null])).toEqual(expected);
    expect(expected.filter(([, organization]) => organization === null)).toHaveLength(1);
  });
});

describe('Site and Device', () => {
  const expected = () =>
    pairs(`SELECT 'Device:' || id AS one, 'Site:' || site_id AS other FROM device
      WHERE account_id = ? ORDER BY id`);

  it('a site contains its devices, and each of them leads back', async () => {
    const { sites } = await gateway.ask<{
      sites: Page<Identified & { devices: (Identified & { site: Identified })[] }>;
    }>('{ sites { nodes { id devices { id site { id } } } } }');
    const found = sites.nodes.flatMap(({ id, devices }) =>
      devices.map((device) => [device.id, id, device.site.id]),
    );
    expect(found).toEqual(expected().map(([device, site]) => [device, site, site]));
  });

  it('a single site has the same devices as in the list of all sites', async () => {
    const { site } = await gateway.ask<{ site: { devices: Identified[] } }>(
      '{ site(id: "Site:16801") { devices { id } } }',
    );
    expect(site.devices.map(({ id }) => id)).toEqual(
      expected().flatMap(([device, siteId]) => (siteId === 'Site:16801' ? [device] : [])),
    );
  });
});

describe('Device and Channel', () => {
  it('a device contains its channels, and each of them leads back', async () => {
    const { devices } = await gateway.ask<{
      devices: Page<Identified & { channels: (Identified & { device: Identified })[] }>;
    }>('{ devices { nodes { id channels { id device { id } } } } }');
    const found = devices.nodes.flatMap(({ id, channels }) =>
      channels.map((channel) => [channel.id, id, channel.device.id]),
    );
    const expected = pairs(`SELECT 'Channel:' || id AS one, 'Device:' || device_id AS other FROM channel
      WHERE account_id = ? ORDER BY id`);
    expect(found).toEqual(expected.map(([channel, device]) => [channel, device, device]));
  });
});

describe('Site and Stream', () => {
  it('a site contains its streams, and each of them leads back', async () => {
    const { sites } = await gateway.ask<{
      sites: Page<Identified & { streams: (Identified & { site: Identified })[] }>;
    }>('{ sites { nodes { id streams { id site { id } } } } }');
    const found = sites.nodes.flatMap(({ id, streams }) =>
      streams.map((stream) => [stream.id, id, stream.site.id]),
    );
    const expected = pairs(`SELECT 'Stream:' || id AS one, 'Site:' || site_id AS other FROM stream
      WHERE account_id = ? ORDER BY id`);
    expect(found).toEqual(expected.map(([stream, site]) => [stream, site, site]));
  });
});

describe('Stream and Sample', () => {
  it('a last sample of each kind leads back to its stream', async () => {
    const { streams } = await gateway.ask<{
      streams: Page<
        Identified & Record<'lastSample' | 'lastImage' | 'lastRfidRead', { stream: Identified } | null>
      >;
    }>(`{ streams { nodes { id lastSample { stream { id } } lastImage { stream { id } }
      lastRfidRead { stream { id } } } } }`);
    for (const kind of ['lastSample', 'lastImage', 'lastRfidRead'] as const) {
      const samples = streams.nodes.flatMap((stream) =>
        stream[kind] ? [[stream.id, stream[kind].stream.id]] : [],
      );
      expect(samples.length).toBeGreaterThan(0);
      expect(samples.filter(([one, other]) => one !== other)).toEqual([]);
    }
  });
});

describe('a path over all types', () => {
  it('leads from a sample over its channel to the organization and back to the sample', async () => {
    interface Circle {
      stream: {
        lastSample: { id: string; stream: { channel: { device: { site: { organization: Organization } } } } };
      };
    }
    interface Organization {
      sites: Page<{ devices: { channels: { streams: { lastSample: Identified | null }[] }[] }[] }>;
    }
    const { stream } =
      await gateway.ask<Circle>(`{ stream(id: 88001) { lastSample { id stream { channel { device {
      site { organization { sites { nodes { devices { channels { streams { lastSample { id } } } } } } } }
    } } } } } }`);
    const { id, stream: back } = stream.lastSample;
    const samples = back.channel.device.site.organization.sites.nodes
      .flatMap(({ devices }) => devices)
      .flatMap(({ channels }) => channels)
      .flatMap(({ streams }) => streams)
      .map(({ lastSample }) => lastSample?.id);
    expect(samples).toContain(id);
  });
});
