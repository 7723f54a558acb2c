/**
 * One subscription of a group. It receives the payloads of the group as fast as its client reads, and past events before
 * them if it resumes.
 */
import { createSlowConsumerError, type GatewayError, toGatewayError } from '../errors.js';
import type { ByteBudget } from '../lib/byteBudget.js';
import type { TakeTurn } from '../lib/fairQueue.js';
import { toCursor } from './cursors.js';
import type { EventPosition, EventReplay, PastBatch } from './liveEvents.js';
import { bytesOf, type PastResults, type Payload, PayloadBatch, type PayloadLog } from './payloads.js';
import { createAcceptedAgainError } from './refusals.js';
import { MemberReplay } from './replay.js';
import type { SubscriptionSink } from './subscriptionSink.js';

export interface JoinRequest<Event, Owner> {
  sink: SubscriptionSink;
  /** Charged with the payloads that the member has not consumed. */
  budget: ByteBudget;
  /** Passed to `execute`. */
  owner: Owner;
  replay: EventReplay<Event> | undefined;
}

interface MemberGroup<Event, Owner> {
  readonly kinds: readonly string[];
  readonly log: PayloadLog;
  readonly positions: ReadonlyMap<string, EventPosition>;
  readonly asOf: string | undefined;
  readonly options: { readonly takePastTurn: TakeTurn; readonly takeReplayTurn: TakeTurn };
  readonly pastResults: Pick<PastResults<Event>, 'addReader'>;
  refusals(): readonly Payload[];
  start(): Promise<void>;
  executePast(
    events: readonly Event[],
    member: GroupMember<Event, Owner>,
    positions: Map<string, EventPosition>,
  ): Promise<PayloadBatch>;
  remove(member: GroupMember<Event, Owner>): void;
}

/** Payloads that are sent together to a member that catches up. */
const MAX_BATCH = 20;
/** Maximum bytes of such a batch, unless a single payload has more. */
const MAX_BATCH_BYTES = 64 * 1024;
/** Past events that are executed together. */
const MAX_PAST_BATCH = 10;

export class GroupMember<Event, Owner> {
  readonly owner: Owner;
  readonly #group: MemberGroup<Event, Owner>;
  readonly #sink: SubscriptionSink;
  /** Charged with the payloads that the member has not consumed. */
  readonly budget: ByteBudget;
  /** The sequence number of the next payload. Infinite before the member has begun. */
  #next = Number.POSITIVE_INFINITY;
  #cursor: string | undefined;
  /** The end of the log when the replay finished. Payloads before it are charged, so `offer` does not charge them. */
  #joinedAt = 0;
  #chargedBytes = 0;
  #isEnded = false;
  /** Undefined without a cursor, and after the replay. */
  #replay: MemberReplay<Event> | undefined;
  /** The finished replay, kept while the group may deliver some of its events again. */
  #replayed: MemberReplay<Event> | undefined;

  constructor(group: MemberGroup<Event, Owner>, { sink, budget, owner, replay }: JoinRequest<Event, Owner>) {
    this.#group = group;
    this.#sink = sink;
    this.budget = budget;
    this.owner = owner;
    if (replay !== undefined) {
      this.#replay = new MemberReplay(replay);
      this.#cursor = toCursor(this.#replay.positions);
    }
  }

  /** Identifies the caller who takes turns. */
  get caller(): string {
    return this.budget.caller;
  }

