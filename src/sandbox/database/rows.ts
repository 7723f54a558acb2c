/** Converts database rows to wire shapes: dates to text, values to four decimals, nulls to missing fields. */
import type { WireRfidSample, WireScalarSample } from '../../rest/wire.js';

export type StoredSampleKind = 'scalar' | 'image' | 'rfid';

export function toWire<Wire extends object>(row: object): Wire {
  const fields = Object.entries(row)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => [name, name.endsWith('_date') ? toRfc3339(value) : value]);
  return Object.fromEntries(fields) as Wire;
}

export interface StoredSample {
  id: number;
  stream_id: number;
  sample_date: number;
}

export interface ScalarSampleRow extends StoredSample {
  /** Text if the device sent no number. */
  value: number | string;
}
export function toWireScalarSample(row: ScalarSampleRow): WireScalarSample {
  const value = typeof row.value === 'number' ? row.value.toFixed(4) : row.value;
  return { id: row.id, stream_id: row.stream_id, sample_date: toRfc3339(row.sample_date), value };
}

export interface RfidSampleRow extends StoredSample {
  start_date: number;
  end_date: number;
  tag_ids: string;
  /** The position as JSON in its wire shape. */
  gps: string | null;
}
export function toWireRfidSample({ gps, ...row }: RfidSampleRow): WireRfidSample {
  return { ...toWire<WireRfidSample>(row), ...(gps !== null && { gps_location_info: JSON.parse(gps) }) };
}

/**
 * The RFC 3339 UTC text of whole Unix seconds, for example `2020-11-19T18:29:42Z`. `Date.toISOString` alone would add
 * milliseconds, which the platform leaves out.
 */
export function toRfc3339(unixSeconds: number): string {
  return `${new Date(unixSeconds * 1000).toISOString().slice(0, 19)}Z`;
}
