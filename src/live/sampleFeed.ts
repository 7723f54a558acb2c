/** One poll of the platform for all subscriptions. Each subscription receives the samples that it selects. */
import { GatewayError } from '../errors.js';
import { createTurns } from '../lib/turns.js';
import { type FeedEvent, FeedListener, type SampleSubscription } from './feedListener.js';
import type { PolledSamples, PollSubscription, SamplePolls } from './samplePoll.js';
import type { SampleKind } from './sampleTail.js';

export type { FeedEvent } from './feedListener.js';

export interface SampleFeed {
  subscribe(subscription: SampleSubscription): Promise<AsyncIterableIterator<FeedEvent>>;
  /** The number of open subscriptions. */
  subscriptionCount(): number;
  /**
   * The time up to which the platform has been polled for these kinds, in Unix milliseconds by the gateway's clock: every
   * sample that had arrived by then is delivered. Undefined before the first poll, and while a kind is not polled.
   */
  asOfMs(kinds: readonly SampleKind[]): number | undefined;
  /** Ends every subscription. */
  stop(): void;
}

export interface SampleFeedOptions {
  /** These kinds are polled without subscriptions too. */
  alwaysPolled?: readonly SampleKind[];
  /** Called for each poll, before its samples are delivered. */
  onPolled?(kind: SampleKind, polled: PolledSamples): unknown;
  /** Called when the poll of a kind ends: later samples are missing. */
  onPollEnd?(kind: SampleKind): unknown;
}

/** A poll without subscriptions that can't start is tried again after this time. */
const RESTART_MS = 30_000;
/** Events that all listeners together consume in one turn of the event loop. */
const EVENTS_PER_TURN = 2;
/** Past samples wait for no platform, so that resumed subscriptions could use the whole CPU: about 3,000 a second. */
const PAST_EVENTS_PER_TURN = 5;
const PAST_REST_MS = 1;

/** A poll that runs, for all listeners to its kind. */
interface FollowedPoll {
  poll: PollSubscription;
  /** Undefined before the first step. */
  asOfMs: number | undefined;
  /** A new listener wakes the poll once for each step. */
  isWoken: boolean;
}

export function createSampleFeed(polls: SamplePolls, options: SampleFeedOptions = {}): SampleFeed {
  return new PolledSampleFeed(polls, options);
}

