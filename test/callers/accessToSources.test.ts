/** The sources, called with foreign ids and past the resolvers: they return nothing. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLocalCoordinator } from '../../src/gateway/coordinator.js';
import {
  type ConnectedPlatform,
  connectPlatform,
  createSharedResources,
} from '../../src/gateway/platform.js';
import { silentLogger } from '../../src/lib/logger.js';
import type { WireSampleAction } from '../../src/rest/wire.js';
import { createQueries } from '../../src/sandbox/database/queries.js';
import { OrganizationAccess } from '../../src/sources/access/organizationAccess.js';
import { createRestrictedSources } from '../../src/sources/access/restrictedSources.js';
import { Reader } from '../../src/sources/core/reader.js';
import { createResponseFreshness } from '../../src/sources/core/responseFreshness.js';
import type { Site } from '../../src/sources/entities/sites.js';
import type { Sources } from '../../src/sources/sources.js';
import { getTimeZone } from '../../src/timeseries/timeZone.js';
import { required } from '../support/gateway.js';
import { runningClock } from '../support/runningClock.js';
import { startSandbox } from '../support/sandbox/sandbox.js';

interface Paged {
  items: Iterable<unknown>;
}

let platform: ConnectedPlatform;
let sandbox: Awaited<ReturnType<typeof startSandbox>>;

beforeAll(async () => {
  sandbox = await startSandbox();
  const [credential] = sandbox.credentials;
  platform = connectPlatform(
    createSharedResources({
      platform: { ...credential, url: sandbox.url },
      coordinator: createLocalCoordinator(runningClock),
      clock: runningClock,
      logger: silentLogger,
    }),
  );
});

afterAll(() => platform.close());

function sourcesOf(organizationIds: readonly number[] | undefined): Sources {
  const { rest, writes: restWrites, cache, keys, samplePages, endpointStats } = platform;
  const reader = new Reader({
    monotonicClock: runningClock,
    cache,
    keys,
    samplePages,
    endpointStats,
    options: {},
    freshness: createResponseFreshness(runningClock.now),
  });
  const parts = {
    rest,
    restWrites,
    reader,
    channelAttribute: 'channel_id',
    healthCounters: new Map(),
    nowMs: runningClock.now,
  };
  return createRestrictedSources(parts, organizationIds && new Set(organizationIds));
}

/** Streams of the organizations 310 and 312: one with images, and one with RFID reads. */
function findKinds() {
  const find = (kind: 'image' | 'rfid') =>
    required(
      createQueries(sandbox.database).all<{ id: number; newest: number; sampleId: number }>(
        `SELECT t.id, x.id AS sampleId, max(x.sample_date) AS newest FROM ${kind}_sample x JOIN stream t ON t.id = x.stream_id
         JOIN site s ON s.id = t.site_id WHERE account_organization_id IN (310, 312) GROUP BY t.id LIMIT 1`,
      )[0],
    );
  return { image: find('image'), rfid: find('rfid') };
}

/** A stream with a sample of this moment, its site, a device and a channel there, all of organization 310. */
function findThings() {
  const { all, run } = createQueries(sandbox.database);
  const [found] = all<Record<'site' | 'stream' | 'device' | 'channel', number>>(
    `SELECT s.id AS site, t.id AS stream, d.id AS device, c.id AS channel FROM site s
     JOIN stream t ON t.site_id = s.id JOIN device d ON d.site_id = s.id JOIN channel c ON c.device_id = d.id
     JOIN threshold h ON h.stream_id = t.id JOIN scalar_sample v ON v.stream_id = t.id
     WHERE account_organization_id = 310 LIMIT 1`,
  );
  const things = required(found);
  // Not every stream has a sample in the last hour.
  const addSample = 'INSERT INTO scalar_sample SELECT max(id) + 1, ?, ?, 1 FROM scalar_sample';
  run(addSample, things.stream, Math.floor(runningClock.now() / 1000));
  return things;
}

const hourMs = 3_600_000;

/**
 * Every method that takes an id, called for an object of organization 310; built from the models of the whole account.
 */
