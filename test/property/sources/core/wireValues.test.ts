/** The fast parser of the platform's dates, compared with `Date.parse` on the same text. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toDateTime } from '../../../../src/sources/core/wireValues.js';

const two = (most: number) => fc.integer({ min: 0, max: most }).map((part) => String(part).padStart(2, '0'));
const year = fc.integer({ min: 0, max: 9999 }).map((part) => String(part).padStart(4, '0'));

/** Dates in the platform's form, including dates and times that do not exist. */
const dateTime = fc
  .tuple(year, two(14), two(33), two(26), two(62), two(62))
  .map(([y, month, day, hour, minute, second]) => `${y}-${month}-${day}T${hour}:${minute}:${second}Z`);

function parse(text: string): string | null {
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? null : new Date(ms).toISOString().replace('.000Z', 'Z');
}

describe('toDateTime', () => {
  it('returns the instant of the parser', () => {
    fc.assert(
      fc.property(dateTime, (text) => {
        expect(toDateTime(text)).toBe(parse(text));
      }),
      { numRuns: 20_000 },
    );
  });

  it('agrees on every day of a leap year and of another', () => {
    const days = ['2023', '2024'].flatMap((y) =>
      Array.from({ length: 13 * 33 }, (_, at) => {
        const [month, day] = [Math.floor(at / 33), at % 33].map((part) => String(part).padStart(2, '0'));
        return `${y}-${month}-${day}T23:59:59Z`;
      }),
    );
    expect(days.map((text) => toDateTime(text))).toEqual(days.map(parse));
  });

  it('returns no text that JSON has to escape', () => {
    const anyCharacter = fc.string({ unit: 'binary', maxLength: 3 });
    const damaged = fc
      .tuple(dateTime, fc.nat(20), anyCharacter)
      .map(([text, at, inserted]) => text.slice(0, at) + inserted + text.slice(at));
    fc.assert(
      fc.property(damaged, (text) => {
        const written = toDateTime(text);
        if (written !== null) expect(JSON.stringify(written)).toBe(`"${written}"`);
      }),
      { numRuns: 5000 },
    );
  });

  it.each(['2024-02-01T00:00:00Z\n', ' 2024-02-01T00:00:00Z', '2024-02-01T00:00:00Zx'])(
    'accepts as a date only a complete text: %j',
    (text) => expect(toDateTime(text)).toBeNull(),
  );
});
