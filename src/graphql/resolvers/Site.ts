/** Resolves sites. */
import { measuresNumbers } from '../../sources/entities/streams.js';
import { filterRfidReads } from '../arguments/filterRfidReads.js';
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
  distanceKm: operationRelation({
    reads: [],
    load(site, { from }) {
      checkPoint(from, 'from');
      return roundToMetres(measureFrom(from)(site));
    },
  }),
  organization: sourceRelation({
    reads: ['organizations'],
    load: (site, { organizations }) => organizations.ofSite(site),
    prefetch: { many: ({ organizations }, count) => organizations.prefetch(count) },
  }),
  devices: sourceRelation({
    reads: ['devices'],
    load: ({ id }, { devices }) => devices.ofSite(id),
    prefetch: {
      many: ({ devices }, count) => devices.prefetch(count),
      atSite: ({ devices }, siteId) => devices.ofSite(siteId),
    },
  }),
  streams: sourceRelation({
    reads: ['streams'],
    load: ({ id }, { streams }) => streams.ofSite(id),
    prefetch: {
      many: ({ streams }, count) => streams.prefetch(count),
      atSite: ({ streams }, siteId) => streams.ofSite(siteId),
    },
  }),
  customAttributes: sourceRelation({
    reads: ['siteAttributes'],
    load: ({ id }, { siteAttributes }) => siteAttributes.ofSite(id),
    prefetch: {
      many: ({ siteAttributes }, count) => siteAttributes.prefetch(count),
      atSite: ({ siteAttributes }, siteId) => siteAttributes.ofSite(siteId),
    },
  }),
  samplesAfter: operationRelation({
    reads: ['samples'],
    load: ({ id }, { after }, { samples }) =>
      samples.ofSiteAfter(id, readOptionalId('ScalarSample', after, 'after')),
  }),
  samplesSince: operationRelation({
    reads: ['samples'],
    load: ({ id }, { since, ...page }, { samples }) =>
      toSampleConnection(samples.ofSiteSince(id), since, page),
  }),
  series: operationRelation({
    reads: ['streams', 'series'],
    load: async ({ id }, { range, maxPoints, ...choice }, { streams, series }) =>
      series.ofStreams({
        span: readRange(range),
        maxPoints: readMaxPoints(maxPoints),
        streamIds: selectStreams(await streams.ofSite(id), choice),
      }),
  }),
  images: operationRelation({
    reads: ['streams', 'samples'],
    async load({ id }, { since, ...page }, { streams, samples }) {
      const withImages = (await streams.ofSite(id)).filter((stream) => !measuresNumbers(stream));
      const streamIds = withImages.map((stream) => stream.id);
      return toSampleConnection(samples.imagesOfStreamsSince(streamIds), since, page);
    },
  }),
  rfidReads: operationRelation({
    reads: ['samples'],
    load: ({ id }, { since, filter, ...page }, { samples }) =>
      toSampleConnection(filterRfidReads(samples.rfidReadsOfSiteSince(id), filter), since, page),
  }),
};
