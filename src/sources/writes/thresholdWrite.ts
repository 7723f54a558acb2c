/** Checks the levels of a threshold by the platform's rules, and converts them to its format. */
import type { WireNotificationAction, WireSampleAction, WireThresholdLevel } from '../../rest/wire.js';
import type {
  NotificationAction,
  OutputAction,
  SampleAction,
  ThresholdLevel,
} from '../entities/thresholds.js';
import {
  checkCount,
  checkExists,
  checkId,
  checkLength,
  checkWholeNumber,
  createUserError,
  type InputPath,
  type UserError,
} from './userErrors.js';

export type NewNotificationAction = Omit<NotificationAction, 'userGroupPlatformId'> & {
  /** NaN stands for an invalid id. */
  userGroupId: number | null;
};

export type NewSampleAction = Omit<SampleAction, 'sampleGroupPlatformId'> & {
  /** NaN stands for an invalid id, here and in `streamId`. */
  sampleGroupId: number | null;
};

export type NewThresholdLevel = Omit<
  ThresholdLevel,
  'lowerLimit' | 'notificationActions' | 'sampleActions'
> & {
  notificationActions: readonly NewNotificationAction[];
  sampleActions: readonly NewSampleAction[];
};

const UINT32 = 4_294_967_295;
const MAX_LEVELS = 100;
const MAX_ACTIONS = 100;
const MAX_NAME_LENGTH = 256;
const MAX_COMMENT_LENGTH = 512;
const MIN_SAMPLE_INTERVAL_SECONDS = 30;
const MAX_OUTPUT_CHANNEL = 15;

/** All errors of the levels. `knownStreams` are the streams of sample actions that exist. */
export function checkThreshold(
  levels: readonly NewThresholdLevel[],
  knownStreams: ReadonlySet<number>,
): UserError[] {
  return [
    ...checkCount(['levels'], levels.length, MAX_LEVELS),
    ...levels.flatMap((level, index) => checkLevel(level, ['levels', index], knownStreams)),
    ...checkLimits(levels),
  ];
}

/** The streams of the sample actions. NaN stands for an invalid id. */
export function listActionStreams(levels: readonly NewThresholdLevel[]): number[] {
  return levels.flatMap(({ sampleActions }) => sampleActions.flatMap(({ streamId }) => streamId ?? []));
}

function checkLevel(
  level: NewThresholdLevel,
  path: InputPath,
  knownStreams: ReadonlySet<number>,
): UserError[] {
  const { name, comment, falseAlarmFilterSeconds, sampleIntervalSeconds } = level;
  const at = (field: string) => [...path, field];
  return [
    ...checkLength(at('name'), name, { min: 1, max: MAX_NAME_LENGTH }),
    ...checkLength(at('comment'), comment ?? '', { max: MAX_COMMENT_LENGTH }),
    ...checkWholeNumber(at('falseAlarmFilterSeconds'), falseAlarmFilterSeconds, 0, UINT32),
    ...checkWholeNumber(
      at('sampleIntervalSeconds'),
      sampleIntervalSeconds,
      MIN_SAMPLE_INTERVAL_SECONDS,
      UINT32,
    ),
    ...checkEach(at('notificationActions'), level.notificationActions, checkNotification),
    ...checkEach(at('outputActions'), level.outputActions, checkOutput),
    ...checkEach(at('sampleActions'), level.sampleActions, (action, actionPath) =>
      checkSampleAction(action, actionPath, knownStreams),
    ),
  ];
}

function checkEach<Action>(
  path: InputPath,
  actions: readonly Action[],
  check: (action: Action, path: InputPath) => UserError[],
): UserError[] {
  const errors = actions.flatMap((action, index) => check(action, [...path, index]));
  return [...checkCount(path, actions.length, MAX_ACTIONS), ...errors];
}

function checkNotification(action: NewNotificationAction, path: InputPath): UserError[] {
  const { userGroupId, relevanceThreshold, repeatsPerUserOnFailed, repeatsForAllOnFailed } = action;
  const whole = (field: string, value: number | null) =>
    checkWholeNumber([...path, field], value, 0, Number.MAX_SAFE_INTEGER);
  return [
    ...checkId([...path, 'userGroupPlatformId'], userGroupId),
    ...whole('relevanceThreshold', relevanceThreshold),
    ...whole('repeatsPerUserOnFailed', repeatsPerUserOnFailed),
    ...whole('repeatsForAllOnFailed', repeatsForAllOnFailed),
  ];
}

