/** How sites answer. */
import { whenReady } from '../../lib/maybePromise.js';
import { measuresNumbers } from '../../sources/streams.js';
import { ofReadings } from '../execution/modelField.js';
import type { SiteResolvers } from '../generated/resolverTypes.js';
import { readOptionalId } from '../nodeId.js';
import { filterReads } from '../readFilter.js';
import { toSampleConnection } from '../sampleConnection.js';
import { checkPoint, measureFrom, roundToMetres } from '../siteDistance.js';
import { chooseStreams } from '../siteSeries.js';
import { readMaxPoints, readRange } from '../timeArguments.js';
import { identity } from './identity.js';

export const Site: SiteResolvers = {
  ...identity('Site'),
  distanceKm: (site, { from }) => {
    checkPoint(from, 'from');
    return roundToMetres(measureFrom(from)(site));
  },
  organization: ofReadings((site, _, { sources }) =>
    whenReady(sources.organizations.idOfSite(site), (id) =>
      id === null ? null : sources.organizations.byId(id),
    ),
  ),
  devices: ofReadings(({ id }, _, { sources }) => sources.devices.ofSite(id)),
  streams: ofReadings(({ id }, _, { sources }) => sources.streams.ofSite(id)),
  customAttributes: ofReadings(({ id }, _, { sources }) => sources.siteAttributes.ofSite(id)),
  samplesAfter: ({ id }, { after }, { sources }) =>
    sources.samples.ofSiteAfter(id, readOptionalId('ScalarSample', after, 'after')),
  samplesSince: ({ id }, { since, ...page }, { sources }) =>
    toSampleConnection(sources.samples.ofSiteSince(id), since, page),
  series: async ({ id }, { range, maxPoints, ...choice }, { sources }) =>
    sources.series.ofStreams({
      span: readRange(range),
      maxPoints: readMaxPoints(maxPoints),
      streamIds: chooseStreams(await sources.streams.ofSite(id), choice),
    }),
  images: async ({ id }, { since, ...page }, { sources }) => {
    const streams = (await sources.streams.ofSite(id)).filter((stream) => !measuresNumbers(stream));
    const streamIds = streams.map((stream) => stream.id);
    return toSampleConnection(sources.samples.imagesOfStreamsSince(streamIds), since, page);
  },
  rfidReads: ({ id }, { since, filter, ...page }, { sources }) =>
    toSampleConnection(filterReads(sources.samples.rfidReadsOfSiteSince(id), filter), since, page),
};
