/** Resolves sites. */
import { createBadInputError } from '../../errors.js';
import { toSharedSeriesSince } from '../../sources/charts/deltas.js';
import { checkStreamCount } from '../../sources/charts/series.js';
import { formatDateTime } from '../../sources/core/wireValues.js';
import { measuresNumbers, type Stream } from '../../sources/entities/streams.js';
import { equals, filterRfidReads } from '../arguments/filters.js';
import { readId, readOptionalId } from '../arguments/nodeId.js';
import { checkPoint, measureFrom, roundToMetres } from '../arguments/siteDistance.js';
import { readDeltaCursor, readMaxPoints, readRange } from '../arguments/timeArguments.js';
import { toSampleConnection } from '../connections/sampleConnection.js';
import type { SiteResolvers, SiteSeriesArgs } from '../generated/resolverTypes.js';
import { identity } from './identity.js';
import { operationRelation, sourceRelation } from './relation.js';

export const Site: SiteResolvers = {
  ...identity('Site'),
  distanceKm: operationRelation((site, { from }) => {
    checkPoint(from, 'from');
    return roundToMetres(measureFrom(from)(site));
  }),
  organization: sourceRelation((site, { organizations }) => organizations.ofSite(site), {
    many: ({ organizations }, count) => organizations.prefetch(count),
    async atSite({ sites, organizations }, siteId) {
      const site = await sites.byId(siteId);
      return site && organizations.ofSite(site);
    },
  }),
  devices: sourceRelation(({ id }, { devices }) => devices.ofSite(id), {
    many: ({ devices }, count) => devices.prefetch(count),
    atSite: ({ devices }, siteId) => devices.ofSite(siteId),
  }),
  streams: sourceRelation(({ id }, { streams }) => streams.ofSite(id), {
    many: ({ streams }, count) => streams.prefetch(count),
    atSite: ({ streams }, siteId) => streams.ofSite(siteId),
  }),
  worstAlarm: operationRelation(async (site, _, { states }) => {
    const [worst] = await states.worstAlarms([site]);
    return worst ?? null;
  }),
  newestSampledAt: operationRelation(async (site, _, { states }) => {
    const newestMs = await states.newestAtSite(site);
    return newestMs === null ? null : formatDateTime(newestMs);
  }),
  customAttributes: sourceRelation(({ id }, { siteAttributes }) => siteAttributes.ofSite(id), {
    many: ({ siteAttributes }, count) => siteAttributes.prefetch(count),
    atSite: ({ siteAttributes }, siteId) => siteAttributes.ofSite(siteId),
  }),
  samplesAfter: operationRelation(({ id }, { after }, { samples }) =>
    samples.ofSiteAfter(id, readOptionalId('ScalarSample', after, 'after')),
  ),
  samplesSince: operationRelation(({ id }, { since, ...page }, { samples }) =>
    toSampleConnection(samples.ofSiteSince(id), since, page),
  ),
  series: operationRelation(async ({ id }, { range, after, ...args }, sources) => {
    const earlier = readDeltaCursor(after);
    const [span, maxPoints] = [readRange(range), readMaxPoints(args.maxPoints)];
    const streams = selectStreams(await sources.streams.ofSite(id), args);
    const full = await sources.series.ofStreams({ span, maxPoints, streams });
    return toSharedSeriesSince(full, { fromMs: span.fromMs, identity: ['site', id, maxPoints] }, earlier);
  }),
  images: operationRelation(async ({ id }, { since, ...page }, { streams, samples }) => {
    const withImages = (await streams.ofSite(id)).filter((stream) => !measuresNumbers(stream));
    const streamIds = withImages.map((stream) => stream.id);
    return toSampleConnection(samples.imagesOfStreamsSince(streamIds), since, page);
  }),
  rfidReads: operationRelation(({ id }, { since, filter, ...page }, { samples }) =>
    toSampleConnection(filterRfidReads(samples.rfidReadsOfSiteSince(id), filter), since, page),
  ),
};

/**
 * Selects the streams for `Site.series`. Throws BAD_USER_INPUT for a stream of another site, and unless exactly one of
 * `streamIds` and `type` is set.
 */
function selectStreams(
  streams: readonly Stream[],
  { streamIds, type }: Pick<SiteSeriesArgs, 'streamIds' | 'type'>,
): Stream[] {
  if ((streamIds == null) === (type == null))
    throw createBadInputError('streamIds', 'set either `streamIds` or `type`.');
  const isOfType = equals<Stream>((stream) => stream.type?.name ?? null)(type ?? '');
  const selected = new Set(
    streamIds == null ? streams.filter(isOfType) : streamIds.map(createStreamReader(streams)),
  );
  checkStreamCount(streamIds == null ? 'type' : 'streamIds', selected.size);
  return [...selected];
}

function createStreamReader(streams: readonly Stream[]) {
  const byId = new Map(streams.map((stream) => [stream.id, stream]));
  return (text: string, index: number): Stream => {
    const argument = `streamIds[${index}]`;
    const stream = byId.get(readId('Stream', text, argument));
    if (stream) return stream;
    throw createBadInputError(argument, `${JSON.stringify(text)} is not a stream of this site.`);
  };
}
