/** Resolves mutations: reads the inputs, checks and sends the writes, and returns the state afterwards. */
import type { AttributeEntry } from '../../sources/writes/attributeWrite.js';
import type {
  NewNotificationAction,
  NewSampleAction,
  NewThresholdLevel,
} from '../../sources/writes/thresholdWrite.js';
import { readIdOrNaN } from '../arguments/nodeId.js';
import type {
  AcknowledgeSamplesPayloadResolvers,
  BackfillSamplesPayloadResolvers,
  MutationResolvers,
  NotificationActionInput,
  SampleActionInput,
  SetSiteCustomAttributesPayloadResolvers,
  SetStreamCustomAttributesPayloadResolvers,
  SetStreamThresholdPayloadResolvers,
  SiteCustomAttributeInput,
  StreamCustomAttributeInput,
  ThresholdLevelInput,
} from '../generated/resolverTypes.js';
import { describeAttributes, describeQueue, describeThreshold, logWrite } from '../mutations/writeLog.js';
import { acknowledge, backfill, setAttributes, setThreshold } from '../mutations/writes.js';
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

const DEFAULT_SAMPLE_INTERVAL_SECONDS = 300;

function readOptional(type: string, text: string | null | undefined): number | null {
  return text == null ? null : readIdOrNaN(type, text);
}

/** Converts the inputs of mutations for `sources/writes`. Invalid ids become NaN, so that all errors are reported together. */
function readAttribute(
  parentType: 'Site' | 'Stream',
  input: SiteCustomAttributeInput | StreamCustomAttributeInput,
): AttributeEntry {
  return {
    parentId: readIdOrNaN(parentType, 'siteId' in input ? input.siteId : input.streamId),
    attributeId: readOptional('CustomAttribute', input.attributeId),
    name: input.name ?? null,
    value: input.value,
  };
}

/** Treats null like an omitted value, so that the default applies. */
function readLevel(input: ThresholdLevelInput): NewThresholdLevel {
  return {
    name: input.name,
    comment: input.comment ?? null,
    upperLimit: input.upperLimit ?? null,
    falseAlarmFilterSeconds: input.falseAlarmFilterSeconds ?? 0,
    sampleIntervalSeconds: input.sampleIntervalSeconds ?? DEFAULT_SAMPLE_INTERVAL_SECONDS,
    transmissionInterval: input.transmissionInterval ?? 'NORMAL',
    transmitImmediately: input.transmitImmediately ?? false,
    notificationActions: (input.notificationActions ?? []).map(readNotification),
    outputActions: [...(input.outputActions ?? [])],
    sampleActions: (input.sampleActions ?? []).map(readSampleAction),
  };
}

function readNotification(input: NotificationActionInput): NewNotificationAction {
  return {
    type: input.type,
    userGroupId: readGroupId(input.userGroupPlatformId),
    relevanceThreshold: input.relevanceThreshold ?? null,
    repeatsPerUserOnFailed: input.repeatsPerUserOnFailed ?? null,
    repeatsForAllOnFailed: input.repeatsForAllOnFailed ?? null,
  };
}

function readSampleAction({ type, streamId, sampleGroupPlatformId }: SampleActionInput): NewSampleAction {
  return {
    type,
    streamId: readOptional('Stream', streamId),
    sampleGroupId: readOptional('SampleGroup', sampleGroupPlatformId),
  };
}

/** Numbers of user groups start at 0, all other ids at 1. */
function readGroupId(text: string | null | undefined): number | null {
  return text === '0' ? 0 : readOptional('UserGroup', text);
}