class PolledSampleFeed implements SampleFeed {
  readonly #polls: SamplePolls;
  readonly #listeners = new Set<FeedListener>();
  readonly #polled = new Map<SampleKind, FollowedPoll>();
  readonly #alwaysPolled: readonly SampleKind[];
  readonly #options: SampleFeedOptions;
  readonly #takeTurn = createTurns(EVENTS_PER_TURN);
  readonly #takePastTurn = createTurns(PAST_EVENTS_PER_TURN, PAST_REST_MS);
  #restartTimer: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(polls: SamplePolls, options: SampleFeedOptions) {
    this.#polls = polls;
    this.#options = options;
    this.#alwaysPolled = options.alwaysPolled ?? [];
    this.#keepPolling();
  }

  // Fields rather than methods, so that callers can pass them on.
  readonly subscribe = async (
    subscription: SampleSubscription,
  ): Promise<AsyncIterableIterator<FeedEvent>> => {
    if (this.#isStopped) throw createStoppingError();
    const listener = new FeedListener(subscription, () => this.#remove(listener));
    // Added before its polls start, so that no other listener stops a poll that it needs.
    this.#listeners.add(listener);
    try {
      await Promise.all(subscription.kinds.map((kind) => this.#follow(kind)));
      for (const kind of subscription.kinds) this.#wake(kind);
    } catch (error) {
      this.#remove(listener);
      throw error;
    }
    return this.#toEvents(listener);
  };

  readonly subscriptionCount = (): number => this.#listeners.size;

  asOfMs(kinds: readonly SampleKind[]): number | undefined {
    const times = kinds.map((kind) => this.#polled.get(kind)?.asOfMs);
    return times.every((time) => time !== undefined) ? Math.min(...times) : undefined;
  }

  readonly stop = (): void => {
    this.#isStopped = true;
    clearTimeout(this.#restartTimer);
    for (const kind of this.#alwaysPolled) this.#unfollow(kind, this.#polled.get(kind));
    for (const { queue } of this.#listeners) queue.end(createStoppingError());
  };

  /** Starts the polls that run without subscriptions, again where one has failed. */
  #keepPolling(): void {
    if (this.#isStopped || this.#alwaysPolled.length === 0) return;
    for (const kind of this.#alwaysPolled) this.#follow(kind).catch(() => undefined);
    this.#restartTimer = setTimeout(() => this.#keepPolling(), RESTART_MS).unref();
  }

  /** Starts the poll of a kind for its first listener. Each kind has its own poll, so that a slow one delays no other. */
  #follow(kind: SampleKind): Promise<unknown> {
    const running = this.#polled.get(kind);
    if (running !== undefined) return running.poll.ready;
    const poll = this.#polls.follow(kind, (polled) => this.#deliver(kind, polled));
    const followed: FollowedPoll = { poll, asOfMs: undefined, isWoken: true };
    this.#polled.set(kind, followed);
    // The next listener retries a start that failed.
    poll.ready.catch(() => this.#unfollow(kind, followed));
    return poll.ready;
  }

  #wake(kind: SampleKind): void {
    const followed = this.#polled.get(kind);
    if (followed === undefined || followed.isWoken) return;
    followed.isWoken = true;
    followed.poll.wake();
  }

  #unfollow(kind: SampleKind, followed: FollowedPoll | undefined): void {
    if (followed !== undefined && this.#polled.get(kind) === followed) {
      this.#polled.delete(kind);
      this.#options.onPollEnd?.(kind);
    }
    followed?.poll.stop();
  }

  /** Stops polls without listeners: a poll that went on would deliver past samples to the next listener. */
  #remove(listener: FeedListener): void {
    this.#listeners.delete(listener);
    listener.close();
    for (const [kind, followed] of this.#polled) {
      if (!this.#isNeeded(kind)) this.#unfollow(kind, followed);
    }
  }

  #isNeeded(kind: SampleKind): boolean {
    const isAlwaysPolled = this.#alwaysPolled.includes(kind) && !this.#isStopped;
    return isAlwaysPolled || this.#listenersTo(kind).length > 0;
  }

  #deliver(kind: SampleKind, { samples, asOfMs }: PolledSamples): void {
    const followed = this.#polled.get(kind);
    if (followed !== undefined) {
      Object.assign(followed, { asOfMs, isWoken: false });
      this.#options.onPolled?.(kind, { samples, asOfMs });
    }
    if (samples.length === 0) return;
    for (const listener of this.#listenersTo(kind)) listener.deliver(kind, samples);
  }

  #listenersTo(kind: SampleKind): FeedListener[] {
    return [...this.#listeners].filter(({ kinds }) => kinds.includes(kind));
  }

  /** Past samples are read when the queue is empty, so that a listener that does not consume holds one page. */
  #toEvents(listener: FeedListener): AsyncIterableIterator<FeedEvent> {
    const { queue } = listener;
    // Consuming and sending wait for nothing else, so that many events in a row would block the process.
    const takeTurn = () => {
      const isPast = listener.isBehind();
      return isPast ? this.#takePastTurn(listener.caller) : this.#takeTurn(listener.caller);
    };
    return {
      async next() {
        if (queue.isEmpty()) await listener.replayMore();
        if (!queue.isEmpty()) await takeTurn();
        return listener.next();
      },
      return: () => queue.return?.() ?? done,
      throw: () => queue.return?.() ?? done,
      [Symbol.asyncIterator]() {
        return this;
      },
    };
  }
}

const done = Promise.resolve({ value: undefined, done: true as const });

function createStoppingError(): GatewayError {
  return new GatewayError('STOPPING', 'The gateway is stopping. Subscribe again with `after`.', {
    retryable: true,
    retryAfterMs: 1000,
  });
}
