/** Resolves the three kinds of sample, the samples of several streams, and the lines of a shared chart. */
import { toNodeId } from '../arguments/nodeId.js';
import { toRangeConnection } from '../connections/sampleConnection.js';
import type {
  ImageSampleResolvers,
  RfidSampleResolvers,
  ScalarSampleResolvers,
  SeriesLineResolvers,
  StreamSamplesResolvers,
} from '../generated/resolverTypes.js';
import { identity, streamSampleIdentity } from './identity.js';
import { objectField, operationRelation, sourceRelation } from './relation.js';

/** For all objects that have the id of a stream. */
export const streamRelation = sourceRelation(['streams'], ({ streamId }: { streamId: number }, { streams }) =>
  streams.byId(streamId),
);

export const ScalarSample: ScalarSampleResolvers = {
  ...streamSampleIdentity('ScalarSample'),
  stream: streamRelation,
};

export const ImageSample: ImageSampleResolvers = { ...identity('ImageSample'), stream: streamRelation };

export const RfidSample: RfidSampleResolvers = {
  ...streamSampleIdentity('RfidSample'),
  stream: streamRelation,
};

/** Resolves the lines of a shared chart, and the samples of several streams. */
export const SeriesLine: SeriesLineResolvers = { stream: streamRelation };

export const StreamSamples: StreamSamplesResolvers = {
  streamId: objectField(({ streamId }) => toNodeId('Stream', streamId)),
  stream: streamRelation,
  samples: operationRelation(['samples'], ({ streamId, page }, _, { samples }) =>
    samples.runLimited(() => toRangeConnection(samples.inRange({ id: streamId, siteId: null }), page)),
  ),
};
