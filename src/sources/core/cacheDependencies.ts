/**
 * What an operation has taken from the cache so far: as long as the same would be taken, the same would come of it.
 * That holds while nothing is waited for; from the first load on, other things than the cache decide.
 */
import type { CacheKey } from '../../cache/cacheKey.js';
import type { ResourceKind } from '../../cache/policies.js';

/** Where something was looked for, and which version of it was there. */
interface CacheDependency {
  key: CacheKey;
  kind: ResourceKind;
  version: Version;
}

type Version = number | string;

/** All that an operation takes; grows until it loads something, or is over. */
export class ReadSet {
  /** By their keys' texts. */
  readonly dependencies = new Map<string, CacheDependency>();
  /** Whether these are all: who has taken very much is not followed. */
  isComplete = true;

  size(): number {
    return this.dependencies.size;
  }
}

export interface DependencyRecorder {
  /** Notes what was found under a key; undefined for nothing. */
  record(key: CacheKey, kind: ResourceKind, value: unknown): void;
  /** Something is waited for. */
  seal(): void;
  /** All that is taken, in the end; undefined where not only the cache decides. */
  readSet(): ReadSet | undefined;
  /** Whether this operation finds all as another one took it. */
  matches(readSet: ReadSet): boolean;
}

const MAX_DEPENDENCIES = 500;

/** `take` looks something up for this operation, and notes it. */
export function createDependencyRecorder(
  lookup: (key: CacheKey, kind: ResourceKind) => unknown,
): DependencyRecorder {
  const own = new ReadSet();
  /** By how much had been taken then: it may be more by now. */
  let judged: Map<ReadSet, { size: number; isSame: boolean }> | undefined;
  let isClosed = false;

  function isAs({ key, kind, version }: CacheDependency): boolean {
    const known = own.dependencies.get(key.text)?.version;
    return (known ?? versionOf(lookup(key, kind))) === version;
  }

  return {
    record(key, kind, value) {
      if (isClosed) return;
      const version = versionOf(value);
      const known = own.dependencies.get(key.text);
      if (known === undefined) own.dependencies.set(key.text, { key, kind, version });
      own.isComplete = (known === undefined || known.version === version) && own.size() <= MAX_DEPENDENCIES;
      isClosed = !own.isComplete;
    },
    seal() {
      isClosed = true;
    },
    readSet: () => (isClosed ? undefined : own),
    matches(readSet) {
      if (isClosed || !readSet.isComplete) return false;
      if (readSet === own) return true;
      judged ??= new Map();
      const known = judged.get(readSet);
      const size = readSet.size();
      if (known?.size === size) return known.isSame;
      const isSame = known?.isSame !== false && [...readSet.dependencies.values()].every(isAs);
      judged.set(readSet, { size, isSame });
      return isSame;
    },
  };
}

/** Values in the cache never change: an object is a version by itself. They are not held here. */
const versions = new WeakMap<object, number>();
let lastVersion = 0;

function versionOf(value: unknown): Version {
  if (typeof value !== 'object' || value === null) return `${typeof value} ${String(value)}`;
  const known = versions.get(value);
  if (known !== undefined) return known;
  lastVersion += 1;
  versions.set(value, lastVersion);
  return lastVersion;
}
