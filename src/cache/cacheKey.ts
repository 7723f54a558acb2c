/** Builds all cache keys and tags, so that values that must not be shared never have the same key. */
import { createHash, hkdfSync } from 'node:crypto';

declare const scopeMark: unique symbol;
declare const entryKeyMark: unique symbol;

/** Identifies a credential by a hash, which does not reveal its key or token. */
export type CredentialScope = string & { readonly [scopeMark]: true };

export interface CacheKey {
  /** Unique for scope, name and parameter. */
  readonly text: string;
  /** From `KeyBuilder.tag`; invalidating one of them removes the entry. */
  readonly tags: readonly string[];
  /** Authenticates entries that are stored outside the process. Without it, the entry stays in memory. */
  readonly entryKey?: EntryKey | undefined;
}

/** Derived from a credential's secret, without revealing it. */
export type EntryKey = Buffer & { readonly [entryKeyMark]: true };

interface KeyParts {
  /** The endpoint's path template, or the kind of model. */
  name: string;
  /** As on the wire: the number 5 equals the text "5". */
  parameter?: string | number | undefined;
  tags?: readonly string[];
}

export type KeyBuilder = ReturnType<typeof createKeyBuilder>;

/** 128 bits, so that two credentials never collide. */
const SCOPE_DIGITS = 32;

/** The scope of a credential: an API key, or a caller's whole credential. Only the hash is used from here on. */
export function createCredentialScope(platformUrl: string, credential: string): CredentialScope {
  const identity = JSON.stringify([platformUrl.replace(/\/+$/, ''), credential]);
  return createHash('sha256').update(identity).digest('hex').slice(0, SCOPE_DIGITS) as CredentialScope;
}

const ENTRY_KEY_BYTES = 32;

/** Returns a key that is unique for each scope and secret. */
export function createEntryKey(scope: CredentialScope, secret: string): EntryKey {
  return deriveKey(secret, scope, 'cache entry', ENTRY_KEY_BYTES) as EntryKey;
}

/** Derives a key that does not reveal the secret. */
export function deriveKey(secret: string, scope: CredentialScope, purpose: string, bytes: number): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, scope, `fieldgraph ${purpose}`, bytes));
}

/**
 * Keys are JSON, which separates the parts whatever they contain and escapes malformed Unicode. Without an `entryKey`,
 * entries are not stored outside the process.
 */
export function createKeyBuilder(scope: CredentialScope, entryKey?: EntryKey) {
  /** The shared parts of an endpoint's keys, by template: each operation builds many keys. */
  const endpoints = new Map<string, EndpointKeys>();

  function key({ name, parameter, tags = [] }: KeyParts): CacheKey {
    const parameters = parameter === undefined ? [] : [['parameter', String(parameter)]];
    return { text: JSON.stringify([scope, name, ...parameters]), tags, entryKey };
  }

  /** The tag of one resource or, without an id, of all resources of the kind. The key of a resource has both. */
  function tag(resource: string, id?: string | number): string {
    return JSON.stringify(id === undefined ? [scope, resource] : [scope, resource, String(id)]);
  }

  function endpointKeys(kind: string, name: string): EndpointKeys {
    const existing = endpoints.get(name);
    if (existing?.kind === kind) return existing;
    const whole = key({ name, tags: [tag(kind)] });
    const created = {
      kind,
      whole,
      kindTag: tag(kind),
      textPrefix: withoutClosingBracket(whole.text),
      tagPrefix: withoutClosingBracket(tag(kind)),
    };
    endpoints.set(name, created);
    return created;
  }

  return {
    key,
    tag,
    /** Key of an endpoint's response, tagged with its kind and its parameter for invalidation by writes. */
    endpointKey(kind: string, name: string, parameter: string | number | undefined): CacheKey {
      const keys = endpointKeys(kind, name);
      if (parameter === undefined) return keys.whole;
      // Writes the same text as `key` and `tag`, in a fraction of the time.
      const written = JSON.stringify(String(parameter));
      return {
        text: `${keys.textPrefix},["parameter",${written}]]`,
        tags: [keys.kindTag, `${keys.tagPrefix},${written}]`],
        entryKey,
      };
    },
  };
}

interface EndpointKeys {
  kind: string;
  /** Key of the response without a parameter. */
  whole: CacheKey;
  kindTag: string;
  /** The beginning of the text of each key with a parameter. */
  textPrefix: string;
  /** The beginning of the second tag of each key with a parameter. */
  tagPrefix: string;
}

/** The scope of a tag from `KeyBuilder.tag`. */
export function toTagScope(tag: string): string {
  return /^\["([^"]*)"/.exec(tag)?.[1] ?? '';
}

function withoutClosingBracket(json: string): string {
  return json.slice(0, -1);
}
