/** The last images and RFID reads of many streams come from one batch each. */
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { POLICIES } from '../../../src/cache/policies.js';
import { HOUR_MS } from '../../../src/lib/clock.js';
import { required, toText } from '../../support/gateway.js';
import { IMAGES, READS, startLiveGateway } from '../../support/http/live.js';

const SINGLE_IMAGE = '/v2.0/stream/{streamId}/sample/image/last';
const SINGLE_READ = '/v2.0/stream/{streamId}/sample/rfid/last';
const STREAMS =
  '{ streams(first: 1000) { nodes { id lastImage { id sampledAt } lastRfidRead { id sampledAt } } } }';
const { timeToLiveMs, staleIfErrorMs } = POLICIES.lastSample;
/** No call in the background renews what is older. */
const REFRESH_MS = timeToLiveMs + POLICIES.lastSample.staleWhileRevalidateMs;

const gateway = await startLiveGateway();
const streamIds = gateway
  .sql<{ id: number }>('SELECT id FROM stream WHERE account_id = ? ORDER BY id', gateway.accountId)
  .map(({ id }) => id);
const cameraIds = gateway
  .sql<{ id: number }>(
    'SELECT DISTINCT stream_id AS id FROM image_sample WHERE stream_id IN (SELECT id FROM stream WHERE account_id = ?)',
    gateway.accountId,
  )
  .map(({ id }) => id);
const cameraId = required(cameraIds[0]);

interface Last {
  id: string;
  sampledAt: string;
}

function lastInDatabase(table: 'image_sample' | 'rfid_sample', streamId: number): Last | null {
  const [row] = gateway.sql<{ id: number; sample_date: number }>(
    `SELECT id, sample_date FROM ${table} WHERE stream_id = ? ORDER BY sample_date DESC, id DESC LIMIT 1`,
    streamId,
  );
  if (!row) return null;
  const id = table === 'image_sample' ? `ImageSample:${row.id}` : `RfidSample:${streamId}:${row.id}`;
  return { id, sampledAt: toText(row.sample_date) };
}

async function expectLast(): Promise<void> {
  const { streams } = await gateway.ask<{
    streams: { nodes: { id: string; lastImage: Last | null; lastRfidRead: Last | null }[] };
  }>(STREAMS);
  expect(streams.nodes).toEqual(
    streamIds.map((id) => ({
      id: `Stream:${id}`,
      lastImage: lastInDatabase('image_sample', id),
      lastRfidRead: lastInDatabase('rfid_sample', id),
    })),
  );
}

async function askOne(): Promise<Last | null> {
  const { stream } = await gateway.ask<{ stream: { lastImage: Last | null } }>(
    `{ stream(id: "Stream:${cameraId}") { lastImage { id sampledAt } } }`,
  );
  return stream.lastImage;
}

function addImage(agoMs: number, id = gateway.nextId('image')): void {
  const at = Math.floor((gateway.clock.now() - agoMs) / 1000);
  gateway.run('INSERT INTO image_sample VALUES (?, ?, ?, 160, 120)', id, cameraId, at);
}

const countOf = (template: string) => gateway.sandbox.calls.countOf(template);
const singles = () => countOf(SINGLE_IMAGE) + countOf(SINGLE_READ);

/** The test before may have left entries in memory, and the batch marked as truncated. */
beforeEach(() => {
  gateway.clock.advance(HOUR_MS);
  gateway.sandbox.calls.reset();
});

describe('last images and RFID reads of many streams', () => {
  it('take one call of each kind for as long as those of silent streams are in memory', async () => {
    await expectLast();
    const silent = singles();
    expect(silent).toBeLessThan(2 * streamIds.length);
    const refreshes = Math.floor(staleIfErrorMs / REFRESH_MS) - 1;
    for (let refresh = 2; refresh <= refreshes; refresh += 1) {
      gateway.clock.advance(REFRESH_MS);
      await expectLast();
      expect([countOf(IMAGES), countOf(READS)]).toEqual([refresh, refresh]);
    }
    expect(singles()).toBe(silent);
  });

  it('contain samples that arrive, also late ones', async () => {
    await expectLast();
    for (const agoMs of [3 * HOUR_MS, 0]) {
      gateway.clock.advance(REFRESH_MS);
      addImage(agoMs);
      await expectLast();
    }
  });

  it('never go back to a stale batch', async () => {
    await expectLast();
    gateway.clock.advance(timeToLiveMs - 1000);
    addImage(0);
    gateway.clock.advance(1000);
    const newer = lastInDatabase('image_sample', cameraId);
    expect(await askOne()).toEqual(newer);
    gateway.clock.advance(timeToLiveMs);
    await expectLast();
    expect(await askOne()).toEqual(newer);
  });

  it('of one stream do not go back to a stale sample', async () => {
    await askOne();
    gateway.clock.advance(timeToLiveMs);
    addImage(0);
    await expectLast();
    const newer = lastInDatabase('image_sample', cameraId);
    gateway.clock.advance(timeToLiveMs);
    expect(await askOne()).toEqual(newer);
  });

  it('are read one by one if the batch is longer than a response, and the batch only once an hour', async () => {
    const first = gateway.nextId('image');
    const now = Math.floor(gateway.clock.now() / 1000);
    gateway.run(
      `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 10000)
       INSERT INTO image_sample SELECT ? + i, ?, ? - 20000 + i, 160, 120 FROM n`,
      first,
      cameraId,
      now,
    );
    for (let refresh = 1; refresh <= 3; refresh += 1) {
      gateway.clock.advance(REFRESH_MS);
      await expectLast();
    }
    expect(countOf(IMAGES)).toBe(1);
    expect(countOf(SINGLE_IMAGE)).toBeGreaterThanOrEqual(3 * cameraIds.length);
    gateway.run('DELETE FROM image_sample WHERE id >= ? AND id <= ?', first, first + 10_000);
    gateway.clock.advance(HOUR_MS);
    await expectLast();
    expect(countOf(IMAGES)).toBe(2);
  });

  it.each([404, 403, 500])(
    'are read one by one if the platform refuses the batch with %i',
    async (status) => {
      onTestFinished(gateway.sandbox.faults.add({ match: `GET ${IMAGES}`, status }));
      await expectLast();
      expect(countOf(IMAGES)).toBeGreaterThan(0);
    },
  );
});
