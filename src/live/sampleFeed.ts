/** The sample feed: one poll of the platform for everyone who listens, each handed what it asked for. */
import { GatewayError } from '../errors.js';
import type { Clock } from '../lib/clock.js';
import { createEventQueue, type EventQueue } from '../lib/eventQueue.js';
import type { Logger } from '../lib/logger.js';
import type { RestClient } from '../rest/restClient.js';
import { readQueue } from '../sources/queueWalk.js';
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
  /** What the poll brings while a resumed listener's past is still being read; undefined after that. */
  held: Sample[] | undefined;
}

/** The most samples held for a listener that lags. */
const QUEUE_CAPACITY = 10_000;

export function createSampleFeed({ rest, clock, logger, pollMs }: SampleFeedOptions): SampleFeed {
  const listeners = new Set<Listener>();
  const tails = new Map<SampleKind, Promise<SampleTail>>();
  let timer: NodeJS.Timeout | undefined;

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

  function schedule(): void {
    if (timer !== undefined || listeners.size === 0) return;
    timer = setTimeout(() => {
      poll()
        .catch((error: unknown) => logger.warn({ cause: error }, 'Polling for samples failed'))
        .finally(() => {
          timer = undefined;
          schedule();
        });
    }, pollMs);
  }

  async function poll(): Promise<void> {
    const wanted = new Set([...listeners].flatMap(({ kinds }) => kinds));
    for (const kind of tails.keys()) if (!wanted.has(kind)) tails.delete(kind);
    await Promise.all([...wanted].map(pollKind));
  }

  async function pollKind(kind: SampleKind): Promise<void> {
    const tail = await tailOf(kind);
    for (const sample of await tail.step()) {
      for (const listener of listeners) if (listener.kinds.includes(kind)) hand(sample, listener);
    }
  }

  async function subscribe(subscription: SampleSubscription): Promise<AsyncIterableIterator<FeedEvent>> {
    const listener = createListener(subscription, () => listeners.delete(listener));
    await Promise.all(subscription.kinds.map(tailOf));
    listeners.add(listener);
    try {
      await serveMissed(rest, listener);
    } catch (error) {
      listeners.delete(listener);
      throw error;
    }
    schedule();
    return listener.queue;
  }

  return {
    subscribe,
    stop() {
      clearTimeout(timer);
      for (const { queue } of listeners)
        queue.end(new GatewayError('CANCELLED', 'The gateway is stopping.', { retryable: true }));
    },
  };
}

function createListener(subscription: SampleSubscription, onEnd: () => void): Listener {
  const queue = createEventQueue<FeedEvent>({ capacity: QUEUE_CAPACITY, overflow: lagged, onEnd });
  return { ...subscription, queue, held: [] };
}

function lagged(): GatewayError {
  return new GatewayError(
    'CANCELLED',
    'Samples arrived faster than they were taken. Subscribe again with `after` to go on without a loss.',
    { retryable: true },
  );
}

/**
 * Hands out what arrived behind `after`. Listening has begun before, so that nothing falls between the two;
 * what both bring is handed out once.
 */
async function serveMissed(rest: RestClient, listener: Listener): Promise<void> {
  const { after, held = [] } = listener;
  const isResumed = after !== undefined && listener.kinds.includes(after.kind);
  const { samples: missed } = isResumed
    ? await readQueue(createQueueReader(after.kind, rest), after.id)
    : { samples: [] };
  const seen = new Set(missed.map(toKey));
  listener.held = undefined;
  for (const sample of missed) hand(sample, listener);
  for (const sample of held) if (!seen.has(toKey(sample))) hand(sample, listener);
}

function toKey({ __typename, id }: Sample): string {
  return `${__typename}:${id}`;
}

function hand(sample: Sample, listener: Listener): void {
  if (listener.streamIds && !listener.streamIds.has(sample.streamId)) return;
  if (listener.held) listener.held.push(sample);
  else listener.queue.push(sample);
}
