/**
 * One process's part in the poll of a feed that workers or replicas share. The process that holds the lease polls the
 * platform and publishes each step; the others deliver the published samples. Each process delivers by its own position,
 * so that no sample is lost or repeated when the leader changes, a message is lost, or there are two leaders at once:
 * a process that is behind reads the missing samples from the platform itself. While the lease is unavailable, each
 * process polls for itself. A process without subscribers follows the polls that others report.
 */
import { createStoppingError } from '../../errors.js';
import type { Clock } from '../../lib/clock.js';
import type { SampleFeed } from '../../live/sampleFeed.js';
import type { PolledSamples, SamplePoll, StartPoll } from '../../live/samplePoll.js';
import type { SampleKind, TailPosition } from '../../live/sampleTail.js';
import type { SharedReports } from '../coordinator.js';
import {
  LEASE_HEARTBEAT_MS,
  MAX_STEP_MS,
  type PollLease,
  type PollLeaseListener,
  type PublishedStep,
} from './pollLease.js';

interface SharedPollOptions {
  createLease(kind: SampleKind, listener: PollLeaseListener): PollLease;
  start: StartPoll;
  /** Whether a process that follows polls the platform itself on demand. */
  followersPollNow: boolean;
  /**
   * Milliseconds between two renewals of the lease, and between two checks whether it is free; `LEASE_HEARTBEAT_MS` by
   * default.
   */
  heartbeatMs?: number;
  /** A leader that cannot deliver for this long lets its lease expire. Milliseconds. */
  leaseMs: number;
  /** Monotonic. */
  clock: Clock;
}

/** Returns a `StartPoll` whose polls take part in the poll of all processes. */
export function createSharedPollStarter(options: SharedPollOptions): StartPoll {
  return (...parameters) => new SharedPoll(options, ...parameters);
}

class SharedPoll implements SamplePoll {
  readonly ready: Promise<TailPosition>;
  readonly #options: SharedPollOptions;
  readonly #kind: SampleKind;
  readonly #onStep: Parameters<StartPoll>[2];
  readonly #lease: PollLease;
  readonly #timer: NodeJS.Timeout;
  /**
   * All samples up to this position are delivered. Its time is by the clock of the process that polled, and goes back when
   * that clock is set back. Undefined until the poll has begun.
   */
  #position: TailPosition | undefined;
  /** Runs while this process leads, is behind, or cannot reach the lease. */
  #poll: SamplePoll | undefined;
  #isLeader = false;
  /** The leader's position at the last check, if this process had not reached it. */
  #missing: TailPosition | undefined;
  #isStopped = false;
  #isChecking = false;
  /** Steps are delivered one after the other. */
  #delivering: Promise<void> = Promise.resolve();
  /** When the delivery of the current step began. */
  #deliveringSinceMs: number | undefined;
  #resolveReady: (position: TailPosition) => void = () => {};
  #rejectReady: (error: unknown) => void = () => {};

