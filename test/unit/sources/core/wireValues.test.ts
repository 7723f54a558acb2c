/** REST values as typed values: unreadable ones are null, never zero. */
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  createDateParser,
  emptyToNull,
  formatDateTime,
  toClassification,
  toDateTime,
  toFloat,
} from '../../../../src/sources/core/wireValues.js';
import { toSite } from '../../../../src/sources/entities/sites.js';

describe('toFloat', () => {
  it.each([
    ['102.0000', 102],
    ['-0.5', -0.5],
    ['+3', 3],
    ['.5', 0.5],
    ['5.', 5],
    ['1e3', 1000],
    [' 7 ', 7],
    ['0', 0],
  ])('reads %j', (text, expected) => {
    expect(toFloat(text)).toBe(expected);
  });

  it.each(['', ' ', 'ERR', 'NaN', 'Infinity', '1,5', '0x10', '1e999', '12abc', '--1', '.', 'e5', undefined])(
    'refuses %j as a number',
    (text) => {
      expect(toFloat(text)).toBeNull();
    },
  );
});

describe('toDateTime', () => {
  it.each([
    ['2020-11-19T18:29:42Z', '2020-11-19T18:29:42Z'],
    ['2020-11-19T18:29:42.5Z', '2020-11-19T18:29:42.5Z'],
    ['2020-11-19T19:29:42+01:00', '2020-11-19T18:29:42Z'],
    ['2020-11-19T19:29:42+01', '2020-11-19T18:29:42Z'],
    ['2020-11-19 18:29:42.5+00', '2020-11-19T18:29:42.500Z'],
    ['2020-11-19T18:29:42.123456Z', '2020-11-19T18:29:42.123Z'],
    ['2024-02-29T23:59:59.50Z', '2024-02-29T23:59:59.50Z'],
    ['2024-02-31T00:00:00Z', '2024-03-02T00:00:00Z'],
    ['2024-02-31T00:00:00', '2024-03-02T00:00:00Z'],
    ['2024-06-30T24:00:00Z', '2024-07-01T00:00:00Z'],
    ['1605810582', '2020-11-19T18:29:42Z'],
    ['1605810582.5', '2020-11-19T18:29:42.500Z'],
    ['1605810582123', '2020-11-19T18:29:42.123Z'],
    ['946688461', '2000-01-01T01:01:01Z'],
  ])('reads %j', (text, expected) => {
    expect(toDateTime(text)).toBe(expected);
  });

  it.each(['', 'yesterday', '2020-13-01T00:00:00Z', '20201119', '-1605810582', '1e9', undefined])(
    'refuses %j as a date',
    (text) => {
      expect(toDateTime(text)).toBeNull();
    },
  );
});

describe('a date parser', () => {
  it.each([
    ['UTC', 0],
    ['America/New_York', 300],
    ['Asia/Kathmandu', -345],
  ])('agrees with toDateTime in %s', (zone, offsetMinutes) => {
    const zoneBefore = process.env['TZ'];
    onTestFinished(() => {
      if (zoneBefore === undefined) delete process.env['TZ'];
      else process.env['TZ'] = zoneBefore;
    });
    process.env['TZ'] = zone;
    expect(new Date(2026, 0, 1).getTimezoneOffset()).toBe(offsetMinutes);
    const days = ['2026-03-01', '2024-02-29', '2026-02-30', '2026-13-01', '+002026-03-01', '2026'];
    const separators = ['T', 't', ' '];
    const times = ['00:00', '07:08:09', '07:08:09.5', '23:59:59.123456', '24:00:00', '25:00:00'];
    const offsets = ['', 'Z', 'z', '+01:00', '-0530'];
    const texts = ['', 'yesterday', 'March 1, 2026 07:08', '1605810582', '1605810582.25', ...days];
    for (const day of days) {
      for (const separator of separators) {
        for (const time of times)
          texts.push(...offsets.map((offset) => `${day}${separator}${time}${offset}`));
      }
    }
    const parse = createDateParser();
    for (const text of texts) {
      const written = toDateTime(text);
      expect([text, parse(text)]).toEqual([text, written === null ? Number.NaN : Date.parse(written)]);
    }
    expect(parse('2026-03-01T07:08:09')).toBe(Date.UTC(2026, 2, 1, 7, 8, 9));
  });
});

describe('formatDateTime', () => {
  it('omits a fraction only if it is zero', () => {
    expect(formatDateTime(0)).toBe('1970-01-01T00:00:00Z');
    expect(formatDateTime(1)).toBe('1970-01-01T00:00:00.001Z');
  });
});

describe('toClassification and emptyToNull', () => {
  it('are null where the platform sends nothing', () => {
    expect(toClassification(undefined, 'DIGITAL')).toBeNull();
    expect(toClassification(0, '')).toEqual({ id: 0, name: null });
    expect([emptyToNull(undefined), emptyToNull(''), emptyToNull('x')]).toEqual([null, null, 'x']);
  });
});

describe('the location of a site', () => {
  const locate = (latitude: string, longitude: string) =>
    toSite({
      id: 1,
      creation_date: '',
      display_name: '',
      status: '',
      latitude,
      longitude,
      account_organization_id: undefined,
    }).location;

  it('equals the platform’s coordinates', () => {
    expect(locate('0', '0')).toEqual({ latitude: 0, longitude: 0 });
    expect(locate('-90', '180.0')).toEqual({ latitude: -90, longitude: 180 });
  });

  it.each([
    ['', ''],
    ['39.1', ''],
    ['', '8'],
    ['n/a', '8'],
    ['90.1', '0'],
    ['0', '-180.5'],
    ['39,1', '8'],
  ])('is null for %j, %j', (latitude, longitude) => {
    expect(locate(latitude, longitude)).toBeNull();
  });
});
