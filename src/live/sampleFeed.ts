/** The sample feed: one poll of the platform for all subscriptions, each handed the samples that it asked for. */
import { GatewayError } from '../errors.js';
import type { ByteBudget } from '../lib/byteBudget.js';
import { createTurns, type TakeTurn } from '../lib/turns.js';
import { newestId } from '../sources/samples/drainQueue.js';
import type { Sample } from '../sources/samples/samples.js';
import { createEventQueue, type EventQueue } from './eventQueue.js';
import type { PollSubscription, SamplePolls } from './samplePoll.js';
import { createSampleReplay, type ResumePoint, type SampleReplay } from './sampleReplay.js';
import type { SampleKind } from './sampleTail.js';

export interface SampleSubscription {
  kinds: readonly SampleKind[];
  /** Only samples of these streams; undefined: of all. */
  streamIds: ReadonlySet<number> | undefined;
  /** Begin behind this sample rather than now. */
  after?: ResumePoint | undefined;
  /** Where queued samples are charged. */
  budget: ByteBudget;
}

/** An error is always the last event: it says why the subscription ends. */
export type FeedEvent = Sample | GatewayError;

export interface SampleFeed {
  subscribe(subscription: SampleSubscription): Promise<AsyncIterableIterator<FeedEvent>>;
  /** Subscriptions that listen. */
  subscriptionCount(): number;
  /** Ends every subscription. */
  stop(): void;
}

interface FeedListener extends SampleSubscription {
  queue: EventQueue<FeedEvent>;
  /** Undefined once it is over: from then on polls bring the samples of its kind. */
  replay: SampleReplay | undefined;
  /** The newest sample of the past: polls may be behind it. */
  replayedUpToId: number;
}

interface ArrivedSamples {
  kind: SampleKind;
  samples: readonly Sample[];
}

/** A listener with this much in its queue lags too far: about 10,000 samples. */
const MAX_QUEUE_BYTES = 2_560_000;
/** Events that all listeners together take in one turn of the event loop. */
const EVENTS_PER_TURN = 20;
/** Memory of a sample besides its texts. */
const SAMPLE_BYTES = 240;

export function createSampleFeed(polls: SamplePolls): SampleFeed {
  const listeners = new Set<FeedListener>();
  const followings = new Map<SampleKind, PollSubscription>();
  const takeTurn = createTurns(EVENTS_PER_TURN);
  let isStopped = false;

  const listenersTo = (kind: SampleKind) => [...listeners].filter(({ kinds }) => kinds.includes(kind));

  /** Each kind is followed apart, begun by the first who listens to it: a slow one holds up no other. */
  function follow(kind: SampleKind): Promise<unknown> {
    const known = followings.get(kind);
    if (known !== undefined) return known.ready;
    const following = polls.follow(kind, (samples) => {
      for (const listener of listenersTo(kind)) deliver({ kind, samples }, listener);
    });
    followings.set(kind, following);
    // A failed beginning is tried again by the next.
    following.ready.catch(() => leaveOff(kind, following));
    return following.ready;
  }

  function leaveOff(kind: SampleKind, following: PollSubscription): void {
    if (followings.get(kind) === following) followings.delete(kind);
    following.stop();
  }

  /** Kinds without a listener are not followed: a poll would hand its past to the next listener. */
  function leave(listener: FeedListener): void {
    listeners.delete(listener);
    listener.replay?.close();
    for (const [kind, following] of followings) {
      if (listenersTo(kind).length === 0) leaveOff(kind, following);
    }
  }

  /** A listener counts from the start, so that no poll it needs is stopped meanwhile. */
  async function subscribe(subscription: SampleSubscription): Promise<AsyncIterableIterator<FeedEvent>> {
    if (isStopped) throw createStoppingError();
    const listener = createListener(subscription, () => leave(listener));
    listeners.add(listener);
    try {
      await Promise.all(subscription.kinds.map(follow));
    } catch (error) {
      leave(listener);
      throw error;
    }
    return toEvents(listener, takeTurn);
  }

  return {
    subscribe,
    subscriptionCount: () => listeners.size,
    stop() {
      isStopped = true;
      for (const { queue } of listeners) queue.end(createStoppingError());
    },
  };
}

