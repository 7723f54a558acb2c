/** The component schemas of the OpenAPI document: every field with its unit or format. */
import {
  choice,
  count,
  decimalText,
  flag,
  id,
  integer,
  type JsonSchema,
  listOf,
  moment,
  number,
  numberOrNull,
  object,
  reference,
  text,
} from './field.js';

const sampleSchemas: Readonly<Record<string, JsonSchema>> = {
  ScalarSample: object('A value.', {
    id: id('The sample. Ids ascend in order of arrival.'),
    stream_id: id('The stream.'),
    sample_date: moment('The time of measurement. May be earlier than that of a sample with a smaller id.'),
    value: text(64, 'A decimal number as text, in the unit of the stream. A broken sensor may send words.'),
  }),
  ScalarBatch: batchOf('ScalarSample', 'scalar samples'),
  AggregateValues: object('The aggregated values of a frame, in the unit of the stream.', {
    min: decimalText('The minimum.'),
    max: decimalText('The maximum.'),
    avg: decimalText('The mean.'),
    sum: decimalText('The sum.'),
  }),
  Aggregation: object('The aggregate of the numeric samples of one frame.', {
    stream_id: id('The stream.'),
    start_date: moment('The start of the frame. Frames are aligned to Unix time.'),
    number_of_samples: count('The number of numeric samples in the frame.'),
    agg_values: reference('AggregateValues'),
  }),
  AggregationBatch: batchOf('Aggregation', 'frames'),
  ImageSample: object('A picture.', {
    id: id('The sample. Ids ascend in order of arrival.'),
    stream_id: id('The stream.'),
    sample_date: moment('The time of the picture.'),
    url: { type: 'string', format: 'uri', description: 'The URL of the picture. Needs no token.' },
    width: count('Its width in pixels.'),
    height: count('Its height in pixels.'),
    size: count('Its size in bytes.'),
  }),
  ImageBatch: batchOf('ImageSample', 'image samples'),
  GpsLocation: object(
    'A satellite position.',
    {
      latitude: number('Decimal degrees, north positive.', { minimum: -90, maximum: 90 }),
      longitude: number('Decimal degrees, east positive.', { minimum: -180, maximum: 180 }),
      altitude: number('Metres above sea level.'),
      dilution_of_precision: number('A factor without a unit. Smaller values are more precise.'),
      number_of_satellites: count('The number of visible satellites.'),
      date: moment('The time of the position.'),
    },
    ['altitude', 'dilution_of_precision', 'number_of_satellites', 'date'],
  ),
  RfidSample: object(
    'The tags that a reader detected.',
    {
      id: id('The sample. Ids ascend in order of arrival.'),
      stream_id: id('The stream.'),
      sample_date: moment('The time of the sample.'),
      start_date: moment('The time of the first detection.'),
      end_date: moment('The time of the last detection.'),
      tag_ids: text(65_535, 'All tags in one text, separated by commas, semicolons or blanks.'),
      gps_location_info: reference('GpsLocation'),
    },
    ['start_date', 'end_date', 'gps_location_info'],
  ),
  RfidBatch: batchOf('RfidSample', 'RFID samples'),
};

const UINT32 = 4294967295;
/** Levels of a threshold, and actions of a level. */
const MAX_LEVELS = 100;

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
  false_alarm_filter: seconds('How long a value must stay in the level before it counts.', 0, 0),
  sample_interval: seconds('The interval of measurements in the level.', 30, 300),
  transmission_interval: choice(
    'The transmission mode of the device in the level.',
    ['normal', 'event', 'emergency'],
    { default: 'normal' },
  ),
  transmit_immediately: flag('Whether entering the level makes the device transmit.', { default: false }),
  notification_actions: listOf('NotificationAction', 'The notifications on entering the level.', MAX_LEVELS),
  output_actions: listOf('OutputAction', 'The changes of outputs on entering the level.', MAX_LEVELS),
  sample_actions: listOf('SampleAction', 'The changes of measurements on entering the level.', MAX_LEVELS),
};
const optionalLevelFields = Object.keys(levelFields).filter((name) => name !== 'display_name');

const actionTarget = { stream_id: id('The stream.'), sample_group_id: id('The group, instead of a stream.') };

const thresholdSchemas: Readonly<Record<string, JsonSchema>> = {
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
        ...actionTarget,
      },
      ['stream_id', 'sample_group_id'],
    ),
    anyOf: [{ required: ['stream_id'] }, { required: ['sample_group_id'] }],
    not: { properties: actionTarget, required: ['stream_id', 'sample_group_id'] },
  },
  ThresholdLevel: object('One level of a threshold.', {
    ...levelFields,
    upper_limit: numberOrNull('The end of the level, in the unit of the stream. Null for the topmost level.'),
    lower_limit: numberOrNull('The end of the level below. Null for the lowest level.'),
  }),
  NewThresholdLevel: object('One level of a threshold to set.', levelFields, optionalLevelFields),
  Threshold: object(
    'The levels of a threshold, from the lowest.',
    { levels: listOf('ThresholdLevel', 'The levels. Missing for a stream without a threshold.') },
    ['levels'],
  ),
  ThresholdChange: object('The levels to set, in ascending order of their upper limits.', {
    levels: listOf('NewThresholdLevel', 'The levels. An empty list removes the threshold.', MAX_LEVELS),
  }),
  ThresholdStatus: object(
    'The level of the last sample.',
    { Status: text(256, "The level's name. Missing where there is no level.") },
    ['Status'],
  ),
};

const userFields: Readonly<Record<string, JsonSchema>> = {
  id: id('The user.'),
  user_name: text(255, 'The name to sign in with.'),
  email_address: { ...text(255, 'The e-mail address.'), format: 'email' },
};

