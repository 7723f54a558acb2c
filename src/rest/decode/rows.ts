/** The decoder of each kind of row; `wire.ts` documents the fields. */
import * as fields from '../wire.js';
import { createRowDecoder } from './rowDecoder.js';

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
export const thresholdRow = createRowDecoder(fields.thresholdFields);
export const thresholdLevelRow = createRowDecoder(fields.thresholdLevelFields);
export const notificationActionRow = createRowDecoder(fields.notificationActionFields);
export const outputActionRow = createRowDecoder(fields.outputActionFields);
export const sampleActionRow = createRowDecoder(fields.sampleActionFields);
export const thresholdStatusRow = createRowDecoder(fields.thresholdStatusFields);
export const scalarSampleRow = createRowDecoder(fields.scalarSampleFields);
export const imageSampleRow = createRowDecoder(fields.imageSampleFields);
export const rfidSampleRow = createRowDecoder(fields.rfidSampleFields);
export const gpsLocationRow = createRowDecoder(fields.gpsLocationFields);
export const aggregationRow = createRowDecoder(fields.aggregationFields);
export const aggregatedValuesRow = createRowDecoder(fields.aggregatedValuesFields);