function checkOutput({ channelNumber }: OutputAction, path: InputPath): UserError[] {
  return checkWholeNumber([...path, 'channelNumber'], channelNumber, 0, MAX_OUTPUT_CHANNEL);
}

const SAMPLE_TARGETS = '`streamId` or `sampleGroupPlatformId`';

function checkSampleAction(
  { streamId, sampleGroupId }: NewSampleAction,
  path: InputPath,
  knownStreams: ReadonlySet<number>,
): UserError[] {
  const isBoth = streamId !== null && sampleGroupId !== null;
  const isNeither = streamId === null && sampleGroupId === null;
  return [
    ...(streamId === null ? [] : checkExists([...path, 'streamId'], 'stream', streamId, knownStreams)),
    ...checkId([...path, 'sampleGroupPlatformId'], sampleGroupId),
    ...(isNeither ? [createUserError(path, 'REQUIRED', `Set ${SAMPLE_TARGETS}.`)] : []),
    ...(isBoth ? [createUserError(path, 'EXCLUSIVE', `Set either ${SAMPLE_TARGETS}, not both.`)] : []),
  ];
}

/** Each limit must exceed the previous one. Only the last level may have no upper limit. */
function checkLimits(levels: readonly NewThresholdLevel[]): UserError[] {
  let previous = Number.NEGATIVE_INFINITY;
  return levels.flatMap(({ upperLimit }, index) => {
    const path = ['levels', index, 'upperLimit'];
    const isLast = index === levels.length - 1;
    if (upperLimit === null) {
      return isLast
        ? []
        : [createUserError(path, 'REQUIRED', 'Only the last level may have no upper limit.')];
    }
    // A literal such as `1e400` is read as Infinity, which JSON cannot represent: it would be sent as null.
    if (!Number.isFinite(upperLimit)) {
      return [createUserError(path, 'OUT_OF_RANGE', 'It is not a finite number.')];
    }
    const isAbove = upperLimit > previous;
    previous = Math.max(previous, upperLimit);
    const problem = `${upperLimit} is not greater than ${previous}, the limit of an earlier level.`;
    return isAbove ? [] : [createUserError(path, 'NOT_ASCENDING', problem)];
  });
}

const wireNotifications = {
  MAIL: 'mail',
  SMS: 'sms',
  TICKET_SYSTEM: 'ticketSystem',
  VOICE: 'voice',
} as const;

function toLowerCase<Name extends string>(name: Name): Lowercase<Name> {
  return name.toLowerCase() as Lowercase<Name>;
}

/** Converts a checked level. The platform computes its lower limit. */
export function toWireLevel(level: NewThresholdLevel): WireThresholdLevel {
  return {
    display_name: level.name,
    ...withoutNulls({ comment: level.comment, upper_limit: level.upperLimit }),
    false_alarm_filter: level.falseAlarmFilterSeconds,
    sample_interval: level.sampleIntervalSeconds,
    transmission_interval: toLowerCase(level.transmissionInterval),
    transmit_immediately: level.transmitImmediately,
    notification_actions: level.notificationActions.map(toWireNotification),
    output_actions: level.outputActions.map(({ type, channelNumber }) => ({
      type: toLowerCase(type),
      channel_num: channelNumber,
    })),
    sample_actions: level.sampleActions.map(toWireSampleAction),
  };
}

function toWireNotification(action: NewNotificationAction): WireNotificationAction {
  return {
    type: wireNotifications[action.type],
    ...withoutNulls({
      user_group_id: action.userGroupId,
      relevance_threshold: action.relevanceThreshold,
      repeats_per_user_on_failed: action.repeatsPerUserOnFailed,
      num_repeats_all_on_failed: action.repeatsForAllOnFailed,
    }),
  };
}

function toWireSampleAction({ type, streamId, sampleGroupId }: NewSampleAction): WireSampleAction {
  return {
    type: toLowerCase(type),
    ...withoutNulls({ stream_id: streamId, sample_group_id: sampleGroupId }),
  };
}

/** Removes fields that are null: the wire format omits them. */
function withoutNulls<Fields extends Record<string, unknown>>(fields: Fields) {
  const entries = Object.entries(fields).filter(([, value]) => value !== null);
  return Object.fromEntries(entries) as { [Name in keyof Fields]?: NonNullable<Fields[Name]> };
}
