/** The one place where cache keys and tags are built, so that what may not be shared can't share a key. */
import { createHash, hkdfSync } from 'node:crypto';

declare const scopeMark: unique symbol;
declare const entryKeyMark: unique symbol;

/** Whose answers these are: a hash, from which no key or token can be read. */
export type CredentialScope = string & { readonly [scopeMark]: true };

export interface CacheKey {
  /** Different for different scopes, names and parameters. */
  readonly text: string;
  /** What a write may drop it by; made by `KeyBuilder.tag`. */
  readonly tags: readonly string[];
  /** Authenticates what is stored outside the process; absent: nothing is. */
  readonly entryKey?: EntryKey | undefined;
}

/** Derived from a credential's secret, from which nothing of the secret can be read. */
export type EntryKey = Buffer & { readonly [entryKeyMark]: true };

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
  endpointKey(kind: string, template: string, parameter: string | number | undefined): CacheKey;
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

const ENTRY_KEY_BYTES = 32;

/** Another secret, or another scope, has another key. */
export function createEntryKey(scope: CredentialScope, secret: string): EntryKey {
  const key = hkdfSync('sha256', secret, scope, 'fieldgraph cache entry', ENTRY_KEY_BYTES);
  return Buffer.from(key) as EntryKey;
}

/**
 * JSON keeps parts apart whatever they contain, and escapes what is no well-formed Unicode. Without an `entryKey`,
 * nothing is stored outside the process.
 */
export function createKeyBuilder(scope: CredentialScope, entryKey?: EntryKey): KeyBuilder {
  /** By template, what is the same in the keys of all its answers: each operation asks for many. */
  const endpoints = new Map<string, EndpointKeys>();

  function key({ name, parameters = {}, tags = [] }: KeyParts): CacheKey {
    return { text: JSON.stringify([scope, name, ...toPairs(parameters)]), tags, entryKey };
  }

  function tag(resource: string, id?: string | number): string {
    return JSON.stringify(id === undefined ? [scope, resource] : [scope, resource, String(id)]);
  }

  function endpointKeys(kind: string, name: string): EndpointKeys {
    const known = endpoints.get(name);
    if (known?.kind === kind) return known;
    const whole = key({ name, tags: [tag(kind)] });
    const made = {
      kind,
      whole,
      kindTag: tag(kind),
      text: withoutClosingBracket(whole.text),
      tag: withoutClosingBracket(tag(kind)),
    };
    endpoints.set(name, made);
    return made;
  }

  return {
    key,
    tag,
    endpointKey(kind, name, parameter) {
      const keys = endpointKeys(kind, name);
      if (parameter === undefined) return keys.whole;
      // The text that `key` and `tag` would make, for a fraction of the time.
      const written = JSON.stringify(String(parameter));
      return {
        text: `${keys.text},["parameter",${written}]]`,
        tags: [keys.kindTag, `${keys.tag},${written}]`],
        entryKey,
      };
    },
  };
}

interface EndpointKeys {
  kind: string;
  /** Of the answer without a parameter. */
  whole: CacheKey;
  kindTag: string;
  /** How the others' texts, and second tags, begin. */
  text: string;
  tag: string;
}

/** The scope of a tag from `KeyBuilder.tag`. */
export function toTagScope(tag: string): string {
  return /^\["([^"]*)"/.exec(tag)?.[1] ?? '';
}

/** A list's JSON without its end. */
function withoutClosingBracket(json: string): string {
  return json.slice(0, -1);
}

/** In the order of the names, so that the order they were written in makes no other key. */
function toPairs(parameters: KeyParameters): [string, string][] {
  return Object.entries(parameters)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]): [string, string] => [name, String(value)])
    .sort(([left], [right]) => (left < right ? -1 : 1));
}
