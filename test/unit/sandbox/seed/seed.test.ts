/** The sandbox's data: repeatable, of the requested size, and with the documented irregularities. */
import { describe, expect, it } from 'vitest';
import type { SandboxOptions } from '../../../../src/sandbox/sandbox.js';
import { createTestClock, startSandbox } from '../../../support/sandbox/sandbox.js';
import type { TestSandbox } from '../../../support/sandbox/testSandbox.js';

const TABLES = [
  ...['account', 'organization', 'user', 'site', 'device', 'channel', 'stream', 'attribute'],
  ...['attribute_value', 'threshold', 'scalar_sample', 'image_sample', 'rfid_sample', 'device_health'],
  'device_log',
];

function query<Row>(sandbox: TestSandbox, sql: string): Row[] {
  return sandbox.database.prepare(sql).all() as Row[];
}

function countOf(sandbox: TestSandbox, sql: string): number {
  return query<{ n: number }>(sandbox, `SELECT count(*) AS n FROM ${sql}`)[0]?.n ?? 0;
}

function start(options: SandboxOptions = {}) {
  return startSandbox({ clock: createTestClock(), ...options });
}

function dump(sandbox: TestSandbox): string {
  return TABLES.map((table) => JSON.stringify(query(sandbox, `SELECT * FROM ${table}`))).join('\n');
}

describe('seed', () => {
  it('creates the same data for the same seed and start, other data for another', async () => {
    const one = dump(await start());
    expect(dump(await start())).toBe(one);
    expect(dump(await start({ seed: 2 }))).not.toBe(one);
  });

  it('continues alike in one step or in many', async () => {
    const clocks = [createTestClock(), createTestClock()] as const;
    const [whole, parts] = await Promise.all(clocks.map((clock) => start({ clock, siteCount: 4 })));
    if (!whole || !parts) throw new Error('No sandboxes.');
    clocks[0].advance(7_200_000);
    const total = whole.simulator.step();
    let sum = 0;
    for (let step = 0; step < 40; step++) {
      clocks[1].advance(180_000);
      sum += parts.simulator.step();
    }
    expect(total).toBeGreaterThan(50);
    expect(sum).toBe(total);
    expect(dump(parts)).toBe(dump(whole));
    expect(whole.simulator.step()).toBe(0);
  });

  it('creates exactly the requested shape', async () => {
    const shape = { devicesPerSite: 2, channelsPerDevice: 3, scalarStreamsPerSite: 5 };
    const sandbox = await start({ siteCount: 7, shape });
    const mine = (table: string) => countOf(sandbox, `${table} WHERE account_id = 1207`);
    expect(['site', 'device', 'channel', 'stream'].map(mine)).toEqual([7, 14, 42, 35]);
  });

  it.each([0, 1, 2, 3, 5])('works with %i sites', async (siteCount) => {
    const sandbox = await start({ siteCount });
    expect(countOf(sandbox, 'site WHERE account_id = 1207')).toBe(siteCount);
  });
});

