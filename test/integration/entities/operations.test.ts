/** The operations of the explorer, run unchanged and compared with the sandbox's database. */
import { describe, expect, it } from 'vitest';
import { distanceKm } from '../../../src/lib/geography.js';
import {
  type LastSample,
  lastSample,
  readOperation,
  required,
  startStillGateway,
  toText,
} from '../../support/gateway.js';

const gateway = await startStillGateway();

interface Named {
  name: string;
}
function lastSampleOf(streamId: number) {
  return lastSample(gateway, streamId);
}

interface SitePage {
  site: Named & {
    organization: Named | null;
    customAttributes: (Named & { value: string })[];
    devices: {
      serialNumber: string;
      firmwareVersion: string;
      lastHealth: { counterTypeId: number; value: number; sampledAt: string }[];
      lastLog: { message: string; loggedAt: string } | null;
    }[];
    streams: (Named & {
      id: string;
      type: Named;
      units: string;
      lastSample: LastSample | null;
      threshold: {
        status: string | null;
        levels: { name: string; lowerLimit: number | null; upperLimit: number | null }[];
      };
    })[];
  };
}

const LAST_HEALTH = `SELECT counter_type_id AS counterTypeId, value, sample_date FROM device_health h
  WHERE device_id = ? AND sample_date = (SELECT max(sample_date) FROM device_health o
    WHERE o.device_id = h.device_id AND o.counter_type_id = h.counter_type_id) ORDER BY counter_type_id`;

describe('SitePage', () => {
  const siteIds = [16801, 16804, 16806, 16807];
  it.each(siteIds)('returns site %i as in the database', async (siteId) => {
    const { site } = await gateway.ask<SitePage>(await readOperation('SitePage'), { id: `Site:${siteId}` });
    const [row] = gateway.sql<{ display_name: string; organization: string | null }>(
      `SELECT s.display_name, o.display_name AS organization FROM site s
       LEFT JOIN organization o ON o.id = s.account_organization_id WHERE s.id = ?`,
      siteId,
    );
    expect(site.name).toBe(required(row).display_name);
    expect(site.organization).toEqual(row?.organization ? { name: row.organization } : null);
    expect(site.customAttributes).toEqual(
      gateway.sql(
        `SELECT a.display_name AS name, v.value FROM attribute_value v JOIN attribute a ON a.id = v.attribute_id
         WHERE v.parent_id = ? ORDER BY a.id`,
        siteId,
      ),
    );
    expect(site.devices).toEqual(expectedDevices(siteId));
  });

  it.each(siteIds)('returns the streams of site %i with last sample and limits', async (siteId) => {
    const { site } = await gateway.ask<SitePage>(await readOperation('SitePage'), { id: String(siteId) });
    const rows = gateway.sql<{ id: number; display_name: string; type_display_name: string; units: string }>(
      'SELECT * FROM stream WHERE site_id = ? ORDER BY id',
      siteId,
    );
    const known = rows.map((row) => ({
      id: `Stream:${row.id}`,
      name: row.display_name,
      type: { name: row.type_display_name },
      units: row.units,
      lastSample: lastSampleOf(row.id),
    }));
    expect(site.streams.map(({ threshold: _, ...stream }) => stream)).toEqual(known);
    for (const [index, { id }] of rows.entries()) expectThreshold(id, required(site.streams[index]));
  });
});

function expectedDevices(siteId: number) {
  const rows = gateway.sql<{ id: number; serial_number: string; firmware_version: string }>(
    'SELECT * FROM device WHERE site_id = ? ORDER BY id',
    siteId,
  );
  return rows.map((device) => {
    const [log] = gateway.sql<{ message: string; log_date: number }>(
      'SELECT message, log_date FROM device_log WHERE device_id = ? ORDER BY log_date DESC, id DESC LIMIT 1',
      device.id,
    );
    return {
      serialNumber: device.serial_number,
      firmwareVersion: device.firmware_version,
      lastHealth: gateway
        .sql<{ counterTypeId: number; value: number; sample_date: number }>(LAST_HEALTH, device.id)
        .map(({ sample_date, ...counter }) => ({ ...counter, sampledAt: toText(sample_date) })),
      lastLog: log ? { message: log.message, loggedAt: toText(log.log_date) } : null,
    };
  });
}

