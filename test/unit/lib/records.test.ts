import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isRecord, parseJsonFile, toRecord } from '../../../src/lib/records.js';

describe('a record', () => {
  it('is an object with named fields', () => {
    expect(isRecord({ id: 1 })).toBe(true);
  });

  it.each([null, undefined, [1], 'text', 1])('is not %j', (value) => {
    expect(isRecord(value)).toBe(false);
    expect(toRecord(value)).toEqual({});
  });
});

describe('a file that is not JSON', () => {
  it.each([
    ['', 1, 1],
    ['keys', 1, 1],
    ['{\n  "a": 1,\n}', 3, 1],
    ['{\r\n  "a": 1\r\n  "b": 2\r\n}', 3, 3],
    ['{ "a": [1, 2', 1, 13],
    ['{ "a": [1, 2 }', 1, 14],
    ['[ "a\nb" ]', 1, 3],
    [String.raw`["\x"]`, 1, 2],
    ['[01]', 1, 3],
    ['[1, , 2]', 1, 5],
    ['{ a: 1 }', 1, 3],
    ["{ 'a': 1 }", 1, 3],
    ['{ "a" 1 }', 1, 7],
    ['{ "a": true } {}', 1, 15],
    ['// keys\n{}', 1, 1],
    [']', 1, 1],
    ['[]]', 1, 3],
  ])('%j names line and column', (text, line, column) => {
    expect(() => parseJsonFile(text)).toThrow(
      `The file is not JSON. The error is in line ${line}, column ${column}.`,
    );
  });

  it('names the place where a valid file was cut off or damaged', () => {
    fc.assert(
      fc.property(fc.json(), fc.nat(), (text, at) => {
        const place = at % (text.length + 1);
        // No token of JSON contains this character outside a string.
        const damaged = `${text.slice(0, place)}\u0001${text.slice(place)}`;
        expect(() => parseJsonFile(damaged)).toThrow('The file is not JSON. The error is in line 1, column ');
        const [, column] = /column (\d+)/.exec(messageOfParsing(damaged)) ?? [];
        expect(Number(column)).toBeLessThanOrEqual(place + 1);
        // Everything before the error is a valid text, or its start.
        expect(messageOfParsing(damaged.slice(0, Number(column) - 1))).toMatch(
          new RegExp(`^$|column ${column}\\.$`),
        );
      }),
    );
  });
});

function messageOfParsing(text: string): string {
  try {
    parseJsonFile(text);
    return '';
  } catch (error) {
    return String(error);
  }
}
