/** A group of equal subscriptions: each batch of events is executed once, and every member receives the same payloads. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type GatewayError, toGatewayError } from '../errors.js';
import { type ByteBudget, unlimitedBytes } from '../lib/byteBudget.js';
import type { TakeTurn } from '../lib/fairQueue.js';
import type { OperationTurns } from '../lib/turnBudget.js';
import { GroupMember, type JoinRequest } from './groupMember.js';
import type { EventBatches, EventPosition, LiveEvents } from './liveEvents.js';
import { PastResults, type Payload, PayloadBatch, PayloadLog, withCursor } from './payloads.js';

interface SubscriptionGroupOptions<Event, Owner> {
  /** Called once, for the first member. `budget` is charged with the memory of the group. May reject. */
  subscribe(budget: ByteBudget): Promise<LiveEvents<Event>>;
  /**
   * Executes the operation for each event. Resolves with the results as JSON, in the order of the events. `caller`:
   * undefined if the results are for several callers.
   */
  execute(events: readonly Event[], owner: Owner, caller: string | undefined): Promise<readonly string[]>;
  /** Spreads batches over turns of the event loop. */
  takeTurn: TakeTurn;
  /** Spreads batches of past events over turns of the event loop. */
  takePastTurn: TakeTurn;
  /** Spreads members that begin to read past events over turns of the event loop. */
  takeReplayTurn: TakeTurn;
  /** Spreads heartbeats of members over turns of the event loop. */
  takeHeartbeatTurn: TakeTurn;
  /** The turns among which a delivery to many members is divided. */
  deliveryTurns: Pick<OperationTurns, 'measure' | 'later'>;
  /** An error that does not end the subscriptions, as JSON. */
  toErrorJson(error: GatewayError): string;
  /** Called once, when the group has lost its last member. It accepts no member after that. */
  onEmpty(): void;
}

/**
 * A heartbeat during a delivery waits at most this number of checks for its end. The interval of heartbeats can be a
 * multiple of that of polls, so that each heartbeat would otherwise fall into a delivery, and `asOf` would not advance.
 */
const MAX_IDLE_CHECKS = 20;
const IDLE_CHECK_MS = 50;

/** Maximum bytes of payloads that some member has not consumed yet. They are stored once for all members. */
const MAX_LOG_BYTES = 8 * 1024 * 1024;

