/**
 * Lets owners of waiting work take turns, so that one with much work does not delay the others: a queue, and the turns
 * of the event loop in which callers may start work.
 */

/** The items of one owner keep their order. An item may be in the queue only once for each owner. */
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

  sizeOf(owner: Owner): number {
    return this.#items.get(owner)?.size ?? 0;
  }

  add(owner: Owner, item: Item): void {
    const own = this.#items.get(owner);
    if (own?.has(item)) return;
    if (own) own.add(item);
    else this.#items.set(owner, new Set([item]));
    this.#size += 1;
  }

  /** The item that `shift` would remove. */
  first(): Item | undefined {
    for (const own of this.#items.values()) for (const item of own) return item;
    return undefined;
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

/** Callers take turns, and so do the operations of each. */
export class CallerQueue<Operation, Item> {
  readonly #callers = new Map<string, FairQueue<Operation, Item>>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get callerCount(): number {
    return this.#callers.size;
  }

  /** The number of operations of one caller with waiting items. */
  operationCountOf(caller: string): number {
    return this.#callers.get(caller)?.ownerCount ?? 0;
  }

  sizeOf(caller: string, operation: Operation): number {
    return this.#callers.get(caller)?.sizeOf(operation) ?? 0;
  }

  add(caller: string, operation: Operation, item: Item): void {
    const own = this.#callers.get(caller) ?? new FairQueue<Operation, Item>();
    const before = own.size;
    own.add(operation, item);
    this.#callers.set(caller, own);
    this.#size += own.size - before;
  }

  /** Removes the first item of the next operation of the next caller, who then waits for all others. */
  shift(): Item | undefined {
    const [next] = this.#callers;
    if (next === undefined) return undefined;
    const [caller, own] = next;
    const item = own.shift();
    this.#callers.delete(caller);
    if (own.size > 0) this.#callers.set(caller, own);
    this.#size -= 1;
    return item;
  }

  delete(caller: string, operation: Operation, item: Item): void {
    const own = this.#callers.get(caller);
    const before = own?.size ?? 0;
    own?.delete(operation, item);
    this.#size -= before - (own?.size ?? 0);
    if (own?.size === 0) this.#callers.delete(caller);
  }
}

/**
 * Returns undefined if the caller's work may start now, else a promise that resolves in a later turn. `onWait` gets a
 * function that removes the work from the queue, and rejects the promise with its argument.
 */
export type TakeTurn = (
  caller: string,
  onWait?: (leave: (error: Error) => void) => void,
) => Promise<void> | undefined;

interface TurnOptions {
  /** For this time between two turns, the event loop is left to other work. */
  pauseMs?: number;
  /** Whether work waits for the next turn even if this one has room, so that other callers run before it. */
  isAlwaysLater?: boolean;
}

/**
 * Admits at most `perTurn` pieces of work in each turn of the event loop: waiting callers take turns, and the pieces of
 * one caller keep their order.
 */
export function createTurns(
  perTurn: number,
  { pauseMs = 0, isAlwaysLater = false }: TurnOptions = {},
): TakeTurn {
  /** By caller. */
  const waiting = new FairQueue<string, () => void>();
  let used = 0;
  let isScheduled = false;

  function schedule(): void {
    if (isScheduled) return;
    isScheduled = true;
    if (pauseMs > 0) setTimeout(begin, pauseMs);
    else setImmediate(begin);
  }

  function begin(): void {
    isScheduled = false;
    used = 0;
    for (; used < perTurn && waiting.size > 0; used++) waiting.shift()?.();
    if (used > 0) schedule();
  }

  return (caller, onWait) => {
    schedule();
    if (used < perTurn && waiting.size === 0 && !isAlwaysLater) {
      used += 1;
      return undefined;
    }
    return new Promise((resolve, reject) => {
      waiting.add(caller, resolve);
      onWait?.((error) => {
        waiting.delete(caller, resolve);
        reject(error);
      });
    });
  };
}
