/** Execution results of one group, serialized once, in the order of their events. */
import type { EventPosition } from './liveEvents.js';

/** One execution result. */
export interface Payload {
  /** JSON, without a line feed. */
  readonly text: string;
  /** Resuming behind this cursor continues after this result. Undefined if nothing can be resumed from yet. */
  readonly cursor: string | undefined;
  /** The position of its event; undefined for events that cannot be resumed from. */
  readonly position: EventPosition | undefined;
  /** When the poll brought its event, by the monotonic clock of the process. Undefined for past events. */
  readonly arrivedAtMs?: number | undefined;
}

/** Consecutive results that are sent together. All listeners of the group receive the same object. */
export class PayloadBatch {
  readonly payloads: readonly Payload[];
  readonly #framed = new Map<string, unknown>();

  constructor(payloads: readonly Payload[]) {
    this.payloads = payloads;
  }

  /** Returns what `create` returned first for this key: a transport frames the batch once for all of its listeners. */
  framed<Frame>(key: string, create: (payloads: readonly Payload[]) => Frame): Frame {
    const known = this.#framed.get(key) as Frame | undefined;
    if (known !== undefined) return known;
    const frame = create(this.payloads);
    this.#framed.set(key, frame);
    return frame;
  }
}

/** Bytes of a payload in addition to its text. */
const PAYLOAD_BYTES = 200;
/** A payload with few characters beyond Latin-1 takes one byte for each. */
const sizeOf = ({ text }: Payload) => PAYLOAD_BYTES + text.length;

/** The memory of payloads in bytes. */
export function bytesOf(payloads: readonly Payload[]): number {
  return payloads.reduce((sum, payload) => sum + sizeOf(payload), 0);
}

/** The latest payloads, from the first one that a listener has not taken. All listeners read the same list. */
export class PayloadLog {
  readonly #maxBytes: number;
  #payloads: Payload[] = [];
  #start = 0;
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** The sequence number of the first payload in the log. */
  get start(): number {
    return this.#start;
  }

  /** The sequence number behind the last payload. */
  get end(): number {
    return this.#start + this.#payloads.length;
  }

  /** Adds payloads, and discards the oldest of the earlier ones beyond the limit. */
  append(payloads: readonly Payload[]): void {
    const before = this.end;
    for (const payload of payloads) {
      this.#payloads.push(payload);
      this.#bytes += sizeOf(payload);
    }
    let discarded = 0;
    for (let bytes = this.#bytes; bytes > this.#maxBytes && this.#start + discarded < before; discarded++) {
      bytes -= sizeOf(this.#payloads[discarded] as Payload);
    }
    this.discardUpTo(this.#start + discarded);
  }

  /**
   * At most `count` payloads from a sequence number on, which must be in the log. Behind the first one, no more than fit
   * into `maxBytes`.
   */
  read(from: number, count: number, maxBytes = Number.POSITIVE_INFINITY): readonly Payload[] {
    const index = from - this.#start;
    const payloads = this.#payloads.slice(index, index + count);
    let bytes = 0;
    const end = payloads.findIndex((payload) => {
      bytes += sizeOf(payload);
      return bytes > maxBytes;
    });
    return end < 0 ? payloads : payloads.slice(0, Math.max(1, end));
  }

  /** Discards the payloads before a sequence number. */
  discardUpTo(end: number): void {
    const discarded = this.#payloads.splice(0, Math.max(0, end - this.#start));
    this.#start += discarded.length;
    for (const payload of discarded) this.#bytes -= sizeOf(payload);
  }
}
