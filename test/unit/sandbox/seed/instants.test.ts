/** The rows that tests rely on exist at every instant at which a sandbox may start, even with a short history. */
import { describe, expect, it } from 'vitest';
import { runToCompletion } from '../../../../src/lib/slicedComputation.js';
import { planWorld } from '../../../../src/sandbox/seed/planWorld.js';
import { startSandbox } from '../../../support/sandbox/sandbox.js';

const HOUR_MS = 3_600_000;
const FIRST_MS = Date.UTC(2026, 10, 21, 20, 40);

/** Three days in steps of seven hours, then instants at which calendars change. */
const instants = [
  ...Array.from({ length: 11 }, (_, step) => FIRST_MS + step * 7 * HOUR_MS),
  ...[
    Date.UTC(2027, 2, 28, 1),
    Date.UTC(2027, 9, 31, 1),
    Date.UTC(2028, 1, 29),
    Date.UTC(2027, 11, 31, 23, 59),
  ],
].map((ms) => new Date(ms).toISOString());

const READERS = {
  health: 'SELECT id FROM device WHERE id NOT IN (SELECT device_id FROM device_health)',
  log: 'SELECT id FROM device WHERE id NOT IN (SELECT device_id FROM device_log)',
  samples: `SELECT id FROM stream WHERE id NOT IN (SELECT stream_id FROM scalar_sample
    UNION SELECT stream_id FROM image_sample UNION SELECT stream_id FROM rfid_sample)`,
};

describe.each([0.02, 1])('a sandbox with a history of %s days', (historyDays) => {
  it.each(instants)('has a row for every source at %s', async (instant) => {
    const clock = { now: () => Date.parse(instant) };
    const { database, close } = await startSandbox({ siteCount: 10, historyDays, clock });
    for (const [name, sql] of Object.entries(READERS)) {
      expect(database.prepare(sql).all(), name).toEqual([]);
    }
    await close();
  });
});

describe('a sandbox', () => {
  it('has a sample of every stream type', async () => {
    const { database } = await startSandbox({
      siteCount: 10,
      historyDays: 0.02,
      clock: { now: () => FIRST_MS },
    });
    const typesWith = (table: string) =>
      database
        .prepare(`SELECT DISTINCT type_display_name AS type FROM ${table} ORDER BY 1`)
        .all()
        .map((row) => (row as { type: string }).type);
    expect(typesWith('image_sample JOIN stream ON stream.id = stream_id')).toEqual(['Image']);
    expect(typesWith('rfid_sample JOIN stream ON stream.id = stream_id')).toEqual(['RFID']);
    const scalars = typesWith('scalar_sample JOIN stream ON stream.id = stream_id');
    expect([...scalars, 'Image', 'RFID'].sort()).toEqual(typesWith('stream').sort());
  });

  it('gives each device and stream one source', () => {
    const world = planWorld({ seed: 1, now: FIRST_MS / 1000, siteCount: 10, shape: undefined });
    const { rows, sources } = runToCompletion(world);
    const idsOf = (...kinds: string[]) =>
      sources.filter(({ kind }) => kinds.includes(kind)).map(({ id }) => id);
    const devices = rows.device.map(([id]) => id);
    expect(idsOf('health')).toEqual(devices);
    expect(idsOf('log')).toEqual(devices);
    expect(idsOf('scalar', 'image', 'rfid')).toEqual(rows.stream.map(([id]) => id));
  });
});
