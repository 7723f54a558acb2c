/** Divides the writing of long results over turns of the event loop, so that other operations run in between. */
import type { OperationTurns } from '../lib/turnBudget.js';

/**
 * Objects that are written between two checks of the clock: at most a few milliseconds of work. Small results
 * never check it.
 */
const OBJECTS_PER_MEASUREMENT = 64;
/** An awaited value counts as this many objects, because more resolvers run for it. */
const OBJECTS_PER_LOADED_VALUE = 4;
/** Shorter lists are never divided: they belong to the slice of a list around them. */
const MIN_DIVIDED_ITEMS = 50;

/** The part of a response that is being written. */
interface Written {
  readonly characters: number;
}

/** The slices of one execution. */
export class ListSlices {
  readonly #turns: OperationTurns | undefined;
  readonly #checkContinues: (written: Written) => void;
  #objects = 0;
  #measureAt = OBJECTS_PER_MEASUREMENT;
  #isDividing = false;

  /**
   * `turns`: those of the operation, whose loads wait for work that is left to later turns; if undefined, nothing is divided.
   * `checkContinues`: called before each further slice; throws if the result must not continue.
   */
  constructor(turns: OperationTurns | undefined, checkContinues: (written: Written) => void) {
    this.#turns = turns;
    this.#checkContinues = checkContinues;
  }

  /** Returns whether the list may be divided. Lists within it may not, until `endDividing`. */
  beginDividing(items: unknown): items is readonly unknown[] {
    if (this.#turns === undefined || this.#isDividing) return false;
    if (!Array.isArray(items) || items.length < MIN_DIVIDED_ITEMS) return false;
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

  /** Whether the time of this turn is used up. `count`: items so far of the list that is being divided. */
  isFull(count = 0): boolean {
    if (this.#turns === undefined) return false;
    if (this.#turns.isExhausted()) return true;
    const objects = this.#objects + count;
    if (objects < this.#measureAt) return false;
    this.#measureAt = objects + OBJECTS_PER_MEASUREMENT;
    return this.#turns.measure();
  }

  /** Whether an awaited value should be completed in a later turn. */
  isFullForLoaded(): boolean {
    this.#objects += OBJECTS_PER_LOADED_VALUE;
    return this.isFull();
  }

  /** Calls `write` in a later turn of the event loop, in the order of the calls. */
  continueLater(written: Written, write: () => string | PromiseLike<string>): string | PromiseLike<string> {
    if (this.#turns === undefined) return write();
    return this.#turns.later(() => {
      this.#checkContinues(written);
      return write();
    });
  }
}
