/** How the three kinds of sample answer. */
import type { Context } from '../context.js';
import type {
  ImageSampleResolvers,
  RfidSampleResolvers,
  ScalarSampleResolvers,
} from '../generated/resolverTypes.js';
import { identity, streamSampleIdentity } from './identity.js';

const stream = ({ streamId }: { streamId: number }, _: unknown, { sources }: Context) =>
  sources.streams.byId(streamId);

export const ScalarSample: ScalarSampleResolvers = { ...streamSampleIdentity('ScalarSample'), stream };

export const ImageSample: ImageSampleResolvers = { ...identity('ImageSample'), stream };

export const RfidSample: RfidSampleResolvers = { ...streamSampleIdentity('RfidSample'), stream };
