/** One poll of the platform for all subscriptions. Each subscription receives the samples that it selects. */
import { GatewayError } from '../errors.js';
import { createTurns, type TakeTurn } from '../lib/turns.js';
import type { Sample } from '../sources/samples/samples.js';
import { type FeedEvent, FeedListener, type SampleSubscription } from './feedListener.js';
import type { PollSubscription, SamplePolls } from './samplePoll.js';
import type { SampleKind } from './sampleTail.js';

export type { FeedEvent } from './feedListener.js';

export interface SampleFeed {
  subscribe(subscription: SampleSubscription): Promise<AsyncIterableIterator<FeedEvent>>;
  /** The number of open subscriptions. */
  subscriptionCount(): number;
  /** Ends every subscription. */
  stop(): void;
}

/** Events that all listeners together consume in one turn of the event loop. */
const EVENTS_PER_TURN = 20;

export function createSampleFeed(polls: SamplePolls): SampleFeed {
  return new PolledSampleFeed(polls);
}

class PolledSampleFeed implements SampleFeed {
  readonly #polls: SamplePolls;
  readonly #listeners = new Set<FeedListener>();
  readonly #polled = new Map<SampleKind, PollSubscription>();
  readonly #takeTurn = createTurns(EVENTS_PER_TURN);
  #isStopped = false;

  constructor(polls: SamplePolls) {
    this.#polls = polls;
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
    } catch (error) {
      this.#remove(listener);
      throw error;
    }
    return toEvents(listener, this.#takeTurn);
  };

  readonly subscriptionCount = (): number => this.#listeners.size;

  readonly stop = (): void => {
    this.#isStopped = true;
    for (const { queue } of this.#listeners) queue.end(createStoppingError());
  };

  /** Starts the poll of a kind for its first listener. Each kind has its own poll, so that a slow one delays no other. */
  #follow(kind: SampleKind): Promise<unknown> {
    const running = this.#polled.get(kind);
    if (running !== undefined) return running.ready;
    const poll = this.#polls.follow(kind, (samples) => this.#deliver(kind, samples));
    this.#polled.set(kind, poll);
    // The next listener retries a start that failed.
    poll.ready.catch(() => this.#unfollow(kind, poll));
    return poll.ready;
  }

  #unfollow(kind: SampleKind, poll: PollSubscription): void {
    if (this.#polled.get(kind) === poll) this.#polled.delete(kind);
    poll.stop();
  }

  /** Stops polls without listeners: a poll that went on would deliver past samples to the next listener. */
  #remove(listener: FeedListener): void {
    this.#listeners.delete(listener);
    listener.close();
    for (const [kind, poll] of this.#polled) {
      if (this.#listenersTo(kind).length === 0) this.#unfollow(kind, poll);
    }
  }

  #deliver(kind: SampleKind, samples: readonly Sample[]): void {
    for (const listener of this.#listenersTo(kind)) listener.deliver(kind, samples);
  }

  #listenersTo(kind: SampleKind): FeedListener[] {
    return [...this.#listeners].filter(({ kinds }) => kinds.includes(kind));
  }
}

/** Past samples are read when the queue is empty, so that a listener that does not consume holds one page. */
function toEvents(listener: FeedListener, takeTurn: TakeTurn): AsyncIterableIterator<FeedEvent> {
  const { queue } = listener;
  return {
    async next() {
      if (queue.isEmpty()) await listener.replayMore();
      // Consuming and sending wait for nothing else, so that many events in a row would block the process.
      if (!queue.isEmpty()) await takeTurn();
      return queue.next();
    },
    return: () => queue.return?.() ?? done,
    throw: () => queue.return?.() ?? done,
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

const done = Promise.resolve({ value: undefined, done: true as const });

function createStoppingError(): GatewayError {
  return new GatewayError('STOPPING', 'The gateway is stopping. Subscribe again with `after`.', {
    retryable: true,
    retryAfterMs: 1000,
  });
}
