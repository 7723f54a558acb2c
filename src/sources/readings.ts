/**
 * What an operation has taken from the cache so far: as long as the same would be taken, the same would come of it.
 * That holds while nothing is waited for; from the first load on, other things than the cache decide.
 */
import type { CacheKey } from '../cache/cacheKey.js';
import type { Kind } from '../cache/policies.js';

/** Where something was looked for, and which version of it was there. */
interface Reading {
  key: CacheKey;
  kind: Kind;
  version: Version;
}

type Version = number | string;

/** All that an operation takes; grows until it loads something, or is over. */
export class Taken {
  /** By their keys' texts. */
  readonly readings = new Map<string, Reading>();
  /** Whether these are all: who has taken very much is not followed. */
  isWhole = true;

  size(): number {
    return this.readings.size;
  }
}

export interface Readings {
  /** Notes what was found under a key; undefined for nothing. */
  note(key: CacheKey, kind: Kind, value: unknown): void;
  /** Something is waited for. */
  close(): void;
  /** All that is taken, in the end; undefined where not only the cache decides. */
  taken(): Taken | undefined;
  /** Whether this operation finds all as another one took it. */
  finds(taken: Taken): boolean;
}

const MOST_READINGS = 500;

/** `take` looks something up for this operation, and notes it. */
export function createReadings(take: (key: CacheKey, kind: Kind) => unknown): Readings {
  const own = new Taken();
  /** By how much had been taken then: it may be more by now. */
  let judged: Map<Taken, { size: number; isSame: boolean }> | undefined;
  let isClosed = false;

  function isAs({ key, kind, version }: Reading): boolean {
    const known = own.readings.get(key.text)?.version;
    return (known ?? versionOf(take(key, kind))) === version;
  }

  return {
    note(key, kind, value) {
      if (isClosed) return;
      const version = versionOf(value);
      const known = own.readings.get(key.text);
      if (known === undefined) own.readings.set(key.text, { key, kind, version });
      own.isWhole = (known === undefined || known.version === version) && own.size() <= MOST_READINGS;
      isClosed = !own.isWhole;
    },
    close() {
      isClosed = true;
    },
    taken: () => (isClosed ? undefined : own),
    finds(taken) {
      if (isClosed || !taken.isWhole) return false;
      if (taken === own) return true;
      judged ??= new Map();
      const known = judged.get(taken);
      const size = taken.size();
      if (known?.size === size) return known.isSame;
      const isSame = known?.isSame !== false && [...taken.readings.values()].every(isAs);
      judged.set(taken, { size, isSame });
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
