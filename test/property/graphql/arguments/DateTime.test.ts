/** Every instant survives the DateTime scalar; only RFC 3339 texts and Unix milliseconds are accepted. */
import fc from 'fast-check';
import { Kind } from 'graphql';
import { describe, expect, it } from 'vitest';
import { DateTime } from '../../../../src/graphql/arguments/timeArguments.js';

const moment = fc.date({
  min: new Date('1970-01-01T00:00:00Z'),
  max: new Date('2999-12-31T23:59:59Z'),
  noInvalidDate: true,
});

const isNoTime = (value: unknown) => !Number.isInteger(value);

describe('DateTime', () => {
  it('reads any instant to the millisecond, as a value and as a literal', () => {
    fc.assert(
      fc.property(moment, (date) => {
        const text = date.toISOString();
        expect(DateTime.parseValue(text)).toBe(date.getTime());
        expect(DateTime.parseLiteral({ kind: Kind.STRING, value: text }, {})).toBe(date.getTime());
        expect(DateTime.parseValue(text.replace('T', ' ').toLowerCase())).toBe(date.getTime());
      }),
    );
  });

  it('reads the same instant in any offset', () => {
    fc.assert(
      fc.property(moment, fc.integer({ min: -14 * 60, max: 14 * 60 }), (date, minutes) => {
        const there = new Date(date.getTime() + minutes * 60_000).toISOString().slice(0, -1);
        const size = Math.abs(minutes);
        const two = (part: number) => String(Math.floor(part)).padStart(2, '0');
        const offset = `${minutes < 0 ? '-' : '+'}${two(size / 60)}:${two(size % 60)}`;
        fc.pre(/^\d{4}-/.test(there));
        expect(DateTime.parseValue(there + offset)).toBe(date.getTime());
      }),
    );
  });

  it('reads Unix milliseconds as a number, as a literal and as text', () => {
    const min = Date.parse('1973-03-03T09:46:40Z');
    fc.assert(
      fc.property(fc.integer({ min, max: Date.parse('2999-12-31T23:59:59Z') }), (ms) => {
        expect([DateTime.parseValue(ms), DateTime.parseValue(String(ms))]).toEqual([ms, ms]);
        expect(DateTime.parseLiteral({ kind: Kind.INT, value: String(ms) }, {})).toBe(ms);
      }),
    );
  });

  it('refuses Unix seconds, which as milliseconds would be in 1970', () => {
    const hint = 'Multiply Unix seconds by 1000.';
    const [min, max] = [Date.parse('2001-09-09T01:46:40Z') / 1000, 9_999_999_999];
    fc.assert(
      fc.property(fc.integer({ min, max }), (seconds) => {
        expect(() => DateTime.parseValue(seconds)).toThrow(hint);
        expect(() => DateTime.parseValue(String(seconds))).toThrow(hint);
        expect(() => DateTime.parseLiteral({ kind: Kind.INT, value: String(seconds) }, {})).toThrow(hint);
        expect(DateTime.parseValue(seconds * 1000)).toBe(seconds * 1000);
      }),
    );
    expect([0, 1000, -1_605_810_582].map((ms) => DateTime.parseValue(ms))).toEqual([0, 1000, -1_605_810_582]);
  });

  it('refuses any other text and any other value as bad user input', () => {
    const refuses = (value: unknown) => {
      expect(() => DateTime.parseValue(value)).toThrow(
        expect.objectContaining({ extensions: { code: 'BAD_USER_INPUT' } }),
      );
    };
    fc.assert(fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.anything().filter(isNoTime)), refuses));
    for (const near of [
      '2026-02-29T00:00:00Z',
      '2026-02-31T00:00:00+01:00',
      '2026-13-01T00:00:00Z',
      '2026-01-01T24:00:00Z',
      '2026-01-01T24:00:01Z',
      '2026-01-01T00:60:00Z',
      '2026-01-01T00:00:00',
      '2026-01-01',
      '20260101T000000Z',
      '2026-01-01T00:00:00+1:00',
      '2026-01-01T00:00:00Z\n',
      '+002026-01-01T00:00:00Z',
      ...['1605810582', '1605810582000.5', ' 1605810582000', '0x17F2A3B4C5D6', 1605810582000.5],
      ...[253_402_300_800_000, -62_167_219_200_001],
    ]) {
      refuses(near);
    }
  });
});
