/** Resolves mutations: reads the inputs, checks and sends the writes, and returns the state afterwards. */
import { GatewayError } from '../../errors.js';
import { DEFAULT_SAMPLE_INTERVAL_SECONDS } from '../../sources/entities/thresholds.js';
import type { AttributeEntry } from '../../sources/writes/attributeWrite.js';
import type {
  NewNotificationAction,
  NewSampleAction,
  NewThresholdLevel,
} from '../../sources/writes/thresholdWrite.js';
import type { UserError } from '../../sources/writes/userErrors.js';
import { readIdOrNaN, toNodeId } from '../arguments/nodeId.js';
import type { Context } from '../context.js';
import type {
  AcknowledgeSamplesInput,
  AcknowledgeSamplesPayloadResolvers,
  BackfillSamplesInput,
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
    const names = levels.map(({ name }) => name);
    const mutation = 'setStreamThreshold';
    const description = { mutation, ids: toIds('Stream', streamId), levels: bound(names, MAX_NAMES) };
    return logWrite(context, description, () => setThreshold(context, streamId, levels));
  },
  acknowledgeSamples: (_, { input }, context) =>
    logWrite(context, describeQueue('acknowledgeSamples', input), () => acknowledge(context, input)),
  backfillSamples: (_, { input }, context) =>
    logWrite(context, describeQueue('backfillSamples', input), () => backfill(context, input)),
};

export const SetSiteCustomAttributesPayload: SetSiteCustomAttributesPayloadResolvers = {
  sites: operationRelation(async ({ ids }, _, { sites }) => ids && Promise.all(ids.map(sites.byId))),
};

export const SetStreamCustomAttributesPayload: SetStreamCustomAttributesPayloadResolvers = {
  streams: operationRelation(async ({ ids }, _, { streams }) => ids && Promise.all(ids.map(streams.byId))),
};

export const SetStreamThresholdPayload: SetStreamThresholdPayloadResolvers = {
  stream: operationRelation(({ streamId }, _, { streams }) =>
    streamId === null ? null : streams.byId(streamId),
  ),
};

export const AcknowledgeSamplesPayload: AcknowledgeSamplesPayloadResolvers = {
  lastAcknowledged: operationRelation(({ kind, userErrors }, _, { sampleQueues }) =>
    userErrors.length > 0 ? null : sampleQueues.status(kind),
  ),
};

export const BackfillSamplesPayload: BackfillSamplesPayloadResolvers = {
  sampleBatch: operationRelation(({ kind, userErrors }, _, { sampleQueues }) =>
    userErrors.length > 0 ? null : sampleQueues.read(kind, {}),
  ),
};

function readOptional(type: string, text: string | null | undefined): number | null {
  return text == null ? null : readIdOrNaN(type, text);
}

/** Invalid ids become NaN here and below, so that all errors of an input are reported together. */
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

/** The part of a log line that says what a mutation does. It contains names and ids, no values. */
interface WriteDescription {
  mutation: string;
  /** Typed ids of the entities that the mutation changes. */
  ids: BoundedList;
  [detail: string]: unknown;
}

/** A line holds this many items of a list and characters of a string, so that no input makes it longer. */
const MAX_ITEMS = 200;
const MAX_NAMES = 50;
const MAX_TEXT_LENGTH = 100;

/** A list without duplicates, truncated to a maximum; `total` counts the items before that. */
type BoundedList = readonly string[] | { first: readonly string[]; total: number };

/** Runs a write and logs its result, once per mutation field on every transport. */
async function logWrite<Payload extends { userErrors: readonly UserError[] }>(
  context: Context,
  description: WriteDescription,
  write: () => Promise<Payload>,
): Promise<Payload> {
  const log = context.beginWrite(description);
  try {
    const payload = await write();
    log(describeUserErrors(payload.userErrors));
    return payload;
  } catch (error) {
    log(describeFailure(error));
    throw error;
  }
}

function describeUserErrors(userErrors: readonly UserError[]): object {
  if (userErrors.length === 0) return { result: 'ok' };
  return { result: 'userErrors', codes: [...new Set(userErrors.map(({ code }) => code))] };
}

function describeFailure(error: unknown): object {
  const { code, mayHaveTakenEffect } =
    error instanceof GatewayError ? error : { code: 'INTERNAL_SERVER_ERROR', mayHaveTakenEffect: undefined };
  return { result: mayHaveTakenEffect ? 'mayHaveTakenEffect' : 'failed', code };
}

function describeAttributes(
  mutation: string,
  parentType: 'Site' | 'Stream',
  entries: readonly AttributeEntry[],
): WriteDescription {
  const ids = entries.flatMap(({ parentId }) => toIds(parentType, parentId));
  const attributes = entries.flatMap(
    ({ name, attributeId }) => name ?? toIds('CustomAttribute', attributeId),
  );
  return { mutation, ids: bound(ids, MAX_ITEMS), attributes: bound(attributes, MAX_NAMES) };
}

function describeQueue(
  mutation: string,
  { kind, agent, ...position }: AcknowledgeSamplesInput | BackfillSamplesInput,
): WriteDescription {
  const fields =
    'since' in position ? { since: toDate(position.since) } : { sampleId: shorten(position.sampleId) };
  return { mutation, ids: [], queue: kind, ...fields, ...(agent != null && { agent: shorten(agent) }) };
}

/** Empty if the input is not an id. */
function toIds(type: string, id: number | null): string[] {
  return id === null || Number.isNaN(id) ? [] : [toNodeId(type, id)];
}

function bound(texts: readonly string[], max: number): BoundedList {
  const unique = [...new Set(texts)];
  const first = unique.slice(0, max).map(shorten);
  return unique.length <= max ? first : { first, total: unique.length };
}

function shorten(text: string): string {
  return text.length <= MAX_TEXT_LENGTH ? text : `${text.slice(0, MAX_TEXT_LENGTH)}…`;
}

/** The date as text if the number is a valid time; otherwise the number. */
function toDate(timeMs: number): string | number {
  const date = new Date(timeMs);
  return Number.isNaN(date.getTime()) ? timeMs : date.toISOString();
}
