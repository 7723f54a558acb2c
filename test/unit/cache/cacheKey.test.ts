/** Keys separate accounts: any difference in the parts results in another key. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createCredentialScope, createKeyBuilder, type KeyParameters } from '../../../src/cache/cacheKey.js';

// Few characters, with those that an encoding may confuse, so that collisions would be found.
const text = fc.string({
  unit: fc.constantFrom('a', 'b', '"', ',', '[', ']', ':', '\\', '\ud800', '', '*'),
  maxLength: 4,
});
const parameters = fc.dictionary(text, text, { maxKeys: 3, noNullPrototype: true });
const parts = fc.record({ url: text, credential: text, name: text, parameters });
type Parts = { url: string; credential: string; name: string; parameters: KeyParameters };

function keyOf({ url, credential, name, parameters: values }: Parts): string {
  return createKeyBuilder(createCredentialScope(url, credential)).key({ name, parameters: values }).text;
}

function sorted(values: KeyParameters): unknown {
  return Object.entries(values).sort(([left], [right]) => (left < right ? -1 : 1));
}

describe('cache keys', () => {
  const scope = createCredentialScope('https://platform.example', 'key');
  const keys = createKeyBuilder(scope);

  it('are equal exactly where all parts are', () => {
    fc.assert(
      fc.property(parts, parts, (left, right) => {
        const wholeOf = (one: Parts) =>
          JSON.stringify([one.url, one.credential, one.name, sorted(one.parameters)]);
        expect(keyOf(left) === keyOf(right)).toBe(wholeOf(left) === wholeOf(right));
      }),
      { numRuns: 2000 },
    );
  });

  it('ignore the order of parameters, undefined ones, and numbers written as text', () => {
    const left = keys.key({ name: 'site', parameters: { a: 1, b: '2', c: undefined } });
    const right = keys.key({ name: 'site', parameters: { b: 2, a: '1' } });
    expect(left.text).toBe(right.text);
  });

  it('contain neither the API key nor a token', () => {
    const secret = 'eyJhbGciOi.very-secret-token';
    const builder = createKeyBuilder(createCredentialScope('https://user:pass@platform.example', secret));
    const { text: key, tags } = builder.key({ name: 'site', tags: [builder.tag('site', 1)] });
    expect(key + tags.join()).not.toMatch(/secret|eyJ|pass|platform/);
  });

  it('ignore a trailing slash of the address', () => {
    expect(createCredentialScope('https://platform.example/', 'key')).toBe(scope);
  });
});

describe('tags', () => {
  const builder = createKeyBuilder(createCredentialScope('https://platform.example', 'key'));

  it('distinguish resources, their ids and scopes', () => {
    const other = createKeyBuilder(createCredentialScope('https://platform.example', 'other key'));
    const tags = [
      builder.tag('site'),
      builder.tag('site', 1),
      builder.tag('site', 11),
      builder.tag('site', '1"'),
      builder.tag('device', 1),
      other.tag('site', 1),
    ];
    expect(new Set(tags).size).toBe(tags.length);
    expect(builder.tag('site', 1)).toBe(builder.tag('site', '1'));
  });
});
