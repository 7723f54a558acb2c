/** The state of streams, sites and devices: threshold levels, alarms and silence, for lists and for single objects. */
import { createBatchLoader } from '../core/batches.js';
import type { ChannelLinks } from '../entities/channelLinks.js';
import type { Channels } from '../entities/channels.js';
import type { DeviceRecords } from '../entities/deviceRecords.js';
import { measuresNumbers, type Stream, type StreamReference, type Streams } from '../entities/streams.js';
import type { LastSamples } from './lastSamples.js';
import type { ScalarSample } from './samples.js';
import {
  type AlarmLevel,
  alarmLevelOf,
  createStreamLevels,
  type LevelSources,
  type StreamLevels,
  worstOf,
} from './streamLevels.js';

/** The sources that states are derived from. The sources of a restricted caller give restricted states. */
interface StateSources extends LevelSources {
  samples: LevelSources['samples'] & Pick<LastSamples, 'recent'>;
  streams: Pick<Streams, 'prefetch' | 'ofSite'>;
  channels: Pick<Channels, 'prefetch' | 'ofDevice'>;
  channelLinks: Pick<ChannelLinks, 'prefetch' | 'streamsOf'>;
  deviceRecords: Pick<DeviceRecords, 'lastHealth' | 'lastLog'>;
}

export type States = ReturnType<typeof createStates>;

export function createStates(sources: StateSources, nowMs: () => number) {
  const levels = createStreamLevels(sources);
  const silence = createStreamSilence(sources, nowMs);
  return {
    ...levels,
    ...silence,
    ...createSiteStates(sources, levels, silence),
    ...createDeviceContacts(sources, nowMs),
  };
}

interface EntityReference {
  id: number;
}

/** Reads the time of the newest record of one kind, in Unix milliseconds; null if there is none. */
type ReadContactTime = (device: EntityReference) => Promise<number | null>;

/**
 * Finds the last contact of devices, which the platform does not provide: the time of the newest sample of a
 * linked stream, the newest health record, or the newest log record.
 */
function createDeviceContacts(
  { samples, channels, channelLinks, deviceRecords }: Omit<StateSources, 'thresholds' | 'streams'>,
  nowMs: () => number,
) {
  const healthMs: ReadContactTime = async ({ id }) => newestOf(await deviceRecords.lastHealth(id));
  const logMs: ReadContactTime = async ({ id }) => {
    const log = await deviceRecords.lastLog(id);
    return log === null ? null : Date.parse(log.loggedAt);
  };
  const samplesMs: ReadContactTime = async (device) =>
    newestOf(await Promise.all((await streamsOf(device)).map((stream) => samples.last(stream))));

  async function streamsOf({ id }: EntityReference): Promise<Stream[]> {
    const own = await channels.ofDevice(id);
    return (await Promise.all(own.map((channel) => channelLinks.streamsOf(channel)))).flat();
  }

  /** The devices with a linked stream that, according to the batches, has sent a sample since then. */
  async function sendingInBatches(devices: readonly EntityReference[], sinceMs: number) {
    await Promise.all([channels.prefetch(devices.length), channelLinks.prefetch(devices.length)]);
    const streams = await Promise.all(devices.map(streamsOf));
    const { newest } = await samples.recent(streams.flat());
    const isHeard = ({ id }: Stream) => Date.parse(newest.get(id)?.sampledAt ?? '') >= sinceMs;
    return new Set(devices.filter((_, index) => streams[index]?.some(isHeard)));
  }

  return {
    /** Unix milliseconds; null without any. */
    async lastContactMs(device: EntityReference): Promise<number | null> {
      const times = await Promise.all([healthMs, logMs, samplesMs].map((evidence) => evidence(device)));
      return times.reduce((best, ms) => (best === null || (ms !== null && ms > best) ? ms : best), null);
    },
    /**
     * The devices without a contact in the last `durationMs`. Reads further kinds of records only for devices that
     * are still silent.
     */
    async silentDevices<Device extends EntityReference>(
      devices: readonly Device[],
      durationMs: number,
    ): Promise<Device[]> {
      const sinceMs = nowMs() - durationMs;
      const heard = await sendingInBatches(devices, sinceMs);
      let silent = devices.filter((device) => !heard.has(device));
      for (const evidence of [healthMs, logMs, samplesMs]) {
        const times = await Promise.all(silent.map(evidence));
        silent = silent.filter((_, index) => (times[index] ?? Number.NEGATIVE_INFINITY) < sinceMs);
      }
      return silent;
    },
  };
}

type SilenceStream = StreamReference & { units: string };

/** `none`: the stream has no numeric samples and is not expected to have any. */
type Silence = 'silent' | 'sending' | 'none';

/** Decides from the last sample of the stream; null if it has none. */
function decideSilence(stream: SilenceStream, last: ScalarSample | null, sinceMs: number): Silence {
  if (last === null) return measuresNumbers(stream) ? 'silent' : 'none';
  return Date.parse(last.sampledAt) >= sinceMs ? 'sending' : 'silent';
}

