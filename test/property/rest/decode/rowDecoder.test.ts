/** The row decoder over any JSON: it never throws, and its result has the promised types. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRowDecoder } from '../../../../src/rest/decode/rowDecoder.js';

const decode = createRowDecoder({
  id: 'id',
  site_id: 'optionalId',
  display_name: 'string',
  email_address: 'optionalString',
  sample_count: 'number',
  upper_limit: 'optionalNumber',
  levels: 'other',
  output_actions: 'other',
  Status: 'optionalString',
});

const decodeIntegers = createRowDecoder({ counter: 'integer', port: 'optionalInteger' });

const GOOD = { id: 7, display_name: 'Mill', sample_count: 3 };
const name = fc.constantFrom(
  'id',
  'site_id',
  'siteId',
  'display_name',
  'displayName',
  'displayname',
  'sample_count',
  'x',
);

const isId = (value: unknown) => Number.isSafeInteger(value) && Number(value) >= 1;

describe('a row', () => {
  it('is undefined or has the promised types, for any input', () => {
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), fc.dictionary(name, fc.jsonValue())), (raw) => {
        const row = decode(raw);
        if (row === undefined) return;
        expect(isId(row.id)).toBe(true);
        expect(row.site_id === undefined || isId(row.site_id)).toBe(true);
        expect(typeof row.display_name).toBe('string');
        expect(['string', 'undefined']).toContain(typeof row.email_address);
        expect(typeof row.sample_count).toBe('number');
        expect(['number', 'undefined']).toContain(typeof row.upper_limit);
      }),
    );
  });

  it('has whole numbers of 32 bits, or is undefined without a required one', () => {
    const number = fc.oneof(fc.integer({ min: -(2 ** 33), max: 2 ** 33 }), fc.double(), fc.jsonValue());
    fc.assert(
      fc.property(number, number, (counter, port) => {
        const isInteger = (value: unknown) => typeof value === 'number' && (value | 0) === value;
        const row = decodeIntegers({ counter, port });
        if (isInteger(counter)) expect(row?.counter).toBe(counter);
        if (row === undefined) return;
        expect(isInteger(row.counter)).toBe(true);
        expect(row.port === undefined || isInteger(row.port)).toBe(true);
      }),
    );
    for (const bad of [1.5, 2 ** 31, -(2 ** 31) - 1, 1e21, 'x', null, { toString: [] }]) {
      expect(decodeIntegers({ counter: bad })).toBeUndefined();
      expect(decodeIntegers({ counter: 1, port: bad })?.port).toBeUndefined();
    }
    expect(decodeIntegers({ counter: '12', port: 2 ** 31 - 1 })).toEqual({ counter: 12, port: 2 ** 31 - 1 });
  });

  it('that is valid is returned unchanged, with its unknown fields', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (unknown) => {
        const row = { ...unknown, ...GOOD };
        fc.pre(!['site_id', 'email_address', 'upper_limit'].some((field) => Object.hasOwn(unknown, field)));
        expect(decode(row)).toBe(row);
      }),
    );
  });

  it('that is invalid in any field is not returned unchanged', () => {
    const all = { ...GOOD, site_id: 2, email_address: 'a@b', upper_limit: 1.5, levels: null };
    const bad: [string, unknown][] = [
      ['id', 0],
      ['site_id', 1.5],
      ['site_id', null],
      ['display_name', 5],
      ['email_address', null],
      ['sample_count', '3'],
      ['upper_limit', null],
    ];
    expect(decode(all)).toBe(all);
    for (const [field, value] of bad) {
      const row = { ...all, [field]: value };
      expect(decode(row)).not.toBe(row);
    }
  });

  it.each([
    ['camel case', { id: 7, siteId: 2, displayName: 'Mill', sampleCount: 3 }],
    ['Pascal case', { Id: 7, SiteId: 2, DisplayName: 'Mill', SampleCount: 3 }],
    ['lower case', { id: 7, siteid: 2, displayname: 'Mill', samplecount: 3 }],
    ['numbers as strings', { id: '7', site_id: '2', display_name: 'Mill', sample_count: '3' }],
    [
      'null under the regular spelling',
      { id: 7, site_id: null, siteId: 2, display_name: null, displayName: 'Mill', sample_count: 3 },
    ],
  ])('is read in %s', (_, raw) => {
    expect(decode(raw)).toMatchObject({ ...GOOD, site_id: 2 });
  });

  it.each([
    ['site_id', 'siteId', 2],
    ['site_id', 'siteid', 2],
    ['site_id', 'SiteId', 2],
    ['display_name', 'displayname', 'Mill'],
    ['email_address', 'emailAddress', 'a@b'],
    ['sample_count', 'sampleCount', 3],
    ['upper_limit', 'upperLimit', 1.5],
    ['output_actions', 'outputActions', [1]],
    ['levels', 'Levels', [1]],
    ['Status', 'status', 'Normal'],
  ] as const)('has %s if that field alone is spelled %s', (field, spelling, value) => {
    const all = {
      ...GOOD,
      ...{ site_id: 2, email_address: 'a@b', upper_limit: 1.5, levels: [1], output_actions: [1] },
      Status: 'Normal',
    };
    const { [field]: _, ...others } = all;
    expect(decode({ ...others, [spelling]: value })).toMatchObject(all);
  });

  it('has an empty string for a missing one, a string for a number, and nothing for a bad optional id', () => {
    expect(decode({ id: 1, sample_count: 0 })?.display_name).toBe('');
    expect(decode({ id: 1, sample_count: 0, display_name: 12 })?.display_name).toBe('12');
    expect(decode({ ...GOOD, site_id: 0 })?.site_id).toBeUndefined();
    expect(decode({ ...GOOD, upper_limit: 'high' })?.upper_limit).toBeUndefined();
    expect(decode({ ...GOOD, upper_limit: Number.POSITIVE_INFINITY })?.upper_limit).toBeUndefined();
  });

  it.each([0, -1, 1.5, 2 ** 53, '1e3', '', ' 1', '0x1', null, true, [1], {}])(
    'with the id %j is omitted',
    (id) => {
      expect(decode({ ...GOOD, id })).toBeUndefined();
    },
  );
});