function createListener(subscription: SampleSubscription, onEnd: () => void): FeedListener {
  const { after, kinds, budget } = subscription;
  const listener: FeedListener = {
    ...subscription,
    queue: createEventQueue<FeedEvent>({
      capacity: MAX_QUEUE_BYTES,
      sizeOf,
      budget,
      createOverflowEvent: createSlowConsumerError,
      onEnd,
    }),
    replay: undefined,
    replayedUpToId: after?.id ?? 0,
  };
  if (after && kinds.includes(after.kind)) {
    listener.replay = createSampleReplay({
      after,
      budget,
      take: (samples, isLast) => deliverReplayed(samples, isLast, listener),
    });
  }
  return listener;
}

/** Samples of the past are read when those before them are taken: a listener that does not take holds one page. */
function toEvents(listener: FeedListener, takeTurn: TakeTurn): AsyncIterableIterator<FeedEvent> {
  const { queue } = listener;
  return {
    async next() {
      if (listener.replay && queue.isEmpty()) {
        await listener.replay.readMore().catch((error: unknown) => queue.end(toLastEvent(error)));
      }
      // Taking and sending wait for nothing else: many events in a row would hold up the whole process.
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

function deliverReplayed(samples: readonly Sample[], isLast: boolean, listener: FeedListener): boolean {
  const own = samples.filter((sample) => isFor(sample, listener));
  listener.replayedUpToId = Math.max(listener.replayedUpToId, newestId(samples));
  if (isLast) listener.replay = undefined;
  if (own.length > 0) listener.queue.push(own);
  return own.length > 0;
}

function deliver({ kind, samples }: ArrivedSamples, listener: FeedListener): void {
  if (listener.replay?.kind === kind) {
    listener.replay.noteArrival(samples);
    return;
  }
  const from = kind === listener.after?.kind ? listener.replayedUpToId : 0;
  const own = samples.filter((sample) => sample.id > from && isFor(sample, listener));
  // A listener that is given nothing does not lag behind.
  if (own.length > 0) listener.queue.push(own);
}

function isFor({ streamId }: Sample, { streamIds }: FeedListener): boolean {
  return streamIds?.has(streamId) ?? true;
}

function sizeOf(event: FeedEvent): number {
  if (event instanceof GatewayError) return SAMPLE_BYTES;
  if (event.__typename === 'ScalarSample') return SAMPLE_BYTES + 2 * event.rawValue.length;
  if (event.__typename === 'ImageSample') return SAMPLE_BYTES + 2 * event.url.length;
  return 2 * SAMPLE_BYTES + 4 * event.rawTagIds.length;
}

function createSlowConsumerError(): GatewayError {
  return new GatewayError(
    'SLOW_CONSUMER',
    'Samples arrived faster than they were taken. Subscribe again with `after` to go on without a loss.',
    { retryable: true },
  );
}

function createStoppingError(): GatewayError {
  return new GatewayError('STOPPING', 'The gateway is stopping. Subscribe again with `after`.', {
    retryable: true,
    retryAfterMs: 1000,
  });
}

/** The past may be longer than one operation may read. */
function toLastEvent(error: unknown): GatewayError {
  if (!(error instanceof GatewayError)) {
    return new GatewayError('INTERNAL_SERVER_ERROR', 'The gateway failed. Its log says why.', {
      cause: error,
    });
  }
  if (error.code !== 'TOO_MANY_REST_CALLS') return error;
  const message = 'The past is longer than one operation may read. Subscribe again with `after` to go on.';
  return new GatewayError(error.code, message, { retryable: true });
}
