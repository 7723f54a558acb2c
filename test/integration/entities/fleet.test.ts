/** The whole fleet in one operation of the explorer, compared with the sandbox's database. */
import { describe, expect, it } from 'vitest';
import { type LastSample, lastSample, readOperation, startStillGateway } from '../../support/gateway.js';

const gateway = await startStillGateway();

interface Named {
  name: string;
}
interface FleetSite extends Named {
  status: string;
  location: { latitude: number; longitude: number } | null;
  devices: {
    serialNumber: string;
    modelNumber: string;
    channels: (Named & {
      type: Named;
      streams: (Named & { units: string; lastSample: LastSample | null })[];
    })[];
  }[];
}
interface Fleet {
  organizations: { nodes: (Named & { id: string; sites: { totalCount: number; nodes: FleetSite[] } })[] };
}

/** Channels with the streams that the attribute, or the only shared name in the site, links to them. */
const LINKED_STREAMS = `
  SELECT t.id, t.display_name, t.units FROM stream t JOIN device d ON d.site_id = t.site_id
  JOIN channel c ON c.device_id = d.id
  LEFT JOIN attribute_value v ON v.parent_id = t.id
    AND v.attribute_id IN (SELECT id FROM attribute WHERE display_name = 'channel_id')
  WHERE c.id = ? AND (v.value = CAST(c.id AS TEXT) OR (v.value IS NULL AND t.display_name = c.display_name
    AND (SELECT count(*) FROM stream o WHERE o.site_id = t.site_id AND o.display_name = t.display_name) = 1))
  ORDER BY t.id`;

function expectedSites(organizationId: number): FleetSite[] {
  const sites = gateway.sql<{
    id: number;
    display_name: string;
    status: string;
    latitude: string;
    longitude: string;
  }>('SELECT * FROM site WHERE account_organization_id = ? ORDER BY id', organizationId);
  return sites.map((site) => ({
    name: site.display_name,
    status: site.status,
    location:
      site.latitude === '' ? null : { latitude: Number(site.latitude), longitude: Number(site.longitude) },
    devices: gateway
      .sql<{ id: number; serial_number: string; model_number: string }>(
        'SELECT * FROM device WHERE site_id = ? ORDER BY id',
        site.id,
      )
      .map((device) => ({
        serialNumber: device.serial_number,
        modelNumber: device.model_number,
        channels: expectedChannels(device.id),
      })),
  }));
}

function expectedChannels(deviceId: number) {
  const channels = gateway.sql<{ id: number; display_name: string; type_display_name: string }>(
    'SELECT * FROM channel WHERE device_id = ? ORDER BY id',
    deviceId,
  );
  return channels.map(({ id, display_name, type_display_name }) => ({
    name: display_name,
    type: { name: type_display_name },
    streams: gateway
      .sql<{ id: number; display_name: string; units: string }>(LINKED_STREAMS, id)
      .map((stream) => ({
        name: stream.display_name,
        units: stream.units,
        lastSample: lastSample(gateway, stream.id),
      })),
  }));
}

describe('Fleet', () => {
  it('returns every organization, site, device, channel, stream and last sample of the database', async () => {
    const fleet = await gateway.ask<Fleet>(await readOperation('Fleet'));
    const organizations = gateway.sql<{ id: number; display_name: string }>(
      'SELECT * FROM organization WHERE account_id = ? ORDER BY id',
      gateway.accountId,
    );
    expect(organizations.length).toBeGreaterThan(1);
    expect(fleet.organizations.nodes).toEqual(
      organizations.map(({ id, display_name }) => {
        const sites = expectedSites(id);
        const connection = { totalCount: sites.length, nodes: sites };
        return { id: `Organization:${id}`, name: display_name, sites: connection };
      }),
    );
    const streams = fleet.organizations.nodes
      .flatMap(({ sites }) => sites.nodes)
      .flatMap(({ devices }) => devices)
      .flatMap(({ channels }) => channels)
      .flatMap((channel) => channel.streams);
    expect(streams.some(({ lastSample }) => lastSample !== null)).toBe(true);
  });
});
