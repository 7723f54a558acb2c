/** How sites answer. */

import { dependsOnSources } from '../../execution/fieldDependence.js';
import { whenReady } from '../../lib/maybePromise.js';
import { measuresNumbers } from '../../sources/entities/streams.js';
import { filterRfidReads } from '../arguments/filters.js';
import { readOptionalId } from '../arguments/nodeId.js';
import { selectStreams } from '../arguments/selectStreams.js';
import { checkPoint, measureFrom, roundToMetres } from '../arguments/siteDistance.js';
import { readMaxPoints, readRange } from '../arguments/timeArguments.js';
import { toSampleConnection } from '../connections/sampleConnection.js';
import type { SiteResolvers } from '../generated/resolverTypes.js';
import { identity } from './identity.js';

export const Site: SiteResolvers = {
  ...identity('Site'),
  distanceKm: (site, { from }) => {
    checkPoint(from, 'from');
    return roundToMetres(measureFrom(from)(site));
  },
  organization: dependsOnSources((site, _, { sources }) =>
    whenReady(sources.organizations.idOfSite(site), (id) =>
      id === null ? null : sources.organizations.byId(id),
    ),
  ),
  devices: dependsOnSources(({ id }, _, { sources }) => sources.devices.ofSite(id)),
  streams: dependsOnSources(({ id }, _, { sources }) => sources.streams.ofSite(id)),
  customAttributes: dependsOnSources(({ id }, _, { sources }) => sources.siteAttributes.ofSite(id)),
  samplesAfter: ({ id }, { after }, { sources }) =>
    sources.samples.ofSiteAfter(id, readOptionalId('ScalarSample', after, 'after')),
  samplesSince: ({ id }, { since, ...page }, { sources }) =>
    toSampleConnection(sources.samples.ofSiteSince(id), since, page),
  series: async ({ id }, { range, maxPoints, ...choice }, { sources }) =>
    sources.series.ofStreams({
      span: readRange(range),
      maxPoints: readMaxPoints(maxPoints),
      streamIds: selectStreams(await sources.streams.ofSite(id), choice),
    }),
  images: async ({ id }, { since, ...page }, { sources }) => {
    const streams = (await sources.streams.ofSite(id)).filter((stream) => !measuresNumbers(stream));
    const streamIds = streams.map((stream) => stream.id);
    return toSampleConnection(sources.samples.imagesOfStreamsSince(streamIds), since, page);
  },
  rfidReads: ({ id }, { since, filter, ...page }, { sources }) =>
    toSampleConnection(filterRfidReads(sources.samples.rfidReadsOfSiteSince(id), filter), since, page),
};
