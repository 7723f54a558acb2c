/** Calls every operation of the REST API and checks each response against the OpenAPI document. */
import { beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/lib/clock.js';
import type {
  WireAttributeValue,
  WireBatch,
  WireChannel,
  WireDevice,
  WireImageSample,
  WireOrganization,
  WireRfidSample,
  WireScalarSample,
  WireSite,
  WireStream,
  WireThreshold,
  WireUser,
} from '../../src/rest/wire.js';
import { runningClock } from '../support/runningClock.js';
import { listOperations, type OpenApiDocument } from '../support/sandbox/openapi.js';
import { type Api, requestToken } from '../support/sandbox/sandbox.js';
import { isPlatform, startTarget } from '../support/sandbox/sandboxTarget.js';

let api: Api;
let document: OpenApiDocument;
const now = Math.floor((isPlatform ? systemClock : runningClock).now() / 1000);
const yesterday = now - 86_400;

beforeAll(async () => {
  ({ api, document } = await startTarget());
});

async function first<Row>(operationId: string, values = {}): Promise<Row> {
  const [row] = await api.get<Row[]>(operationId, values);
  if (!row) throw new Error(`${operationId} is empty.`);
  return row;
}

/** The first stream of a kind that has a `last` sample. */
async function streamWith(operationId: string): Promise<number> {
  for (const { id } of await api.get<WireStream[]>('listStreams')) {
    const { status } = await api.call(operationId, { streamId: id });
    if (status === 200) return id;
  }
  throw new Error(`${operationId} finds no stream.`);
}

describe('reading', () => {
  it('account and users', async () => {
    const { id } = await first<WireOrganization>('listOrganizations');
    expect(await api.get('getOrganization', { organizationId: id })).toMatchObject({ id });
    const user = await first<WireUser>('listUsers');
    expect(await api.get('getUser', { userId: user.id })).toMatchObject({ id: user.id });
    await api.get('getUiPreferences');
  });

  it('sites', async () => {
    const { id } = await first<WireSite>('listSites');
    expect(await api.get('getSite', { siteId: id })).toMatchObject({ id });
    for (const device of await api.get<WireDevice[]>('listSiteDevices', { siteId: id })) {
      expect(device.site_id).toBe(id);
    }
    for (const stream of await api.get<WireStream[]>('listSiteStreams', { siteId: id })) {
      expect(stream.site_id).toBe(id);
    }
    await api.get('listSiteAttributeNames');
  });

  it('custom attributes of sites, alone and together', async () => {
    const all = await api.get<WireAttributeValue[]>('listAllSiteAttributes');
    const siteId = all[0]?.parent_id ?? 0;
    const own = await api.get<WireAttributeValue[]>('listSiteAttributes', { siteId });
    expect(all.filter((value) => value.parent_id === siteId)).toEqual(own);
  });

  it('custom attributes of streams, alone, by site and together', async () => {
    const all = await api.get<WireAttributeValue[]>('listAllStreamAttributes');
    const streamId = all[0]?.parent_id ?? 0;
    const own = await api.get<WireAttributeValue[]>('listStreamAttributes', { streamId });
    expect(all.filter((value) => value.parent_id === streamId)).toEqual(own);
    const { site_id } = await api.get<WireStream>('getStream', { streamId });
    const ofSite = await api.get<WireAttributeValue[]>('listSiteStreamAttributes', { siteId: site_id });
    expect(ofSite).toEqual(expect.arrayContaining(own));
    await api.get('listStreamAttributeNames');
  });

  it('devices', async () => {
    const device = await first<WireDevice>('listDevices');
    expect(await api.get('getDevice', { deviceId: device.id })).toEqual(device);
    expect(await api.get('getDeviceBySerialNumber', { serialNumber: device.serial_number })).toEqual(device);
    const health = await api.get<{ id: number }[]>('listDeviceHealth', { deviceId: device.id });
    expect(health.length).toBeLessThanOrEqual(100);
    const lastDeliveredId = health[1]?.id;
    const rest = await api.get('listDeviceHealth', { deviceId: device.id, lastDeliveredId });
    expect(rest).toEqual(health.slice(2));
    await api.get('listDeviceLastHealth', { deviceId: device.id });
    await api.get('listDeviceLog', { deviceId: device.id, lastDeliveredId: 1 });
    await api.get('listDeviceLastLog', { deviceId: device.id });
  });

  it('channels', async () => {
    const channel = await first<WireChannel>('listChannels');
    expect(await api.get('getChannel', { channelId: channel.id })).toEqual(channel);
    const ofDevice = await api.get<WireChannel[]>('listDeviceChannels', { deviceId: channel.device_id });
    expect(ofDevice).toContainEqual(channel);
  });

  it('thresholds', async () => {
    const streams = await api.get<WireStream[]>('listStreams');
    const thresholds = await Promise.all(
      streams.map(({ id }) => api.get<WireThreshold>('getThreshold', { streamId: id })),
    );
    const index = thresholds.findIndex(({ levels }) => levels !== undefined);
    const names = thresholds[index]?.levels?.map((level) => level.display_name);
    const { Status } = await api.get<{ Status?: string }>('getThresholdStatus', {
      streamId: streams[index]?.id,
    });
    if (Status !== undefined) expect(names).toContain(Status);
  });

  it('scalar samples of a stream: last, new, range, batch and aggregates agree', async () => {
    const streamId = await streamWith('getStreamLastSample');
    const last = await api.get<WireScalarSample>('getStreamLastSample', { streamId });
    const recent = await api.get<WireScalarSample[]>('listStreamSamples', { streamId });
    expect(recent).toContainEqual(last);
    const lastSampleId = recent.at(-3)?.id;
    expect(await api.get('listStreamSamples', { streamId, lastSampleId })).toEqual(recent.slice(-2));
    const fromDate = yesterday;
    const range = await api.get<WireBatch<WireScalarSample>>('listStreamSampleRange', {
      streamId,
      fromDate,
      toDate: now,
    });
    const batch = await api.get('listStreamSampleBatch', { streamId, sampleDate: fromDate });
    if (!isPlatform) expect(batch).toEqual(range);
    await api.get('listStreamAggregates', { streamId, timeFrame: 60, fromDate, toDate: now });
  });

  it('scalar samples of a site', async () => {
    const streamId = await streamWith('getStreamLastSample');
    const { site_id: siteId } = await api.get<WireStream>('getStream', { streamId });
    const samples = await api.get<WireScalarSample[]>('listSiteSamples', { siteId });
    expect(samples.length).toBeGreaterThan(0);
    expect(samples.map(({ id }) => id)).toEqual(samples.map(({ id }) => id).sort((a, b) => a - b));
    await api.get('listSiteSampleBatch', { siteId, sampleDate: now - 3600 });
  });

  it('images', async () => {
    const { samples } = await api.get<WireBatch<WireImageSample>>('listImageBatch', {
      sampleDate: yesterday,
    });
    const image = samples[0];
    if (!image) throw new Error('There is no image.');
    expect(await api.get('getImage', { imageId: image.id })).toEqual(image);
    const { stream_id: streamId } = image;
    await api.get('listStreamImageBatch', { streamId, sampleDate: yesterday });
    await api.get('getStreamLastImage', { streamId });
  });

  it('RFID samples', async () => {
    const streamId = await streamWith('getStreamLastRfidSample');
    const last = await api.get<WireRfidSample>('getStreamLastRfidSample', { streamId });
    expect(await api.get('listStreamRfidSamples', { streamId })).toContainEqual(last);
    const { site_id: siteId } = await api.get<WireStream>('getStream', { streamId });
    const ofStream = await api.get('listStreamRfidBatch', { streamId, sampleDate: yesterday });
    expect(await api.get('listSiteRfidBatch', { siteId, sampleDate: yesterday })).toEqual(ofStream);
  });

  it('account batches without moving a cursor', async () => {
    for (const [operation, after] of [
      ['readScalarBatch', 'sampleID'],
      ['readRfidBatch', 'sampleId'],
    ] as const) {
      const firstOfQueue = async () =>
        (await api.get<WireBatch<{ id: number }>>(operation, { enableAck: true })).samples[0]?.id;
      const before = await firstOfQueue();
      await api.get(operation, { [after]: 1, enableAck: true });
      expect(await firstOfQueue()).toBe(before);
    }
  });
});

describe.skipIf(isPlatform)('writing', () => {
  it('sets custom attributes of sites and streams', async () => {
    for (const [list, set] of [
      ['listAllSiteAttributes', 'setSiteAttributes'],
      ['listAllStreamAttributes', 'setStreamAttributes'],
    ] as const) {
      const [value] = await api.get<WireAttributeValue[]>(list);
      const changed = { ...value, value: 'changed ✓' };
      expect((await api.call(set, {}, { attributes: [changed] })).status).toBe(204);
      expect(await api.get(list)).toContainEqual(changed);
    }
  });

  it('replaces and removes a threshold', async () => {
    const streamId = await streamWith('getStreamLastSample');
    const levels = [{ display_name: 'Low', upper_limit: 1 }, { display_name: 'High' }];
    expect((await api.call('setThreshold', { streamId }, { levels })).status).toBe(204);
    const threshold = await api.get<WireThreshold>('getThreshold', { streamId });
    expect(threshold.levels).toMatchObject([
      { display_name: 'Low', lower_limit: null, upper_limit: 1, comment: '' },
      { display_name: 'High', lower_limit: 1, upper_limit: null, comment: '' },
    ]);
    const last = await api.get<WireScalarSample>('getStreamLastSample', { streamId });
    const status = await api.get('getThresholdStatus', { streamId });
    expect(status).toEqual({ Status: Number(last.value) < 1 ? 'Low' : 'High' });
    await api.call('setThreshold', { streamId }, { levels: [] });
    expect(await api.get('getThreshold', { streamId })).toEqual({});
    expect(await api.get('getThresholdStatus', { streamId })).toEqual({});
  });

  it('acknowledges and backfills batches', async () => {
    const scalars = await api.get<WireBatch<WireScalarSample>>('readScalarBatch');
    await api.call('acknowledgeScalarBatch', { sampleId: scalars.samples[4]?.id, agent: 'contract' });
    expect(await api.get('getScalarBatchStatus')).toEqual(scalars.samples[4]);
    await api.call('backfillScalarBatch', { sampleDate: yesterday });
    const reads = await api.get<WireBatch<WireRfidSample>>('readRfidBatch');
    await api.call('acknowledgeRfidBatch', { sample_id: reads.samples[1]?.id });
    expect(await api.get('getRfidBatchStatus')).toEqual(reads.samples[1]);
    await api.call('backfillRfidBatch', { sample_date: yesterday, agent: 'contract' });
  });
});

describe('the document', () => {
  it('describes the token request', async () => {
    const { url } = api;
    if (isPlatform) return;
    const response = await requestToken(url, 'sandbox', 'sandbox');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('pragma')).toBe('no-cache');
    expect(await response.json()).toMatchObject({ token_type: 'JWT', expires_in: 3600 });
    api.exercised.add('createToken');
  });

  it.skipIf(isPlatform)('has no operation that this suite does not call with success', () => {
    const operations = listOperations(document).map(({ operationId }) => operationId);
    expect(operations).toHaveLength(57);
    expect(operations.filter((operationId) => !api.exercised.has(operationId))).toEqual([]);
  });
});
