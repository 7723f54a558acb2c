/** Resolves the limits set on streams. */
import type { SampleActionResolvers, ThresholdResolvers } from '../generated/resolverTypes.js';
import { sourceRelation } from './relation.js';

export const Threshold: ThresholdResolvers = {
  status: sourceRelation({
    reads: ['thresholds'],
    load: ({ streamId }, { thresholds }) => thresholds.status(streamId),
  }),
  levels: sourceRelation({
    reads: ['thresholds'],
    load: ({ streamId }, { thresholds }) => thresholds.levels(streamId),
  }),
};

export const SampleAction: SampleActionResolvers = {
  stream: sourceRelation({
    reads: ['streams'],
    load: ({ streamId }, { streams }) => (streamId === null ? null : streams.byId(streamId)),
  }),
};
