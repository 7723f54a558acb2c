/**
 * Records the cache entries that an operation has read. A value that was computed from the same entries is still valid.
 * This holds until the operation's first load: from then on its result depends on more than the cache.
 */
import type { CacheKey } from '../../cache/cacheKey.js';
import type { ResourceKind } from '../../cache/policies.js';

/** A key that was read, and the version of the value that was found. */
interface CacheDependency {
  key: CacheKey;
  kind: ResourceKind;
  version: Version;
}

type Version = number | string;

/** All entries that an operation has read; grows until the operation loads something or ends. */
export class ReadSet {
  /** By the text of the key. */
  readonly dependencies = new Map<string, CacheDependency>();
  /** False once an operation has read too many entries, or two versions of one entry. */
  isComplete = true;

  size(): number {
    return this.dependencies.size;
  }
}

export type DependencyRecorder = ReturnType<typeof createDependencyRecorder>;

const MAX_DEPENDENCIES = 500;

/** `lookup` reads an entry for this operation and records it. */
export function createDependencyRecorder(lookup: (key: CacheKey, kind: ResourceKind) => unknown) {
  const own = new ReadSet();
  /** Results of `matches`, each with the size of the set at that time: the set may have grown since. */
  let compared: Map<ReadSet, { size: number; isSame: boolean }> | undefined;
  let isSealed = false;

  function hasSameVersion({ key, kind, version }: CacheDependency): boolean {
    const recorded = own.dependencies.get(key.text)?.version;
    return (recorded ?? versionOf(lookup(key, kind))) === version;
  }

  return {
    /** Records the value that was read; undefined for a miss. */
    record(key: CacheKey, kind: ResourceKind, value: unknown): void {
      if (isSealed) return;
      const version = versionOf(value);
      const recorded = own.dependencies.get(key.text);
      if (recorded === undefined) own.dependencies.set(key.text, { key, kind, version });
      own.isComplete =
        (recorded === undefined || recorded.version === version) && own.size() <= MAX_DEPENDENCIES;
      isSealed = !own.isComplete;
    },
    /** Stops recording: the operation waits for a load. */
    seal(): void {
      isSealed = true;
    },
    /** The live set of all recorded entries; undefined once recording has stopped. */
    readSet: (): ReadSet | undefined => (isSealed ? undefined : own),
    /** Whether this operation finds the same version of every entry of the set. */
    matches(readSet: ReadSet): boolean {
      if (isSealed || !readSet.isComplete) return false;
      if (readSet === own) return true;
      compared ??= new Map();
      const earlier = compared.get(readSet);
      const size = readSet.size();
      if (earlier?.size === size) return earlier.isSame;
      const isSame = earlier?.isSame !== false && [...readSet.dependencies.values()].every(hasSameVersion);
      compared.set(readSet, { size, isSame });
      return isSame;
    },
  };
}

/** Cached values are immutable, so that each object stands for one version. Weak: the cache decides how long they live. */
const versions = new WeakMap<object, number>();
let lastVersion = 0;

function versionOf(value: unknown): Version {
  if (typeof value !== 'object' || value === null) return `${typeof value} ${String(value)}`;
  const existing = versions.get(value);
  if (existing !== undefined) return existing;
  lastVersion += 1;
  versions.set(value, lastVersion);
  return lastVersion;
}
