/** One poll of the platform for all listeners. Each listener receives the samples that it selects. */
import { setTimeout as sleep } from 'node:timers/promises';
import { createStoppingError, type GatewayError } from '../errors.js';
import { type Clock, systemClock } from '../lib/clock.js';
import { nextTurn } from '../lib/slicedComputation.js';
import { settleEach } from '../sources/core/batches.js';
import type { Sample, ScalarSample } from '../sources/samples/samples.js';
import { toEventPosition } from './cursors.js';
import { FeedListener, FeedListeners, type SampleSelection } from './feedListener.js';
import { FollowedPoll } from './followedPoll.js';
import type { EventBatches, EventPosition } from './liveEvents.js';
import { QueuePages } from './queuePages.js';
import { isRefusal, toRefusalError } from './refusals.js';
import type { FollowPoll, PolledSamples } from './samplePoll.js';
import type { SampleKind, TailPosition } from './sampleTail.js';

export interface SampleFeedOptions {
  /** The last number of each stream as of the last poll. Undefined if it is not known. Must not reject. */
  lastSamples?(): Promise<ReadonlyMap<number, ScalarSample> | undefined>;
  /** Called when the poll of a kind begins, with `ready` of the poll. */
  onPollBegin?(kind: SampleKind, ready: Promise<TailPosition>): void;
  /** Called for each poll, before its samples are delivered. */
  onPolled?(kind: SampleKind, polled: PolledSamples): unknown;
  /** Called when the poll of a kind ends: later samples are missing. */
  onPollEnd?(kind: SampleKind): unknown;
  /** The gateway's clock; the system clock by default. */
  clock?: Clock;
}

/** Milliseconds before a poll that could not start is retried, for polls without subscriptions and for refused kinds. */
const RESTART_MS = 30_000;

/** Last samples that are read in one turn of the event loop: about a millisecond of work. */
const STREAMS_PER_TURN = 2000;

/** When polls returned samples. Weak: the samples live as long as their consumers need them. */
const arrivals = new WeakMap<Sample, number>();

/** When a poll returned the sample, by the monotonic clock of the process. Undefined for a sample read from the past. */
export function arrivedAtMs(sample: Sample): number | undefined {
  return arrivals.get(sample);
}

