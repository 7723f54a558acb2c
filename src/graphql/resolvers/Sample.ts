/** Resolves the three kinds of sample, the samples of several streams, intervals, and the lines of a shared chart. */
import { formatDateTime } from '../../sources/core/wireValues.js';
import { toNodeId } from '../arguments/nodeId.js';
import { toRangeConnection } from '../connections/sampleConnection.js';
import type {
  AggregateResolvers,
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

/** Only the last interval of a list has a continuation. */
export const Aggregate: AggregateResolvers = {
  cursor: objectField(({ continuation }) => continuation?.cursor ?? null),
  replaceFrom: objectField(({ continuation }) =>
    continuation === undefined ? null : formatDateTime(continuation.replaceFrom),
  ),
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
