/** The behaviour of the sample endpoints: orders, limits, pages, aggregates, and the batch cursor. */
import { PNG } from 'pngjs';
import { beforeAll, describe, expect, it } from 'vitest';
import type { WireAggregation, WireBatch, WireImageSample, WireScalarSample } from '../../src/rest/wire.js';
import { type Api, createTestClock, startSandboxWithApis } from '../support/sandbox/sandbox.js';
import type { TestSandbox } from '../support/sandbox/testSandbox.js';

let sandbox: TestSandbox;
let api: Api;
let lateStream: number;
const clock = createTestClock();
const now = clock.now() / 1000;

type Batch = WireBatch<WireScalarSample>;
interface Row {
  id: number;
  stream_id: number;
  sample_date: number;
  value: number | string;
}

beforeAll(async () => {
  ({ sandbox, api } = await startSandboxWithApis({ siteCount: 10, historyDays: 4, clock }));
  lateStream = addLateSample();
});

function rows(condition: string): Row[] {
  return sandbox.database.prepare(`SELECT * FROM scalar_sample WHERE ${condition}`).all() as Row[];
}

function idsOf(samples: readonly { id: number }[]): number[] {
  return samples.map(({ id }) => id);
}

/** Samples of the account that `api` reads. */
const MINE = 'stream_id IN (SELECT id FROM stream WHERE account_id = 1207)';

/** Adds a late sample to a stream of numbers, so that its order of ids differs from that of its dates. */
function addLateSample(): number {
  const numbers = `${MINE} GROUP BY stream_id HAVING count(*) > 25 AND sum(typeof(value) = 'text') = 0 LIMIT 1`;
  const streamId = rows(numbers)[0]?.stream_id;
  if (streamId === undefined) throw new Error('The sandbox has no stream with numbers alone.');
  const insert = 'INSERT INTO scalar_sample SELECT max(id) + 1, ?, ?, 1 FROM scalar_sample';
  sandbox.database.prepare(insert).run(streamId, now - 7_777);
  return streamId;
}

describe('one stream', () => {
  it('sorts last by date, ranges by date, and new samples by id', async () => {
    const streamId = lateStream;
    const byDate = rows(`stream_id = ${streamId} ORDER BY sample_date, id`);
    const byId = rows(`stream_id = ${streamId} ORDER BY id`);
    const last = await api.get<WireScalarSample>('getStreamLastSample', { streamId });
    expect(last.id).toBe(byDate.at(-1)?.id);
    const range = await api.get<Batch>('listStreamSampleRange', { streamId, fromDate: 1e9, toDate: now });
    expect(idsOf(range.samples)).toEqual(idsOf(byDate));
    const news = await api.get<WireScalarSample[]>('listStreamSamples', { streamId });
    expect(idsOf(news)).toEqual(idsOf(byId.slice(-100)));
    const lastSampleId = byId[9]?.id;
    const after = await api.get<WireScalarSample[]>('listStreamSamples', { streamId, lastSampleId });
    expect(idsOf(after)).toEqual(idsOf(byId.slice(10, 110)));
  });

  it('pages a range from offset 1, both ends included', async () => {
    const streamId = lateStream;
    const all = rows(`stream_id = ${streamId} ORDER BY sample_date, id`);
    const [fromDate, toDate] = [all[5]?.sample_date, all[24]?.sample_date];
    const page = (offset: number) =>
      api.get<Batch>('listStreamSampleRange', { streamId, fromDate, toDate, limit: 8, offset });
    const pages = [await page(1), await page(9), await page(17)];
    expect(pages.map(({ hasMore }) => hasMore)).toEqual([true, true, false]);
    expect(pages.flatMap(({ samples }) => idsOf(samples))).toEqual(idsOf(all.slice(5, 25)));
    expect(await page(21)).toEqual({ hasMore: false, samples: [] });
  });

  it('writes values with four decimals and dates in whole seconds', async () => {
    const { samples } = await api.get<Batch>('readScalarBatch');
    for (const { sample_date, value } of samples) {
      expect(sample_date).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
      expect(value).toMatch(/^(-?\d+\.\d{4}|ERR|OVERRANGE)$/);
    }
  });

  it.each([10, 15, 20, 30, 60])('aggregates frames of %i minutes aligned to Unix time', async (timeFrame) => {
    const streamId = lateStream;
    const range = { streamId, timeFrame, fromDate: now - 20_000, toDate: now };
    const { samples } = await api.get<WireBatch<WireAggregation>>('listStreamAggregates', range);
    const seconds = timeFrame * 60;
    const frames = new Map<number, number[]>();
    const inRange = `stream_id = ${streamId} AND sample_date BETWEEN ${range.fromDate} AND ${now}`;
    for (const { sample_date, value } of rows(inRange)) {
      const start = Math.floor(sample_date / seconds) * seconds;
      frames.set(start, [...(frames.get(start) ?? []), Number(value)]);
    }
    expect(samples).toHaveLength(frames.size);
    for (const sample of samples) {
      const values = frames.get(Date.parse(sample.start_date) / 1000) ?? [];
      const sum = values.reduce((total, value) => total + value, 0);
      expect(sample.number_of_samples).toBe(values.length);
      expect(sample.agg_values.min).toBe(Math.min(...values).toFixed(4));
      expect(sample.agg_values.max).toBe(Math.max(...values).toFixed(4));
      expect(Number(sample.agg_values.sum)).toBeCloseTo(sum, 3);
      expect(Number(sample.agg_values.avg)).toBeCloseTo(sum / values.length, 3);
    }
  });

  it('does not count words as numbers', async () => {
    const streamId = rows(`value = 'ERR' AND ${MINE} LIMIT 1`)[0]?.stream_id ?? 0;
    const range = { streamId, timeFrame: 60, fromDate: 1e9, toDate: now };
    expect(await api.get('listStreamAggregates', range)).toEqual({ hasMore: false, samples: [] });
    expect(await api.get('getThresholdStatus', { streamId })).toEqual({});
  });

  it('has no last sample of a kind that it does not collect', async () => {
    const streamId = lateStream;
    for (const operation of ['getStreamLastImage', 'getStreamLastRfidSample']) {
      const { status, body } = await api.call<{ message: string }>(operation, { streamId });
      expect([status, body.message]).toEqual([404, expect.stringContaining(String(streamId))]);
    }
  });
});

