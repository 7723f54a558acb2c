/**
 * Bounds the loads that one operation has in flight. An operation with thousands of calls then proceeds page by page,
 * uses little memory for waiting calls, and does not block keys that another operation could load sooner.
 */

/** Enter before a load and leave after it, whatever its result. One gate for all readers of an operation. */
export class CallGate {
  readonly #allowance: () => number;
  #active = 0;
  /** In the order of arrival. A set, so that taking the first takes no copy of the others. */
  readonly #waiting = new Set<() => void>();

  /** `allowance`: loads that may be begun now, at least 1; it falls while many operations wait. */
  constructor(allowance: () => number) {
    this.#allowance = allowance;
  }

  /** Undefined where the load may begin at once. */
  enter(): Promise<void> | undefined {
    if (this.#waiting.size === 0 && this.#active < this.#allowance()) {
      this.#active += 1;
      return undefined;
    }
    return new Promise((resolve) => {
      this.#waiting.add(resolve);
    });
  }

  leave(): void {
    this.#active -= 1;
    for (const begin of this.#waiting) {
      if (this.#active >= this.#allowance()) return;
      this.#waiting.delete(begin);
      this.#active += 1;
      begin();
    }
  }
}
