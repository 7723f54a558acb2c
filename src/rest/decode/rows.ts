/** The decoder of each kind of row; `wire.ts` documents the fields. */
import type * as Wire from '../wire.js';
import * as fields from '../wire.js';
import { createRowDecoder, type RowFields } from './rowDecoder.js';

export const organizationRow = createRowDecoder(fields.organizationFields);
export const userRow = createRowDecoder(fields.userFields);
export const userDetailsRow = createRowDecoder(fields.userDetailsFields);
export const uiPreferencesRow = createRowDecoder(fields.uiPreferencesFields);
export const siteRow = createRowDecoder(fields.siteFields);
export const attributeNameRow = createRowDecoder(fields.attributeNameFields);
export const attributeValueRow = createRowDecoder(fields.attributeValueFields);
export const deviceRow = createRowDecoder(fields.deviceFields);
export const channelRow = createRowDecoder(fields.channelFields);
export const deviceHealthRow = createRowDecoder(fields.deviceHealthFields);
export const deviceLogRow = createRowDecoder(fields.deviceLogFields);
export const streamRow = createRowDecoder(fields.streamFields);

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

export const thresholdStatusRow = createRowDecoder(fields.thresholdStatusFields);
export const scalarSampleRow = createRowDecoder(fields.scalarSampleFields);
export const imageSampleRow = createRowDecoder(fields.imageSampleFields);

export const rfidSampleRow = createRowDecoder({
  id: 'id',
  stream_id: 'id',
  sample_date: 'date',
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
  start_date: 'date',
  number_of_samples: 'integer',
  agg_values: 'other',
} as const satisfies RowFields<Wire.WireAggregation>);

export const aggregatedValuesRow = createRowDecoder({
  min: 'optionalText',
  max: 'optionalText',
  avg: 'optionalText',
  sum: 'optionalText',
} as const satisfies RowFields<Wire.WireAggregation['agg_values']>);
