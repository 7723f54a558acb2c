/** The state of a member that reads past events, and the payloads that it needs no second time. */
import type { EventPosition, EventReplay } from './liveEvents.js';
import type { Payload } from './payloads.js';

/** The state of a member that reads past events. */
export class MemberReplay<Event> {
  readonly source: EventReplay<Event>;
  /** The last event of each kind that the member has received. */
  readonly positions: Map<string, EventPosition>;
  /** Whether the subscription has kinds that the cursor does not name. */
  hasUncovered = false;
  readonly #kinds: ReadonlySet<string>;
  /** The newest replayed event of each kind, until the group has passed it. */
  readonly #replayedUpTo = new Map<string, number>();
  /**
   * The end of the log when the last page was requested: the page has all events before it. Undefined if the payloads
   * behind it could not be kept. Then another page is read.
   */
  pageEnd: number | undefined;
  /** Payloads of other kinds behind `pageEnd` that have been sent already. */
  readonly sent = new Set<Payload>();
  #wake: (() => void) | undefined;

  constructor(source: EventReplay<Event>) {
    this.source = source;
    this.positions = new Map(source.from.map((position) => [position.kind, position]));
    this.#kinds = new Set(this.positions.keys());
  }

  /** Kinds that the cursor does not name begin at the positions of the group. */
  begin(kinds: readonly string[], positions: ReadonlyMap<string, EventPosition>): void {
    this.hasUncovered = kinds.some((kind) => !this.#kinds.has(kind));
    for (const [kind, position] of positions) if (!this.#kinds.has(kind)) this.positions.set(kind, position);
  }

  /** Everything up to these positions has been sent. */
  advanceTo(positions: ReadonlyMap<string, EventPosition>): void {
    for (const [kind, position] of positions) {
      if (this.source.refused?.has(kind)) continue;
      if ((this.positions.get(kind)?.id ?? -1) < position.id) this.positions.set(kind, position);
    }
  }

  covers({ position }: Payload): boolean {
    return position !== undefined && this.#kinds.has(position.kind);
  }

  /** Whether the payload is of a kind whose past could not be read: those before it would be missing. */
  isRefused({ position }: Payload): boolean {
    return position !== undefined && this.source.refused?.has(position.kind) === true;
  }

  /** The past has been read. The group may deliver some of its events again. */
  end(): void {
    this.source.close();
    for (const { kind, id } of this.positions.values()) this.#replayedUpTo.set(kind, id);
  }

  /** Whether the payload was sent before the member joined. Ids rise, so a kind is not compared after its first new event. */
  hasSent(payload: Payload): boolean {
    if (this.sent.delete(payload)) return true;
    const { position } = payload;
    const replayed = position && this.#replayedUpTo.get(position.kind);
    if (position === undefined || replayed === undefined) return false;
    if (position.id <= replayed) return true;
    this.#replayedUpTo.delete(position.kind);
    return false;
  }

  /** Whether a group at these positions delivers no replayed event again. */
  isPassed(positions: ReadonlyMap<string, EventPosition>): boolean {
    if (this.sent.size > 0 || (this.source.refused?.size ?? 0) > 0) return false;
    return [...this.#replayedUpTo].every(([kind, id]) => (positions.get(kind)?.id ?? -1) >= id);
  }

  /** The payload with the cursor of this member. */
  withCursor(payload: Payload): Payload {
    const { position } = payload;
    if (position !== undefined) this.positions.set(position.kind, position);
    return { ...payload, cursor: toCursor(this.positions) };
  }

  untilWoken(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  wake(): void {
    this.#wake?.();
  }

  close(): void {
    this.source.close();
    this.wake();
  }
}

/** A cursor names the last event of each kind. Undefined without positions. */
export function toCursor(positions: ReadonlyMap<string, EventPosition>): string | undefined {
  if (positions.size === 0) return undefined;
  return [...positions.values()].map(({ cursor }) => cursor).join(',');
}
