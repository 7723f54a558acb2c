/** Converts the inputs of mutations for `sources/writes`. Invalid ids become NaN, so that all errors are reported together. */
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

/** Treats null like an omitted value, so that the default applies. */
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

/** Numbers of user groups start at 0, all other ids at 1. */
function readGroupId(text: string | null | undefined): number | null {
  return text === '0' ? 0 : readOptional('UserGroup', text);
}