/**
 * Finds the streams that have sent no sample for a time. A sample whose value is a string also counts. Makes no call
 * for streams that the batches already decide.
 */
function createStreamSilence({ samples }: Pick<StateSources, 'samples'>, nowMs: () => number) {
  /** Decides from the batches of the newest samples; undefined for a stream that they do not decide on. */
  async function fromBatches(
    streams: readonly SilenceStream[],
    sinceMs: number,
  ): Promise<(Silence | undefined)[]> {
    const { newest, coveredSinceMs } = await samples.recent(streams);
    const isCovered = coveredSinceMs !== undefined && coveredSinceMs <= sinceMs;
    return streams.map((stream) => {
      const last = newest.get(stream.id);
      if (last !== undefined) return decideSilence(stream, last, sinceMs);
      return isCovered && measuresNumbers(stream) ? 'silent' : undefined;
    });
  }

  const fromLast = async (stream: SilenceStream, sinceMs: number): Promise<Silence> =>
    decideSilence(stream, await samples.last(stream), sinceMs);

  /**
   * Returns, for each group of streams, whether any of them has sent a sample. Once one stream has, the others of
   * its group need no calls.
   */
  async function silenceOfGroups(
    groups: readonly (readonly SilenceStream[])[],
    durationMs: number,
  ): Promise<Silence[]> {
    const sinceMs = nowMs() - durationMs;
    const streams = groups.flat();
    const decided = await fromBatches(streams, sinceMs);
    const byId = new Map(streams.map(({ id }, index) => [id, decided[index]]));
    return Promise.all(
      groups.map(async (group) => {
        if (group.some(({ id }) => byId.get(id) === 'sending')) return 'sending';
        const all = await Promise.all(
          group.map((stream) => byId.get(stream.id) ?? fromLast(stream, sinceMs)),
        );
        return (['sending', 'silent'] as const).find((silence) => all.includes(silence)) ?? 'none';
      }),
    );
  }

  return {
    silenceOfGroups,
    /** Returns, for each stream, whether it has sent a sample in the last `durationMs`. */
    silenceOfStreams: (streams: readonly SilenceStream[], durationMs: number) =>
      silenceOfGroups(
        streams.map((stream) => [stream]),
        durationMs,
      ),
  };
}

/** Decides the state of sites from their streams. */
function createSiteStates(
  { samples, streams, turns }: Pick<StateSources, 'samples' | 'streams' | 'turns'>,
  { levelsOfStreams }: StreamLevels,
  { silenceOfGroups }: ReturnType<typeof createStreamSilence>,
) {
  /** The streams of each site. For many sites, it reads the list of all streams. */
  async function streamsOf(sites: readonly EntityReference[]) {
    await streams.prefetch(sites.length);
    return Promise.all(sites.map(({ id }) => streams.ofSite(id)));
  }

  /** Unix milliseconds of the newest sample at each site; null if there is none. */
  async function newestAtSites(sites: readonly EntityReference[]): Promise<(number | null)[]> {
    const groups = await streamsOf(sites);
    const { newest, coveredSinceMs } = await samples.recent(groups.flat());
    return Promise.all(
      groups.map(async (group) => {
        const recent = group.map(({ id }) => newest.get(id)).filter((sample) => sample !== undefined);
        // A stream that is missing in a batch over all streams has no sample that is newer than those in the batch.
        if (recent.length > 0 && coveredSinceMs !== undefined) return newestOf(recent);
        return newestOf(await Promise.all(group.map((stream) => samples.last(stream))));
      }),
    );
  }

  /** Collects the sites of one level of a query, which would otherwise load a batch each. */
  const newestLoader = createBatchLoader<EntityReference, number | null, number>(turns, newestAtSites, {
    cacheKeyFn: ({ id }) => id,
  });

  return {
    newestAtSites,
    newestAtSite: (site: EntityReference) => newestLoader.load(site),
    async worstAlarms(sites: readonly EntityReference[]): Promise<AlarmLevel[]> {
      const groups = await streamsOf(sites);
      const levels = await levelsOfStreams(groups.flat());
      let from = 0;
      return groups.map((group) => {
        const own = levels.slice(from, from + group.length);
        from += group.length;
        return worstOf(own.map(alarmLevelOf));
      });
    },
    async silenceOfSites(sites: readonly EntityReference[], durationMs: number): Promise<Silence[]> {
      return silenceOfGroups(await streamsOf(sites), durationMs);
    },
  };
}

/** Unix milliseconds; null without samples. */
function newestOf(samples: readonly (Pick<ScalarSample, 'sampledAt'> | null)[]): number | null {
  return samples.reduce<number | null>((newestMs, sample) => {
    const ms = sample === null ? Number.NaN : Date.parse(sample.sampledAt);
    return Number.isNaN(ms) || (newestMs !== null && newestMs >= ms) ? newestMs : ms;
  }, null);
}
