/**
 * Bounds work in flight. An operation with thousands of calls then proceeds page by page, uses little memory for waiting
 * calls, and does not block keys that another operation could load sooner.
 */

/** Never nest: work that waits for other work of its gate would hold a slot that the other needs. */
export class CallGate {
  readonly #currentLimit: () => number;
  #active = 0;
  /** In the order of arrival. A set, so that taking the first takes no copy of the others. */
  readonly #waiting = new Set<() => void>();

  /** `limit`: how much work may be in flight now, at least 1; it may change, for example while many operations wait. */
  constructor(limit: () => number) {
    this.#currentLimit = limit;
  }

  /** Begins the work at once if the limit allows it, otherwise in the order of the calls. */
  async run<Value>(work: () => Promise<Value>): Promise<Value> {
    const turn = this.#enter();
    if (turn !== undefined) await turn;
    try {
      return await work();
    } finally {
      this.#leave();
    }
  }

  /** Undefined if the work may begin at once. */
  #enter(): Promise<void> | undefined {
    if (this.#waiting.size === 0 && this.#active < this.#currentLimit()) {
      this.#active += 1;
      return undefined;
    }
    return new Promise((resolve) => {
      this.#waiting.add(resolve);
    });
  }

  /** Passes the slot on at once, so that a later call cannot take it. */
  #leave(): void {
    this.#active -= 1;
    for (const begin of this.#waiting) {
      if (this.#active >= this.#currentLimit()) return;
      this.#waiting.delete(begin);
      this.#active += 1;
      begin();
    }
  }
}
