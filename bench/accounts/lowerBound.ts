/** The fewest REST calls that any client can make for an operation, if it knows which lists are truncated. Pure. */
import { LIST_LENGTH, SAMPLE_STEP_SECONDS, SHAPE } from './accountShape.js';

/** The lower bound for the stub, for a page of sites with devices, channels, streams of channels, and last samples. */
export function lowerBoundOfPage(siteCount: number, sites: number): number {
  const pageSites = Math.min(sites, siteCount);
  const perSite = { devices: SHAPE.devicesPerSite, streams: SHAPE.streamsPerSite };
  const relation = (rowsPerSite: number, parentsPerSite: number) =>
    siteCount * rowsPerSite < LIST_LENGTH ? Math.min(1, pageSites) : pageSites * parentsPerSite;
  const byList = Math.min(relation(perSite.devices, 1), pageSites);
  const channels = Math.min(
    relation(perSite.devices * SHAPE.channelsPerDevice, perSite.devices),
    pageSites * perSite.devices,
  );
  const streams = Math.min(relation(perSite.streams, 1), pageSites);
  const samplesPerHour = (siteCount * perSite.streams * 3600) / SAMPLE_STEP_SECONDS;
  const lastSamples = Math.min(Math.ceil(samplesPerHour / LIST_LENGTH), pageSites);
  // The attributes of streams, which may name channels, take as many calls as the streams.
  return 1 + byList + channels + streams + streams + lastSamples;
}

export interface SampledSite {
  streams: readonly { lastSample: { sampledAt: string } | null }[];
}

/** How far back a batch of the account reaches. It has the last sample of nearly every stream that sends. */
const WINDOW_MS = 3_600_000;

/**
 * For the streams of all sites with last samples, from the responses themselves. A client needs
 *
 * - one call for the sites, and one for the streams: for each site if the list of all streams is truncated, because no row
 *   tells which sites it lacks streams of;
 * - one page of the account's batch for 10,000 streams that have a sample in the last hour;
 * - one call for each site with a stream whose last sample is older: the shortest batch that reaches back so far is that of
 *   the site, and it serves all its silent streams;
 * - one call for each stream without any sample: only `sample/last` of the stream proves that there is none, because
 *   batches end at 10,000 samples, and the type of a stream does not say which samples it may have.
 *
 * Batches are counted as if they had room for one sample of each stream and nothing else, which favours the other client.
 */
export function lowerBoundOfLastSamples(sites: readonly SampledSite[], nowMs: number): number {
  const streams = sites.flatMap((site) => site.streams);
  const isSilent = ({ lastSample }: SampledSite['streams'][number]) =>
    lastSample !== null && Date.parse(lastSample.sampledAt) < nowMs - WINDOW_MS;
  const unsampled = streams.filter(({ lastSample }) => lastSample === null).length;
  const silentSites = sites.filter((site) => site.streams.some(isSilent)).length;
  const active = streams.length - unsampled - streams.filter(isSilent).length;
  const streamLists = streams.length < LIST_LENGTH ? 1 : sites.length;
  return 1 + streamLists + Math.ceil(active / LIST_LENGTH) + silentSites + unsampled;
}