async function createReads() {
  const { site, stream, device, channel } = findThings();
  const { image, rfid } = findKinds();
  const whole = sourcesOf(undefined);
  const streamModel = required(await whole.streams.byId(stream));
  const newest = required(await whole.samples.last(streamModel));
  const deviceModel = required(await whole.devices.byId(device));
  const channelModel = required(await whole.channels.byId(channel));
  const nowMs = runningClock.now();
  const sinceMs = nowMs - 6 * hourMs;
  const span = { fromMs: sinceMs, toMs: nowMs };
  const newestTen = { afterId: undefined, count: 10 };
  const hourly = {
    span,
    every: { unit: 'minutes' as const, count: 60 },
    zone: required(getTimeZone('UTC')),
    includesEmpty: false,
    units: '',
  };
  const page = async (samples: Paged | Promise<Paged>) => [...(await samples).items];
  const reads: Record<string, (sources: Sources) => unknown> = {
    'sites.byId': ({ sites }) => sites.byId(site),
    'organizations.byId': ({ organizations }) => organizations.byId(310),
    'organizations.ofSite': ({ organizations }) => organizations.ofSite({ organizationId: 310 }),
    'siteAttributes.ofSite': ({ siteAttributes }) => siteAttributes.ofSite(site),
    'devices.byId': ({ devices }) => devices.byId(device),
    'devices.bySerialNumber': ({ devices }) => devices.bySerialNumber(deviceModel.serialNumber ?? ''),
    'devices.ofSite': ({ devices }) => devices.ofSite(site),
    'deviceRecords.lastHealth': ({ deviceRecords }) => deviceRecords.lastHealth(device),
    'deviceRecords.lastLog': ({ deviceRecords }) => deviceRecords.lastLog(device),
    'deviceRecords.health': async ({ deviceRecords }) =>
      (await deviceRecords.health(device, newestTen)).items,
    'deviceRecords.logs': async ({ deviceRecords }) => (await deviceRecords.logs(device, newestTen)).items,
    'channels.byId': ({ channels }) => channels.byId(channel),
    'channels.ofDevice': ({ channels }) => channels.ofDevice(device),
    'streams.byId': ({ streams }) => streams.byId(stream),
    'streams.ofSite': ({ streams }) => streams.ofSite(site),
    'streamAttributes.ofStream': ({ streamAttributes }) => streamAttributes.ofStream(streamModel),
    'channelLinks.channelOf': ({ channelLinks }) => channelLinks.channelOf(streamModel),
    'channelLinks.ruleOf': ({ channelLinks }) => channelLinks.ruleOf(streamModel),
    'channelLinks.streamsOf': ({ channelLinks }) => channelLinks.streamsOf(channelModel),
    'thresholds.levels': ({ thresholds }) => thresholds.levels(stream),
    'thresholds.status': ({ thresholds }) => thresholds.status(stream),
    'thresholds.cachedLevels': async ({ thresholds }) => (await thresholds.cachedLevels(stream)).levels,
    'thresholds.reloadLevels': ({ thresholds }) => thresholds.reloadLevels(stream),
    'thresholds.statusAfter': ({ thresholds }) => thresholds.statusAfter(stream, 1),
    'samples.last': ({ samples }) => samples.last(streamModel),
    'samples.ofStreamAfter': ({ samples }) => samples.ofStreamAfter(stream, undefined),
    'samples.ofSiteAfter': ({ samples }) => samples.ofSiteAfter(site, undefined),
    'samples.inRange, oldest first': ({ samples }) =>
      page(samples.inRange(streamModel).oldestFirst({ span, after: undefined, count: 10 })),
    'samples.inRange, newest first': ({ samples }) =>
      page(samples.inRange(streamModel).newestFirst({ span, after: undefined, count: 10 })),
    'series.ofStream': async ({ series }) =>
      (await series.ofStream({ stream: streamModel, span, maxPoints: 10, method: 'MEAN' })).values,
    'samples.inRange, counted': async ({ samples }) =>
      (await samples.inRange(streamModel).count(span)) || null,
    'series.ofStreams': async ({ series }) =>
      (await series.ofStreams({ streams: [streamModel], span, maxPoints: 10 })).lines,
    'samples.ofStreamSince': ({ samples }) => page(samples.ofStreamSince(stream)(sinceMs, 10)),
    'samples.ofSiteSince': ({ samples }) => page(samples.ofSiteSince(site)(sinceMs, 10)),
    'samples.arrivedBefore': ({ samples }) => samples.arrivedBefore(stream, newest),
    'samples.image': ({ samples }) => samples.image(image.sampleId),
    'samples.lastImage': ({ samples }) => samples.lastImage(image.id),
    'samples.imagesOfStreamSince': ({ samples }) =>
      page(samples.imagesOfStreamSince(image.id)(image.newest * 1000, 10)),
    'samples.imagesOfStreamsSince': ({ samples }) =>
      page(samples.imagesOfStreamsSince([image.id])(image.newest * 1000, 10)),
    'samples.lastRfidRead': ({ samples }) => samples.lastRfidRead(rfid.id),
    'samples.rfidReadsOfStreamAfter': ({ samples }) =>
      samples.rfidReadsOfStreamAfter(rfid.id, rfid.sampleId - 1),
    'samples.rfidReadsOfStreamSince': ({ samples }) =>
      page(samples.rfidReadsOfStreamSince(rfid.id)(rfid.newest * 1000, 10)),
    'samples.recent': async ({ samples }) => [...(await samples.recent([streamModel])).newest],
    'aggregates.total': ({ aggregates }) => aggregates.total(streamModel, { span, units: '' }),
    'states.levelOfStream': ({ states }) => states.levelOfStream(streamModel),
    'states.lastContactMs': ({ states }) => states.lastContactMs({ id: device }),
    'states.newestAtSites': async ({ states }) =>
      (await states.newestAtSites([{ id: site }])).filter((newestMs) => newestMs !== null),
    'aggregates.ofStream': ({ aggregates }) => aggregates.ofStream(streamModel, hourly),
  };
  return reads;
}

