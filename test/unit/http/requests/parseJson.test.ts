/** JSON of callers is parsed as by `JSON.parse`, up to a number of levels. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_JSON_LEVELS, parseJson } from '../../../../src/http/requests/parseJson.js';

const lists = (levels: number, inside = '') => `${'['.repeat(levels)}${inside}${']'.repeat(levels)}`;
const objects = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;

describe('JSON of callers', () => {
  it('may have up to the maximum number of levels, whatever its strings contain', () => {
    const strings = ['[{'.repeat(1000), '"', '\\', '\\"', '"["', '\\\\"['.repeat(300)].map((text) =>
      JSON.stringify(text),
    );
    for (const text of [
      lists(MAX_JSON_LEVELS),
      objects(MAX_JSON_LEVELS),
      lists(1, strings.join()),
      ...strings,
    ]) {
      expect(parseJson(text)).toEqual(JSON.parse(text));
    }
  });

  it('is refused with more levels, also when it is not complete', () => {
    const texts = [
      lists(MAX_JSON_LEVELS + 1),
      objects(MAX_JSON_LEVELS + 1),
      lists(1, `"\\\\",${lists(MAX_JSON_LEVELS)}`),
      '['.repeat(100_000),
    ];
    for (const text of texts) expect(() => parseJson(text)).toThrow('levels');
  });

  it('is parsed as by JSON.parse, and refused where JSON.parse refuses it', () => {
    const read = (parse: (text: string) => unknown, text: string) => {
      try {
        return { value: parse(text) };
      } catch {
        return 'refused';
      }
    };
    // Long enough to be scanned.
    const padding = ' '.repeat(MAX_JSON_LEVELS);
    fc.assert(
      fc.property(fc.json(), fc.nat(), fc.boolean(), (json, at, isCut) => {
        const text = padding + (isCut ? json.slice(0, at % (json.length + 1)) : json);
        expect(read(parseJson, text)).toEqual(read(JSON.parse, text));
      }),
    );
  });
});