/** A level begins where the one below it ends; the status names the level of the newest value. */
function expectThreshold(streamId: number, { lastSample, threshold }: SitePage['site']['streams'][number]) {
  const [row] = gateway.sql<{ levels: string }>('SELECT levels FROM threshold WHERE stream_id = ?', streamId);
  const stored = row ? (JSON.parse(row.levels) as { display_name: string; upper_limit?: number }[]) : [];
  expect(threshold.levels.map(({ name, upperLimit }) => ({ name, upperLimit }))).toEqual(
    stored.map((level) => ({ name: level.display_name, upperLimit: level.upper_limit ?? null })),
  );
  for (const [index, level] of threshold.levels.entries()) {
    expect(level.lowerLimit).toBe(index === 0 ? null : threshold.levels[index - 1]?.upperLimit);
  }
  const value = lastSample?.value;
  if (stored.length === 0 || value === null || value === undefined) return;
  const bands = threshold.levels.filter(
    ({ lowerLimit, upperLimit }) =>
      (lowerLimit === null || value >= lowerLimit) && (upperLimit === null || value <= upperLimit),
  );
  expect(bands.map(({ name }) => name)).toContain(threshold.status);
}

interface Nearby {
  sites: { edges: { distanceKm: number; node: { name: string } }[] };
}

describe('Nearby', () => {
  it('returns the sites within ten kilometres, nearest first', async () => {
    const { sites } = await gateway.ask<Nearby>(await readOperation('Nearby'));
    const centre = { latitude: 39.1, longitude: -84.51 };
    const expected = gateway
      .sql<{ name: string; latitude: string; longitude: string }>(
        "SELECT display_name AS name, latitude, longitude FROM site WHERE account_id = ? AND latitude <> ''",
        gateway.accountId,
      )
      .map(({ name, latitude, longitude }) => ({
        name,
        distanceKm: distanceKm(centre, { latitude: Number(latitude), longitude: Number(longitude) }),
      }))
      .filter((site) => site.distanceKm <= 10)
      .sort((one, other) => one.distanceKm - other.distanceKm);
    expect(expected.length).toBeGreaterThan(2);
    expect(sites.edges).toEqual(
      expected.map(({ name, ...site }) => ({
        distanceKm: Number(site.distanceKm.toFixed(3)),
        node: { name },
      })),
    );
  });
});

interface Chart {
  stream: {
    name: string;
    units: string;
    series: { times: number[]; values: number[]; sourceCount: number; method: string };
    aggregates: { startAt: string; count: number; min: number; max: number; avg: number; sum: number }[];
  };
}

describe('Chart', () => {
  it("returns a day's samples and hourly aggregates as in the database", async () => {
    const id = 88001;
    const [span] = gateway.sql<{ first: number; last: number; name: string; units: string }>(
      `SELECT min(x.sample_date) AS first, max(x.sample_date) AS last, s.display_name AS name, s.units
       FROM scalar_sample x JOIN stream s ON s.id = x.stream_id WHERE s.id = ?`,
      id,
    );
    const { first, last, name, units } = required(span);
    const variables = { id: `Stream:${id}`, from: toText(first), to: toText(last) };
    const { stream } = await gateway.ask<Chart>(await readOperation('Chart'), variables);

    expect(stream).toMatchObject({ name, units, series: { method: 'LTTB' } });
    const rows = gateway.sql<{ time: number; value: number }>(
      `SELECT sample_date * 1000 AS time, value FROM scalar_sample
       WHERE stream_id = ? AND sample_date < ? ORDER BY sample_date, id`,
      id,
      last,
    );
    expect(rows.length).toBeGreaterThan(50);
    expect(stream.series.sourceCount).toBe(rows.length);
    const shown = stream.series.times.filter((_, index) => stream.series.values[index] !== null);
    expect(shown).toEqual(rows.map(({ time }) => time));
    expect(stream.series.values.filter((value) => value !== null)).toEqual(rows.map(({ value }) => value));
    const counted = stream.aggregates.reduce((total, { count }) => total + count, 0);
    expect(counted).toBe(rows.length);
    expect(Math.max(...stream.aggregates.map(({ max }) => max))).toBe(
      Math.max(...rows.map(({ value }) => value)),
    );
  });
});
