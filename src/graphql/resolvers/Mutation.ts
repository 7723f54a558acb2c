/** The writes of the graph: reads inputs, has them checked and sent, answers what is there afterwards. */
import { readIdOrNaN } from '../arguments/nodeId.js';
import type {
  AcknowledgeSamplesPayloadResolvers,
  BackfillSamplesPayloadResolvers,
  MutationResolvers,
  SetSiteCustomAttributesPayloadResolvers,
  SetStreamCustomAttributesPayloadResolvers,
  SetStreamThresholdPayloadResolvers,
} from '../generated/resolverTypes.js';
import { acknowledge, backfill } from '../mutations/moveQueue.js';
import { readAttribute, readLevel } from '../mutations/readInputs.js';
import { setAttributes } from '../mutations/setAttributes.js';
import { setThreshold } from '../mutations/setThreshold.js';
import { describeAttributes, describeQueue, describeThreshold, logWrite } from '../mutations/writeLog.js';

export const Mutation: MutationResolvers = {
  setSiteCustomAttributes(_, { input }, context) {
    const entries = input.attributes.map((one) => readAttribute('Site', one));
    const description = describeAttributes('setSiteCustomAttributes', 'Site', entries);
    return logWrite(context, description, () => setAttributes(context, 'sites', entries));
  },
  setStreamCustomAttributes(_, { input }, context) {
    const entries = input.attributes.map((one) => readAttribute('Stream', one));
    const description = describeAttributes('setStreamCustomAttributes', 'Stream', entries);
    return logWrite(context, description, () => setAttributes(context, 'streams', entries));
  },
  setStreamThreshold(_, { input }, context) {
    const streamId = readIdOrNaN('Stream', input.streamId);
    const levels = input.levels.map(readLevel);
    const description = describeThreshold('setStreamThreshold', streamId, levels);
    return logWrite(context, description, () => setThreshold(context, streamId, levels));
  },
  acknowledgeSamples: (_, { input }, context) =>
    logWrite(context, describeQueue('acknowledgeSamples', input), () => acknowledge(context, input)),
  backfillSamples: (_, { input }, context) =>
    logWrite(context, describeQueue('backfillSamples', input), () => backfill(context, input)),
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
