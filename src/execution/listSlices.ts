/** Divides the writing of long lists into slices, each in a turn of the event loop, so that other operations run between. */

export interface SliceOptions {
  /** Objects of one slice, at all depths. */
  maxSliceObjects?: number | undefined;
  /** Called before each further slice. Throws if the result is not needed any more. */
  checkCancelled?: () => void;
}

/** About 10 ms of work for objects whose fields are all cached. */
const MAX_SLICE_OBJECTS = 2000;
/** Shorter lists are never divided: they belong to the slice of a list around them. */
const MIN_DIVIDED_ITEMS = 50;

/**
 * The slices of one execution. Only lists are divided whose items so far waited for nothing. Where items wait for loads,
 * all items begin in the same turn, so that their loads share a batch.
 */
export class ListSlices {
  readonly #maxObjects: number;
  readonly #checkCancelled: () => void;
  readonly #waiting: (() => void)[] = [];
  #objects = 0;
  #isDividing = false;
  #isScheduled = false;

  constructor({ maxSliceObjects = MAX_SLICE_OBJECTS, checkCancelled = () => {} }: SliceOptions = {}) {
    this.#maxObjects = maxSliceObjects;
    this.#checkCancelled = checkCancelled;
  }

  /** Returns whether the list may be divided. Lists within it may not, until `endDividing`. */
  beginDividing(items: unknown): items is readonly unknown[] {
    if (this.#isDividing || !Array.isArray(items) || items.length < MIN_DIVIDED_ITEMS) return false;
    this.#isDividing = true;
    return true;
  }

  endDividing(): void {
    this.#isDividing = false;
  }

  /** Counts the items of a list that is written. */
  countObjects(count: number): void {
    this.#objects += count;
  }

  /** `count`: items so far of the list that is being divided. */
  isFull(count = 0): boolean {
    return this.#objects + count >= this.#maxObjects;
  }

  /** Calls `write` in a later turn of the event loop, in the order of the calls. */
  continueLater(write: () => string | PromiseLike<string>): Promise<string> {
    return new Promise((resolve, reject) => {
      this.#waiting.push(() => {
        try {
          this.#checkCancelled();
          resolve(write());
        } catch (error) {
          reject(error);
        }
      });
      this.#schedule();
    });
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => this.#run());
  }

  #run(): void {
    this.#isScheduled = false;
    this.#objects = 0;
    do this.#waiting.shift()?.();
    while (this.#waiting.length > 0 && !this.isFull());
    if (this.#waiting.length > 0) this.#schedule();
  }
}
