/** A queue in which owners take turns, so that one with much waiting work does not hold up the others. */

/** The items of one owner keep their order. An item may be in the queue only once. */
export class FairQueue<Owner, Item> {
  /** By owner; the first one has the next turn. Sets, so that removing an item takes no search. */
  readonly #items = new Map<Owner, Set<Item>>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get ownerCount(): number {
    return this.#items.size;
  }

  /** The number of items of one owner. */
  sizeOf(owner: Owner): number {
    return this.#items.get(owner)?.size ?? 0;
  }

  add(owner: Owner, item: Item): void {
    const own = this.#items.get(owner);
    if (own) own.add(item);
    else this.#items.set(owner, new Set([item]));
    this.#size += 1;
  }

  /** Removes the first item of the next owner, which then waits for all others. */
  shift(): Item | undefined {
    for (const [owner, own] of this.#items) {
      this.#items.delete(owner);
      if (own.size > 1) this.#items.set(owner, own);
      for (const item of own) {
        own.delete(item);
        this.#size -= 1;
        return item;
      }
    }
    return undefined;
  }

  delete(owner: Owner, item: Item): void {
    const own = this.#items.get(owner);
    if (!own?.delete(item)) return;
    if (own.size === 0) this.#items.delete(owner);
    this.#size -= 1;
  }
}
