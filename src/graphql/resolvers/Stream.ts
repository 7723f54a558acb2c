/** How streams answer. */
import { whenReady } from '../../lib/maybePromise.js';
import { measuresNumbers } from '../../sources/streams.js';
import { ofReadings } from '../execution/modelField.js';
import type { StreamResolvers } from '../generated/resolverTypes.js';
import { readOptionalId } from '../nodeId.js';
import { toRangeConnection } from '../rangeConnection.js';
import { filterReads } from '../readFilter.js';
import { toSampleConnection } from '../sampleConnection.js';
import { readInterval, readMaxPoints, readRange, readTimeZone } from '../timeArguments.js';
import { identity } from './identity.js';

export const Stream: StreamResolvers = {
  ...identity('Stream'),
  site: ofReadings(({ siteId }, _, { sources }) => (siteId === null ? null : sources.sites.byId(siteId))),
  channel: ofReadings((stream, _, { sources }) =>
    whenReady(sources.channelLinks.ofStream(stream), (link) => link?.channel ?? null),
  ),
  channelLink: ofReadings((stream, _, { sources }) =>
    whenReady(sources.channelLinks.ofStream(stream), (link) => link?.rule ?? null),
  ),
  customAttributes: ofReadings((stream, _, { sources }) => sources.streamAttributes.ofStream(stream)),
  threshold: ({ id }) => ({ streamId: id }),

  lastSample: ofReadings((stream, _, { sources }) => sources.samples.last(stream)),
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
      fillsEmpty: fill === 'NULL',
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
    toSampleConnection(filterReads(sources.samples.rfidReadsOfStreamSince(id), filter), since, page),
  rfidReadsAfter: ({ id }, { after }, { sources }) =>
    sources.samples.rfidReadsOfStreamAfter(id, readOptionalId('RfidSample', after, 'after')),
};
