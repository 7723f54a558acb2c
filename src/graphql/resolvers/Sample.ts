/** Resolves the three kinds of sample. */
import type {
  ImageSampleResolvers,
  RfidSampleResolvers,
  ScalarSampleResolvers,
} from '../generated/resolverTypes.js';
import { identity, streamSampleIdentity } from './identity.js';
import { sourceRelation } from './relation.js';

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
