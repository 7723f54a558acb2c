/** How streams answer. */
import { loadSeries } from '../../sources/series.js';
import type { StreamResolvers } from '../generated/resolverTypes.js';
import { readOptionalId } from '../nodeId.js';
import { toSampleConnection, toSingleSamplePage } from '../sampleConnection.js';
import { readFrameMinutes, readMaxPoints, readRange } from '../timeArguments.js';
import { identity } from './identity.js';

export const Stream: StreamResolvers = {
  ...identity('Stream'),
  site: ({ siteId }, _, { sources }) => (siteId === null ? null : sources.sites.byId(siteId)),
  channel: async (stream, _, { sources }) => (await sources.channelLinks.ofStream(stream))?.channel ?? null,
  channelLink: async (stream, _, { sources }) => (await sources.channelLinks.ofStream(stream))?.rule ?? null,
  customAttributes: (stream, _, { sources }) => sources.streamAttributes.ofStream(stream),
  threshold: ({ id }) => ({ streamId: id }),

  lastSample: (stream, _, { sources }) => sources.samples.last(stream),
  lastImage: ({ id }, _, { sources }) => sources.samples.lastImage(id),
  lastRfidRead: ({ id }, _, { sources }) => sources.samples.lastRfidRead(id),

  samples: async ({ id }, { range, ...page }, { sources }) => {
    if (!range) return toSingleSamplePage(await sources.samples.ofStreamAfter(id, undefined), page);
    const { fromMs, toMs } = readRange(range);
    return toSampleConnection(sources.samples.inRange(id, toMs), fromMs, page);
  },
  samplesSince: ({ id }, { since, ...page }, { sources }) =>
    toSampleConnection(sources.samples.ofStreamSince(id), since, page),
  samplesAfter: ({ id }, { after }, { sources }) =>
    sources.samples.ofStreamAfter(id, readOptionalId('ScalarSample', after, 'after')),
  aggregates: ({ id }, { range, every }, { sources }) =>
    sources.aggregates.ofStream(id, readRange(range), readFrameMinutes(every)),
  series: ({ id }, { range, maxPoints, method }, { sources }) =>
    loadSeries(sources.samples, {
      streamId: id,
      ...readRange(range),
      maxPoints: readMaxPoints(maxPoints),
      method: method ?? 'LTTB',
    }),

  images: ({ id }, { since, ...page }, { sources }) =>
    toSampleConnection(sources.samples.imagesOfStreamSince(id), since, page),
  rfidReads: ({ id }, { since, ...page }, { sources }) =>
    toSampleConnection(sources.samples.rfidReadsOfStreamSince(id), since, page),
  rfidReadsAfter: ({ id }, { after }, { sources }) =>
    sources.samples.rfidReadsOfStreamAfter(id, readOptionalId('RfidSample', after, 'after')),
};
