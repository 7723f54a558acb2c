/** REST values as typed values: unreadable ones are null, never zero. */
import { describe, expect, it } from 'vitest';
import {
  formatDateTime,
  toClassification,
  toDateTime,
  toFloat,
  toOptionalText,
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
    ['2020-11-19T18:29:42.123456Z', '2020-11-19T18:29:42.123Z'],
  ])('reads %j', (text, expected) => {
    expect(toDateTime(text)).toBe(expected);
  });

  it.each(['', 'yesterday', '2020-13-01T00:00:00Z', undefined])('refuses %j as a date', (text) => {
    expect(toDateTime(text)).toBeNull();
  });
});

describe('formatDateTime', () => {
  it('omits a fraction only if it is zero', () => {
    expect(formatDateTime(0)).toBe('1970-01-01T00:00:00Z');
    expect(formatDateTime(1)).toBe('1970-01-01T00:00:00.001Z');
  });
});

describe('toClassification and toOptionalText', () => {
  it('are null where the platform sends nothing', () => {
    expect(toClassification(undefined, 'DIGITAL')).toBeNull();
    expect(toClassification(0, '')).toEqual({ id: 0, name: null });
    expect([toOptionalText(undefined), toOptionalText(''), toOptionalText('x')]).toEqual([null, null, 'x']);
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
