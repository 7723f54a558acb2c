/** The scalar fields of entities, compared with the rows of the sandbox. */
import { describe, expect, it } from 'vitest';
import { startStillGateway, toText } from '../../support/gateway.js';

const gateway = await startStillGateway();

interface Page<Node> {
  nodes: Node[];
}

describe('the fields of an entity', () => {
  it('of a site include its location, which is null without coordinates', async () => {
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

  it('of a device, a channel and a stream equal the platform’s data', async () => {
    const result = await gateway.ask<Record<'device' | 'channel' | 'stream', unknown>>(`{
      device(id: 20411) { platformId name serialNumber modelNumber firmwareVersion akid iccid iccid2 meid }
      channel(id: 31001) { platformId name createdAt numberOnDevice type { platformId name } status { platformId name } }
      stream(id: 88001) { platformId name createdAt type { platformId name } units valueScale status { platformId name } }
    }`);
    const [device] = gateway.sql<Record<string, string>>('SELECT * FROM device WHERE id = 20411');
    const [channel] = gateway.sql<Record<string, string>>('SELECT * FROM channel WHERE id = 31001');
    const [stream] = gateway.sql<Record<string, string>>('SELECT * FROM stream WHERE id = 88001');
    const { display_name, serial_number, model_number, firmware_version, akid, iccid, iccid2, meid } =
      device ?? {};
    expect(result.device).toEqual({
      ...{ platformId: '20411', name: display_name, serialNumber: serial_number },
      ...{ modelNumber: model_number, firmwareVersion: firmware_version },
      ...{ akid, iccid, iccid2: iccid2 || null, meid },
    });
    expect(result.channel).toEqual({
      ...{ platformId: '31001', name: channel?.['display_name'] },
      createdAt: toText(Number(channel?.['creation_date'])),
      numberOnDevice: channel?.['on_device_num'],
      type: { platformId: String(channel?.['type_id']), name: channel?.['type_display_name'] },
      status: { platformId: String(channel?.['status_id']), name: channel?.['display_status_name'] },
    });
    expect(result.stream).toEqual({
      ...{ platformId: '88001', name: stream?.['display_name'], units: stream?.['units'] },
      createdAt: toText(Number(stream?.['creation_date'])),
      type: { platformId: String(stream?.['type_id']), name: stream?.['type_display_name'] },
      valueScale: Number(stream?.['value_scale']),
      status: { platformId: String(stream?.['status_id']), name: null },
    });
  });

  it('of users include their details, null where the platform has none', async () => {
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

  it('health and logs of a device start after the given record', async () => {
    const rows = gateway.sql<{ id: number }>(
      'SELECT id FROM device_health WHERE device_id = 20411 ORDER BY id',
    );
    const after = rows[2]?.id ?? 0;
    const { device } = await gateway.ask<{
      device: Record<'all' | 'rest' | 'none', { nodes: { platformId: string }[] }>;
    }>(
      `query ($after: ID!) { device(id: 20411) {
        all: health { nodes { platformId } } rest: health(after: $after) { nodes { platformId } }
        none: logs(after: 9000000) { nodes { platformId } }
      } }`,
      { after },
    );
    const ids = rows.map(({ id }) => String(id));
    expect(ids.length).toBeLessThan(100);
    expect(device.all.nodes.map(({ platformId }) => platformId)).toEqual(ids);
    expect(device.rest.nodes.map(({ platformId }) => platformId)).toEqual(ids.slice(3));
    expect(device.none.nodes).toEqual([]);
  });

  it('health is paged beyond the hundred records of one REST call', async () => {
    const insert = gateway.sandbox.database.prepare(
      'INSERT INTO device_health VALUES (?, 20411, 1700000000, 9, ?)',
    );
    for (let record = 1; record <= 250; record++) insert.run(99_000_000 + record, record);
    const found: number[] = [];
    let after = '99000000';
    for (let isMore = true; isMore; ) {
      const { device } = await gateway.ask<{
        device: {
          health: { nodes: { value: number }[]; pageInfo: { hasNextPage: boolean; endCursor: string } };
        };
      }>(
        `query ($after: ID) { device(id: 20411) { health(first: 110, after: $after) {
          nodes { value } pageInfo { hasNextPage endCursor } } } }`,
        { after },
      );
      found.push(...device.health.nodes.map(({ value }) => value));
      isMore = device.health.pageInfo.hasNextPage;
      after = device.health.pageInfo.endCursor;
    }
    expect(found).toEqual(Array.from({ length: 250 }, (_, index) => index + 1));
  });

  it('names of custom attributes are returned for sites and for streams', async () => {
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
