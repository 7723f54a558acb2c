/**
 * The shapes of the REST API on the wire, written by the sandbox and read by the client. Optional fields have been seen
 * missing.
 * Dates in bodies are RFC 3339 UTC text; ids are int64 from 1.
 */

export interface WireOrganization {
  id: number;
  account_id: number;
  display_name: string;
}

export interface WireUser {
  id: number;
  user_name: string;
  email_address?: string;
}

export interface WireUserDetails extends WireUser {
  timezone_name: string;
  first_name?: string;
  last_name?: string;
  mobile_phone?: string;
}

/** Date and time formats of the API client's user. */
export interface WireUiPreferences {
  date_format: string;
  time_format: string;
}

export interface WireSite {
  id: number;
  creation_date: string;
  display_name: string;
  /** For example `Active`. */
  status: string;
  /** Decimal degrees as text; an empty string or another non-number if unknown. */
  latitude: string;
  /** Decimal degrees as text; an empty string or another non-number if unknown. */
  longitude: string;
  /** Missing for many accounts. */
  account_organization_id?: number;
}

export interface WireAttributeName {
  id: number;
  display_name: string;
}

/** The value of a custom attribute; `parent_id` is its site or stream. */
export interface WireAttributeValue extends WireAttributeName {
  parent_id: number;
  value: string;
}

export interface WireDevice {
  id: number;
  serial_number: string;
  display_name: string;
  model_number: string;
  site_id: number;
  site_display_name: string;
  /** Hardware id. */
  akid: string;
  /** SIM card number; `iccid2` is the second card's. */
  iccid: string;
  iccid2: string;
  /** Modem id. */
  meid: string;
  firmware_version: string;
}

export interface WireChannel {
  id: number;
  device_id: number;
  creation_date: string;
  display_name: string;
  /** The channel's number on its device. */
  on_device_num: number;
  type_id: number;
  /** For example `DIGITAL`. */
  type_display_name: string;
  status_id: number;
  display_status_name: string;
}

/** A health counter of a device; the unit depends on its type. */
export interface WireDeviceHealth {
  id: number;
  device_id: number;
  sample_date: string;
  counter_type_id: number;
  value: number;
}

export interface WireDeviceLog {
  id: number;
  device_id: number;
  log_date: string;
  source: string;
  message: string;
}

export interface WireStream {
  id: number;
  site_id: number;
  creation_date: string;
  display_name: string;
  type_id: number;
  /** For example `Pressure`. */
  type_display_name: string;
  /** For example `bar`. */
  units: string;
  /** A number as text. */
  value_scale: string;
  status_id: number;
  /** Not sent today; used if a platform sends it. */
  channel_id?: number;
}

export interface WireNotificationAction {
  type: 'mail' | 'sms' | 'ticketSystem' | 'voice';
  user_group_id?: number;
  relevance_threshold?: number;
  repeats_per_user_on_failed?: number;
  num_repeats_all_on_failed?: number;
}

interface WireOutputAction {
  type: 'pulse_once' | 'set_down' | 'set_up';
  /** 0 to 15. */
  channel_num: number;
}

export interface WireSampleAction {
  type: 'pause' | 'resume' | 'single' | 'pause_single';
  /** Not allowed together with `sample_group_id`. */
  stream_id?: number;
  sample_group_id?: number;
}

export interface WireThresholdLevel {
  display_name: string;
  comment?: string;
  upper_limit?: number;
  /** In responses only: a level begins at the limit of the level below. */
  lower_limit?: number;
  /** Seconds, 0 to 4294967295, default 0. */
  false_alarm_filter?: number;
  /** Seconds, 30 to 4294967295, default 300. */
  sample_interval?: number;
  transmission_interval?: 'normal' | 'event' | 'emergency';
  transmit_immediately?: boolean;
  notification_actions?: WireNotificationAction[];
  output_actions?: WireOutputAction[];
  sample_actions?: WireSampleAction[];
}

export interface WireThreshold {
  levels?: WireThresholdLevel[];
}

/** The name has a capital S and may be missing. */
export interface WireThresholdStatus {
  Status?: string;
}

export interface WireScalarSample {
  id: number;
  stream_id: number;
  sample_date: string;
  /** A decimal number as text, for example `102.0000`. */
  value: string;
}

export interface WireImageSample {
  id: number;
  stream_id: number;
  sample_date: string;
  url: string;
  /** Pixels. */
  width: number;
  height: number;
  /** Bytes. */
  size: number;
}

interface WireGpsLocation {
  latitude: number;
  longitude: number;
  /** Metres. */
  altitude?: number;
  dilution_of_precision?: number;
  number_of_satellites?: number;
  date?: string;
}

export interface WireRfidSample {
  id: number;
  stream_id: number;
  sample_date: string;
  /** The reader's window. */
  start_date?: string;
  end_date?: string;
  /** All tags in one string. */
  tag_ids: string;
  gps_location_info?: WireGpsLocation;
}

export interface WireAggregation {
  stream_id: number;
  /** Start of the frame. */
  start_date: string;
  number_of_samples: number;
  /** Decimals as text. */
  agg_values: { min: string; max: string; avg: string; sum: string };
}

/** The body of a batch response. */
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