describe('the batch cursor', () => {
  const next = (values = {}) => api.get<Batch>('readScalarBatch', values);

  it('of a new client begins a day back, before any delivery', async () => {
    expect((await api.call('getScalarBatchStatus')).status).toBe(404);
    const { samples } = await next();
    const earliest = samples.map(({ sample_date }) => sample_date).sort()[0] ?? '';
    expect(Math.abs(Date.parse(earliest) / 1000 - (now - 86_400))).toBeLessThan(11_000);
  });

  it('does not move on a read with acknowledgement, and moves to the end of one without', async () => {
    const once = await next();
    expect(await next({ enableAck: true })).toEqual(once);
    const moved = await next({ enableAck: false });
    expect(moved).toEqual(once);
    expect(await api.get('getScalarBatchStatus')).toEqual(moved.samples.at(-1));
    expect(await next()).not.toEqual(once);
  });

  it('moves forward on an acknowledgement, never back', async () => {
    await api.call('backfillScalarBatch', { sampleDate: now - 80_000 });
    const { samples } = await next();
    await api.call('acknowledgeScalarBatch', { sampleId: samples[20]?.id });
    await api.call('acknowledgeScalarBatch', { sampleId: samples[3]?.id });
    expect((await next()).samples[0]).toEqual(samples[21]);
    expect((await api.call('acknowledgeScalarBatch', { sampleId: 1 })).status).toBe(404);
  });

  it('is ignored and not moved by sampleID and backfillHours', async () => {
    const before = await next();
    const oldest = rows('true ORDER BY id LIMIT 3');
    const far = await next({ sampleID: oldest[1]?.id });
    expect(far.samples[0]?.id).toBeGreaterThan(oldest[1]?.id ?? 0);
    const { samples } = await next({ backfillHours: 2 });
    for (const { sample_date } of samples) {
      expect(Date.parse(sample_date) / 1000).toBeGreaterThanOrEqual(now - 7200);
    }
    expect(await next()).toEqual(before);
  });

  // The sandbox reads a short backfill by date, and a long one by id.
  it.each([1, 3, 40, 60, 95])(
    'reads the samples of the last %s hours by rising id',
    async (backfillHours) => {
      const since = `sample_date >= ${now - backfillHours * 3600}`;
      const middle = rows(`${MINE} AND ${since} ORDER BY id LIMIT 1 OFFSET 50`)[0]?.id;
      for (const sampleID of [undefined, middle]) {
        const expected = rows(`${MINE} AND ${since} AND id > ${sampleID ?? 0} ORDER BY id`);
        const batch = await next({ backfillHours, sampleID });
        expect(idsOf(batch.samples)).toEqual(idsOf(expected.slice(0, 10_000)));
        expect(batch.hasMore).toBe(expected.length > 10_000);
      }
    },
  );

  it('moves to the sample nearest the date on backfill', async () => {
    const sampleDate = now - 100_000;
    const [nearest] = rows(`${MINE} ORDER BY abs(sample_date - ${sampleDate}), id LIMIT 1`);
    expect((await api.call('backfillScalarBatch', { sampleDate })).status).toBe(204);
    expect((await next()).samples[0]?.id).toBe(nearest?.id);
  });

  it('returns at most 10,000 samples, by rising id, without gap or repeat between batches', async () => {
    await api.call('backfillScalarBatch', { sampleDate: 1e9 });
    const seen: number[] = [];
    for (let hasMore = true; hasMore; ) {
      const batch = await next({ enableAck: false });
      expect(batch.samples.length).toBeLessThanOrEqual(10_000);
      seen.push(...idsOf(batch.samples));
      hasMore = batch.hasMore;
    }
    const mine = 'stream_id IN (SELECT id FROM stream WHERE account_id = 1207)';
    const all = idsOf(rows(`${mine} ORDER BY id`));
    expect(all.length).toBeGreaterThan(10_000);
    expect(seen).toEqual(all.slice(-seen.length));
    expect(await next()).toEqual({ hasMore: false, samples: [] });
    clock.advance(1_800_000);
    const appended = sandbox.simulator.step();
    expect(appended).toBeGreaterThan(0);
    expect((await next()).samples.length).toBeGreaterThan(0);
  });
});

describe('images', () => {
  it('are real pictures of the stated size', async () => {
    const { samples } = await api.get<WireBatch<WireImageSample>>('listImageBatch', { sampleDate: 1e9 });
    expect(samples.length).toBeGreaterThan(3);
    for (const image of samples.slice(0, 6)) {
      const response = await fetch(image.url);
      const bytes = Buffer.from(await response.arrayBuffer());
      expect(response.headers.get('content-type')).toBe('image/png');
      expect(bytes.length).toBe(image.size);
      const { width, height } = PNG.sync.read(bytes);
      expect([width, height]).toEqual([image.width, image.height]);
    }
  });
});
