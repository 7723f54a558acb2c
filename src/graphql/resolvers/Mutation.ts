/** Resolves mutations: reads the inputs, checks and sends the writes, and returns the state afterwards. */
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
import { operationRelation } from './relation.js';

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
  sites: operationRelation(
    ['sites'],
    async ({ ids }, _, { sites }) => ids && Promise.all(ids.map(sites.byId)),
  ),
};

export const SetStreamCustomAttributesPayload: SetStreamCustomAttributesPayloadResolvers = {
  streams: operationRelation(
    ['streams'],
    async ({ ids }, _, { streams }) => ids && Promise.all(ids.map(streams.byId)),
  ),
};

export const SetStreamThresholdPayload: SetStreamThresholdPayloadResolvers = {
  stream: operationRelation(['streams'], ({ streamId }, _, { streams }) =>
    streamId === null ? null : streams.byId(streamId),
  ),
};

export const AcknowledgeSamplesPayload: AcknowledgeSamplesPayloadResolvers = {
  lastAcknowledged: operationRelation(['sampleQueues'], ({ kind, userErrors }, _, { sampleQueues }) =>
    userErrors.length > 0 ? null : sampleQueues.status(kind),
  ),
};

export const BackfillSamplesPayload: BackfillSamplesPayloadResolvers = {
  sampleBatch: operationRelation(['sampleQueues'], ({ kind, userErrors }, _, { sampleQueues }) =>
    userErrors.length > 0 ? null : sampleQueues.read(kind, {}),
  ),
};
