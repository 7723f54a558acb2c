/** Remembers which tags were dropped when, so that what was being loaded meanwhile is known to be out of date. */

export interface InvalidationLog {
  /** How many drops there were so far. */
  version(): number;
  add(tags: readonly string[]): void;
  /** Everything was dropped. */
  addAll(): void;
  /** Whether one of the tags was dropped after the count stood there. May say yes for no reason, never no. */
  isInvalidatedSince(tags: readonly string[], count: number): boolean;
}

/** A load is over long before so many other tags were dropped; if not, it is taken as dropped. */
const MAX_TAGS = 10_000;

export function createInvalidationLog(maxTags = MAX_TAGS): InvalidationLog {
  /** In the order of the drops: a tag that is dropped again moves to the end. */
  const lastDrops = new Map<string, number>();
  let drops = 0;
  /** Before this count, what was dropped is no longer known. */
  let knownFrom = 0;

  function forgetOldest(): void {
    for (const [tag, drop] of lastDrops) {
      if (lastDrops.size <= maxTags) return;
      lastDrops.delete(tag);
      knownFrom = drop;
    }
  }

  return {
    version: () => drops,
    add(tags) {
      drops += 1;
      for (const tag of tags) {
        lastDrops.delete(tag);
        lastDrops.set(tag, drops);
      }
      forgetOldest();
    },
    addAll() {
      drops += 1;
      knownFrom = drops;
      lastDrops.clear();
    },
    isInvalidatedSince: (tags, count) =>
      count < knownFrom || tags.some((tag) => (lastDrops.get(tag) ?? 0) > count),
  };
}
