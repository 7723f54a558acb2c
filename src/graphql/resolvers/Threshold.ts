/** Resolves the limits set on streams. */
import type { SampleActionResolvers, ThresholdResolvers } from '../generated/resolverTypes.js';
import { sourceRelation } from './relation.js';

export const Threshold: ThresholdResolvers = {
  status: sourceRelation(['thresholds'], ({ streamId }, { thresholds }) => thresholds.status(streamId)),
  levels: sourceRelation(['thresholds'], ({ streamId }, { thresholds }) => thresholds.levels(streamId)),
};

export const SampleAction: SampleActionResolvers = {
  stream: sourceRelation(['streams'], ({ streamId }, { streams }) =>
    streamId === null ? null : streams.byId(streamId),
  ),
};
