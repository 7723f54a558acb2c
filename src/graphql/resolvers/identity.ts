/** The two fields that identify an object of the graph, and the types that have no other resolvers. */
import { type StreamSampleType, toNodeId, toStreamSampleId } from '../arguments/nodeId.js';
import type {
  ClassificationResolvers,
  CustomAttributeNameResolvers,
  CustomAttributeResolvers,
} from '../generated/resolverTypes.js';
import { objectField } from './relation.js';

/** For objects that have a number of the platform, but no id in the graph. */
export const platformIdentity = { platformId: objectField(({ id }: { id: number }) => String(id)) };

export function identity(type: string) {
  return { id: objectField(({ id }: { id: number }) => toNodeId(type, id)), ...platformIdentity };
}

/** For samples that are loaded through their stream. */
export function streamSampleIdentity(type: StreamSampleType) {
  return {
    id: objectField((sample: { streamId: number; id: number }) => toStreamSampleId({ ...sample, type })),
    ...platformIdentity,
  };
}

/** Resolves types and statuses. They have no `id`: numbers of different kinds overlap, and clients cache by `id`. */
export const Classification: ClassificationResolvers = platformIdentity;

export const CustomAttribute: CustomAttributeResolvers = platformIdentity;

export const CustomAttributeName: CustomAttributeNameResolvers = platformIdentity;
