/** The component schemas of the OpenAPI document: every field with its unit or format. */
import type { JsonSchema } from '../endpoints/parameter.js';
import {
  choice,
  count,
  decimalText,
  flag,
  id,
  integer,
  listOf,
  moment,
  number,
  numberOrNull,
  object,
  reference,
  text,
} from './field.js';

const UINT32 = 4294967295;

function batchOf(schema: string, what: string): JsonSchema {
  return object(`A batch of ${what}.`, {
    hasMore: flag('Whether more follow than fit into this batch.'),
    samples: listOf(schema, `The ${what}.`),
  });
}

function seconds(description: string, minimum: number, byDefault: number): JsonSchema {
  const limits = { minimum, maximum: UINT32, default: byDefault };
  return { type: 'integer', format: 'int64', ...limits, description: `${description} In seconds.` };
}

const levelFields: Readonly<Record<string, JsonSchema>> = {
  display_name: { minLength: 1, ...text(256, 'The name of the level.') },
  comment: text(512, 'What people should know about the level.'),
  upper_limit: number('Where the level ends, in the unit of the stream; only the topmost may have none.'),
  false_alarm_filter: seconds('How long a value must stay in the level before it counts.', 0, 0),
  sample_interval: seconds('How often is measured while in the level.', 30, 300),
  transmission_interval: choice(
    'How eagerly the device transmits while in the level.',
    ['normal', 'event', 'emergency'],
    { default: 'normal' },
  ),
  transmit_immediately: flag('Whether entering the level makes the device transmit at once.', {
    default: false,
  }),
  notification_actions: listOf('NotificationAction', 'Who is told when the level is entered.'),
  output_actions: listOf('OutputAction', 'Which outputs are set when the level is entered.'),
  sample_actions: listOf('SampleAction', 'Which measurements are started or stopped on entering.'),
};
const optionalLevelFields = Object.keys(levelFields).filter((name) => name !== 'display_name');

