/** The writes of the graph: reads inputs, has them checked and sent, answers what is there afterwards. */
import type {
  AcknowledgeSamplesPayloadResolvers,
  BackfillSamplesPayloadResolvers,
  MutationResolvers,
  SetSiteCustomAttributesPayloadResolvers,
  SetStreamCustomAttributesPayloadResolvers,
  SetStreamThresholdPayloadResolvers,
} from '../generated/resolverTypes.js';
import { acknowledge, backfill } from '../mutations/moveQueue.js';
import { readAttribute, readIdOrNaN, readLevel } from '../mutations/readInputs.js';
import { setAttributes } from '../mutations/setAttributes.js';
import { setThreshold } from '../mutations/setThreshold.js';

export const Mutation: MutationResolvers = {
  setSiteCustomAttributes: (_, { input }, context) =>
    setAttributes(
      context,
      'sites',
      input.attributes.map((one) => readAttribute('Site', one)),
    ),
  setStreamCustomAttributes: (_, { input }, context) =>
    setAttributes(
      context,
      'streams',
      input.attributes.map((one) => readAttribute('Stream', one)),
    ),
  setStreamThreshold: (_, { input }, context) =>
    setThreshold(context, readIdOrNaN('Stream', input.streamId), input.levels.map(readLevel)),
  acknowledgeSamples: (_, { input }, context) => acknowledge(context, input),
  backfillSamples: (_, { input }, context) => backfill(context, input),
};

export const SetSiteCustomAttributesPayload: SetSiteCustomAttributesPayloadResolvers = {
  sites: async ({ ids }, _, { sources }) => ids && Promise.all(ids.map((id) => sources.sites.byId(id))),
};

export const SetStreamCustomAttributesPayload: SetStreamCustomAttributesPayloadResolvers = {
  streams: async ({ ids }, _, { sources }) => ids && Promise.all(ids.map((id) => sources.streams.byId(id))),
};

export const SetStreamThresholdPayload: SetStreamThresholdPayloadResolvers = {
  stream: ({ streamId }, _, { sources }) => (streamId === null ? null : sources.streams.byId(streamId)),
};

export const AcknowledgeSamplesPayload: AcknowledgeSamplesPayloadResolvers = {
  lastAcknowledged: ({ kind, userErrors }, _, { sources }) =>
    userErrors.length > 0 ? null : sources.sampleQueues.status(kind),
};

export const BackfillSamplesPayload: BackfillSamplesPayloadResolvers = {
  sampleBatch: ({ kind, userErrors }, _, { sources }) =>
    userErrors.length > 0 ? null : sources.sampleQueues.read(kind, {}),
};
