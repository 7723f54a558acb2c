/** Executes past events once for the members of a group that resumed behind one cursor and deliver them one after another. */
import type { EventPosition } from './liveEvents.js';
import { bytesOf, type PayloadBatch } from './payloads.js';
import { toCursor } from './replay.js';

interface PastResult<Event> {
  events: readonly Event[];
  /** The cursor behind which they follow. */
  from: string | undefined;
  batch: Promise<PayloadBatch>;
}

/** Keeps one batch, so that its memory does not depend on how long a past is or how slowly a member reads it. */
export class PastResults<Event> {
  /** Called with the bytes by which the memory has grown. */
  readonly #charge: (bytes: number) => void;
  #last: PastResult<Event> | undefined;
  #bytes = 0;

  constructor(charge: (bytes: number) => void) {
    this.#charge = charge;
  }

  /**
   * The results of events that follow behind these positions, of the last call if it had the same ones. Advances the
   * positions. `execute` must do so, too.
   */
  async get(
    events: readonly Event[],
    positions: Map<string, EventPosition>,
    execute: () => Promise<PayloadBatch>,
  ): Promise<PayloadBatch> {
    const from = toCursor(positions);
    const last = this.#last;
    if (last === undefined || last.from !== from || !isSame(last.events, events))
      return this.#begin({ events, from, batch: execute() });
    const batch = await last.batch;
    for (const { position } of batch.payloads) if (position) positions.set(position.kind, position);
    return batch;
  }

  async #begin(result: PastResult<Event>): Promise<PayloadBatch> {
    this.#last = result;
    try {
      const batch = await result.batch;
      if (this.#last === result) this.#resize(bytesOf(batch.payloads));
      return batch;
    } catch (error) {
      if (this.#last === result) this.#last = undefined;
      throw error;
    }
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
