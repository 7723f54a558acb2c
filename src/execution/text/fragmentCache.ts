/** Remembers what was written of objects that come again: models in the cache are the same from request to request. */
import type { ExecutionContext, RecordedDependencies } from '../executionContext.js';

/** How much is remembered in all; shared by everything that is compiled. */
export interface FragmentCacheBudget {
  characters: number;
  /** Counts how often all was forgotten. */
  version: number;
}

export interface FragmentCache {
  get(source: unknown, run: Pick<ExecutionContext, 'dependencies'>): string | undefined;
  /** Of an object that `find` does not know. */
  set(source: unknown, text: string, run: Pick<ExecutionContext, 'dependencies'>): void;
}

interface CachedFragment {
  text: string;
  /** What was read for it; undefined where the object alone decides. */
  readSet: FragmentReadSet | undefined;
}

type FragmentReadSet = NonNullable<ReturnType<RecordedDependencies['readSet']>>;

/** About 16 MB with what maps need besides. Objects that are gone count until all is forgotten. */
const MAX_CHARACTERS = 8_000_000;
const ENTRY_CHARACTERS = 100;
const DEPENDENCY_CHARACTERS = 500;
/** So many objects in a row that are not known, and it gives up: these are made anew for each operation. */
const MAX_CONSECUTIVE_MISSES = 1000;

/**
 * Nothing is kept of objects that come once: it begins with the first that is seen to come again. With `checksDependencies`,
 * a text is true only for runs that read the same as the one that wrote it.
 */
export function createFragmentCache(
  cacheBudget: FragmentCacheBudget,
  checksDependencies = false,
): FragmentCache {
  let texts: WeakMap<object, CachedFragment> | undefined;
  let samples = new WeakSet<object>();
  let left = 0;
  let counted: { taken: FragmentReadSet | undefined; size: number } = { taken: undefined, size: 0 };
  let generation = cacheBudget.version;

  /** What was read is counted with the first text that it was read for. */
  function count(taken: FragmentReadSet | undefined): number {
    if (taken === undefined) return 0;
    const size = taken.size();
    const more = taken === counted.taken ? size - counted.size : size;
    counted = { taken, size };
    return more * DEPENDENCY_CHARACTERS;
  }

  function keep(
    source: object,
    { text, readSet }: CachedFragment,
    kept: WeakMap<object, CachedFragment>,
  ): void {
    const before = kept.get(source);
    kept.set(source, { text: flatten(text), readSet });
    cacheBudget.characters += text.length - (before?.text.length ?? -ENTRY_CHARACTERS) + count(readSet);
    if (cacheBudget.characters > MAX_CHARACTERS)
      Object.assign(cacheBudget, { characters: 0, version: generation + 1 });
  }

  return {
    get(source, { dependencies }) {
      if (texts === undefined || (checksDependencies && dependencies === undefined)) return undefined;
      if (generation !== cacheBudget.version) {
        generation = cacheBudget.version;
        texts = new WeakMap();
      }
      const known = texts.get(source as object);
      if (known === undefined || (known.readSet && !dependencies?.matches(known.readSet))) return undefined;
      left = MAX_CONSECUTIVE_MISSES;
      return known.text;
    },
    set(source, text, { dependencies }) {
      const readSet = checksDependencies ? dependencies?.readSet() : undefined;
      if (typeof source !== 'object' || source === null || (checksDependencies && !readSet)) return;
      if (texts !== undefined) keep(source, { text, readSet }, texts);
      else if (samples.has(source)) texts = new WeakMap();
      left -= 1;
      if (left > 0) return;
      texts = undefined;
      samples = new WeakSet([source]);
      left = MAX_CONSECUTIVE_MISSES;
    },
  };
}

/** Text that was put together is a tree of its parts until somebody looks at a letter of it. */
function flatten(text: string): string {
  text.charCodeAt(0);
  return text;
}
