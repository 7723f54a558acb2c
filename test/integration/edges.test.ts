/** Walks every edge of the graph there and back, and compares both directions with the database. */
import { beforeAll, describe, expect, it } from 'vitest';
import { startTestGateway, type TestGateway, toText } from '../support/gateway.js';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startTestGateway();
});

interface Identified {
  id: string;
}
interface Page<Node> {
  nodes: Node[];
}

/** Pairs of ids as the database has them, in the order of the first. */
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

  it('an organization has the sites that name it, and each of them leads back', async () => {
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

  it('with several organizations, a site that names none is in none', async () => {
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

  it('a site has its devices, and each of them leads back', async () => {
    const { sites } = await gateway.ask<{
      sites: Page<Identified & { devices: (Identified & { site: Identified })[] }>;
    }>('{ sites { nodes { id devices { id site { id } } } } }');
    const found = sites.nodes.flatMap(({ id, devices }) =>
      devices.map((device) => [device.id, id, device.site.id]),
    );
    expect(found).toEqual(expected().map(([device, site]) => [device, site, site]));
  });

  it('a site alone has the same devices as among all sites', async () => {
    const { site } = await gateway.ask<{ site: { devices: Identified[] } }>(
      '{ site(id: "Site:16801") { devices { id } } }',
    );
    expect(site.devices.map(({ id }) => id)).toEqual(
      expected().flatMap(([device, siteId]) => (siteId === 'Site:16801' ? [device] : [])),
    );
  });
});

describe('Device and Channel', () => {
  it('a device has its channels, and each of them leads back', async () => {
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
  it('a site has its streams, and each of them leads back', async () => {
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

describe('the whole circle', () => {
  it('leads from a sample over its channel to the organization and back down to the sample', async () => {
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

describe('the fields of an entity', () => {
  it('of a site without coordinates the location is null, of all others it is where the platform says', async () => {
    const { sites } = await gateway.ask<{ sites: Page<{ platformId: string; location: unknown }> }>(
      '{ sites { nodes { platformId location { latitude longitude } } } }',
    );
    const rows = gateway.sql<{ id: number; latitude: string; longitude: string }>(
      'SELECT id, latitude, longitude FROM site WHERE account_id = ? ORDER BY id',
      gateway.accountId,
    );
    expect(sites.nodes).toEqual(
      rows.map(({ id, latitude, longitude }) => ({
        platformId: String(id),
        location: latitude === '' ? null : { latitude: Number(latitude), longitude: Number(longitude) },
      })),
    );
    expect(rows.filter(({ latitude }) => latitude === '')).toHaveLength(1);
  });

  it('of a device, a channel and a stream are what the platform says', async () => {
    const answer = await gateway.ask<Record<'device' | 'channel' | 'stream', unknown>>(`{
      device(id: 20411) { platformId name serialNumber modelNumber firmwareVersion akid iccid iccid2 meid }
      channel(id: 31001) { platformId name createdAt numberOnDevice type { id name } status { id name } }
      stream(id: 88001) { platformId name createdAt type { id name } units valueScale status { id name } }
    }`);
    const [device] = gateway.sql<Record<string, string>>('SELECT * FROM device WHERE id = 20411');
    const [channel] = gateway.sql<Record<string, string>>('SELECT * FROM channel WHERE id = 31001');
    const [stream] = gateway.sql<Record<string, string>>('SELECT * FROM stream WHERE id = 88001');
    const { display_name, serial_number, model_number, firmware_version, akid, iccid, iccid2, meid } =
      device ?? {};
    expect(answer.device).toEqual({
      ...{ platformId: '20411', name: display_name, serialNumber: serial_number },
      ...{ modelNumber: model_number, firmwareVersion: firmware_version },
      ...{ akid, iccid, iccid2: iccid2 || null, meid },
    });
    expect(answer.channel).toEqual({
      ...{ platformId: '31001', name: channel?.['display_name'] },
      createdAt: toText(Number(channel?.['creation_date'])),
      numberOnDevice: channel?.['on_device_num'],
      type: { id: channel?.['type_id'], name: channel?.['type_display_name'] },
      status: { id: channel?.['status_id'], name: channel?.['display_status_name'] },
    });
    expect(answer.stream).toEqual({
      ...{ platformId: '88001', name: stream?.['display_name'], units: stream?.['units'] },
      createdAt: toText(Number(stream?.['creation_date'])),
      type: { id: stream?.['type_id'], name: stream?.['type_display_name'] },
      valueScale: Number(stream?.['value_scale']),
      status: { id: stream?.['status_id'], name: null },
    });
  });

  it('of users come with their details, null where the platform has none', async () => {
    const { users } = await gateway.ask<{ users: Page<unknown> }>(
      '{ users { nodes { userName emailAddress timezoneName firstName lastName mobilePhone } } }',
    );
    expect(users.nodes).toEqual(
      gateway.sql(
        `SELECT user_name AS userName, email_address AS emailAddress, timezone_name AS timezoneName,
          first_name AS firstName, last_name AS lastName, mobile_phone AS mobilePhone
         FROM user WHERE account_id = ? ORDER BY id`,
        gateway.accountId,
      ),
    );
  });

  it("uiPreferences are those of the credential's user", async () => {
    const { uiPreferences } = await gateway.ask<{ uiPreferences: unknown }>(
      '{ uiPreferences { dateFormat timeFormat } }',
    );
    expect(uiPreferences).toEqual({ dateFormat: 'MM/dd/yyyy', timeFormat: 'hh:mm a' });
  });

  it('health and logs of a device begin behind the record named', async () => {
    const rows = gateway.sql<{ id: number }>(
      'SELECT id FROM device_health WHERE device_id = 20411 ORDER BY id',
    );
    const after = rows[2]?.id ?? 0;
    const { device } = await gateway.ask<{
      device: Record<'all' | 'rest' | 'none', { platformId: string }[]>;
    }>(
      `query ($after: ID!) { device(id: 20411) {
        all: health { platformId } rest: health(after: $after) { platformId } none: logs(after: 9000000) { platformId }
      } }`,
      { after },
    );
    const ids = rows.map(({ id }) => String(id));
    expect(ids.length).toBeLessThan(100);
    expect(device.all.map(({ platformId }) => platformId)).toEqual(ids);
    expect(device.rest.map(({ platformId }) => platformId)).toEqual(ids.slice(3));
    expect(device.none).toEqual([]);
  });

  it('names of custom attributes come for sites and for streams', async () => {
    const names = await gateway.ask<Record<string, { name: string }[]>>(
      '{ siteCustomAttributeNames { name } streamCustomAttributeNames { name } }',
    );
    expect(names['siteCustomAttributeNames']?.map(({ name }) => name)).toEqual([
      'Asset owner',
      'Install depth m',
    ]);
    expect(names['streamCustomAttributeNames']?.map(({ name }) => name)).toEqual([
      'channel_id',
      'Last calibration',
    ]);
  });
});
