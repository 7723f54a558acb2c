/** The sample feed: one poll of the platform for everyone who listens, each handed what it asked for. */
import { GatewayError } from '../errors.js';
import type { Clock } from '../lib/clock.js';
import { createEventQueue, type EventQueue } from '../lib/eventQueue.js';
import type { Logger } from '../lib/logger.js';
import type { RestClient } from '../rest/restClient.js';
import { newestId, readQueue } from '../sources/queueWalk.js';
import type { Sample } from '../sources/samples.js';
import { createQueueReader, createSampleTail, type SampleKind, type SampleTail } from './sampleTail.js';

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
  /** Ends every subscription. */
  stop(): void;
}

export interface SampleFeedOptions {
  rest: RestClient;
  clock: Clock;
  logger: Logger;
  pollMs: number;
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

export function createSampleFeed({ rest, clock, logger, pollMs }: SampleFeedOptions): SampleFeed {
  const listeners = new Set<Listener>();
  const tails = new Map<SampleKind, Promise<SampleTail>>();
  const timers = new Map<SampleKind, NodeJS.Timeout>();
  let isStopped = false;

  /** The tail of a kind, begun by the first who listens to it. A failed beginning is tried again by the next. */
  function tailOf(kind: SampleKind): Promise<SampleTail> {
    const known = tails.get(kind);
    if (known !== undefined) return known;
    const started = startTail(kind);
    tails.set(kind, started);
    started.catch(() => tails.delete(kind));
    return started;
  }

  async function startTail(kind: SampleKind): Promise<SampleTail> {
    const tail = createSampleTail(kind, rest, () => clock.now());
    await tail.start();
    return tail;
  }

  const listenersTo = (kind: SampleKind) => [...listeners].filter(({ kinds }) => kinds.includes(kind));

  /** Polls a kind as long as somebody listens to it. Each kind has its own pace: a slow one holds up no other. */
  function follow(kind: SampleKind): void {
    if (timers.has(kind)) return;
    timers.set(
      kind,
      setTimeout(() => void poll(kind), pollMs),
    );
  }

  async function poll(kind: SampleKind): Promise<void> {
    try {
      if (listenersTo(kind).length > 0) await handNew(kind);
    } catch (error) {
      logger.warn({ kind, cause: error }, 'Polling for samples failed');
    }
    timers.delete(kind);
    if (listenersTo(kind).length > 0) follow(kind);
    else tails.delete(kind);
  }

  async function handNew(kind: SampleKind): Promise<void> {
    const tail = await tailOf(kind);
    const samples = await tail.step();
    for (const listener of listenersTo(kind)) hand({ kind, samples }, listener);
  }

  /** A tail that nobody follows would hand its past to whoever comes next. */
  function forgetUnheard(): void {
    for (const kind of tails.keys()) {
      if (!timers.has(kind) && listenersTo(kind).length === 0) tails.delete(kind);
    }
  }

  /** Who is about to listen is counted from the start, so that no poll lets go of the tails meanwhile. */
  async function subscribe(subscription: SampleSubscription): Promise<AsyncIterableIterator<FeedEvent>> {
    if (isStopped) throw stopping();
    const listener = createListener(subscription, () => listeners.delete(listener));
    listeners.add(listener);
    try {
      await Promise.all(subscription.kinds.map(tailOf));
      await serveMissed(rest, listener);
    } catch (error) {
      listeners.delete(listener);
      forgetUnheard();
      throw error;
    }
    for (const kind of subscription.kinds) follow(kind);
    return listener.queue;
  }

  return {
    subscribe,
    stop() {
      isStopped = true;
      for (const { queue } of listeners) queue.end(stopping());
      for (const timer of timers.values()) clearTimeout(timer);
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
  listener.queue.push(missed.filter((sample) => isFor(sample, listener)));
  if (isCutOff) listener.queue.end(lagged());
  for (const arrival of held) hand(arrival, listener);
}

function hand(arrival: Arrival, listener: Listener): void {
  if (listener.held) {
    listener.held.push(arrival);
    return;
  }
  const { kind, samples } = arrival;
  const from = kind === listener.after?.kind ? listener.servedUpTo : 0;
  listener.queue.push(samples.filter((sample) => sample.id > from && isFor(sample, listener)));
}

function isFor({ streamId }: Sample, { streamIds }: Listener): boolean {
  return streamIds?.has(streamId) ?? true;
}
