/** Caches the JSON text of objects that occur again. Models from the entity cache are the same objects in all requests. */
import type { ExecutionContext, RecordedDependencies } from '../executionContext.js';
import { flatten } from './serializedJson.js';

/** Limits the total size of all fragment caches that share it. */
export interface FragmentCacheBudget {
  characters: number;
  /** Increases when the total exceeds the limit. Each cache then discards its entries. */
  version: number;
}

type Dependencies = Pick<ExecutionContext, 'dependencies'>;
type FragmentReadSet = NonNullable<ReturnType<RecordedDependencies['readSet']>>;

interface CachedFragment {
  text: string;
  /** The cache entries that were read for the text; undefined if it depends only on the object. */
  readSet: FragmentReadSet | undefined;
}

/** About 16 MB including the maps. Entries of collected objects count until the caches are discarded. */
const MAX_CHARACTERS = 8_000_000;
const ENTRY_CHARACTERS = 100;
const DEPENDENCY_CHARACTERS = 500;
/** Stop caching after this many consecutive misses: the objects are then new in each operation. */
const MAX_CONSECUTIVE_MISSES = 1000;

/**
 * Stores nothing until one object has occurred twice, so that objects that occur once cost nothing. With
 * `checksDependencies`, a string is reused only if the execution reads the same cache entries as the one that wrote it.
 */
export class FragmentCache {
  readonly #budget: FragmentCacheBudget;
  readonly #checksDependencies: boolean;
  /** Undefined while waiting for the probe to occur again. */
  #fragments: WeakMap<object, CachedFragment> | undefined;
  /** Contains one object as a probe. Caching starts when that object occurs again. */
  #probe = new WeakSet<object>();
  #missesLeft = 0;
  #budgetVersion: number;
  /** The read set counted last. Fragments of one operation share it and count only its growth. */
  #countedReadSet: { readSet: FragmentReadSet | undefined; size: number } = { readSet: undefined, size: 0 };

  constructor(budget: FragmentCacheBudget, checksDependencies = false) {
    this.#budget = budget;
    this.#checksDependencies = checksDependencies;
    this.#budgetVersion = budget.version;
  }

  get(source: unknown, { dependencies }: Dependencies): string | undefined {
    if (this.#fragments === undefined || (this.#checksDependencies && dependencies === undefined))
      return undefined;
    if (this.#budgetVersion !== this.#budget.version) {
      this.#budgetVersion = this.#budget.version;
      this.#fragments = new WeakMap();
    }
    const cached = this.#fragments.get(source as object);
    if (cached === undefined || (cached.readSet && !dependencies?.matches(cached.readSet))) return undefined;
    this.#missesLeft = MAX_CONSECUTIVE_MISSES;
    return cached.text;
  }

  /** Call it after `get` returned undefined for the object. */
  set(source: unknown, text: string, { dependencies }: Dependencies): void {
    const readSet = this.#checksDependencies ? dependencies?.readSet() : undefined;
    if (typeof source !== 'object' || source === null || (this.#checksDependencies && !readSet)) return;
    if (this.#fragments !== undefined) this.#store(this.#fragments, source, { text, readSet });
    else if (this.#probe.has(source)) this.#fragments = new WeakMap();
    this.#missesLeft -= 1;
    if (this.#missesLeft > 0) return;
    this.#fragments = undefined;
    this.#probe = new WeakSet([source]);
    this.#missesLeft = MAX_CONSECUTIVE_MISSES;
  }

  #store(
    fragments: WeakMap<object, CachedFragment>,
    source: object,
    { text, readSet }: CachedFragment,
  ): void {
    const replaced = fragments.get(source);
    fragments.set(source, { text: flatten(text), readSet });
    const budget = this.#budget;
    budget.characters += text.length - (replaced?.text.length ?? -ENTRY_CHARACTERS);
    budget.characters += this.#countDependencies(readSet);
    if (budget.characters <= MAX_CHARACTERS) return;
    budget.characters = 0;
    budget.version += 1;
  }

  #countDependencies(readSet: FragmentReadSet | undefined): number {
    if (readSet === undefined) return 0;
    const size = readSet.size();
    const added = readSet === this.#countedReadSet.readSet ? size - this.#countedReadSet.size : size;
    this.#countedReadSet = { readSet, size };
    return added * DEPENDENCY_CHARACTERS;
  }
}
