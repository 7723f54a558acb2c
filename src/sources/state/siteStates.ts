/** Decides the state of sites from their streams. */
import { createBatchLoader } from '../core/batches.js';
import type { ScalarSample } from '../samples/samples.js';
import type { StateSources } from './stateSources.js';
import { type AlarmLevel, alarmLevelOf, type StreamLevels, worstOf } from './streamLevels.js';
import type { Silence, StreamSilence } from './streamSilence.js';

interface SiteReference {
  id: number;
}

export function createSiteStates(
  { samples, streams, turns }: Pick<StateSources, 'samples' | 'streams' | 'turns'>,
  { levelsOfStreams }: StreamLevels,
  { silenceOfGroups }: StreamSilence,
) {
  /** The streams of each site. For many sites the list of all streams. */
  async function streamsOf(sites: readonly SiteReference[]) {
    await streams.prefetch(sites.length);
    return Promise.all(sites.map(({ id }) => streams.ofSite(id)));
  }

  /** Unix milliseconds of the newest number at each site; null if there is none. */
  async function newestAtSites(sites: readonly SiteReference[]): Promise<(number | null)[]> {
    const groups = await streamsOf(sites);
    const { newest, coveredSinceMs } = await samples.recent(groups.flat());
    return Promise.all(
      groups.map(async (group) => {
        const recent = group.map(({ id }) => newest.get(id)).filter((sample) => sample !== undefined);
        // A stream that a batch over all streams lacks is older than every stream in it.
        if (recent.length > 0 && coveredSinceMs !== undefined) return newestOf(recent);
        return newestOf(await Promise.all(group.map((stream) => samples.last(stream))));
      }),
    );
  }

  /** Collects the sites of one level of a query, which would otherwise load a batch each. */
  const newestLoader = createBatchLoader<SiteReference, number | null, number>(turns, newestAtSites, {
    cacheKeyFn: ({ id }) => id,
  });

  return {
    newestAtSites,
    newestAtSite: (site: SiteReference) => newestLoader.load(site),
    async worstAlarms(sites: readonly SiteReference[]): Promise<AlarmLevel[]> {
      const groups = await streamsOf(sites);
      const levels = await levelsOfStreams(groups.flat());
      let from = 0;
      return groups.map((group) => {
        const own = levels.slice(from, from + group.length);
        from += group.length;
        return worstOf(own.map(alarmLevelOf));
      });
    },
    async silenceOfSites(sites: readonly SiteReference[], durationMs: number): Promise<Silence[]> {
      return silenceOfGroups(await streamsOf(sites), durationMs);
    },
  };
}

/** Unix milliseconds; null without samples. */
export function newestOf(samples: readonly (Pick<ScalarSample, 'sampledAt'> | null)[]): number | null {
  return samples.reduce<number | null>((newestMs, sample) => {
    const ms = sample === null ? Number.NaN : Date.parse(sample.sampledAt);
    return Number.isNaN(ms) || (newestMs !== null && newestMs >= ms) ? newestMs : ms;
  }, null);
}
