/** Calls many functions at one interval with one timer, spread over the interval. */

/** Parts of the interval. In each, its functions are called together. */
const PARTS = 12;

export class Rounds {
  readonly #partMs: number;
  readonly #parts = Array.from({ length: PARTS }, () => new Set<() => void>());
  #part = 0;
  #size = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(intervalMs: number) {
    this.#partMs = intervalMs / PARTS;
  }

  /** Calls the function at the interval, the first time after one interval. Call the returned function to stop. */
  add(call: () => void): () => void {
    const part = this.#parts[this.#part] as Set<() => void>;
    part.add(call);
    this.#size += 1;
    this.#timer ??= setInterval(() => this.#next(), this.#partMs).unref();
    return () => {
      if (!part.delete(call)) return;
      this.#size -= 1;
      if (this.#size > 0) return;
      clearInterval(this.#timer);
      this.#timer = undefined;
    };
  }

  #next(): void {
    this.#part = (this.#part + 1) % PARTS;
    for (const call of this.#parts[this.#part] as Set<() => void>) call();
  }
}
