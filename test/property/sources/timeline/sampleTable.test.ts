/** Samples that are stored as numbers are returned as they were written, for any value. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createDateParser, toDateTime } from '../../../../src/sources/core/wireValues.js';
import { toScalarSample } from '../../../../src/sources/samples/samples.js';
import { toSampleTable, toTableSamples } from '../../../../src/sources/timeline/sampleTable.js';

/** Values that devices send, similar values, and others. */
const text = fc.oneof(
  fc.double({ noNaN: true }).map(String),
  fc
    .tuple(fc.double({ min: -1e12, max: 1e12, noNaN: true }), fc.nat(8))
    .map(([value, decimals]) => value.toFixed(decimals)),
  fc.stringMatching(/^-?\d{0,17}\.?\d{0,17}$/),
  fc.constantFrom(
    '0',
    '-0',
    '-0.00',
    '007',
    '.5',
    '5.',
    '1e3',
    '+1',
    ' 1',
    '-',
    '',
    'ERR',
    'NaN',
    '1.2.3',
    '0.000',
  ),
  fc.string(),
);

const digits = (min: number, max: number) =>
  fc.integer({ min, max }).map((number) => String(number).padStart(2, '0'));
const clock = fc
  .tuple(
    digits(0, 25),
    fc.constantFrom(':', '.', ' '),
    digits(0, 61),
    fc.constantFrom(':', '-'),
    digits(0, 61),
  )
  .map((parts) => parts.join(''));
const date = fc
  .tuple(fc.constantFrom('2026', '1999', '0000', '+002026', '2o26'), digits(0, 13), digits(0, 32))
  .map((parts) => parts.join('-'));
const dateTime = fc
  .tuple(date, fc.constantFrom('T', 't', ' '), clock, fc.constantFrom('Z', 'z', '', '.5Z', '+01:00'))
  .map((parts) => parts.join(''));

/** A day, a time of at least hours and minutes, and an offset. */
const COMPLETE = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d.*(Z|z|\+01:00)$/;

describe('a sample table', () => {
  it('returns each value and its text', () => {
    fc.assert(
      fc.property(fc.array(text), (texts) => {
        const rows = texts.map((value, index) => ({
          ...{ id: index + 1, stream_id: 7, sample_date: '2026-01-01T00:00:00Z', value },
        }));
        // Stored as numbers, 0 and -0 are the same; their texts are not.
        const expected = rows
          .map(toScalarSample)
          .map((sample) => sample && { ...sample, value: plain(sample.value) });
        const found = toTableSamples(toSampleTable(rows), 7);
        const written = found.map((sample) => ({ ...sample, rawValue: sample.rawValue }));
        expect(written.map((sample) => ({ ...sample, value: plain(sample.value) }))).toEqual(expected);
      }),
      { numRuns: 1000 },
    );
  });

  it('reads dates with an offset as the runtime does', () => {
    fc.assert(
      fc.property(fc.array(dateTime), (texts) => {
        const complete = texts.filter((one) => COMPLETE.test(one));
        expect(complete.map(createDateParser())).toEqual(complete.map((one) => Date.parse(one)));
      }),
      { numRuns: 1000 },
    );
  });

  it('reads all dates as those of other samples', () => {
    fc.assert(
      fc.property(fc.array(dateTime), (texts) => {
        const written = texts.map((one) => toDateTime(one) ?? '');
        expect(texts.map(createDateParser())).toEqual(written.map((one) => Date.parse(one)));
      }),
      { numRuns: 1000 },
    );
  });
});

function plain(value: number | null): number | null {
  return value === null ? null : value + 0;
}
