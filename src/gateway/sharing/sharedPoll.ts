/**
 * One replica's part in the poll of a feed that all replicas share. The replica that holds the lease polls the platform
 * and publishes each step; the others deliver the published samples. Each replica delivers by its own position, so
 * that no sample is lost or repeated when the leader changes, a message is lost, or there are two leaders at once:
 * a replica that is behind reads the missing samples from the platform itself. Without Redis each replica polls
 * for itself.
 */
import type { Clock } from '../../lib/clock.js';
import type { PolledSamples, SamplePoll, StartPoll } from '../../live/samplePoll.js';
import type { SampleKind, TailPosition } from '../../live/sampleTail.js';
import {
  type LeaseState,
  MAX_STEP_MS,
  type PollLease,
  type PollLeaseListener,
  type PublishedStep,
} from './pollLease.js';

interface SharedPollOptions {
  createLease(kind: SampleKind, listener: PollLeaseListener): PollLease;
  start: StartPoll;
  /** Milliseconds between two renewals of the lease, and between two checks whether it is free. */
  heartbeatMs: number;
  /** A leader that cannot deliver for this long lets its lease expire. Milliseconds. */
  leaseMs: number;
  /** Monotonic. */
  clock: Clock;
}

/** Returns a `StartPoll` whose polls take part in the poll of all replicas. */
export function createSharedPollStarter(options: SharedPollOptions): StartPoll {
  return (kind, from, onStep) => new SharedPoll(options, kind, from, onStep);
}

class SharedPoll implements SamplePoll {
  readonly ready: Promise<TailPosition>;
  readonly #start: StartPoll;
  readonly #kind: SampleKind;
  readonly #onStep: (step: PolledSamples) => void | Promise<void>;
  readonly #lease: PollLease;
  readonly #leaseMs: number;
  readonly #clock: Clock;
  readonly #timer: NodeJS.Timeout;
  /** All samples up to this position are delivered. Undefined until the poll has begun. */
  #position: TailPosition | undefined;
  /**
   * The time up to which this replica has delivered everything, by the clock of the replica that polled. It goes back with
   * that clock. Undefined before the first step.
   */
  #asOfMs: number | undefined;
  /** Runs while this replica leads, is behind, or has no Redis. */
  #poll: SamplePoll | undefined;
  #isLeader = false;
  /** The leader's position at the last check, if this replica had not reached it. */
  #missing: TailPosition | undefined;
  #isStopped = false;
  #isChecking = false;
  /** Steps are delivered one after the other. */
  #delivering: Promise<void> = Promise.resolve();
  /** Since when a step is being delivered. */
  #deliveringSinceMs: number | undefined;
  #resolveReady: (position: TailPosition) => void = () => {};
  #rejectReady: (error: unknown) => void = () => {};