  /**
   * Resolves when the member receives every event from now on, after the past ones. Rejects if the group cannot
   * start.
   */
  async begin(): Promise<void> {
    try {
      await this.#group.start();
    } catch (error) {
      this.close();
      throw error;
    }
    if (this.#isEnded) return;
    this.#next = this.#group.log.end;
    this.#cursor ??= toCursor(this.#group.positions);
    if (this.#replay !== undefined) {
      this.#replay.begin(this.#group.kinds, this.#group.positions);
      this.#cursor = toCursor(this.#replay.positions);
      void this.#replayPast(this.#replay);
    }
    const refusals = this.#group.refusals();
    if (refusals.length > 0) this.#sink.next(new PayloadBatch(refusals));
    // Sends a cursor, so that a client that loses the connection before the first event can resume here.
    this.heartbeat();
  }

  /**
   * Delivers payloads that have been added to the log at this sequence number, unless the member has taken them
   * already.
   */
  offer(batch: PayloadBatch, sequence: number): void {
    const end = sequence + batch.payloads.length;
    if (this.#isEnded || this.#next >= end) return;
    if (this.#replay !== undefined) this.#offerDuringReplay(this.#replay, batch);
    else if (end <= this.#joinedAt) this.resume();
    else if (this.#next === sequence && this.#sink.isFree()) {
      this.#next = end;
      this.#send(batch);
      // Payloads that were added in the meantime have already been offered.
      this.resume();
    } else this.#charge(bytesOf(batch.payloads.slice(Math.max(0, this.#next - sequence))));
    if (this.#next < this.#group.log.start || (this.#chargedBytes > 0 && this.budget.isExceeded())) {
      this.end(createSlowConsumerError());
    }
  }

  /**
   * Tells the client up to which time it has received everything. A member that is catching up has not received
   * everything that was polled.
   */
  heartbeat(): void {
    if (this.#isEnded) return;
    const isCurrent = this.#replay === undefined && this.#next === this.#group.log.end;
    if (isCurrent) {
      this.#replayed?.advanceTo(this.#group.positions);
      this.#cursor = toCursor((this.#replayed ?? this.#group).positions);
    }
    this.#sink.heartbeat({ asOf: isCurrent ? this.#group.asOf : undefined, cursor: this.#cursor });
  }

  /** The sequence number of the first payload that the member still needs. */
  neededFrom(): number {
    return Math.min(this.#next, this.#replay?.pageEnd ?? Number.POSITIVE_INFINITY);
  }

  /** Continues after the client has read. */
  resume(): void {
    if (this.#replay !== undefined) {
      this.#takeUncovered(this.#replay);
      this.#replay.wake();
      return;
    }
    while (!this.#isEnded && this.#next < this.#group.log.end && this.#sink.isFree()) {
      const payloads = this.#group.log.read(this.#next, MAX_BATCH, MAX_BATCH_BYTES);
      this.#next += payloads.length;
      this.#charge(-Math.min(this.#chargedBytes, bytesOf(payloads)));
      this.#send(new PayloadBatch(payloads));
    }
  }

  /** Ends the subscription with an error, or without one if the events have ended. */
  end(error: GatewayError | undefined): void {
    if (this.#isEnded) return;
    this.close();
    // The client must not reuse a cursor that was refused.
    const cursor = error?.code === 'BAD_USER_INPUT' ? undefined : this.#cursor;
    this.#sink.end({ error, cursor });
  }

  /** Leaves the group. The sink is not called after this. */
  close(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#charge(-this.#chargedBytes);
    this.#replay?.close();
    this.#group.remove(this);
  }

  #send(batch: PayloadBatch): void {
    const unsent = this.#replayed === undefined ? batch : this.#withoutReplayed(this.#replayed, batch);
    if (unsent.payloads.length === 0) return;
    this.#cursor = unsent.payloads.at(-1)?.cursor ?? this.#cursor;
    this.#sink.next(unsent);
  }

  #charge(bytes: number): void {
    this.#chargedBytes += bytes;
    this.budget.add(bytes);
  }

  /** The cursors of the group may lag behind what has been replayed. */
  #withoutReplayed(replay: MemberReplay<Event>, { payloads }: PayloadBatch): PayloadBatch {
    if (payloads.some((payload) => replay.isRefused(payload))) {
      this.end(createAcceptedAgainError());
      return new PayloadBatch([]);
    }
    const unsent = payloads.filter((payload) => !replay.hasSent(payload));
    const isCurrent = this.#next === this.#group.log.end;
    if (isCurrent && replay.isPassed(this.#group.positions)) this.#replayed = undefined;
    return new PayloadBatch(unsent.map((payload) => replay.withCursor(payload)));
  }

  /** Events of the kinds in the cursor come from the replay. The others are delivered at once. */
  #offerDuringReplay(replay: MemberReplay<Event>, batch: PayloadBatch): void {
    this.#charge(bytesOf(batch.payloads));
    if (this.budget.isExceeded()) replay.pageEnd = undefined;
    this.#takeUncovered(replay);
  }

  #takeUncovered(replay: MemberReplay<Event>): void {
    const { log } = this.#group;
    if (replay.hasOtherKinds) {
      if (this.#isEnded || this.#next < log.start || !this.#sink.isFree()) return;
      const waiting = log.read(this.#next, log.end - this.#next);
      const payloads = waiting.filter((payload) => !replay.covers(payload));
      // The group does not deliver the payloads before `pageEnd` again.
      const repeated =
        replay.pageEnd === undefined ? [] : waiting.slice(Math.max(0, replay.pageEnd - this.#next));
      for (const payload of repeated) if (!replay.covers(payload)) replay.sent.add(payload);
      if (payloads.length > 0) this.#sendUncovered(replay, payloads);
    }
    this.#next = log.end;
    if (replay.pageEnd === undefined) this.#charge(-this.#chargedBytes);
  }

  #sendUncovered(replay: MemberReplay<Event>, payloads: readonly Payload[]): void {
    const batch = new PayloadBatch(payloads.map((payload) => replay.withCursor(payload)));
    this.#cursor = toCursor(replay.positions);
    this.#sink.next(batch);
  }

  async #replayPast(replay: MemberReplay<Event>): Promise<void> {
    const { log } = this.#group;
    // All members that waited for the start of the group begin at the same time.
    await this.#group.options.takeReplayTurn(this.caller);
    if (this.#isEnded) return;
    const removeReader = this.#group.pastResults.addReader();
    try {
      let batch: PastBatch<Event> | undefined;
      while (!(batch?.isLast && replay.pageEnd !== undefined && replay.pageEnd >= log.start)) {
        if (!batch?.hasPendingEvents) {
          this.#charge(-this.#chargedBytes);
          replay.pageEnd = log.end;
          replay.sent.clear();
        }
        batch = await replay.source.read();
        if (!(await this.#deliverPast(replay, batch.events))) return;
      }
      this.#joinGroup(replay, replay.pageEnd ?? log.end);
    } catch (error) {
      this.end(toGatewayError(error));
    } finally {
      removeReader();
    }
  }

  /** Returns whether the subscription is still open. */
  async #deliverPast(replay: MemberReplay<Event>, events: readonly Event[]): Promise<boolean> {
    // Batches are counted from the last event, which replays that begin at different events have in common.
    let start = 0;
    while (start < events.length && !this.#isEnded) {
      const end = start + ((events.length - start) % MAX_PAST_BATCH || MAX_PAST_BATCH);
      const some = events.slice(start, end);
      start = end;
      await this.#untilTurn(replay);
      if (this.#isEnded) return false;
      const results = await this.#group.executePast(some, this, replay.positions);
      if (this.#isEnded) return false;
      this.#cursor = results.payloads.at(-1)?.cursor;
      this.#sink.next(results);
    }
    return !this.#isEnded;
  }

  /** Waits until the client has read and past events may be executed. */
  async #untilTurn(replay: MemberReplay<Event>): Promise<void> {
    do {
      while (!this.#isEnded && !this.#sink.isFree()) await replay.untilWoken();
      await this.#group.options.takePastTurn(this.caller);
      // Other subscriptions may have filled the connection in the meantime.
    } while (!this.#isEnded && !this.#sink.isFree());
  }

  /**
   * Continues with the payloads of the group. The events before `pageEnd` have been replayed, but those of kinds that the
   * cursor does not name may still wait for the client.
   */
  #joinGroup(replay: MemberReplay<Event>, pageEnd: number): void {
    const { log } = this.#group;
    replay.end();
    this.#replay = undefined;
    this.#replayed = replay;
    this.#next = Math.min(this.#next, pageEnd);
    this.#joinedAt = log.end;
    this.#charge(bytesOf(log.read(this.#next, log.end - this.#next)) - this.#chargedBytes);
    this.resume();
    // Sends `asOf`, which the heartbeats during the replay did not contain.
    this.heartbeat();
  }
}