export const schemas: Readonly<Record<string, JsonSchema>> = {
  ...thresholdSchemas,
  ...sampleSchemas,
  Error: object('An error.', {
    message: text(2048, 'The reason, with the name of the parameter.'),
    request_id: text(64, 'Identifies the request for support.'),
  }),
  Token: object('An access token.', {
    access_token: text(4096, 'The token, a signed JWT. Send it as Bearer.'),
    token_type: choice('The kind of token.', ['JWT']),
    expires_in: count('The lifetime of the token in seconds.'),
  }),
  TokenRequest: object('A request for an access token.', {
    grant_type: choice('The only supported grant.', ['client_credentials']),
  }),
  Organization: object('A part of an account, which owns sites.', {
    id: id('The organization.'),
    account_id: id('The account of the organization.'),
    display_name: text(256, 'Its name.'),
  }),
  User: object('A user, briefly.', userFields, ['email_address']),
  UserDetails: object(
    'A user, in full.',
    {
      ...userFields,
      timezone_name: text(64, 'The time zone, by its IANA name.'),
      first_name: text(64, 'The first name.'),
      last_name: text(64, 'The last name.'),
      mobile_phone: text(32, 'The mobile telephone number, in international form.'),
    },
    ['email_address', 'first_name', 'last_name', 'mobile_phone'],
  ),
  UiPreferences: object("A user's date and time formats.", {
    date_format: text(64, 'A pattern such as dd.MM.yyyy.'),
    time_format: text(64, 'A pattern such as HH:mm.'),
  }),
  Site: object(
    'A place with devices.',
    {
      id: id('The site.'),
      creation_date: moment('The creation time of the site.'),
      display_name: text(256, 'Its name.'),
      status: text(64, 'For example Active.'),
      latitude: text(64, 'Decimal degrees as text, north positive. Empty if unknown.'),
      longitude: text(64, 'Decimal degrees as text, east positive. Empty if unknown.'),
      account_organization_id: id(
        'The organization of the site. Missing for a site without an organization.',
      ),
    },
    ['account_organization_id'],
  ),
  AttributeName: object('A custom attribute that sites or streams can have.', {
    id: id('The attribute.'),
    display_name: text(256, 'Its name.'),
  }),
  AttributeValue: object('The value of a custom attribute on one site or stream.', {
    id: id('The attribute.'),
    display_name: text(256, "The attribute's name."),
    parent_id: id('The site or stream that has this value.'),
    value: text(256, 'The value.'),
  }),
  AttributeChange: object('Values to set.', { attributes: listOf('NewAttributeValue', 'The values.') }),
  NewAttributeValue: object(
    'A value to set. Replaces an existing value.',
    {
      id: id('The attribute, which must exist.'),
      display_name: text(256, "The attribute's name. Ignored."),
      parent_id: id('The site or stream, which must exist.'),
      value: text(256, 'The new value.'),
    },
    ['display_name'],
  ),
  Device: object('A logger or station installed at a site.', {
    id: id('The device.'),
    serial_number: text(256, 'The number printed on it.'),
    display_name: text(256, 'Its name.'),
    model_number: text(2048, 'Its model.'),
    site_id: id('The site it is installed at.'),
    site_display_name: text(256, "The site's name."),
    akid: text(50, 'The hardware id.'),
    iccid: text(30, 'The number of its SIM card.'),
    iccid2: text(30, 'The number of its second SIM card. Empty without one.'),
    meid: text(15, 'The id of its modem.'),
    firmware_version: text(90, 'The version of its firmware.'),
  }),
  Channel: object('An input or output of a device.', {
    id: id('The channel.'),
    device_id: id('The device of the channel.'),
    creation_date: moment('The creation time of the channel.'),
    display_name: text(256, 'Its name.'),
    on_device_num: integer("The channel's number on its device.", 'int32'),
    type_id: integer('The kind of channel.', 'int32'),
    type_display_name: text(32, 'The kind of channel by name, for example DIGITAL.'),
    status_id: integer('The status.', 'int32'),
    display_status_name: text(64, 'The status by name.'),
  }),
  DeviceHealth: object('One counter of the health of a device.', {
    id: id('The record. Ids ascend in order of arrival.'),
    device_id: id('The device.'),
    sample_date: moment('The time of the measurement.'),
    counter_type_id: integer(
      'The counter: 1 battery in mV, 2 signal in dBm, 3 temperature in tenths of °C, 4 restarts.',
      'int32',
    ),
    value: integer('The value, in the unit of its counter.'),
  }),
  DeviceLog: object('A log record of a device.', {
    id: id('The record. Ids ascend in order of arrival.'),
    device_id: id('The device.'),
    log_date: moment('The time of the record.'),
    source: text(10, 'The component that logged it.'),
    message: text(256, 'The message.'),
  }),
  Stream: object('A series of samples collected at a site.', {
    id: id('The stream.'),
    site_id: id('The site.'),
    creation_date: moment('The creation time of the stream.'),
    display_name: text(256, 'Its name.'),
    type_id: integer('The quantity.', 'int32'),
    type_display_name: text(32, 'The quantity by name, for example Pressure.'),
    units: text(32, 'The unit of its values, for example bar. Empty without a unit.'),
    value_scale: decimalText('The resolution of its values, in its unit.'),
    status_id: integer('The status.', 'int32'),
  }),
};

function batchOf(schema: string, items: string): JsonSchema {
  return object(`A batch of ${items}.`, {
    hasMore: flag('Whether more items follow after this batch.'),
    samples: listOf(schema, `The ${items}.`),
  });
}
