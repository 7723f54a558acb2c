/** Samples of the REST API in the form of the graph: odd values, odd dates, tags and positions. */
import { describe, expect, it } from 'vitest';
import { rfidSampleRow } from '../../../../src/rest/decode/rows.js';
import {
  parseTagIds,
  toImageSample,
  toRfidSample,
  toScalarSample,
} from '../../../../src/sources/samples/samples.js';

const base = { id: 1, stream_id: 2, sample_date: '2024-01-01T00:00:00Z' };

describe('toScalarSample', () => {
  it.each([
    ['102.0000', 102],
    ['ERR', null],
    ['', null],
    ['-0.0010', -0.001],
  ])('of %j has the value %j', (value, expected) => {
    expect(toScalarSample({ ...base, value })).toMatchObject({
      value: expected,
      rawValue: value,
      streamId: 2,
    });
  });

  it('is null without a readable date', () => {
    for (const sample_date of ['', 'soon'])
      expect(toScalarSample({ ...base, sample_date, value: '1' })).toBeNull();
  });
});

describe('toImageSample', () => {
  it.each([
    ['http://h/images/7.png', 'image/png'],
    ['http://h/a.b/7.JPEG?size=2', 'image/jpeg'],
    ['http://h/7.webp#top', 'image/webp'],
    ['http://h/7', null],
    ['http://h/7.exe', null],
    ['http://h/7.constructor', null],
    ['', null],
  ])('of %j has the type %j', (url, contentType) => {
    const row = { ...base, url, width: undefined, height: undefined, size: undefined };
    expect(toImageSample(row)).toMatchObject({ contentType, width: null, height: null, byteSize: null });
  });
});

describe('parseTagIds', () => {
  it.each([
    ['', []],
    ['  ', []],
    ['982000123456789', ['982000123456789']],
    ['a,b;c d', ['a', 'b', 'c', 'd']],
    ['a, b ,c', ['a', 'b', 'c']],
    [',a,,b,', ['a', 'b']],
    ['["a", "b "]', ['a', 'b']],
    ['[982, 983]', ['982', '983']],
    ['[]', []],
    ['[a', ['[a']],
  ])('splits %j into %j', (text, expected) => {
    expect(parseTagIds(text)).toEqual(expected);
  });

  it('keeps numbers in a list as they are written, with any number of digits', () => {
    expect(parseTagIds('[900000000000123456]')).toEqual(['900000000000123456']);
  });

  it('splits lists with items that have no text, instead of failing the whole read', () => {
    expect(parseTagIds('[{"toString":1},"a"]')).toEqual(['[{"toString":1}', '"a"]']);
    const deep = '['.repeat(20_000) + ']'.repeat(20_000);
    expect(parseTagIds(deep)).toEqual([deep]);
  });
});

describe('toRfidSample', () => {
  const row = { ...base, tag_ids: 'a', start_date: undefined, end_date: 'x', gps_location_info: undefined };

  it('has no dates and no position where the platform sends none that are readable', () => {
    expect(toRfidSample(row)).toMatchObject({ startAt: null, endAt: null, position: null });
  });

  it.each([
    null,
    'here',
    [],
    {},
    { latitude: 1 },
    { latitude: '', longitude: '2' },
    { latitude: 91, longitude: 2 },
  ])('refuses %j as a position', (info) => {
    expect(toRfidSample({ ...row, gps_location_info: info })?.position).toBeNull();
  });

  it('reads positions and tags in other JSON types', () => {
    const gps_location_info = { latitude: '1.5', longitude: '-2', altitude: '30', date: 7 };
    const decoded = rfidSampleRow({ ...row, tag_ids: ['a', 12], gps_location_info });
    expect(decoded && toRfidSample(decoded)).toMatchObject({
      tagIds: ['a', '12'],
      position: { latitude: 1.5, longitude: -2, altitude: 30, measuredAt: null },
    });
    expect(rfidSampleRow({ ...row, tag_ids: [] })?.tag_ids).toBe('');
  });

  it('keeps the readable parts of a position', () => {
    const info = { latitude: 1, longitude: 2, number_of_satellites: 4.5, date: 'x', altitude: 0 };
    expect(toRfidSample({ ...row, gps_location_info: info })?.position).toEqual({
      ...{ latitude: 1, longitude: 2, altitude: 0 },
      ...{ dilutionOfPrecision: null, satelliteCount: null, measuredAt: null },
    });
  });
});
