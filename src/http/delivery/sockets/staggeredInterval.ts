/** Calls a function for many items at one interval with one timer, spread over the interval. */

/** Parts of the interval. In each, its items are called together. */
const PARTS = 12;

export class StaggeredInterval<Item> {
  readonly #partMs: number;
  readonly #call: (item: Item) => void;
  readonly #parts = Array.from({ length: PARTS }, () => new Set<Item>());
  #part = 0;
  #size = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(intervalMs: number, call: (item: Item) => void) {
    this.#partMs = intervalMs / PARTS;
    this.#call = call;
  }

  /** Calls the function for the item at the interval, the first time after one interval. Add an item once. */
  add(item: Item): void {
    (this.#parts[this.#part] as Set<Item>).add(item);
    this.#size += 1;
    this.#timer ??= setInterval(() => this.#next(), this.#partMs).unref();
  }

  delete(item: Item): void {
    if (!this.#parts.some((part) => part.delete(item))) return;
    this.#size -= 1;
    if (this.#size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #next(): void {
    this.#part = (this.#part + 1) % PARTS;
    for (const item of this.#parts[this.#part] as Set<Item>) this.#call(item);
  }
}
