/** The one place where cache keys and tags are built, so that what may not be shared can't share a key. */
import { createHash } from 'node:crypto';

declare const scopeMark: unique symbol;

/** Whose answers these are: a hash, from which no key or token can be read. */
export type CredentialScope = string & { readonly [scopeMark]: true };

export interface CacheKey {
  /** Different for different scopes, names and parameters. */
  readonly text: string;
  /** What a write may drop it by; made by `KeyBuilder.tag`. */
  readonly tags: readonly string[];
}

/** As on the wire: the number 5 and the text "5" are the same, and undefined is left out. */
export type KeyParameters = Readonly<Record<string, string | number | boolean | undefined>>;

export interface KeyParts {
  /** The endpoint's path template, or the kind of model. */
  name: string;
  parameters?: KeyParameters;
  tags?: readonly string[];
}

export interface KeyBuilder {
  key(parts: KeyParts): CacheKey;
  /** Of an endpoint's answer: tagged with its kind, and with its parameter where it has one. That is what a write drops. */
  answerKey(kind: string, template: string, parameter: string | number | undefined): CacheKey;
  /** Names one resource, or with no id all of its kind. The two are different tags: a key bears what applies. */
  tag(resource: string, id?: string | number): string;
}

/** 128 bits: two credentials never meet by chance. */
const SCOPE_DIGITS = 32;

/**
 * The scope of a credential at a platform. `credential` is what tells two apart, the API key or a caller's
 * own token; only its hash goes on from here.
 */
export function createCredentialScope(platformUrl: string, credential: string): CredentialScope {
  const identity = JSON.stringify([platformUrl.replace(/\/+$/, ''), credential]);
  return createHash('sha256').update(identity).digest('hex').slice(0, SCOPE_DIGITS) as CredentialScope;
}

/** JSON keeps parts apart whatever they contain, and escapes what is no well-formed Unicode. */
export function createKeyBuilder(scope: CredentialScope): KeyBuilder {
  /** Of answers without a parameter, by their template: each operation asks for them, and there are few. */
  const wholeKeys = new Map<string, CacheKey>();

  function key({ name, parameters = {}, tags = [] }: KeyParts): CacheKey {
    return { text: JSON.stringify([scope, name, ...toPairs(parameters)]), tags };
  }

  function tag(resource: string, id?: string | number): string {
    return JSON.stringify(id === undefined ? [scope, resource] : [scope, resource, String(id)]);
  }

  function wholeKey(kind: string, name: string): CacheKey {
    const known = wholeKeys.get(name) ?? key({ name, tags: [tag(kind)] });
    wholeKeys.set(name, known);
    return known;
  }

  return {
    key,
    tag,
    answerKey(kind, name, parameter) {
      if (parameter === undefined) return wholeKey(kind, name);
      return key({ name, parameters: { parameter }, tags: [tag(kind), tag(kind, parameter)] });
    },
  };
}

/** In the order of the names, so that the order they were written in makes no other key. */
function toPairs(parameters: KeyParameters): [string, string][] {
  return Object.entries(parameters)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]): [string, string] => [name, String(value)])
    .sort(([left], [right]) => (left < right ? -1 : 1));
}
