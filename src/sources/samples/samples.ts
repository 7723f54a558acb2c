/** The three kinds of sample in the graph, and their conversion from REST rows. */
import { isLatitude, isLongitude } from '../../lib/geography.js';
import type { RowOf } from '../../rest/decode/rowDecoder.js';
import {
  gpsLocationRow,
  type imageSampleRow,
  type rfidSampleRow,
  type scalarSampleRow,
} from '../../rest/decode/rows.js';
import type { RowBatch } from '../../rest/endpointKinds.js';
import { convert, toDateTime, toFloat } from '../core/wireValues.js';

interface SampleBase {
  id: number;
  streamId: number;
  sampledAt: string;
}

export interface ScalarSample extends SampleBase {
  __typename: 'ScalarSample';
  /** Null if the text is not a number. */
  value: number | null;
  rawValue: string;
}

export type ImageSample = NonNullable<ReturnType<typeof toImageSample>>;
export type RfidSample = NonNullable<ReturnType<typeof toRfidSample>>;
export type Sample = ScalarSample | ImageSample | RfidSample;

/** Null for a sample without a readable date, which cannot be put in order. */
export function toScalarSample(row: RowOf<typeof scalarSampleRow>): ScalarSample | null {
  const base = toBase(row);
  return base && { __typename: 'ScalarSample', ...base, value: toFloat(row.value), rawValue: row.value };
}

/** Null for a sample without a readable date. */
export function toImageSample(row: RowOf<typeof imageSampleRow>) {
  const base = toBase(row);
  return (
    base && {
      __typename: 'ImageSample' as const,
      ...base,
      url: row.url,
      /** Pixels. */
      width: row.width ?? null,
      height: row.height ?? null,
      /** Bytes. */
      byteSize: row.size ?? null,
      contentType: contentTypeOf(row.url),
    }
  );
}

/** Null for a read without a readable date. */
export function toRfidSample(row: RowOf<typeof rfidSampleRow>) {
  const base = toBase(row);
  return (
    base && {
      __typename: 'RfidSample' as const,
      ...base,
      tagIds: parseTagIds(row.tag_ids),
      rawTagIds: row.tag_ids,
      startAt: toDateTime(row.start_date),
      endAt: toDateTime(row.end_date),
      position: toGpsPosition(row.gps_location_info),
    }
  );
}

function toBase(row: { id: number; stream_id: number; sample_date: string }): SampleBase | null {
  const sampledAt = toDateTime(row.sample_date);
  return sampledAt === null ? null : { id: row.id, streamId: row.stream_id, sampledAt };
}

/** Splits the text with all tags: a JSON list, or tags separated by commas, semicolons or spaces. */
export function parseTagIds(text: string): string[] {
  const trimmed = text.trim();
  const list = trimmed.startsWith('[') ? parseJsonList(trimmed) : undefined;
  return (list ?? trimmed.split(/[\s,;]+/)).filter((tag) => tag !== '');
}

function parseJsonList(text: string): string[] | undefined {
  // Tags without quotes are not parsed as numbers, which would lose digits.
  if (/^\[[\d\s,]*\]$/.test(text)) return text.match(/\d+/g) ?? [];
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) ? list.map((tag) => String(tag).trim()) : undefined;
  } catch {
    // The string is not JSON, or an item can't be converted to a string.
    return undefined;
  }
}

const contentTypes: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  bmp: 'image/bmp',
  tif: 'image/tiff',
  tiff: 'image/tiff',
};

/** The media type by the file extension in the URL; null if it is unknown. */
function contentTypeOf(url: string): string | null {
  const extension = /\.(\w+)(?:[?#]|$)/.exec(url)?.[1]?.toLowerCase() ?? '';
  return Object.hasOwn(contentTypes, extension) ? (contentTypes[extension] ?? null) : null;
}

function toGpsPosition(info: unknown) {
  const row = gpsLocationRow(info);
  if (row === undefined) return null;
  const { latitude, longitude } = row;
  if (latitude === undefined || longitude === undefined) return null;
  if (!isLatitude(latitude) || !isLongitude(longitude)) return null;
  return {
    latitude,
    longitude,
    /** Metres. */
    altitude: row.altitude ?? null,
    dilutionOfPrecision: row.dilution_of_precision ?? null,
    satelliteCount: row.number_of_satellites ?? null,
    measuredAt: toDateTime(row.date),
  };
}

export function convertBatch<Row, Sample>(
  { samples, hasMore }: RowBatch<Row>,
  toSample: (row: Row) => Sample | null,
): RowBatch<Sample> {
  return { samples: convert(samples, toSample), hasMore };
}