const isNothing = (result: unknown) => result === null || (Array.isArray(result) && result.length === 0);

describe('sources of another organization', () => {
  it('return nothing where the owner’s sources return data', async () => {
    const reads = await createReads();
    for (const [name, read] of Object.entries(reads)) {
      const result = await read(sourcesOf([310, 312]));
      expect([name, isNothing(result)]).toEqual([name, false]);
      expect([name, JSON.stringify(result)]).toEqual([
        name,
        JSON.stringify(await read(sourcesOf(undefined))),
      ]);
      expect([name, isNothing(await read(sourcesOf([311])))]).toEqual([name, true]);
      expect([name, isNothing(await read(sourcesOf([])))]).toEqual([name, true]);
    }
  });

  it('return no device and no stream without a site', async () => {
    const all = sourcesOf(undefined);
    const access = new OrganizationAccess(all, new Set([310]));
    const [devices, streams] = await Promise.all([all.devices.list(), all.streams.list()]);
    expect(await access.deviceIfAccessible({ ...required(devices.items[0]), siteId: null })).toBeNull();
    expect(await access.streamIfAccessible({ ...required(streams.items[0]), siteId: null })).toBeNull();
  });

  it('check each organization once, and look up no device of a listed channel', async () => {
    const all = sourcesOf(undefined);
    const counts = { organizations: 0, devices: 0 };
    const counting = {
      ...all,
      sites: all.sites,
      streams: all.streams,
      organizations: {
        ...all.organizations,
        idOfSite: (site: Pick<Site, 'organizationId'>) => {
          counts.organizations += 1;
          return all.organizations.idOfSite(site);
        },
      },
      devices: {
        ...all.devices,
        byId: (id: number) => {
          counts.devices += 1;
          return all.devices.byId(id);
        },
      },
    };
    const access = new OrganizationAccess(counting, new Set([310]));
    const [channels, devices, sites] = await Promise.all([
      all.channels.list(),
      all.devices.list(),
      all.sites.list(),
    ]);
    const accessible = await access.accessibleChannels(channels.items, devices.items);
    expect(accessible.length).toBeGreaterThan(0);
    expect(accessible.length).toBeLessThan(channels.items.length);
    expect(counts).toEqual({
      organizations: new Set(sites.items.map(({ organizationId }) => organizationId)).size,
      devices: 0,
    });
    // Devices that are not loaded are looked up.
    expect(await access.accessibleChannels(channels.items)).toEqual(accessible);
    expect(counts.devices).toBeGreaterThan(0);
  });

  it('refuse to write to it, without a call', async () => {
    const { site, stream } = findThings();
    const value = { id: 1, display_name: 'x', value: 'x' };
    const foreign = sourcesOf([311]).writes;
    const own = sourcesOf([310]).writes;
    const [other] = createQueries(sandbox.database).all<{ id: number }>(
      'SELECT t.id FROM stream t JOIN site s ON s.id = site_id WHERE account_organization_id = 311 LIMIT 1',
    );
    const level = (action: Pick<WireSampleAction, 'stream_id' | 'sample_group_id'>) => [
      { display_name: 'High', sample_actions: [{ type: 'pause' as const, ...action }] },
    ];
    const posts = () =>
      sandbox.calls.list().filter(({ method, path }) => method === 'POST' && path !== '/auth/token');
    for (const write of [
      () => foreign.siteAttributes([{ ...value, parent_id: site }]),
      () => foreign.streamAttributes([{ ...value, parent_id: stream }]),
      () => foreign.threshold(stream, []),
      () => own.threshold(stream, level({ stream_id: required(other).id })),
      () => own.threshold(stream, level({ sample_group_id: 77_123 })),
      () => own.acknowledge('SCALAR', 1, undefined),
      () => own.backfill('RFID', 1, undefined),
    ]) {
      await expect(write()).rejects.toMatchObject({ code: 'FORBIDDEN' });
    }
    expect(posts()).toEqual([]);
  });

  it('accept only groups that the threshold already has', async () => {
    const { stream } = findThings();
    const levels = (userGroup: number, streamGroup: number) => [
      {
        display_name: 'High',
        notification_actions: [{ type: 'mail' as const, user_group_id: userGroup }],
        sample_actions: [{ type: 'pause' as const, sample_group_id: streamGroup }],
      },
    ];
    const write = (organizationIds: readonly number[] | undefined, userGroup: number, streamGroup: number) =>
      sourcesOf(organizationIds).writes.threshold(stream, levels(userGroup, streamGroup));
    await write(undefined, 5, 6);
    for (const [userGroup, streamGroup] of [
      [5, 7],
      [7, 6],
      [6, 5],
    ] as const) {
      await expect(write([310], userGroup, streamGroup)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    }
    await write([310], 5, 6);
  });

  it('report their visibility to writers and feeds', async () => {
    const { stream } = findThings();
    expect(await sourcesOf(undefined).canSeeStream(stream)).toBe(true);
    for (const organization of [310, 311]) {
      expect(await sourcesOf([organization]).canSeeStream(stream)).toBe(organization === 310);
    }
  });
});
