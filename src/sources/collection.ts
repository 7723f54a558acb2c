/** A whole collection of the account, fetched at most once for a request and indexed when needed. */
import { isCutOff } from './fetchPlan.js';

export interface LoadedCollection<Item> {
  readonly items: readonly Item[];
  /** False where the platform may have cut the list off: what is not in it may exist all the same. */
  readonly isComplete: boolean;
  byId(id: number): Item | undefined;
}

export interface Collection<Item> {
  load(): Promise<LoadedCollection<Item>>;
  /** How many REST calls it takes to answer from it: 0 when it is here or on its way. */
  calls(): number;
}

export function createCollection<Item extends { id: number }>(
  fetchAll: () => Promise<readonly Item[]>,
): Collection<Item> {
  let loading: Promise<LoadedCollection<Item>> | undefined;
  let isKnownIncomplete = false;

  async function load(): Promise<LoadedCollection<Item>> {
    const loaded = toLoaded(await fetchAll());
    isKnownIncomplete = !loaded.isComplete;
    return loaded;
  }

  return {
    load() {
      loading ??= load();
      return loading;
    },
    calls: () => (isKnownIncomplete ? Number.POSITIVE_INFINITY : loading === undefined ? 1 : 0),
  };
}

function toLoaded<Item extends { id: number }>(items: readonly Item[]): LoadedCollection<Item> {
  let index: Map<number, Item> | undefined;
  return {
    items,
    isComplete: !isCutOff(items.length),
    byId(id) {
      index ??= new Map(items.map((item) => [item.id, item]));
      return index.get(id);
    },
  };
}
