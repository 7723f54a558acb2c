/**
 * The shapes of the REST API on the wire, written by the sandbox and read by the client. Optional fields have been seen
 * missing. Dates in bodies are RFC 3339 UTC text; ids are int64 from 1. The tables of fields say how the client reads them.
 */

/** The value of a field, by its kind in the tables. Required are `id`, `number` and `integer`. */
export interface FieldValues {
  id: number;
  optionalId: number | undefined;
  string: string;
  /** A string, which may be no date. */
  date: string;
  optionalString: string | undefined;
  number: number;
  optionalNumber: number | undefined;
  /** A whole number of 32 bits, as an `Int` of the graph. */
  integer: number;
  optionalInteger: number | undefined;
  optionalBoolean: boolean | undefined;
  other: unknown;
}

export type FieldKind = keyof FieldValues;

type WireRow<Fields extends Record<string, FieldKind>, Optional extends keyof Fields = never> = {
  -readonly [Name in Exclude<keyof Fields, Optional>]: NonNullable<FieldValues[Fields[Name]]>;
} & { -readonly [Name in Optional]?: NonNullable<FieldValues[Fields[Name]]> };

export const organizationFields = { id: 'id', account_id: 'optionalId', display_name: 'string' } as const;
export type WireOrganization = WireRow<typeof organizationFields>;

export const userFields = { id: 'id', user_name: 'string', email_address: 'optionalString' } as const;
export type WireUser = WireRow<typeof userFields, 'email_address'>;

export const userDetailsFields = {
  ...userFields,
  timezone_name: 'string',
  first_name: 'optionalString',
  last_name: 'optionalString',
  mobile_phone: 'optionalString',
} as const;

/** Date and time formats of the API client's user. */
export const uiPreferencesFields = { date_format: 'string', time_format: 'string' } as const;
export type WireUiPreferences = WireRow<typeof uiPreferencesFields>;

export const siteFields = {
  id: 'id',
  creation_date: 'string',
  display_name: 'string',
  /** For example `Active`. */
  status: 'string',
  /** Decimal degrees as text; an empty string or another non-number if unknown. */
  latitude: 'string',
  /** Decimal degrees as text; an empty string or another non-number if unknown. */
  longitude: 'string',
  /** Missing for many accounts. */
  account_organization_id: 'optionalId',
} as const;
export type WireSite = WireRow<typeof siteFields, 'account_organization_id'>;

export const attributeNameFields = { id: 'id', display_name: 'string' } as const;
export type WireAttributeName = WireRow<typeof attributeNameFields>;

/** The value of a custom attribute; `parent_id` is its site or stream. */
export const attributeValueFields = { ...attributeNameFields, parent_id: 'id', value: 'string' } as const;
export type WireAttributeValue = WireRow<typeof attributeValueFields>;

export const deviceFields = {
  id: 'id',
  serial_number: 'string',
  display_name: 'string',
  model_number: 'string',
  site_id: 'optionalId',
  site_display_name: 'string',
  /** Hardware id. */
  akid: 'string',
  /** SIM card number; `iccid2` is the second card's. */
  iccid: 'string',
  iccid2: 'string',
  /** Modem id. */
  meid: 'string',
  firmware_version: 'string',
} as const;
export type WireDevice = WireRow<typeof deviceFields>;

export const channelFields = {
  id: 'id',
  device_id: 'optionalId',
  creation_date: 'string',
  display_name: 'string',
  /** The channel's number on its device. */
  on_device_num: 'optionalInteger',
  type_id: 'optionalNumber',
  /** For example `DIGITAL`. */
  type_display_name: 'string',
  status_id: 'optionalNumber',
  display_status_name: 'string',
} as const;
export type WireChannel = WireRow<typeof channelFields>;

/** A health counter of a device; the unit depends on its type. */
export const deviceHealthFields = {
  id: 'id',
  device_id: 'optionalId',
  sample_date: 'date',
  counter_type_id: 'integer',
  value: 'number',
} as const;

export const deviceLogFields = {
  id: 'id',
  device_id: 'optionalId',
  log_date: 'date',
  source: 'string',
  message: 'string',
} as const;

export const streamFields = {
  id: 'id',
  site_id: 'optionalId',
  creation_date: 'string',
  display_name: 'string',
  type_id: 'optionalNumber',
  /** For example `Pressure`. */
  type_display_name: 'string',
  /** For example `bar`. */
  units: 'string',
  /** A number as text. */
  value_scale: 'string',
  status_id: 'optionalNumber',
  /** Not sent today; used if a platform sends it. */
  channel_id: 'optionalId',
} as const;
export type WireStream = WireRow<typeof streamFields, 'channel_id'>;

