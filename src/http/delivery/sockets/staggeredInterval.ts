/** Calls a function for many items at one interval with one timer, spread over the interval. */

/** Parts of the interval. In each, its items are called together. */
const PARTS = 12;

export class StaggeredInterval<Item> {
  readonly #partMs: number;
  readonly #call: (item: Item) => void;
  readonly #parts = Array.from({ length: PARTS }, () => new Set<Item>());
  #part = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(intervalMs: number, call: (item: Item) => void) {
    this.#partMs = intervalMs / PARTS;
    this.#call = call;
  }

  /** Calls the function for the item at the interval, the first time after one interval. Add an item once. */
  add(item: Item): void {
    (this.#parts[this.#part] as Set<Item>).add(item);
    this.#timer ??= setInterval(() => this.#next(), this.#partMs).unref();
  }

  delete(item: Item): void {
    for (const part of this.#parts) part.delete(item);
    if (this.#parts.some(({ size }) => size > 0)) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #next(): void {
    this.#part = (this.#part + 1) % PARTS;
    for (const item of this.#parts[this.#part] as Set<Item>) this.#call(item);
  }
}
