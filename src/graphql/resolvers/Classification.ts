/** Resolves types and statuses. They have no `id`: numbers of different kinds overlap, and clients cache by `id`. */
import type { ClassificationResolvers } from '../generated/resolverTypes.js';
import { platformIdentity } from './identity.js';

export const Classification: ClassificationResolvers = platformIdentity;
