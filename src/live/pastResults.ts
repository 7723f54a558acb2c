/** Executes past events once for the members of a group that read the same pages and deliver them one after another. */
import type { EventPosition } from './liveEvents.js';
import { bytesOf, PayloadBatch } from './payloads.js';
import { withCursor } from './replay.js';

interface PastResult<Event> {
  events: readonly Event[];
  batch: Promise<PayloadBatch>;
}

/**
 * Keeps one batch while a member reads the past, so that its memory does not depend on how long a past is or how slowly a
 * member reads it.
 */
export class PastResults<Event> {
  /** Called with the bytes by which the memory has grown. */
  readonly #charge: (bytes: number) => void;
  #last: PastResult<Event> | undefined;
  #bytes = 0;
  #readers = 0;

  constructor(charge: (bytes: number) => void) {
    this.#charge = charge;
  }

  /** A member begins to read the past. Returns a function to call when it has ended. */
  addReader(): () => void {
    this.#readers += 1;
    return () => {
      this.#readers -= 1;
      if (this.#readers === 0) this.#clear();
    };
  }

  /**
   * The results of these events, from the last call if it had the same ones. Their cursors begin at the positions of the
   * member, which are advanced. `execute` must do so, too.
   */
  async get(
    events: readonly Event[],
    positions: Map<string, EventPosition>,
    execute: () => Promise<PayloadBatch>,
  ): Promise<PayloadBatch> {
    const last = this.#last;
    if (last === undefined || !isSame(last.events, events)) return this.#begin({ events, batch: execute() });
    return withCursors(await last.batch, positions);
  }

  async #begin(result: PastResult<Event>): Promise<PayloadBatch> {
    this.#last = result;
    try {
      const batch = await result.batch;
      if (this.#last === result) this.#resize(bytesOf(batch.payloads));
      return batch;
    } catch (error) {
      if (this.#last === result) this.#clear();
      throw error;
    }
  }

  #clear(): void {
    this.#last = undefined;
    this.#resize(0);
  }

  #resize(bytes: number): void {
    this.#charge(bytes - this.#bytes);
    this.#bytes = bytes;
  }
}

/** Replays that share a page share its events. */
function isSame<Event>(one: readonly Event[], other: readonly Event[]): boolean {
  return one.length === other.length && one.every((event, index) => event === other[index]);
}

/** Members may have received different events of kinds that the cursor did not name: their cursors then differ. */
function withCursors(batch: PayloadBatch, positions: Map<string, EventPosition>): PayloadBatch {
  const payloads = batch.payloads.map((payload) => withCursor(payload, positions));
  const isEqual = payloads.every(({ cursor }, index) => cursor === batch.payloads[index]?.cursor);
  return isEqual ? batch : new PayloadBatch(payloads);
}