export class SampleFeed {
  /** Pages of the past that subscriptions read. */
  readonly pastPages = new QueuePages();
  readonly #followPoll: FollowPoll;
  readonly #listeners = new FeedListeners();
  readonly #polled = new Map<SampleKind, FollowedPoll>();
  /** Kinds that the platform refused at the last attempt. */
  readonly #refused = new Map<SampleKind, GatewayError>();
  /** These kinds are polled even without subscriptions. */
  #alwaysPolled: readonly SampleKind[] = [];
  readonly #options: SampleFeedOptions;
  readonly #clock: Clock;
  #restartTimer: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(followPoll: FollowPoll, options: SampleFeedOptions = {}) {
    this.#followPoll = followPoll;
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#startPolls();
  }

  /** Polls these kinds from now on, even without subscriptions, until the next call. */
  pollAlways(kinds: readonly SampleKind[]): void {
    this.#alwaysPolled = kinds;
    clearTimeout(this.#restartTimer);
    this.#startPolls();
    this.#stopUnneeded();
  }

  hasListeners(kind: SampleKind): boolean {
    return this.#listeners.kinds().has(kind);
  }

  /**
   * Starts to listen. Rejects with a `GatewayError` if a poll cannot start. If the platform refuses one kind,
   * the others still start.
   */
  async subscribe(selection: SampleSelection): Promise<EventBatches<Sample>> {
    if (this.#isStopped) throw createStoppingError();
    const listener = new FeedListener(selection, () => this.#remove(listener));
    // Added before its polls start, so that no other listener stops a poll that it needs.
    this.#listeners.add(listener);
    const polled = new Map(selection.kinds.map((kind) => [kind, this.#polledPosition(kind)]));
    try {
      const begun = await this.#followAll(selection.kinds);
      const from = [...begun].map(([kind, position]) => ({ kind, position: polled.get(kind) ?? position }));
      listener.from = from.flatMap(({ kind, position }) => toEventPosition(kind, position));
      listener.asOfMs = earliestOf(from.map(({ position }) => position.asOfMs));
      for (const kind of selection.kinds) {
        this.#polled.get(kind)?.wake();
        const refusal = this.#refused.get(kind);
        if (refusal !== undefined) selection.onRefusal?.(kind, refusal);
      }
    } catch (error) {
      await listener.return();
      throw error;
    }
    return listener;
  }

  /**
   * The time up to which the platform has been polled for these kinds, in Unix milliseconds by the gateway's clock: every
   * sample that had arrived by then is delivered. Undefined while a kind is not polled.
   */
  asOfMs(kinds: readonly SampleKind[]): number | undefined {
    const accepted = kinds.filter((kind) => !this.#refused.has(kind));
    return earliestOf(accepted.map((kind) => this.#polledPosition(kind)?.asOfMs));
  }

  /**
   * Milliseconds since the last poll of a kind that succeeded; setting the clock of this machine does not change them.
   * Undefined if `asOfMs` is undefined.
   */
  lagMs(kind: SampleKind): number | undefined {
    return this.#refused.has(kind) ? undefined : this.#polled.get(kind)?.lagMs();
  }

  /**
   * All samples of these kinds up to these positions are delivered. Kinds that are not polled or have no cursor are
   * absent.
   */
  positions(kinds: readonly SampleKind[]): readonly EventPosition[] {
    return kinds.flatMap((kind) => toEventPosition(kind, this.#polledPosition(kind)));
  }

  /** How far a kind has been polled. Undefined before its poll has begun. */
  #polledPosition(kind: SampleKind): TailPosition | undefined {
    return this.#polled.get(kind)?.position;
  }

  /** Whether every listener to this kind can take more samples. */
  hasRoom(kind: SampleKind): boolean {
    return this.#listeners.hasRoom(kind);
  }

  /**
   * The last known numeric sample of each of these streams, unless the stream has one after this id. Many streams
   * are read in several turns of the event loop; a stream that gets a sample during these may be missing.
   */
  async lastSamplesUpTo(
    id: number,
    streamIds: ReadonlySet<number> | undefined,
  ): Promise<Map<number, ScalarSample>> {
    const newest = await this.#options.lastSamples?.();
    const upTo = new Map<number, ScalarSample>();
    if (newest === undefined) return upTo;
    let count = 0;
    for (const streamId of streamIds ?? newest.keys()) {
      count += 1;
      if (count % STREAMS_PER_TURN === 0) await nextTurn();
      const sample = newest.get(streamId);
      if (sample !== undefined && sample.id <= id) upTo.set(streamId, sample);
    }
    return upTo;
  }

  /**
   * Ends every listener after the samples of one last poll, so that a client that resumes at another process has to
   * read only what has arrived since. Resolves when the listeners have taken the samples, or after `graceMs`.
   */
  async finish(graceMs: number): Promise<void> {
    this.#isStopped = true;
    const listeners = [...this.#listeners];
    if (listeners.length > 0) {
      const deadline = sleep(graceMs, undefined, { ref: false });
      await Promise.race([
        Promise.all([...this.#polled.values()].map((followed) => followed.untilPolled())),
        deadline,
      ]);
      for (const listener of listeners) listener.end(createStoppingError());
      await Promise.race([Promise.all(listeners.map(({ ended }) => ended)), deadline]);
    }
    this.stop();
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#restartTimer);
    for (const listener of this.#listeners) listener.end(createStoppingError());
    for (const [kind, followed] of this.#polled) this.#unfollow(kind, followed);
  }

  /** Starts the polls that run without subscriptions and those that were refused, again if one has failed. */
  #startPolls(): void {
    if (this.#isStopped) return;
    const needed = this.#neededKinds();
    const refused = [...this.#refused.keys()].filter((kind) => needed.has(kind));
    for (const kind of [...this.#alwaysPolled, ...refused]) this.#follow(kind).catch(() => undefined);
    this.#restartTimer = setTimeout(() => this.#startPolls(), RESTART_MS).unref();
  }

  /**
   * Resolves to the positions at which the polls have begun. Rejects if no kind can be polled, or if one fails for a
   * reason other than a refusal.
   */
  async #followAll(kinds: readonly SampleKind[]): Promise<ReadonlyMap<SampleKind, TailPosition>> {
    const outcomes = await settleEach(kinds, async (kind) => [kind, await this.#follow(kind)] as const);
    const failures = outcomes.filter((outcome) => outcome instanceof Error);
    const [first] = failures;
    if (first && failures.length === kinds.length) throw first;
    for (const failure of failures) if (!isRefusal(failure)) throw failure;
    return new Map(outcomes.flatMap((outcome) => (outcome instanceof Error ? [] : [outcome])));
  }

  /** Starts the poll of a kind for its first listener. Each kind has its own poll, so that a slow one delays no other. */
  #follow(kind: SampleKind): Promise<TailPosition> {
    const running = this.#polled.get(kind);
    if (running !== undefined) return running.poll.ready;
    const poll = this.#followPoll(kind, undefined, (polled) => this.#deliver(kind, polled));
    const followed = new FollowedPoll(poll, this.#clock);
    this.#polled.set(kind, followed);
    this.#options.onPollBegin?.(kind, poll.ready);
    poll.ready.then(
      (position) => {
        followed.recordStart(position);
        this.#setRefusal(kind, undefined);
      },
      // The next listener retries a start that failed.
      (error: unknown) => {
        this.#unfollow(kind, followed);
        if (isRefusal(error)) this.#setRefusal(kind, toRefusalError(kind, error));
      },
    );
    return poll.ready;
  }

  /** Reports a change to the listeners, once. */
  #setRefusal(kind: SampleKind, error: GatewayError | undefined): void {
    const hasChanged = this.#refused.has(kind) !== (error !== undefined);
    if (error === undefined) this.#refused.delete(kind);
    else this.#refused.set(kind, error);
    if (!hasChanged) return;
    for (const { selection } of this.#listeners) {
      if (selection.kinds.includes(kind)) selection.onRefusal?.(kind, error);
    }
  }

  #unfollow(kind: SampleKind, followed: FollowedPoll): void {
    if (this.#polled.get(kind) === followed) {
      this.#polled.delete(kind);
      this.#options.onPollEnd?.(kind);
    }
    followed.poll.stop();
  }

  #remove(listener: FeedListener): void {
    this.#listeners.delete(listener);
    this.#stopUnneeded();
  }

  /** Stops polls without listeners: a poll that continued would deliver past samples to the next listener. */
  #stopUnneeded(): void {
    // The state of the polls is needed until `stop` has ended all listeners.
    if (this.#isStopped) return;
    const needed = this.#neededKinds();
    for (const [kind, followed] of this.#polled) if (!needed.has(kind)) this.#unfollow(kind, followed);
  }

  #neededKinds(): ReadonlySet<SampleKind> {
    return new Set([...this.#listeners.kinds(), ...this.#alwaysPolled]);
  }

  #deliver(kind: SampleKind, polled: PolledSamples): void {
    const { samples, refusal } = polled;
    this.#setRefusal(kind, refusal && toRefusalError(kind, refusal));
    const followed = this.#polled.get(kind);
    followed?.recordStep(polled);
    if (refusal !== undefined) return;
    if (followed !== undefined) this.#options.onPolled?.(kind, polled);
    const nowMs = performance.now();
    for (const sample of samples) arrivals.set(sample, nowMs);
    this.#listeners.push(kind, samples);
  }
}

/** Undefined if there are no times, or if one is unknown. */
function earliestOf(times: readonly (number | undefined)[]): number | undefined {
  const isKnown = times.length > 0 && times.every((time) => time !== undefined);
  return isKnown ? Math.min(...times) : undefined;
}
