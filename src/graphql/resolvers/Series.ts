/** Resolves the lines of a shared chart, and the samples of several streams. */
import { toNodeId } from '../arguments/nodeId.js';
import { toRangeConnection } from '../connections/sampleConnection.js';
import type { SeriesLineResolvers, StreamSamplesResolvers } from '../generated/resolverTypes.js';
import { objectField, operationRelation } from './relation.js';
import { streamRelation } from './Sample.js';

export const SeriesLine: SeriesLineResolvers = { stream: streamRelation };

export const StreamSamples: StreamSamplesResolvers = {
  streamId: objectField(({ streamId }) => toNodeId('Stream', streamId)),
  stream: streamRelation,
  samples: operationRelation(['samples'], ({ streamId, page }, _, { samples }) =>
    samples.runLimited(() => toRangeConnection(samples.inRange({ id: streamId, siteId: null }), page)),
  ),
};
