/** How the limits set on streams answer. */
import type { SampleActionResolvers, ThresholdResolvers } from '../generated/resolverTypes.js';

export const Threshold: ThresholdResolvers = {
  status: ({ streamId }, _, { sources }) => sources.thresholds.status(streamId),
  levels: ({ streamId }, _, { sources }) => sources.thresholds.levels(streamId),
};

export const SampleAction: SampleActionResolvers = {
  stream: ({ streamId }, _, { sources }) => (streamId === null ? null : sources.streams.byId(streamId)),
};
