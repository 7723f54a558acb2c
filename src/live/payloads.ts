/** Execution results of one group, serialized once, in the order of their events. */
import { LRUCache } from 'lru-cache';
import { toCursor } from './cursors.js';
import type { EventPosition } from './liveEvents.js';

export interface Payload {
  /** JSON, without a line feed. */
  readonly text: string;
  /** Resuming after this cursor continues after this result. Undefined if nothing can be resumed from yet. */
  readonly cursor: string | undefined;
  /** The position of its event; undefined for events that cannot be resumed from. */
  readonly position: EventPosition | undefined;
  /** When the poll returned its event, by the monotonic clock of the process. Undefined for past events. */
  readonly arrivedAtMs?: number | undefined;
}

/**
 * Each form of a batch is a copy of its results, so a caller with many ids of different lengths could multiply them.
 * Clients of one kind use ids of one length.
 */
const MAX_FORMS = 8;

/** Consecutive results that are sent together. All listeners of the group receive the same object. */
export class PayloadBatch {
  readonly payloads: readonly Payload[];
  readonly #framed = new Map<string, unknown>();

  constructor(payloads: readonly Payload[]) {
    this.payloads = payloads;
  }

  /**
   * Returns the result of `create` for this key, so that a transport frames the batch only once for all of its
   * listeners. Only the latest forms are kept.
   */
  framed<Frame>(key: string, create: (payloads: readonly Payload[]) => Frame): Frame {
    const cached = this.#framed.get(key) as Frame | undefined;
    if (cached !== undefined) return cached;
    const frame = create(this.payloads);
    const [oldest] = this.#framed.keys();
    if (oldest !== undefined && this.#framed.size >= MAX_FORMS) this.#framed.delete(oldest);
    this.#framed.set(key, frame);
    return frame;
  }
}

/** Bytes of a payload in addition to its text. */
const PAYLOAD_BYTES = 200;
/** A payload with few characters beyond Latin-1 takes one byte for each. */
const sizeOf = ({ text }: Payload) => PAYLOAD_BYTES + text.length;

export function bytesOf(payloads: readonly Payload[]): number {
  return payloads.reduce((sum, payload) => sum + sizeOf(payload), 0);
}

/**
 * The latest payloads, starting with the first one that some listener has not consumed. All listeners read the
 * same list.
 */
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

  /** The sequence number after the last payload. */
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
   * At most `count` payloads from a sequence number on, which must be in the log. After the first one, only as
   * many as fit into `maxBytes`.
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

  discardUpTo(end: number): void {
    const discarded = this.#payloads.splice(0, Math.max(0, end - this.#start));
    this.#start += discarded.length;
    for (const payload of discarded) this.#bytes -= sizeOf(payload);
  }
}

/** Advances the positions to the payload. Returns it with the cursor after them. */
export function withCursor(payload: Omit<Payload, 'cursor'>, positions: Map<string, EventPosition>): Payload {
  const { position } = payload;
  if (position !== undefined) positions.set(position.kind, position);
  return { ...payload, cursor: toCursor(positions) };
}

interface PastResult<Event> {
  readonly events: readonly Event[];
  readonly batch: Promise<PayloadBatch>;
  /** 0 during the execution. */
  readonly bytes: number;
}

/** Enough for members that resumed within some seconds and read at different speeds. */
const MAX_PAST_BYTES = 512 * 1024;

/**
 * Keeps the batches that were used last while members read the past, so that its memory does not depend on how long a past
 * is or how slowly a member reads it.
 */
export class PastResults<Event> {
  /** Called with the bytes by which the memory has grown. */
  readonly #charge: (bytes: number) => void;
  readonly #maxBytes: number;
  /** By the first event. */
  readonly #results: LRUCache<NonNullable<Event>, PastResult<Event>>;
  #readers = 0;

  constructor(charge: (bytes: number) => void, maxBytes = MAX_PAST_BYTES) {
    this.#charge = charge;
    this.#maxBytes = maxBytes;
    this.#results = new LRUCache({ maxSize: maxBytes, dispose: ({ bytes }) => charge(-bytes) });
  }

  /** A member begins to read the past. Returns a function to call when it has ended. */
  addReader(): () => void {
    this.#readers += 1;
    return () => {
      this.#readers -= 1;
      if (this.#readers === 0) this.#results.clear();
    };
  }

  /**
   * The results of these events, without executing them again if they are kept. Their cursors begin at the positions
   * of the member, which are advanced. `execute` must also advance them.
   */
  async get(
    events: readonly Event[],
    positions: Map<string, EventPosition>,
    execute: () => Promise<PayloadBatch>,
  ): Promise<PayloadBatch> {
    const [first] = events;
    if (first == null) return execute();
    const cached = this.#results.get(first);
    if (cached !== undefined && isSame(cached.events, events))
      return withCursors(await cached.batch, positions);
    return this.#begin(first, { events, batch: execute(), bytes: 0 });
  }

  async #begin(first: NonNullable<Event>, result: PastResult<Event>): Promise<PayloadBatch> {
    this.#results.set(first, result, { size: 1 });
    const isCurrent = () => this.#results.peek(first) === result;
    try {
      const batch = await result.batch;
      if (!isCurrent()) return batch;
      const bytes = bytesOf(batch.payloads);
      this.#charge(bytes);
      // A single batch is kept even if it exceeds the limit.
      this.#results.set(first, { ...result, bytes }, { size: Math.min(bytes, this.#maxBytes) });
      return batch;
    } catch (error) {
      if (isCurrent()) this.#results.delete(first);
      throw error;
    }
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
