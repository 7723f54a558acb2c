/** Samples from before the seeded history: as if they had been seeded, in every order of reading, by every endpoint. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { WireAggregation, WireBatch, WireScalarSample } from '../../../../src/rest/wire.js';
import type { SandboxOptions } from '../../../../src/sandbox/sandbox.js';
import { planArchive } from '../../../../src/sandbox/seed/archive.js';
import {
  type Api,
  createTestClock,
  startSandbox,
  startSandboxWithApis,
} from '../../../support/sandbox/sandbox.js';

const DAYS = 10;
const DAY = 86_400;
const clock = createTestClock();
const now = Math.floor(clock.now() / 1000);
const start = now - DAYS * DAY;
const common: SandboxOptions = { siteCount: 9, clock };
const withArchive: SandboxOptions = { ...common, days: DAYS, historyDays: 1 };

const ownStreams = 'stream_id IN (SELECT id FROM stream WHERE account_id = 1207)';

type Sandbox = Awaited<ReturnType<typeof startSandbox>>;
type Kind = 'scalar' | 'image' | 'rfid';
type Batch = WireBatch<WireScalarSample>;
interface Row {
  id: number;
  stream_id: number;
  sample_date: number;
}

function rows({ database }: Sandbox, kind: Kind, condition: string): Row[] {
  return database.prepare(`SELECT * FROM ${kind}_sample WHERE ${condition}`).all() as Row[];
}

function count(sandbox: Sandbox, kind: Kind): number {
  return rows(sandbox, kind, 'true').length;
}

/** Everything but the ids, by stream and date. */
function contents(sandbox: Sandbox, kind: Kind, from: number): unknown[] {
  const sorted = rows(sandbox, kind, `sample_date > ${from} ORDER BY stream_id, sample_date`);
  return sorted.map(({ id: _, ...row }) => row);
}

let seeded: Sandbox;
let archived: Sandbox;
let api: Api;
let neighbour: Api;
let initial: Record<Kind, number>;

/** Reads the whole archive of an account: each kind of samples by another endpoint. */
async function readAll(client: Api, sandbox: Sandbox, account: number): Promise<void> {
  const ids = (table: string) =>
    sandbox.database.prepare(`SELECT id FROM ${table} WHERE account_id = ${account}`).all() as {
      id: number;
    }[];
  for (const { id } of ids('stream').reverse()) {
    await client.get('listStreamSampleRange', { streamId: id, fromDate: start, toDate: now });
  }
  await client.get('listImageBatch', { sampleDate: start });
  for (const { id } of ids('site')) await client.get('listSiteRfidBatch', { siteId: id, sampleDate: start });
}

beforeAll(async () => {
  seeded = await startSandbox({ ...common, historyDays: DAYS });
  ({ sandbox: archived, api, neighbour } = await startSandboxWithApis(withArchive));
  initial = {
    scalar: count(archived, 'scalar'),
    image: count(archived, 'image'),
    rfid: count(archived, 'rfid'),
  };
  await readAll(api, archived, 1207);
  await readAll(neighbour, archived, 1208);
});