export class SubscriptionGroup<Event, Owner> {
  readonly options: SubscriptionGroupOptions<Event, Owner>;
  readonly #members = new Set<GroupMember<Event, Owner>>();
  readonly log = new PayloadLog(MAX_LOG_BYTES);
  /** Everything up to these positions is in the log, or has been. */
  readonly positions = new Map<string, EventPosition>();
  /** By kind of events. */
  readonly #refusals = new Map<string, Payload>();
  readonly #budget = createGroupBudget(() => this.#members);
  readonly pastResults = new PastResults<Event>((bytes) => this.#budget.add(bytes));
  #events: LiveEvents<Event> | undefined;
  #starting: Promise<EventBatches<Event>> | undefined;
  /** Whether every event that has been polled is delivered. */
  #isIdle = false;
  /** All events up to this time are in the log, or have been. RFC 3339; undefined before the start. */
  asOf: string | undefined;

  constructor(options: SubscriptionGroupOptions<Event, Owner>) {
    this.options = options;
  }

  /** The kinds of events; empty before the start. */
  get kinds(): readonly string[] {
    return this.#events?.kinds ?? [];
  }

  /** The errors of the event kinds that the platform currently refuses. */
  refusals(): readonly Payload[] {
    return [...this.#refusals.values()];
  }

  get size(): number {
    return this.#members.size;
  }

  /** Sends every member the time up to which the platform has been polled. */
  async heartbeat(): Promise<void> {
    for (let checks = 0; !this.#advance() && checks < MAX_IDLE_CHECKS; checks++) {
      await sleep(IDLE_CHECK_MS, undefined, { ref: false });
    }
    for (const member of this.#members) {
      const turn = this.options.takeHeartbeatTurn(member.caller);
      if (turn !== undefined) await turn;
      member.heartbeat();
    }
  }

  /** Adds a member, which receives every event from the moment that its `begin` resolves. */
  add(request: JoinRequest<Event, Owner>): GroupMember<Event, Owner> {
    const member = new GroupMember(this, request);
    this.#members.add(member);
    return member;
  }

  /** Starts the events for the first member. Rejects with a `GatewayError` if they cannot start. */
  async start(): Promise<void> {
    this.#starting ??= this.#start();
    await this.#starting;
  }

  remove(member: GroupMember<Event, Owner>): void {
    if (!this.#members.delete(member)) return;
    this.#budget.settle();
    if (this.#members.size > 0) return;
    this.options.onEmpty();
    this.#starting?.then(
      (batches) => batches.return(),
      () => undefined,
    );
  }

  /**
   * Executes past events for a member, or reuses the results of a member that replayed them before. `positions` are
   * updated, and name the cursor of each payload.
   */
  async executePast(
    events: readonly Event[],
    { owner, caller }: Pick<GroupMember<Event, Owner>, 'owner' | 'caller'>,
    positions: Map<string, EventPosition>,
  ): Promise<PayloadBatch> {
    return this.pastResults.get(events, positions, async () => {
      const texts = await this.options.execute(events, owner, caller);
      return new PayloadBatch(this.#toPayloads(events, texts, positions));
    });
  }

  #toPayloads(
    events: readonly Event[],
    texts: readonly string[],
    positions: Map<string, EventPosition>,
  ): readonly Payload[] {
    return events.map((event, index) => {
      const position = this.#events?.positionOf(event);
      const arrivedAtMs = this.#events?.arrivedAtMs?.(event);
      return withCursor({ text: texts[index] ?? '', position, arrivedAtMs }, positions);
    });
  }

  async #start(): Promise<EventBatches<Event>> {
    this.#events = await this.options.subscribe(this.#budget);
    const batches = await this.#events.start((kind, error) => this.#setRefusal(kind, error));
    this.#advanceTo(batches.from ?? [], batches.asOfMs);
    void this.#run(batches);
    return batches;
  }

  async #run(batches: EventBatches<Event>): Promise<void> {
    try {
      for (;;) {
        this.#isIdle = true;
        const { value, done } = await batches.next();
        this.#isIdle = false;
        // Does not wait for a turn: a stop closes the connections once the events of all groups have ended.
        if (done) return this.#end(value);
        // Samples wake all groups at once. Each executes its batch in a turn of its own.
        const [waiting] = this.#members;
        if (waiting !== undefined) await this.options.takeTurn(waiting.caller);
        const [first] = this.#members;
        if (first === undefined) return;
        const isOfOne = [...this.#members].every(({ caller }) => caller === first.caller);
        const texts = await this.options.execute(value, first.owner, isOfOne ? first.caller : undefined);
        await this.#deliver(this.#toPayloads(value, texts, this.positions));
      }
    } catch (error) {
      this.#end(toGatewayError(error));
    }
  }

  /**
   * Sends each member one error for a kind whose events the platform refuses. Members that join later get it when they
   * begin.
   */
  #setRefusal(kind: string, error: GatewayError | undefined): void {
    if (error === undefined) this.#refusals.delete(kind);
    else if (!this.#refusals.has(kind)) {
      const text = this.options.toErrorJson(error);
      const payload = { text, cursor: undefined, position: undefined };
      this.#refusals.set(kind, payload);
      void this.#deliver([payload]);
    }
  }

  /** Returns false while polled events are not delivered. */
  #advance(): boolean {
    const events = this.#events;
    if (events?.progress === undefined) return true;
    const reached = this.#isIdle ? events.progress() : undefined;
    if (reached !== undefined) this.#advanceTo(reached.positions, reached.asOfMs);
    return reached !== undefined;
  }

  #advanceTo(positions: readonly EventPosition[], asOfMs: number | undefined): void {
    if (asOfMs !== undefined) this.asOf = new Date(asOfMs).toISOString();
    for (const position of positions) {
      const latest = this.positions.get(position.kind);
      if (latest === undefined || latest.id < position.id) this.positions.set(position.kind, position);
    }
  }

  /** Members that join during this begin after the payloads. */
  async #deliver(payloads: readonly Payload[]): Promise<void> {
    const { deliveryTurns } = this.options;
    const from = this.log.end;
    this.log.append(payloads);
    const batch = new PayloadBatch(payloads);
    let needed = this.log.end;
    for (const member of this.#members) {
      if (deliveryTurns.measure()) await deliveryTurns.later(() => undefined);
      member.offer(batch, from);
      needed = Math.min(needed, member.neededFrom());
    }
    this.log.discardUpTo(needed);
  }

  #end(error: GatewayError | undefined): void {
    for (const member of this.#members) member.end(error);
  }
}

/**
 * The memory of a group, charged to its first member. It counts as exceeded only if it is exceeded for every
 * member, so that a member whose caller has used up its budget does not affect the others.
 */
function createGroupBudget(members: () => ReadonlySet<{ readonly budget: ByteBudget }>) {
  let used = 0;
  let payer: ByteBudget | undefined;

  /** Charges the bytes to the member that is now the first. */
  function settle(): void {
    const [first] = members();
    if (payer === first?.budget) return;
    payer?.add(-used);
    payer = first?.budget;
    payer?.add(used);
  }

  return {
    get caller(): string {
      return payer?.caller ?? '';
    },
    add(bytes: number): void {
      used += bytes;
      payer?.add(bytes);
      settle();
    },
    used: () => used,
    isExceeded(): boolean {
      for (const { budget } of members()) if (!budget.isExceeded()) return false;
      return true;
    },
    hasRoomFor: (bytes: number) => payer?.hasRoomFor(bytes) ?? true,
    reserve: (bytes: number) => unlimitedBytes.reserve(bytes),
    settle,
  };
}
