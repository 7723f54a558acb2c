/** How a line of a shared chart, and one of several streams' numbers, answer. */

import { toNodeId } from '../arguments/nodeId.js';
import { toRangeConnection } from '../connections/sampleConnection.js';
import type { SeriesLineResolvers, StreamSamplesResolvers } from '../generated/resolverTypes.js';

export const SeriesLine: SeriesLineResolvers = {
  stream: ({ streamId }, _, { sources }) => sources.streams.byId(streamId),
};

export const StreamSamples: StreamSamplesResolvers = {
  streamId: ({ streamId }) => toNodeId('Stream', streamId),
  stream: ({ streamId }, _, { sources }) => sources.streams.byId(streamId),
  samples: ({ streamId, page }, _, { sources }) =>
    sources.samples.runLimited(() =>
      toRangeConnection(sources.samples.inRange({ id: streamId, siteId: null }), page),
    ),
};