describe('the default world', async () => {
  const sandbox = await startSandbox({ siteCount: 40, historyDays: 14, clock: createTestClock() });
  const count = (sql: string) => countOf(sandbox, sql);
  const now = createTestClock().now() / 1000;

  it('has the documented size', () => {
    expect(count('site WHERE account_id = 1207')).toBe(40);
    expect(count('organization WHERE account_id = 1207')).toBe(4);
    const devices = query<{ n: number }>(sandbox, 'SELECT count(*) AS n FROM device GROUP BY site_id');
    const channels = query<{ n: number }>(sandbox, 'SELECT count(*) AS n FROM channel GROUP BY device_id');
    expect([Math.min(...devices.map(({ n }) => n)), Math.max(...devices.map(({ n }) => n))]).toEqual([1, 3]);
    expect([Math.min(...channels.map(({ n }) => n)), Math.max(...channels.map(({ n }) => n))]).toEqual([
      2, 8,
    ]);
    expect(count('scalar_sample')).toBeGreaterThan(250_000);
  });

  it('has the irregularities that clients must handle', () => {
    expect(count("site WHERE latitude = ''")).toBe(1);
    expect(count('site WHERE account_organization_id IS NULL')).toBe(1);
    expect(count("(SELECT DISTINCT stream_id FROM scalar_sample WHERE typeof(value) = 'text')")).toBe(1);
    expect(count("channel WHERE display_status_name = 'No contact'")).toBeGreaterThan(0);
    const twins = 'SELECT 1 FROM stream GROUP BY site_id, display_name HAVING count(*) > 1';
    expect(count(`(${twins})`)).toBe(1);
    const late =
      'scalar_sample a JOIN scalar_sample b ON b.id = a.id + 1 WHERE b.sample_date < a.sample_date - 600';
    expect(count(late)).toBeGreaterThan(100);
    expect(count('threshold')).toBeGreaterThan(30);
    expect(count('user WHERE first_name IS NULL')).toBeGreaterThan(0);
    const separators = query<{ tag_ids: string }>(sandbox, 'SELECT tag_ids FROM rfid_sample')
      .map(({ tag_ids }) => tag_ids.replace(/\d+/g, '').charAt(0))
      .filter((separator) => separator !== '');
    expect(new Set(separators)).toEqual(new Set([',', ';', ' ']));
  });

  it('links most streams to channels by attribute, some by a name that is unique in the site', () => {
    const byAttribute = count(
      "attribute_value v JOIN attribute a ON a.id = v.attribute_id WHERE a.display_name = 'channel_id'",
    );
    const named = `(SELECT c.id FROM channel c JOIN device d ON d.id = c.device_id
      JOIN stream s ON s.site_id = d.site_id AND s.display_name = c.display_name)`;
    expect(byAttribute / count('stream')).toBeGreaterThan(0.6);
    expect(count(named)).toBeGreaterThan(10);
    expect(count("channel WHERE display_name = 'Spare input'")).toBeGreaterThan(2);
  });

  it('has a device that has been silent for days', () => {
    const last = query<{ at: number }>(
      sandbox,
      `SELECT max(h.sample_date) AS at FROM device_health h GROUP BY h.device_id ORDER BY at LIMIT 1`,
    )[0]?.at;
    expect(now - (last ?? now)).toBeGreaterThan(3 * 86_400);
  });

  it('has gaps, spikes and a daily cycle', () => {
    const [stream] = query<{ id: number }>(
      sandbox,
      "SELECT id FROM stream WHERE display_name = 'Air temperature' ORDER BY id LIMIT 1",
    );
    const samples = query<{ at: number; value: number }>(
      sandbox,
      `SELECT sample_date AS at, value FROM scalar_sample WHERE stream_id = ${stream?.id} ORDER BY sample_date`,
    );
    const steps = samples.slice(1).map(({ at }, index) => at - (samples[index]?.at ?? 0));
    const usual = Math.min(...steps);
    expect([300, 600, 900]).toContain(usual);
    expect(steps.filter((step) => step > usual).length).toBeGreaterThan(2);
    const values = samples.map(({ value }) => value).sort((a, b) => a - b);
    const spread =
      (values[Math.floor(values.length * 0.9)] ?? 0) - (values[Math.floor(values.length * 0.1)] ?? 0);
    expect(spread).toBeGreaterThan(5);
  });

  it('has several sites within 10 km of the middle of Cincinnati', async () => {
    const near = (box: TestSandbox) =>
      countOf(
        box,
        `site WHERE abs(latitude - 39.1) < 0.07 AND abs(longitude + 84.51) < 0.08 AND latitude <> ''`,
      );
    expect(near(sandbox)).toBeGreaterThan(5);
    expect(near(await start({ siteCount: 3 }))).toBeGreaterThanOrEqual(2);
  });
});
