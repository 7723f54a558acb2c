/** How streams answer. */

import { dependsOnSources } from '../../execution/fieldDependence.js';
import { whenReady } from '../../lib/maybePromise.js';
import { measuresNumbers } from '../../sources/entities/streams.js';
import { filterRfidReads } from '../arguments/filters.js';
import { readOptionalId } from '../arguments/nodeId.js';
import { readInterval, readMaxPoints, readRange, readTimeZone } from '../arguments/timeArguments.js';
import { toRangeConnection, toSampleConnection } from '../connections/sampleConnection.js';
import type { StreamResolvers } from '../generated/resolverTypes.js';
import { identity } from './identity.js';

export const Stream: StreamResolvers = {
  ...identity('Stream'),
  site: dependsOnSources(({ siteId }, _, { sources }) =>
    siteId === null ? null : sources.sites.byId(siteId),
  ),
  channel: dependsOnSources((stream, _, { sources }) =>
    whenReady(sources.channelLinks.ofStream(stream), (link) => link?.channel ?? null),
  ),
  channelLink: dependsOnSources((stream, _, { sources }) =>
    whenReady(sources.channelLinks.ofStream(stream), (link) => link?.rule ?? null),
  ),
  customAttributes: dependsOnSources((stream, _, { sources }) => sources.streamAttributes.ofStream(stream)),
  threshold: ({ id }) => ({ streamId: id }),

  lastSample: dependsOnSources((stream, _, { sources }) => sources.samples.last(stream)),
  lastImage: (stream, _, { sources }) =>
    measuresNumbers(stream) ? null : sources.samples.lastImage(stream.id),
  lastRfidRead: (stream, _, { sources }) =>
    measuresNumbers(stream) ? null : sources.samples.lastRfidRead(stream.id),

  samples: (stream, args, { sources }) => toRangeConnection(sources.samples.inRange(stream), args),
  samplesSince: ({ id }, { since, ...page }, { sources }) =>
    toSampleConnection(sources.samples.ofStreamSince(id), since, page),
  samplesAfter: ({ id }, { after }, { sources }) =>
    sources.samples.ofStreamAfter(id, readOptionalId('ScalarSample', after, 'after')),
  aggregates: ({ id }, { range, every, timeZone, fill }, { sources }) =>
    sources.aggregates.ofStream(id, {
      span: readRange(range),
      every: readInterval(every),
      zone: readTimeZone(timeZone),
      includesEmpty: fill === 'NULL',
    }),
  series: ({ id }, { range, maxPoints, method }, { sources }) =>
    sources.series.ofStream({
      streamId: id,
      span: readRange(range),
      maxPoints: readMaxPoints(maxPoints),
      method: method ?? 'LTTB',
    }),

  images: ({ id }, { since, ...page }, { sources }) =>
    toSampleConnection(sources.samples.imagesOfStreamSince(id), since, page),
  rfidReads: ({ id }, { since, filter, ...page }, { sources }) =>
    toSampleConnection(filterRfidReads(sources.samples.rfidReadsOfStreamSince(id), filter), since, page),
  rfidReadsAfter: ({ id }, { after }, { sources }) =>
    sources.samples.rfidReadsOfStreamAfter(id, readOptionalId('RfidSample', after, 'after')),
};