  constructor(options: SharedPollOptions, ...[kind, from, onStep]: Parameters<StartPoll>) {
    const { createLease, heartbeatMs = LEASE_HEARTBEAT_MS } = options;
    this.#options = options;
    this.#kind = kind;
    this.#onStep = onStep;
    this.ready = new Promise((resolve, reject) => {
      this.#resolveReady = resolve;
      this.#rejectReady = reject;
    });
    // If nobody waits for `ready`, its rejection must not end the process.
    this.ready.catch(() => undefined);
    if (from) this.#begin(from);
    this.#lease = createLease(kind, (message) => {
      if (message.kind === 'step') this.#receive(message.step);
      else if (message.kind === 'release') void this.#check();
      else if (this.#isLeader) this.#poll?.wake();
    });
    this.#timer = setInterval(() => void this.#check(), heartbeatMs).unref();
    void this.#check();
  }

  busyMs(): number {
    return this.#poll?.busyMs() ?? 0;
  }

  wake(): void {
    if (this.#poll) this.#poll.wake();
    else this.#lease.wake();
  }

  stop(): void {
    if (this.#isStopped) return;
    this.#isStopped = true;
    clearInterval(this.#timer);
    this.#stopPolling();
    this.#lease.close();
    this.#rejectReady(createStoppingError());
  }

  /** A process that does not hold the lease delivers the samples after its own position, but does not publish them. */
  async pollNow(): Promise<boolean> {
    if (this.#isStopped) return false;
    if (this.#options.followersPollNow) this.#pollPlatform();
    return (await this.#poll?.pollNow()) ?? false;
  }

  /** Renews or acquires the lease, and decides whether this process polls. */
  async #check(): Promise<void> {
    if (this.#isStopped || this.#isChecking || this.#isHung()) return;
    this.#isChecking = true;
    const state = await this.#lease.claim(this.#position);
    this.#isChecking = false;
    if (this.#isStopped) return this.#lease.close();
    this.#isLeader = state?.isLeader ?? false;
    // A leader that has no position yet resumes at the position of the previous leader. A poll that it has begun without
    // the lease would continue at the present instead.
    if (state?.isLeader && state.position && this.#position === undefined) {
      this.#stopPolling();
      this.#begin(state.position);
    }
    if (state === undefined || state.isLeader) this.#pollPlatform();
    else this.#follow(state.position);
  }

  /** A leader whose poll or delivery hangs lets its lease expire, so that another process leads. */
  #isHung(): boolean {
    const { clock, leaseMs } = this.#options;
    const deliveringMs = this.#deliveringSinceMs === undefined ? 0 : clock.now() - this.#deliveringSinceMs;
    return this.#isLeader && (this.busyMs() >= MAX_STEP_MS || deliveringMs >= leaseMs);
  }

  /** The position of a leader that is starting is not known yet; a message will announce it. */
  #follow(position: TailPosition | undefined): void {
    if (position === undefined) return;
    if (this.#position === undefined) this.#begin(position);
    const isBehind = this.#isAfterOwn(position);
    const isMissing = this.#missing !== undefined && this.#isAfterOwn(this.#missing);
    // The message of a later step may be in flight. While a step is being delivered, later steps wait.
    if (isMissing && this.#deliveringSinceMs === undefined) this.#pollPlatform();
    else if (!isBehind || (this.#missing !== undefined && !isMissing)) this.#stopPolling();
    this.#missing = isBehind ? position : undefined;
    if (!isBehind) this.#receiveAsOf(position);
  }

  /** A leader need not publish empty steps: its lease says how far it has polled. */
  #receiveAsOf(position: TailPosition): void {
    const { asOfMs } = position;
    if (asOfMs === undefined || asOfMs === this.#position?.asOfMs || this.#isBeforeOwn(position)) return;
    this.#deliver({ samples: [], position, asOfMs }).catch(() => undefined);
  }

  #pollPlatform(): void {
    if (this.#poll !== undefined) return;
    this.#poll = this.#options.start(this.#kind, this.#position, (step) => this.#onOwnStep(step));
    this.#poll.ready.then(
      (position) => this.#onStarted(position),
      (error: unknown) => this.#onStartFailed(error),
    );
  }

  #stopPolling(): void {
    this.#poll?.stop();
    this.#poll = undefined;
  }

  #onStarted(position: TailPosition): void {
    if (this.#isStopped || this.#position !== undefined) return;
    this.#begin(position);
    // Followers that wait for the start begin at this position.
    const step = { from: position, samples: [], position, asOfMs: undefined };
    if (this.#isLeader) void this.#lease.publish(step);
  }

  /** A process that has received a position in the meantime follows the leader, and needs no start. */
  #onStartFailed(error: unknown): void {
    if (this.#position !== undefined) return;
    this.#rejectReady(error);
    this.stop();
  }

  #begin(position: TailPosition): void {
    this.#position = position;
    this.#resolveReady(position);
  }

  /** Publishes before delivering: if another process leads now, its step or the next check returns these samples. */
  async #onOwnStep(step: PolledSamples): Promise<void> {
    const from = this.#position;
    if (from === undefined) return;
    const id = Math.max(step.position.id, from.id);
    const position = { id, asOfMs: step.asOfMs ?? from.asOfMs };
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
      // If samples before this step are missing, the next checks find that this process is behind, and it polls itself.
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
    this.#deliveringSinceMs = this.#options.clock.now();
    const samples = step.samples.filter((sample) => this.#isAfterOwn(sample));
    // A step that is before this process's position says nothing about the time since then.
    const isCurrent = step.refusal === undefined && !this.#isBeforeOwn(step.position);
    const asOfMs = isCurrent ? step.asOfMs : undefined;
    const id = Math.max(step.position.id, this.#position?.id ?? 0);
    const position = { id, asOfMs: asOfMs ?? this.#position?.asOfMs };
    this.#position = position;
    try {
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

/** Milliseconds between two reports of the feeds that have subscribers in this process. */
const REPORT_INTERVAL_MS = 1000;
/** A process follows a poll until no other process has needed it for this long. */
const NEEDED_MS = 5 * REPORT_INTERVAL_MS;

/**
 * Polls for numeric samples while another process has subscribers to them, with each credential that this process is
 * connected with. A client that has received an event from the other process and then queries this one must get the
 * same sample. Returns a function that stops the polling.
 */
export function sharePollNeeds(
  needs: SharedReports<readonly string[]>,
  connections: () => readonly { feed: SampleFeed; feedName: string }[],
  clock: Clock,
): () => void {
  const neededUntilMs = new WeakMap<SampleFeed, number>();
  needs.onRemote((names) => {
    const needed = new Set(names);
    for (const { feed, feedName } of connections()) {
      if (!needed.has(feedName)) continue;
      if (!neededUntilMs.has(feed)) feed.pollAlways(['SCALAR']);
      neededUntilMs.set(feed, clock.now() + NEEDED_MS);
    }
  });
  const timer = setInterval(() => {
    const own = connections().filter(({ feed }) => feed.hasListeners('SCALAR'));
    if (own.length > 0) needs.add(own.map(({ feedName }) => feedName));
    for (const { feed } of connections()) {
      if (clock.now() < (neededUntilMs.get(feed) ?? Number.POSITIVE_INFINITY)) continue;
      neededUntilMs.delete(feed);
      feed.pollAlways([]);
    }
  }, REPORT_INTERVAL_MS).unref();
  return () => clearInterval(timer);
}
