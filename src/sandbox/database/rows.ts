/** Converts database rows to wire shapes: dates to text, values to four decimals, nulls to missing fields. */
import type {
  WireChannel,
  WireDeviceHealth,
  WireDeviceLog,
  WireRfidSample,
  WireScalarSample,
  WireSite,
  WireStream,
  WireUserDetails,
} from '../../rest/wire.js';

/** The row of a wire shape: dates are Unix seconds, optional fields are nullable. */
type Row<Wire, Dates extends keyof Wire> = {
  [Field in keyof Wire]-?: Field extends Dates
    ? number
    : undefined extends Wire[Field]
      ? Exclude<Wire[Field], undefined> | null
      : Wire[Field];
};

function withoutNulls(row: object): object {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null));
}

export type StoredSampleKind = 'scalar' | 'image' | 'rfid';

export const SITE_FIELDS =
  'id, creation_date, display_name, status, latitude, longitude, account_organization_id';
type SiteRow = Row<WireSite, 'creation_date'>;
export function toSite(row: SiteRow): WireSite {
  return withoutNulls({ ...row, creation_date: toRfc3339(row.creation_date) }) as WireSite;
}

export const USER_FIELDS = 'id, user_name, timezone_name, email_address, first_name, last_name, mobile_phone';
export function toUserDetails(row: object): WireUserDetails {
  return withoutNulls(row) as WireUserDetails;
}

export const CHANNEL_FIELDS = `id, device_id, creation_date, display_name, on_device_num, type_id,
  type_display_name, status_id, display_status_name`;
export type ChannelRow = Row<WireChannel, 'creation_date'>;
export function toChannel(row: ChannelRow): WireChannel {
  return { ...row, creation_date: toRfc3339(row.creation_date) };
}

export const STREAM_FIELDS =
  'id, site_id, creation_date, display_name, type_id, type_display_name, units, value_scale, status_id';
export type StreamRow = Omit<WireStream, 'creation_date' | 'channel_id'> & { creation_date: number };
export function toStream(row: StreamRow): WireStream {
  return { ...row, creation_date: toRfc3339(row.creation_date) };
}

export type StoredHealthRow = Row<WireDeviceHealth, 'sample_date'>;
export function toHealth(row: StoredHealthRow): WireDeviceHealth {
  return { ...row, sample_date: toRfc3339(row.sample_date) };
}

export type StoredLogRow = Row<WireDeviceLog, 'log_date'>;
export function toLog(row: StoredLogRow): WireDeviceLog {
  return { ...row, log_date: toRfc3339(row.log_date) };
}

export interface ScalarSampleRow {
  id: number;
  stream_id: number;
  sample_date: number;
  /** Text if the device sent no number. */
  value: number | string;
}
export function toScalarSample(row: ScalarSampleRow): WireScalarSample {
  const value = typeof row.value === 'number' ? row.value.toFixed(4) : row.value;
  return { id: row.id, stream_id: row.stream_id, sample_date: toRfc3339(row.sample_date), value };
}

export interface RfidSampleRow {
  id: number;
  stream_id: number;
  sample_date: number;
  start_date: number;
  end_date: number;
  tag_ids: string;
  /** The position as JSON in its wire shape. */
  gps: string | null;
}
export function toRfidSample(row: RfidSampleRow): WireRfidSample {
  return {
    id: row.id,
    stream_id: row.stream_id,
    sample_date: toRfc3339(row.sample_date),
    start_date: toRfc3339(row.start_date),
    end_date: toRfc3339(row.end_date),
    tag_ids: row.tag_ids,
    ...(row.gps === null ? {} : { gps_location_info: JSON.parse(row.gps) }),
  };
}

/**
 * The RFC 3339 UTC text of whole Unix seconds, for example `2020-11-19T18:29:42Z`. `Date.toISOString` alone would add
 * milliseconds, which the platform leaves out.
 */
export function toRfc3339(unixSeconds: number): string {
  return `${new Date(unixSeconds * 1000).toISOString().slice(0, 19)}Z`;
}
