/** Resolves sites. */
import { measuresNumbers } from '../../sources/entities/streams.js';
import { filterRfidReads } from '../arguments/filters.js';
import { readOptionalId } from '../arguments/nodeId.js';
import { selectStreams } from '../arguments/selectStreams.js';
import { checkPoint, measureFrom, roundToMetres } from '../arguments/siteDistance.js';
import { readMaxPoints, readRange } from '../arguments/timeArguments.js';
import { toSampleConnection } from '../connections/sampleConnection.js';
import type { SiteResolvers } from '../generated/resolverTypes.js';
import { identity } from './identity.js';
import { operationRelation, sourceRelation } from './relation.js';

export const Site: SiteResolvers = {
  ...identity('Site'),
  distanceKm: operationRelation([], (site, { from }) => {
    checkPoint(from, 'from');
    return roundToMetres(measureFrom(from)(site));
  }),
  organization: sourceRelation(['organizations'], (site, { organizations }) => organizations.ofSite(site), {
    many: ({ organizations }, count) => organizations.prefetch(count),
  }),
  devices: sourceRelation(['devices'], ({ id }, { devices }) => devices.ofSite(id), {
    many: ({ devices }, count) => devices.prefetch(count),
    atSite: ({ devices }, siteId) => devices.ofSite(siteId),
  }),
  streams: sourceRelation(['streams'], ({ id }, { streams }) => streams.ofSite(id), {
    many: ({ streams }, count) => streams.prefetch(count),
    atSite: ({ streams }, siteId) => streams.ofSite(siteId),
  }),
  customAttributes: sourceRelation(
    ['siteAttributes'],
    ({ id }, { siteAttributes }) => siteAttributes.ofSite(id),
    {
      many: ({ siteAttributes }, count) => siteAttributes.prefetch(count),
      atSite: ({ siteAttributes }, siteId) => siteAttributes.ofSite(siteId),
    },
  ),
  samplesAfter: operationRelation(['samples'], ({ id }, { after }, { samples }) =>
    samples.ofSiteAfter(id, readOptionalId('ScalarSample', after, 'after')),
  ),
  samplesSince: operationRelation(['samples'], ({ id }, { since, ...page }, { samples }) =>
    toSampleConnection(samples.ofSiteSince(id), since, page),
  ),
  series: operationRelation(
    ['streams', 'series'],
    async ({ id }, { range, maxPoints, ...choice }, { streams, series }) =>
      series.ofStreams({
        span: readRange(range),
        maxPoints: readMaxPoints(maxPoints),
        streamIds: selectStreams(await streams.ofSite(id), choice),
      }),
  ),
  images: operationRelation(
    ['streams', 'samples'],
    async ({ id }, { since, ...page }, { streams, samples }) => {
      const withImages = (await streams.ofSite(id)).filter((stream) => !measuresNumbers(stream));
      const streamIds = withImages.map((stream) => stream.id);
      return toSampleConnection(samples.imagesOfStreamsSince(streamIds), since, page);
    },
  ),
  rfidReads: operationRelation(['samples'], ({ id }, { since, filter, ...page }, { samples }) =>
    toSampleConnection(filterRfidReads(samples.rfidReadsOfSiteSince(id), filter), since, page),
  ),
};