describe('the archive', () => {
  it.each(['scalar', 'image', 'rfid'] as const)(
    'has the %s samples that seeding would have written',
    (kind) => {
      // In the first half day, seeding leaves out samples that were late at the start.
      const expected = contents(seeded, kind, start + DAY / 2);
      expect(expected.length).toBeGreaterThan(initial[kind]);
      expect(contents(archived, kind, start + DAY / 2)).toEqual(expected);
    },
  );

  it.each(['scalar', 'image', 'rfid'] as const)(
    'has %s ids that rise with the dates, below the seeded ones',
    (kind) => {
      const all = rows(archived, kind, 'true ORDER BY id');
      const older = all.slice(0, all.length - initial[kind]);
      expect(older.length).toBeGreaterThan(0);
      expect(older[0]?.id).toBeGreaterThan(0);
      const dates = older.map((row) => row.sample_date);
      expect(dates).toEqual([...dates].sort((a, b) => a - b));
      // The seeded samples have the ids that they have without an archive.
      expect(all[older.length]?.id).toBe(rows(seeded, kind, 'true ORDER BY id LIMIT 1')[0]?.id);
    },
  );

  it('is empty before the first read, and has the same ids in every order of reading', async () => {
    const { sandbox, api: other } = await startSandboxWithApis(withArchive);
    expect(count(sandbox, 'scalar')).toBe(initial.scalar);
    const [stream] = rows(archived, 'scalar', `${ownStreams} ORDER BY id LIMIT 1`);
    const streamId = stream?.stream_id ?? 0;
    const expected = rows(archived, 'scalar', `stream_id = ${streamId} ORDER BY id`).map(({ id }) => id);

    // By id, 100 at a time, from below the first id.
    const seen: number[] = [];
    for (let lastSampleId = 1; ; lastSampleId = seen.at(-1) ?? 0) {
      const page = await other.get<WireScalarSample[]>('listStreamSamples', { streamId, lastSampleId });
      if (page.length === 0) break;
      seen.push(...page.map(({ id }) => id));
    }
    expect(seen).toEqual(expected);
    // Only this stream has been stored.
    const stored = rows(sandbox, 'scalar', `stream_id = ${streamId}`).length;
    expect(count(sandbox, 'scalar')).toBe(
      initial.scalar +
        stored -
        rows(archived, 'scalar', `stream_id = ${streamId} AND id >= 482000001`).length,
    );

    // The batch of the account, by id, from a date in the archive.
    await other.call('backfillScalarBatch', { sampleDate: start + DAY });
    const batch = await other.get<Batch>('readScalarBatch', {});
    const inOrder = rows(
      archived,
      'scalar',
      `id >= ${batch.samples[0]?.id}
      AND ${ownStreams} ORDER BY id LIMIT 10000`,
    );
    expect(batch.hasMore).toBe(true);
    expect(batch.samples.map(({ id }) => id)).toEqual(inOrder.map(({ id }) => id));
    expect(Math.abs(Date.parse(batch.samples[0]?.sample_date ?? '') / 1000 - start - DAY)).toBeLessThan(900);
  });

  it('is in aggregates, and in the batches of streams and sites', async () => {
    const { api: other } = await startSandboxWithApis(withArchive);
    const [{ stream_id: streamId, site_id: siteId } = { stream_id: 0, site_id: 0 }] = archived.database
      .prepare(
        'SELECT stream_id, site_id FROM scalar_sample JOIN stream s ON s.id = stream_id WHERE account_id = 1207 LIMIT 1',
      )
      .all() as { stream_id: number; site_id: number }[];
    const range = { streamId, fromDate: start, toDate: now };
    const frames = await other.get<WireBatch<WireAggregation>>('listStreamAggregates', {
      ...range,
      timeFrame: 60,
    });
    expect(frames).toEqual(await api.get('listStreamAggregates', { ...range, timeFrame: 60 }));
    expect(frames.samples.length).toBeGreaterThan(9 * 20);
    const since = { sampleDate: start + DAY };
    expect(await other.get('listStreamSampleBatch', { streamId, ...since })).toEqual(
      await api.get('listStreamSampleBatch', { streamId, ...since }),
    );
    expect(await other.get('listSiteSampleBatch', { siteId, ...since })).toEqual(
      await api.get('listSiteSampleBatch', { siteId, ...since }),
    );
  });

  it('remains in a database file', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'archive-'));
    const databaseFile = path.join(folder, 'sandbox.db');
    const options: SandboxOptions = { ...withArchive, siteCount: 1, databaseFile };
    const first = await startSandboxWithApis(options);
    const streamId = 88_001;
    const recent = { streamId, fromDate: start + 8 * DAY, toDate: now };
    await first.api.get('listStreamSampleRange', recent);
    await first.sandbox.close();
    const second = await startSandboxWithApis(options);
    const stored = count(second.sandbox, 'scalar');
    const { samples } = await second.api.get<Batch>('listStreamSampleRange', recent);
    expect(count(second.sandbox, 'scalar')).toBe(stored);
    const all = await second.api.get<Batch>('listStreamSampleRange', { ...recent, fromDate: start });
    expect(all.samples.length).toBeGreaterThan(samples.length * 2);
    expect(all.samples.slice(-samples.length)).toEqual(samples);
    await second.sandbox.close();
    await rm(folder, { recursive: true });
  });

  it('raises the first ids of the seeded samples where it needs more below them', () => {
    const source = { kind: 'image', id: 1, deviceId: 1, interval: 300, phase: 0 } as const;
    const usual = { scalar: 10, image: 100, rfid: 10 };
    expect(planArchive([source], { from: 300_000, to: 330_000 }, usual).firstIds).toEqual({
      ...usual,
      image: 102,
    });
  });
});
