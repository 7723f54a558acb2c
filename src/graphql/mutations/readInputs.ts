/** Reads the inputs of mutations into what the writes are planned with; an id that is none becomes NaN, to be told with the rest. */
import type { AttributeEntry } from '../../sources/writes/attributeWrite.js';
import type {
  NewNotificationAction,
  NewSampleAction,
  NewThresholdLevel,
} from '../../sources/writes/thresholdWrite.js';
import { readIdOrNaN } from '../arguments/nodeId.js';
import type {
  NotificationActionInput,
  SampleActionInput,
  SiteCustomAttributeInput,
  StreamCustomAttributeInput,
  ThresholdLevelInput,
} from '../generated/resolverTypes.js';

const DEFAULT_SAMPLE_INTERVAL_SECONDS = 300;

function readOptional(type: string, text: string | null | undefined): number | null {
  return text == null ? null : readIdOrNaN(type, text);
}

export function readAttribute(
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

/** What is given as null is taken for not given: the platform's own defaults then hold. */
export function readLevel(input: ThresholdLevelInput): NewThresholdLevel {
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

/** Groups of users are numbered from 0. */
function readGroupId(text: string | null | undefined): number | null {
  return text === '0' ? 0 : readOptional('UserGroup', text);
}
