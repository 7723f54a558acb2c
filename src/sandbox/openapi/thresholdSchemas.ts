/** The schemas of thresholds and their levels. */
import type { JsonSchema } from '../endpoints/parameter.js';
import { choice, count, flag, id, listOf, number, numberOrNull, object, text } from './field.js';

const UINT32 = 4294967295;

function seconds(description: string, minimum: number, byDefault: number): JsonSchema {
  const limits = { minimum, maximum: UINT32, default: byDefault };
  return { type: 'integer', format: 'int64', ...limits, description: `${description} In seconds.` };
}

const levelFields: Readonly<Record<string, JsonSchema>> = {
  display_name: { minLength: 1, ...text(256, 'The name of the level.') },
  comment: text(512, 'A note for people.'),
  upper_limit: number(
    'The end of the level, in the unit of the stream. Required for all levels but the topmost.',
  ),
  false_alarm_filter: seconds(
    'The time that a value must stay in the level before the level becomes active.',
    0,
    0,
  ),
  sample_interval: seconds('The interval of measurements in the level.', 30, 300),
  transmission_interval: choice(
    'The transmission mode of the device in the level.',
    ['normal', 'event', 'emergency'],
    { default: 'normal' },
  ),
  transmit_immediately: flag('Whether the device transmits at once on entering the level.', {
    default: false,
  }),
  notification_actions: listOf('NotificationAction', 'The notifications on entering the level.'),
  output_actions: listOf('OutputAction', 'The changes of outputs on entering the level.'),
  sample_actions: listOf('SampleAction', 'The changes of measurements on entering the level.'),
};
const optionalLevelFields = Object.keys(levelFields).filter((name) => name !== 'display_name');

export const thresholdSchemas: Readonly<Record<string, JsonSchema>> = {
  NotificationAction: object(
    'Notifies a group of users.',
    {
      type: choice('The means of notification.', ['mail', 'sms', 'ticketSystem', 'voice']),
      user_group_id: count('The group of users.'),
      relevance_threshold: count('The minimum relevance, without a unit.'),
      repeats_per_user_on_failed: count('The number of further attempts for each user.'),
      num_repeats_all_on_failed: count('The number of further attempts for all users.'),
    },
    ['user_group_id', 'relevance_threshold', 'repeats_per_user_on_failed', 'num_repeats_all_on_failed'],
  ),
  OutputAction: object('Sets an output of the device.', {
    type: choice('The change of the output.', ['pulse_once', 'set_down', 'set_up']),
    channel_num: {
      ...{ type: 'integer', format: 'int32', minimum: 0, maximum: 15 },
      description: "The output's number on its device.",
    },
  }),
  SampleAction: {
    ...object(
      'Starts or stops the measurements of one stream or of a group of streams.',
      {
        type: choice('The change of the measurements.', ['pause', 'resume', 'single', 'pause_single']),
        stream_id: id('The stream.'),
        sample_group_id: id('The group, instead of a stream.'),
      },
      ['stream_id', 'sample_group_id'],
    ),
    not: {
      properties: { stream_id: id('The stream.'), sample_group_id: id('The group.') },
      required: ['stream_id', 'sample_group_id'],
    },
  },
  ThresholdLevel: object('One level of a threshold.', {
    ...levelFields,
    upper_limit: numberOrNull('The end of the level, in the unit of the stream. Null for the topmost level.'),
    lower_limit: numberOrNull(
      'The start of the level: the end of the level below. Null for the lowest level.',
    ),
  }),
  NewThresholdLevel: object('One level of a threshold to set.', levelFields, optionalLevelFields),
  Threshold: object(
    'The levels of a threshold, from the lowest.',
    { levels: listOf('ThresholdLevel', 'The levels. Missing for a stream without a threshold.') },
    ['levels'],
  ),
  ThresholdChange: object('The levels to set, in ascending order of their upper limits.', {
    levels: listOf('NewThresholdLevel', 'The levels. An empty list removes the threshold.'),
  }),
  ThresholdStatus: object(
    'The level of the last sample.',
    { Status: text(256, "The level's name. Missing where there is no level.") },
    ['Status'],
  ),
};
