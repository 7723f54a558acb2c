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
  version: number;
}

/** Readings by their keys' texts; grows until the operation is over. */
export type Taken = ReadonlyMap<string, Reading>;

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

/** Who has taken more is not followed. */
const MOST_READINGS = 500;

/** `take` looks something up for this operation, and notes it. */
export function createReadings(take: (key: CacheKey, kind: Kind) => unknown): Readings {
  const readings = new Map<string, Reading>();
  const judged = new Map<Taken, boolean>();
  let isClosed = false;

  function isAs({ key, kind, version }: Reading): boolean {
    const known = readings.get(key.text)?.version;
    return (known ?? versionOf(take(key, kind))) === version;
  }

  return {
    note(key, kind, value) {
      const version = versionOf(value);
      const known = readings.get(key.text);
      if (known === undefined) readings.set(key.text, { key, kind, version });
      if ((known !== undefined && known.version !== version) || readings.size > MOST_READINGS)
        isClosed = true;
    },
    close() {
      isClosed = true;
    },
    taken: () => (isClosed ? undefined : readings),
    finds(taken) {
      if (isClosed || taken === readings) return !isClosed;
      const known = judged.get(taken);
      if (known !== undefined) return known;
      const isSame = [...taken.values()].every(isAs);
      judged.set(taken, isSame);
      return isSame;
    },
  };
}

/** Values in the cache never change: each is a version by itself. They are not held here. */
const versions = new WeakMap<object, number>();
const NOTHING = 0;
const NULL = 1;
let lastVersion = NULL;

function versionOf(value: unknown): number {
  if (value === undefined) return NOTHING;
  // What is no object is null: rows that the platform does not have.
  if (typeof value !== 'object' || value === null) return NULL;
  const known = versions.get(value);
  if (known !== undefined) return known;
  lastVersion += 1;
  versions.set(value, lastVersion);
  return lastVersion;
}