export const notificationActionFields = {
  type: 'other',
  user_group_id: 'optionalNumber',
  relevance_threshold: 'optionalInteger',
  repeats_per_user_on_failed: 'optionalInteger',
  num_repeats_all_on_failed: 'optionalInteger',
} as const;
export type WireNotificationAction = Partial<WireRow<typeof notificationActionFields>> & {
  type: 'mail' | 'sms' | 'ticketSystem' | 'voice';
};

export const outputActionFields = {
  type: 'other',
  /** 0 to 15. */
  channel_num: 'optionalInteger',
} as const;
type WireOutputAction = WireRow<typeof outputActionFields> & {
  type: 'pulse_once' | 'set_down' | 'set_up';
};

export const sampleActionFields = {
  type: 'other',
  /** Not allowed together with `sample_group_id`. */
  stream_id: 'optionalId',
  sample_group_id: 'optionalNumber',
} as const;
export type WireSampleAction = Partial<WireRow<typeof sampleActionFields>> & {
  type: 'pause' | 'resume' | 'single' | 'pause_single';
};

export const thresholdLevelFields = {
  display_name: 'string',
  comment: 'optionalString',
  upper_limit: 'optionalNumber',
  /** In responses only: a level begins at the limit of the level below. */
  lower_limit: 'optionalNumber',
  /** Seconds, 0 to 4294967295, default 0. */
  false_alarm_filter: 'optionalNumber',
  /** Seconds, 30 to 4294967295, default 300. */
  sample_interval: 'optionalNumber',
  transmission_interval: 'other',
  transmit_immediately: 'optionalBoolean',
  notification_actions: 'other',
  output_actions: 'other',
  sample_actions: 'other',
} as const;
export type WireThresholdLevel = Partial<WireRow<typeof thresholdLevelFields>> & {
  display_name: string;
  transmission_interval?: 'normal' | 'event' | 'emergency';
  notification_actions?: WireNotificationAction[];
  output_actions?: WireOutputAction[];
  sample_actions?: WireSampleAction[];
};

export const thresholdFields = { levels: 'other' } as const;
export interface WireThreshold {
  levels?: WireThresholdLevel[];
}

/** The name has a capital S and may be missing. */
export const thresholdStatusFields = { Status: 'optionalString' } as const;
export type WireThresholdStatus = WireRow<typeof thresholdStatusFields, 'Status'>;

export const scalarSampleFields = {
  id: 'id',
  stream_id: 'id',
  sample_date: 'date',
  /** A decimal number as text, for example `102.0000`. */
  value: 'string',
} as const;
export type WireScalarSample = WireRow<typeof scalarSampleFields>;

export const imageSampleFields = {
  id: 'id',
  stream_id: 'id',
  sample_date: 'date',
  url: 'string',
  /** Pixels. */
  width: 'optionalInteger',
  height: 'optionalInteger',
  /** Bytes. */
  size: 'optionalInteger',
} as const;
export type WireImageSample = WireRow<typeof imageSampleFields>;

export const gpsLocationFields = {
  latitude: 'optionalNumber',
  longitude: 'optionalNumber',
  /** Metres. */
  altitude: 'optionalNumber',
  dilution_of_precision: 'optionalNumber',
  number_of_satellites: 'optionalInteger',
  date: 'optionalString',
} as const;

export const rfidSampleFields = {
  id: 'id',
  stream_id: 'id',
  sample_date: 'date',
  /** The reader's window. */
  start_date: 'optionalString',
  end_date: 'optionalString',
  /** All tags in one string. */
  tag_ids: 'string',
  gps_location_info: 'other',
} as const;
export type WireRfidSample = WireRow<
  typeof rfidSampleFields,
  'start_date' | 'end_date' | 'gps_location_info'
>;

/** Decimals as text. */
export const aggregatedValuesFields = {
  min: 'optionalString',
  max: 'optionalString',
  avg: 'optionalString',
  sum: 'optionalString',
} as const;

export const aggregationFields = {
  stream_id: 'id',
  /** Start of the frame. */
  start_date: 'date',
  number_of_samples: 'integer',
  agg_values: 'other',
} as const;
export type WireAggregation = WireRow<typeof aggregationFields> & {
  agg_values: WireRow<typeof aggregatedValuesFields>;
};

export interface WireBatch<Row> {
  hasMore: boolean;
  samples: Row[];
}

export interface WireToken {
  access_token: string;
  token_type: string;
  /** Seconds. */
  expires_in: number;
}

/** The body of error responses: 400, 401, 403, 404, 429, 500. */
export interface WireError {
  message: string;
  request_id: string;
}
