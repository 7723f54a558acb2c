/** The decoder of each kind of row; `wire.ts` documents the fields. */
import type * as Wire from '../wire.js';
import { createRowDecoder, type RowFields } from './rowDecoder.js';

export const organizationRow = createRowDecoder({
  id: 'id',
  account_id: 'optionalId',
  display_name: 'text',
} as const satisfies RowFields<Wire.WireOrganization>);

export const userRow = createRowDecoder({
  id: 'id',
  user_name: 'text',
  email_address: 'optionalText',
} as const satisfies RowFields<Wire.WireUser>);

export const userDetailsRow = createRowDecoder({
  id: 'id',
  user_name: 'text',
  email_address: 'optionalText',
  timezone_name: 'text',
  first_name: 'optionalText',
  last_name: 'optionalText',
  mobile_phone: 'optionalText',
} as const satisfies RowFields<Wire.WireUserDetails>);

export const uiPreferencesRow = createRowDecoder({
  date_format: 'text',
  time_format: 'text',
} as const satisfies RowFields<Wire.WireUiPreferences>);

export const siteRow = createRowDecoder({
  id: 'id',
  creation_date: 'text',
  display_name: 'text',
  status: 'text',
  latitude: 'text',
  longitude: 'text',
  account_organization_id: 'optionalId',
} as const satisfies RowFields<Wire.WireSite>);

export const attributeNameRow = createRowDecoder({
  id: 'id',
  display_name: 'text',
} as const satisfies RowFields<Wire.WireAttributeName>);

export const attributeValueRow = createRowDecoder({
  id: 'id',
  display_name: 'text',
  parent_id: 'id',
  value: 'text',
} as const satisfies RowFields<Wire.WireAttributeValue>);

export const deviceRow = createRowDecoder({
  id: 'id',
  serial_number: 'text',
  display_name: 'text',
  model_number: 'text',
  site_id: 'optionalId',
  site_display_name: 'text',
  akid: 'text',
  iccid: 'text',
  iccid2: 'text',
  meid: 'text',
  firmware_version: 'text',
} as const satisfies RowFields<Wire.WireDevice>);

export const channelRow = createRowDecoder({
  id: 'id',
  device_id: 'optionalId',
  creation_date: 'text',
  display_name: 'text',
  on_device_num: 'optionalInteger',
  type_id: 'optionalNumber',
  type_display_name: 'text',
  status_id: 'optionalNumber',
  display_status_name: 'text',
} as const satisfies RowFields<Wire.WireChannel>);

export const deviceHealthRow = createRowDecoder({
  id: 'id',
  device_id: 'optionalId',
  sample_date: 'text',
  counter_type_id: 'integer',
  value: 'number',
} as const satisfies RowFields<Wire.WireDeviceHealth>);

export const deviceLogRow = createRowDecoder({
  id: 'id',
  device_id: 'optionalId',
  log_date: 'text',
  source: 'text',
  message: 'text',
} as const satisfies RowFields<Wire.WireDeviceLog>);

export const streamRow = createRowDecoder({
  id: 'id',
  site_id: 'optionalId',
  creation_date: 'text',
  display_name: 'text',
  type_id: 'optionalNumber',
  type_display_name: 'text',
  units: 'text',
  value_scale: 'text',
  status_id: 'optionalNumber',
  channel_id: 'optionalId',
} as const satisfies RowFields<Wire.WireStream>);

export const thresholdRow = createRowDecoder({
  levels: 'other',
} as const satisfies RowFields<Wire.WireThreshold>);

export const thresholdLevelRow = createRowDecoder({
  display_name: 'text',
  comment: 'optionalText',
  upper_limit: 'optionalNumber',
  lower_limit: 'optionalNumber',
  false_alarm_filter: 'optionalNumber',
  sample_interval: 'optionalNumber',
  transmission_interval: 'other',
  transmit_immediately: 'optionalBoolean',
  notification_actions: 'other',
  output_actions: 'other',
  sample_actions: 'other',
} as const satisfies RowFields<Wire.WireThresholdLevel>);

export const notificationActionRow = createRowDecoder({
  type: 'other',
  user_group_id: 'optionalNumber',
  relevance_threshold: 'optionalInteger',
  repeats_per_user_on_failed: 'optionalInteger',
  num_repeats_all_on_failed: 'optionalInteger',
});

export const outputActionRow = createRowDecoder({ type: 'other', channel_num: 'optionalInteger' });

export const sampleActionRow = createRowDecoder({
  type: 'other',
  stream_id: 'optionalId',
  sample_group_id: 'optionalNumber',
});

export const thresholdStatusRow = createRowDecoder({
  Status: 'optionalText',
} as const satisfies RowFields<Wire.WireThresholdStatus>);

export const scalarSampleRow = createRowDecoder({
  id: 'id',
  stream_id: 'id',
  sample_date: 'text',
  value: 'text',
} as const satisfies RowFields<Wire.WireScalarSample>);

export const imageSampleRow = createRowDecoder({
  id: 'id',
  stream_id: 'id',
  sample_date: 'text',
  url: 'text',
  width: 'optionalInteger',
  height: 'optionalInteger',
  size: 'optionalInteger',
} as const satisfies RowFields<Wire.WireImageSample>);

export const rfidSampleRow = createRowDecoder({
  id: 'id',
  stream_id: 'id',
  sample_date: 'text',
  start_date: 'optionalText',
  end_date: 'optionalText',
  tag_ids: 'text',
  gps_location_info: 'other',
} as const satisfies RowFields<Wire.WireRfidSample>);

export const gpsLocationRow = createRowDecoder({
  latitude: 'optionalNumber',
  longitude: 'optionalNumber',
  altitude: 'optionalNumber',
  dilution_of_precision: 'optionalNumber',
  number_of_satellites: 'optionalInteger',
  date: 'optionalText',
});

export const aggregationRow = createRowDecoder({
  stream_id: 'id',
  start_date: 'text',
  number_of_samples: 'integer',
  agg_values: 'other',
} as const satisfies RowFields<Wire.WireAggregation>);

export const aggregatedValuesRow = createRowDecoder({
  min: 'optionalText',
  max: 'optionalText',
  avg: 'optionalText',
  sum: 'optionalText',
} as const satisfies RowFields<Wire.WireAggregation['agg_values']>);
