/** Keys separate accounts: any difference in the parts results in another key. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type CredentialScope,
  createCredentialScope,
  createEntryKey,
  createKeyBuilder,
  deriveKey,
} from '../../../src/cache/cacheKey.js';

// Few characters, with those that an encoding may confuse, so that collisions would be found.
const text = fc.string({
  unit: fc.constantFrom('a', 'b', '"', ',', '[', ']', ':', '\\', '\ud800', '', '*'),
  maxLength: 4,
});
const parameter = fc.option(text, { nil: undefined });
const parts = fc.record({ url: text, credential: text, name: text, parameter });
type Parts = { url: string; credential: string; name: string; parameter: string | undefined };

function keyOf({ url, credential, name, parameter }: Parts): string {
  return createKeyBuilder(createCredentialScope(url, credential)).key({ name, parameter }).text;
}

describe('cache keys', () => {
  const scope = createCredentialScope('https://platform.example', 'key');
  const keys = createKeyBuilder(scope);

  it('are equal exactly where all parts are', () => {
    fc.assert(
      fc.property(parts, parts, (left, right) => {
        const wholeOf = (one: Parts) => JSON.stringify([one.url, one.credential, one.name, one.parameter]);
        expect(keyOf(left) === keyOf(right)).toBe(wholeOf(left) === wholeOf(right));
      }),
      { numRuns: 2000 },
    );
  });

  it('have the same text where an endpoint gives them', () => {
    fc.assert(
      fc.property(parts, ({ name, parameter }) => {
        expect(keys.endpointKey('site', name, parameter).text).toBe(keys.key({ name, parameter }).text);
      }),
    );
  });

  it('ignore an undefined parameter, and whether a number is written as text', () => {
    expect(keys.key({ name: 'site', parameter: undefined }).text).toBe(keys.key({ name: 'site' }).text);
    expect(keys.key({ name: 'site', parameter: 1 }).text).toBe(
      keys.key({ name: 'site', parameter: '1' }).text,
    );
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

it('derived keys differ by secret, scope and purpose', () => {
  const [one, other] = ['one', 'other'].map((key) => createCredentialScope('https://platform.example', key));
  const keys = [
    createEntryKey(one as CredentialScope, 'secret'),
    createEntryKey(one as CredentialScope, 'other secret'),
    createEntryKey(other as CredentialScope, 'secret'),
    deriveKey('secret', one as CredentialScope, 'other purpose', 32),
  ];
  expect(new Set(keys.map((key) => key.toString('hex'))).size).toBe(keys.length);
});