  constructor(
    { createLease, start, heartbeatMs, leaseMs, clock }: SharedPollOptions,
    kind: SampleKind,
    from: TailPosition | undefined,
    onStep: (step: PolledSamples) => void | Promise<void>,
  ) {
    this.#start = start;
    this.#kind = kind;
    this.#onStep = onStep;
    this.#leaseMs = leaseMs;
    this.#clock = clock;
    this.ready = new Promise((resolve, reject) => {
      this.#resolveReady = resolve;
      this.#rejectReady = reject;
    });
    if (from) {
      this.#asOfMs = from.asOfMs;
      this.#begin(from);
    }
    this.#lease = createLease(kind, {
      onStep: (step) => this.#receive(step),
      onLeaseChange: () => void this.#check(),
      onWake: () => {
        if (this.#isLeader) this.#poll?.wake();
      },
    });
    this.#timer = setInterval(() => void this.#check(), heartbeatMs).unref();
    void this.#check();
  }

  isStopped(): boolean {
    return this.#isStopped;
  }

  busyMs(): number {
    return this.#poll?.busyMs() ?? 0;
  }

  wake(): void {
    if (this.#isLeader || this.#poll !== undefined) this.#poll?.wake();
    else this.#lease.wake();
  }

  stop(): void {
    if (this.#isStopped) return;
    this.#isStopped = true;
    clearInterval(this.#timer);
    this.#stopPolling();
    this.#lease.close();
  }

  /**
   * If this replica does not hold the lease, it delivers the samples after its own position, but does not publish
   * them.
   */
  async pollNow(): Promise<boolean> {
    if (this.#isStopped) return false;
    this.#pollPlatform();
    return (await this.#poll?.pollNow()) ?? false;
  }

  /** Renews or acquires the lease, and decides whether this replica polls. */
  async #check(): Promise<void> {
    if (this.#isStopped || this.#isChecking || this.#isHung()) return;
    this.#isChecking = true;
    const state = await this.#lease.claim(this.#position, this.#asOfMs);
    this.#isChecking = false;
    if (this.#isStopped) return this.#lease.close();
    this.#isLeader = state?.isLeader ?? false;
    // A leader that has no position yet resumes at the position of the previous leader.
    if (state?.isLeader && state.position && this.#position === undefined) {
      this.#asOfMs = state.asOfMs;
      this.#begin(state.position);
    }
    if (state === undefined || state.isLeader) this.#pollPlatform();
    else this.#follow(state);
  }

  /** A leader whose poll or delivery hangs lets its lease expire, so that another replica leads. */
  #isHung(): boolean {
    const deliveringMs =
      this.#deliveringSinceMs === undefined ? 0 : this.#clock.now() - this.#deliveringSinceMs;
    return this.#isLeader && (this.busyMs() >= MAX_STEP_MS || deliveringMs >= this.#leaseMs);
  }

  /** The position of a leader that is starting is not known yet; a message will announce it. */
  #follow({ position, asOfMs }: LeaseState): void {
    if (position === undefined) return;
    if (this.#position === undefined) this.#begin(position);
    const isBehind = this.#isAfterOwn(position);
    const isMissing = this.#missing !== undefined && this.#isAfterOwn(this.#missing);
    // The message of a later step may be in flight. While a step is being delivered, later steps wait.
    if (isMissing && this.#deliveringSinceMs === undefined) this.#pollPlatform();
    else if (!isBehind || (this.#missing !== undefined && !isMissing)) this.#stopPolling();
    this.#missing = isBehind ? position : undefined;
    if (!isBehind && asOfMs !== undefined) this.#receiveAsOf(position, asOfMs);
  }

  /** The leader publishes no empty steps, but its lease says how far it has polled. */
  #receiveAsOf(position: TailPosition, asOfMs: number): void {
    if (asOfMs === this.#asOfMs || this.#isBeforeOwn(position)) return;
    this.#deliver({ samples: [], position, asOfMs }).catch(() => undefined);
  }

  #pollPlatform(): void {
    if (this.#poll !== undefined) return;
    const from = this.#position && { ...this.#position, asOfMs: this.#asOfMs };
    const poll = this.#start(this.#kind, from, (step) => this.#onOwnStep(poll, step));
    this.#poll = poll;
    poll.ready.then(
      (position) => this.#onStarted(poll, position),
      (error: unknown) => this.#onStartFailed(poll, error),
    );
  }

  #stopPolling(): void {
    this.#poll?.stop();
    this.#poll = undefined;
  }

  #onStarted(poll: SamplePoll, position: TailPosition): void {
    if (this.#poll !== poll || this.#position !== undefined) return;
    this.#begin(position);
    if (this.#isLeader) void this.#lease.announce(position);
  }

  #onStartFailed(poll: SamplePoll, error: unknown): void {
    if (this.#poll !== poll || this.#position !== undefined) return;
    this.#rejectReady(error);
    this.stop();
  }

  #begin(position: TailPosition): void {
    this.#position = position;
    this.#resolveReady(position);
  }

  /** Publishes before delivering: if another replica leads now, its step or the next check brings these samples. */
  async #onOwnStep(poll: SamplePoll, step: PolledSamples): Promise<void> {
    const from = this.#position;
    if (this.#poll !== poll || from === undefined) return;
    const position = this.#isAfterOwn(step.position) ? step.position : from;
    const isPublished = this.#isLeader ? await this.#lease.publish({ ...step, from, position }) : undefined;
    if (isPublished !== false) return this.#deliver(step);
    this.#isLeader = false;
    this.#stopPolling();
    void this.#check();
  }

  #receive(step: PublishedStep): void {
    if (this.#isStopped) return;
    if (this.#position === undefined) return void this.#check();
    const received = this.#enqueue(async () => {
      // Otherwise samples before this step are missing: the next checks find this replica behind, and it polls itself.
      if (!this.#isAfterOwn(step.from)) await this.#deliverNow(step);
    });
    received.catch(() => undefined);
  }

  #deliver(step: PolledSamples): Promise<void> {
    return this.#enqueue(() => this.#deliverNow(step));
  }

  #enqueue(deliver: () => Promise<void>): Promise<void> {
    const delivered = this.#delivering.then(deliver);
    this.#delivering = delivered.catch(() => undefined);
    return delivered;
  }

  async #deliverNow(step: PolledSamples): Promise<void> {
    if (this.#isStopped) return;
    this.#deliveringSinceMs = this.#clock.now();
    const samples = step.samples.filter((sample) => this.#isAfterOwn(sample));
    if (this.#isAfterOwn(step.position)) this.#position = step.position;
    // A step that is before this replica's position says nothing about the time since then.
    const isCurrent = step.refusal === undefined && !this.#isBeforeOwn(step.position);
    const asOfMs = isCurrent ? step.asOfMs : undefined;
    this.#asOfMs = asOfMs ?? this.#asOfMs;
    try {
      const position = this.#position ?? step.position;
      await this.#onStep({ ...step, samples, position, asOfMs });
    } finally {
      this.#deliveringSinceMs = undefined;
    }
  }

  #isAfterOwn({ id }: TailPosition): boolean {
    return this.#position === undefined || id > this.#position.id;
  }

  #isBeforeOwn({ id }: TailPosition): boolean {
    return this.#position !== undefined && id < this.#position.id;
  }
}
