/**
 * Replays past events to a resumed subscription: reads past samples page by page, and tracks what a member has
 * received.
 */
import { createBadInputError, createClientDisconnectedError, GatewayError, hasCode } from '../errors.js';
import type { ByteBudget, ByteReservation } from '../lib/byteBudget.js';
import type { QueueKind, QueueReader } from '../sources/samples/sampleQueues.js';
import type { Sample } from '../sources/samples/samples.js';
import type { EventPosition, EventReplay, PastBatch } from './liveEvents.js';
import { type Payload, withCursor } from './payloads.js';
import type { QueuePages } from './queuePages.js';
import { isRefusal } from './refusals.js';

/** The last event of one kind that a subscriber has received, and the queue from which the next samples are read. */
export interface ResumePoint extends EventPosition {
  kind: QueueKind;
  read: QueueReader<Sample>;
}

interface SampleReplayOptions {
  from: readonly ResumePoint[];
  /** Only samples of these streams; of all streams if undefined. */
  streamIds: ReadonlySet<number> | undefined;
  budget: ByteBudget;
  /** Maximum number of samples in one batch. If absent, a page. */
  maxBatch?: number | undefined;
  /** Shared by the replays of one credential. */
  pages: QueuePages;
  /** How far the platform has been polled. */
  polledPositions(): readonly EventPosition[];
}

/** Memory of a page while it is read and delivered: 10,000 samples. */
const PAGE_BYTES = 8 * 1024 * 1024;

/** Reads the past samples of a resumed subscription page by page, each when it fits into the caller's memory budget. */
export class SampleReplay implements EventReplay<Sample> {
  readonly from: readonly ResumePoint[];
  readonly refused = new Set<string>();
  readonly #options: SampleReplayOptions;
  /** By kind: the id of the last sample that was read. */
  readonly #lastIds: Map<QueueKind, number>;
  /** Samples of the last page that have not been returned. */
  #pendingEvents: readonly Sample[] = [];
  #isLastPage = false;
  /** Charged while a page is read and delivered. */
  #reservation: ByteReservation | undefined;
  /** By kind, while they are delivered: other replays can take them. */
  readonly #sharedPages = new Map<QueueKind, object>();
  #isClosed = false;

  constructor(options: SampleReplayOptions) {
    this.from = options.from;
    this.#options = options;
    this.#lastIds = new Map(options.from.map(({ kind, id }) => [kind, id]));
  }

