/** The sample feed: one poll of the platform for everyone who listens, each handed what it asked for. */
import { GatewayError } from '../errors.js';
import { createEventQueue, type EventQueue } from '../lib/eventQueue.js';
import type { RestClient } from '../rest/restClient.js';
import { newestId, readQueue } from '../sources/queueWalk.js';
import type { Sample } from '../sources/samples.js';
import type { Following, SamplePolls } from './samplePoll.js';
import { createQueueReader, type SampleKind } from './sampleTail.js';

export interface SampleSubscription {
  kinds: readonly SampleKind[];
  /** Only samples of these streams; undefined: of all. */
  streamIds: ReadonlySet<number> | undefined;
  /** Begin behind this sample rather than now. */
  after?: { kind: 'SCALAR' | 'RFID'; id: number } | undefined;
}

/** An error is always the last event: it says why the subscription ends. */
export type FeedEvent = Sample | GatewayError;

export interface SampleFeed {
  subscribe(subscription: SampleSubscription): Promise<AsyncIterableIterator<FeedEvent>>;
  /** Subscriptions that listen. */
  size(): number;
  /** Ends every subscription. */
  stop(): void;
}

export interface SampleFeedOptions {
  /** What arrived in the past is read through it. */
  rest: RestClient;
  polls: SamplePolls;
}

interface Listener extends SampleSubscription {
  queue: EventQueue<FeedEvent>;
  /** What the polls bring while the listener is not ready for it; undefined from then on. */
  held: Arrival[] | undefined;
  /** Of the kind of `after`, up to where the past was handed out: the poll may be further behind. */
  servedUpTo: number;
}

interface Arrival {
  kind: SampleKind;
  samples: readonly Sample[];
}

/** A listener who has not taken so many samples when others arrive lags too far. */
const QUEUE_CAPACITY = 10_000;

/** As many pages of the past, of 10,000 samples each, are handed out at once; whoever missed more goes on from there. */
const MOST_MISSED_PAGES = 20;

export function createSampleFeed({ rest, polls }: SampleFeedOptions): SampleFeed {
  const listeners = new Set<Listener>();
  const followings = new Map<SampleKind, Following>();
  let isStopped = false;

  const listenersTo = (kind: SampleKind) => [...listeners].filter(({ kinds }) => kinds.includes(kind));

  /** Each kind is followed apart, begun by the first who listens to it: a slow one holds up no other. */
  function follow(kind: SampleKind): Promise<unknown> {
    const known = followings.get(kind);
    if (known !== undefined) return known.started;
    const following = polls.follow(kind, (samples) => {
      for (const listener of listenersTo(kind)) hand({ kind, samples }, listener);
    });
    followings.set(kind, following);
    // A failed beginning is tried again by the next.
    following.started.catch(() => leaveOff(kind, following));
    return following.started;
  }

  function leaveOff(kind: SampleKind, following: Following): void {
    if (followings.get(kind) === following) followings.delete(kind);
    following.stop();
  }

  /** What nobody listens to is not followed: it would hand its past to whoever comes next. */
  function leave(listener: Listener): void {
    listeners.delete(listener);
    for (const [kind, following] of followings) {
      if (listenersTo(kind).length === 0) leaveOff(kind, following);
    }
  }

  /** Who is about to listen is counted from the start, so that nothing is left off meanwhile. */
  async function subscribe(subscription: SampleSubscription): Promise<AsyncIterableIterator<FeedEvent>> {
    if (isStopped) throw stopping();
    const listener = createListener(subscription, () => leave(listener));
    listeners.add(listener);
    try {
      await Promise.all(subscription.kinds.map(follow));
      await serveMissed(rest, listener);
    } catch (error) {
      leave(listener);
      throw error;
    }
    return listener.queue;
  }

  return {
    subscribe,
    size: () => listeners.size,
    stop() {
      isStopped = true;
      for (const { queue } of listeners) queue.end(stopping());
    },
  };
}

function createListener(subscription: SampleSubscription, onEnd: () => void): Listener {
  const queue = createEventQueue<FeedEvent>({ capacity: QUEUE_CAPACITY, overflow: lagged, onEnd });
  return { ...subscription, queue, held: [], servedUpTo: 0 };
}

function lagged(): GatewayError {
  return new GatewayError(
    'CANCELLED',
    'Samples arrived faster than they were taken. Subscribe again with `after` to go on without a loss.',
    { retryable: true },
  );
}

function stopping(): GatewayError {
  return new GatewayError('CANCELLED', 'The gateway is stopping.', { retryable: true });
}

/**
 * Hands out what arrived behind `after`. Polls are listened to before, so that nothing falls between the two;
 * what both bring is handed out once.
 */
async function serveMissed(rest: RestClient, listener: Listener): Promise<void> {
  const { after, kinds } = listener;
  let missed: readonly Sample[] = [];
  let isCutOff = false;
  if (after !== undefined && kinds.includes(after.kind)) {
    const past = await readQueue(createQueueReader(after.kind, rest), after.id, MOST_MISSED_PAGES);
    missed = past.samples;
    isCutOff = past.hasMore;
    listener.servedUpTo = Math.max(after.id, newestId(missed));
  }
  const held = listener.held ?? [];
  listener.held = undefined;
  const arrived = isCutOff ? [] : held.flatMap((arrival) => newFor(listener, arrival));
  // In one piece: what came together is not what a listener lags behind.
  listener.queue.push([...missed.filter((sample) => isFor(sample, listener)), ...arrived]);
  if (isCutOff) listener.queue.end(lagged());
}

function hand(arrival: Arrival, listener: Listener): void {
  if (listener.held) {
    listener.held.push(arrival);
    return;
  }
  const samples = newFor(listener, arrival);
  // Nothing new is nothing to lag behind.
  if (samples.length > 0) listener.queue.push(samples);
}

function newFor(listener: Listener, { kind, samples }: Arrival): readonly Sample[] {
  const from = kind === listener.after?.kind ? listener.servedUpTo : 0;
  return samples.filter((sample) => sample.id > from && isFor(sample, listener));
}

function isFor({ streamId }: Sample, { streamIds }: Listener): boolean {
  return streamIds?.has(streamId) ?? true;
}