export const schemas: Readonly<Record<string, JsonSchema>> = {
  Error: object('Every refusal.', {
    message: text(2048, 'What was wrong, naming the parameter.'),
    request_id: text(64, 'Identifies the request towards the operator.'),
  }),
  Token: object('An access token.', {
    access_token: text(4096, 'The token, a signed JWT, to be sent as Bearer.'),
    token_type: choice('The kind of token.', ['JWT']),
    expires_in: count('How long the token is good, in seconds.'),
  }),
  TokenRequest: object('What is asked for.', {
    grant_type: choice('The only grant there is.', ['client_credentials']),
  }),
  Organization: object('A part of an account that sites belong to.', {
    id: id('The organization.'),
    account_id: id('The account it is part of.'),
    display_name: text(256, 'Its name.'),
  }),
  User: object(
    'A user, briefly.',
    {
      id: id('The user.'),
      user_name: text(255, 'The name to sign in with.'),
      email_address: { ...text(255, 'Where mail reaches the user.'), format: 'email' },
    },
    ['email_address'],
  ),
  UserDetails: object(
    'A user, in full.',
    {
      id: id('The user.'),
      user_name: text(255, 'The name to sign in with.'),
      timezone_name: text(64, 'The time zone, by its IANA name.'),
      email_address: { ...text(255, 'Where mail reaches the user.'), format: 'email' },
      first_name: text(64, 'The first name.'),
      last_name: text(64, 'The last name.'),
      mobile_phone: text(32, 'The mobile telephone number, in international form.'),
    },
    ['email_address', 'first_name', 'last_name', 'mobile_phone'],
  ),
  UiPreferences: object('How a user likes dates and times written.', {
    date_format: text(64, 'A pattern such as dd.MM.yyyy.'),
    time_format: text(64, 'A pattern such as HH:mm.'),
  }),
  Site: object(
    'A place with devices.',
    {
      id: id('The site.'),
      creation_date: moment('When the site was set up.'),
      display_name: text(256, 'Its name.'),
      status: text(64, 'For example Active.'),
      latitude: text(64, 'Decimal degrees as text, north positive; empty where unknown.'),
      longitude: text(64, 'Decimal degrees as text, east positive; empty where unknown.'),
      account_organization_id: id('The organization it belongs to; missing where it belongs to none.'),
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
    'A value to set; it replaces the one that is there.',
    {
      id: id('The attribute, which must exist.'),
      display_name: text(256, "The attribute's name, which is not changed by this."),
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
    iccid2: text(30, 'The number of its second SIM card; empty where it has none.'),
    meid: text(15, 'The id of its modem.'),
    firmware_version: text(90, 'The version of its firmware.'),
  }),
  Channel: object('An input or output of a device.', {
    id: id('The channel.'),
    device_id: id('The device it is part of.'),
    creation_date: moment('When the channel was set up.'),
    display_name: text(256, 'Its name.'),
    on_device_num: integer("The channel's number on its device.", 'int32'),
    type_id: integer('The kind of channel.', 'int32'),
    type_display_name: text(32, 'The kind of channel by name, for example DIGITAL.'),
    status_id: integer('The status.', 'int32'),
    display_status_name: text(64, 'The status by name.'),
  }),
  DeviceHealth: object('One counter of the health of a device.', {
    id: id('The record; ids rise with arrival.'),
    device_id: id('The device.'),
    sample_date: moment('When it was read.'),
    counter_type_id: integer(
      'What was counted: 1 battery in mV, 2 signal in dBm, 3 temperature in tenths of °C, 4 restarts.',
      'int32',
    ),
    value: integer('The count, in the unit of its type.'),
  }),
  DeviceLog: object('Something a device noted.', {
    id: id('The record; ids rise with arrival.'),
    device_id: id('The device.'),
    log_date: moment('When it was noted.'),
    source: text(10, 'The part of the device that noted it.'),
    message: text(256, 'What it noted.'),
  }),
  Stream: object('A series of samples collected at a site.', {
    id: id('The stream.'),
    site_id: id('The site.'),
    creation_date: moment('When the stream was set up.'),
    display_name: text(256, 'Its name.'),
    type_id: integer('The quantity.', 'int32'),
    type_display_name: text(32, 'The quantity by name, for example Pressure.'),
    units: text(32, 'The unit of its values, for example bar; empty where there is none.'),
    value_scale: decimalText('The step of its values, in its unit.'),
    status_id: integer('The status.', 'int32'),
  }),
  NotificationAction: object(
    'Tells somebody.',
    {
      type: choice('The way to tell.', ['mail', 'sms', 'ticketSystem', 'voice']),
      user_group_id: count('Whom to tell.'),
      relevance_threshold: count('How relevant it must be, a plain number.'),
      repeats_per_user_on_failed: count('How often to try each user again.'),
      num_repeats_all_on_failed: count('How often to try all of them again.'),
    },
    ['user_group_id', 'relevance_threshold', 'repeats_per_user_on_failed', 'num_repeats_all_on_failed'],
  ),
  OutputAction: object('Sets an output of the device.', {
    type: choice('What to do with it.', ['pulse_once', 'set_down', 'set_up']),
    channel_num: {
      ...{ type: 'integer', format: 'int32', minimum: 0, maximum: 15 },
      description: "The output's number on its device.",
    },
  }),
  SampleAction: {
    ...object(
      'Starts or stops measurements, of one stream or of a group of them.',
      {
        type: choice('What to do.', ['pause', 'resume', 'single', 'pause_single']),
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
    upper_limit: numberOrNull('Where the level ends, in the unit of the stream; null on the topmost.'),
    lower_limit: numberOrNull('Where the level begins: where the one below it ends; null on the lowest.'),
  }),
  NewThresholdLevel: object('One level of a threshold, to be set.', levelFields, optionalLevelFields),
  Threshold: object(
    'The levels that values are sorted into, from the lowest.',
    { levels: listOf('ThresholdLevel', 'The levels; missing where the stream has no threshold.') },
    ['levels'],
  ),
  ThresholdChange: object('The levels to set, in ascending order of their upper limits.', {
    levels: listOf('NewThresholdLevel', 'The levels; none removes the threshold.'),
  }),
  ThresholdStatus: object(
    'The level that the last sample is in.',
    { Status: text(256, "The level's name; missing where there is none.") },
    ['Status'],
  ),
  ScalarSample: object('A value.', {
    id: id('The sample; ids rise with arrival.'),
    stream_id: id('The stream.'),
    sample_date: moment('When it was measured; may be older than what arrived before.'),
    value: text(64, 'A decimal number as text, in the unit of the stream; a broken sensor may send words.'),
  }),
  ScalarBatch: batchOf('ScalarSample', 'scalar samples'),
  AggregateValues: object('What the samples of a frame come to, in the unit of the stream.', {
    min: decimalText('The least.'),
    max: decimalText('The greatest.'),
    avg: decimalText('The mean.'),
    sum: decimalText('The sum.'),
  }),
  Aggregation: object('The numeric samples of one frame, summed up.', {
    stream_id: id('The stream.'),
    start_date: moment('The start of the frame; frames are aligned to Unix time.'),
    number_of_samples: count('How many numeric samples the frame has.'),
    agg_values: reference('AggregateValues'),
  }),
  AggregationBatch: batchOf('Aggregation', 'frames'),
  ImageSample: object('A picture.', {
    id: id('The sample; ids rise with arrival.'),
    stream_id: id('The stream.'),
    sample_date: moment('When it was taken.'),
    url: { type: 'string', format: 'uri', description: 'Where the picture can be fetched, without a token.' },
    width: count('Its width in pixels.'),
    height: count('Its height in pixels.'),
    size: count('Its size in bytes.'),
  }),
  ImageBatch: batchOf('ImageSample', 'image samples'),
  GpsLocation: object(
    'A position by satellite.',
    {
      latitude: number('Decimal degrees, north positive.', { minimum: -90, maximum: 90 }),
      longitude: number('Decimal degrees, east positive.', { minimum: -180, maximum: 180 }),
      altitude: number('Metres above sea level.'),
      dilution_of_precision: number('A plain factor: the smaller, the more precise.'),
      number_of_satellites: count('How many satellites were in view.'),
      date: moment('When the position was taken.'),
    },
    ['altitude', 'dilution_of_precision', 'number_of_satellites', 'date'],
  ),
  RfidSample: object(
    'The tags that a reader saw.',
    {
      id: id('The sample; ids rise with arrival.'),
      stream_id: id('The stream.'),
      sample_date: moment('When the reading was finished.'),
      start_date: moment('When the reading began.'),
      end_date: moment('When the reading ended.'),
      tag_ids: text(65_535, 'All tags in one text; commas, semicolons or blanks stand between them.'),
      gps_location_info: reference('GpsLocation'),
    },
    ['start_date', 'end_date', 'gps_location_info'],
  ),
  RfidBatch: batchOf('RfidSample', 'RFID samples'),
};