  async read(): Promise<PastBatch<Sample>> {
    if (this.#isClosed) throw createClientDisconnectedError();
    if (this.#pendingEvents.length > 0) return this.#takeBatch();
    this.#reservation?.release();
    this.#sharedPages.clear();
    this.#reservation = this.#options.budget.reserve(PAGE_BYTES * this.from.length);
    if (!(await this.#reservation.granted)) throw createClientDisconnectedError();
    const pages = await Promise.all(this.from.map((point) => this.#readPage(point))).catch(failReplay);
    if (this.#isClosed) throw createClientDisconnectedError();
    // A page of 10,000 events is not copied for each of its replays.
    const [first] = pages;
    this.#pendingEvents = pages.length === 1 && first ? first.events : pages.flatMap(({ events }) => events);
    this.#isLastPage = pages.every(({ isLast }) => isLast);
    return this.#takeBatch();
  }

  #takeBatch(): PastBatch<Sample> {
    const { maxBatch = Number.POSITIVE_INFINITY } = this.#options;
    const pending = this.#pendingEvents;
    const hasPendingEvents = pending.length > maxBatch;
    this.#pendingEvents = hasPendingEvents ? pending.slice(maxBatch) : [];
    const events = hasPendingEvents ? pending.slice(0, maxBatch) : pending;
    return { events, isLast: this.#isLastPage && !hasPendingEvents, hasPendingEvents };
  }

  close(): void {
    this.#isClosed = true;
    this.#pendingEvents = [];
    this.#reservation?.release();
    this.#sharedPages.clear();
  }

  /** If the platform refuses one kind, the others continue. */
  #refuse(kind: string, error: unknown): undefined {
    if (!isRefusal(error) || this.refused.size + 1 === this.from.length) throw error;
    this.refused.add(kind);
  }

  /**
   * Throws BAD_USER_INPUT if the platform has neither this sample nor a later one: samples that arrive later would
   * count as already sent. Checks the platform, because the cursor may come from another replica that is ahead of this
   * one's poll.
   */
  async #checkExists({ kind, id, cursor, read }: ResumePoint): Promise<void> {
    const polledId = this.#polledId(kind);
    if (id <= (polledId ?? 0)) return;
    const { items } = await this.#options.pages.read({ kind, afterId: id - 1, polledId, read });
    if (items.length > 0) return;
    throw createBadInputError(
      'after',
      `${cursor} names a sample that does not exist on the platform. Subscribe again without \`after\`.`,
    );
  }

  /** Undefined before the poll of the kind has begun. */
  #polledId(kind: QueueKind): number | undefined {
    return this.#options.polledPositions().find((position) => position.kind === kind)?.id;
  }

  async #readPage(point: ResumePoint): Promise<{ events: readonly Sample[]; isLast: boolean }> {
    const { read, kind } = point;
    if (this.refused.has(kind)) return { events: [], isLast: true };
    const afterId = this.#lastIds.get(kind) ?? 0;
    const page = await this.#options.pages
      .read({ kind, afterId, polledId: this.#polledId(kind), read })
      .catch((error) => this.#refuse(kind, error));
    if (page === undefined) return { events: [], isLast: true };
    if (page.items.length === 0 && afterId === point.id) await this.#checkExists(point);
    this.#sharedPages.set(kind, page);
    // The poll delivers later samples. Queries have a sample only after the poll has returned it.
    const polledId = this.#polledId(kind) ?? page.next;
    const isAhead = page.next > polledId;
    this.#lastIds.set(kind, isAhead ? Math.max(afterId, polledId) : page.next);
    const items = isAhead ? page.items.filter(({ id }) => id <= polledId) : page.items;
    const { streamIds } = this.#options;
    const events = streamIds ? items.filter(({ streamId }) => streamIds.has(streamId)) : items;
    return { events, isLast: isAhead || !page.hasMore };
  }
}

/** Rethrows an error. If the replay has reached the REST call limit of an operation, the message says how to continue. */
function failReplay(error: unknown): never {
  if (!hasCode(error, 'TOO_MANY_REST_CALLS')) throw error;
  const message =
    'The past samples exceed the REST call limit of one operation. Subscribe again with `after` to continue.';
  throw new GatewayError(error.code, message, { retryable: true });
}

/** The state of a member that reads past events. */
export class MemberReplay<Event> {
  readonly source: EventReplay<Event>;
  /** The last event of each kind that the member has received. */
  readonly positions: Map<string, EventPosition>;
  /** Whether the subscription has kinds that the cursor does not name. */
  hasOtherKinds = false;
  readonly #kinds: ReadonlySet<string>;
  /** The newest replayed event of each kind, until the group has passed it. */
  readonly #replayedUpTo = new Map<string, number>();
  /**
   * The end of the log when the last page was requested: the page has all events before it. Undefined if the payloads
   * after it could not be stored; another page is then read.
   */
  pageEnd: number | undefined;
  /** Payloads of other kinds after `pageEnd` that have already been sent. */
  readonly sent = new Set<Payload>();
  #wake: (() => void) | undefined;

  constructor(source: EventReplay<Event>) {
    this.source = source;
    this.positions = new Map(source.from.map((position) => [position.kind, position]));
    this.#kinds = new Set(this.positions.keys());
  }

  /** Kinds that the cursor does not name begin at the positions of the group. */
  begin(kinds: readonly string[], positions: ReadonlyMap<string, EventPosition>): void {
    this.hasOtherKinds = kinds.some((kind) => !this.#kinds.has(kind));
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

  /** Whether the past of the payload's kind could not be read. Payloads before it would then be missing. */
  isRefused({ position }: Payload): boolean {
    return position !== undefined && this.source.refused?.has(position.kind) === true;
  }

  /** The past has been read. The group may deliver some of its events again. */
  end(): void {
    this.source.close();
    for (const { kind, id } of this.positions.values()) this.#replayedUpTo.set(kind, id);
  }

  /** Whether the payload was sent before the member joined. */
  hasSent(payload: Payload): boolean {
    if (this.sent.delete(payload)) return true;
    const { position } = payload;
    return position !== undefined && position.id <= (this.#replayedUpTo.get(position.kind) ?? -1);
  }

  /** Whether a group at these positions delivers no replayed event again. */
  isPassed(positions: ReadonlyMap<string, EventPosition>): boolean {
    if ((this.source.refused?.size ?? 0) > 0) return false;
    return [...this.#replayedUpTo].every(([kind, id]) => (positions.get(kind)?.id ?? -1) >= id);
  }

  /** The payload with the cursor of this member. */
  withCursor(payload: Payload): Payload {
    return withCursor(payload, this.positions);
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
