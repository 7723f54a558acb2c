/** One subscription of the sample feed: its queue, and the replay of past samples before polled ones. */
import { GatewayError } from '../errors.js';
import type { ByteBudget, Reservation } from '../lib/byteBudget.js';
import { type CursorPage, readPages } from '../sources/core/paginator.js';
import { newestId, type QueueKind, type QueueReader } from '../sources/samples/sampleQueues.js';
import type { Sample } from '../sources/samples/samples.js';
import { createEventQueue, type EventQueue } from './eventQueue.js';
import type { SampleKind } from './sampleTail.js';

export interface SampleSubscription {
  kinds: readonly SampleKind[];
  /** Only samples of these streams; undefined: of all streams. */
  streamIds: ReadonlySet<number> | undefined;
  /** The subscription starts behind this sample rather than at the present. */
  after?: ResumePoint | undefined;
  /** Queued samples are charged here. */
  budget: ByteBudget;
}

/** An error is always the last event. It gives the reason for the end of the subscription. */
export type FeedEvent = Sample | GatewayError;

/** A queue of this size is full: about 10,000 samples. */
const MAX_QUEUE_BYTES = 2_560_000;
/** Memory of a sample without its texts. */
const SAMPLE_BYTES = 240;

export class FeedListener {
  readonly kinds: readonly SampleKind[];
  readonly queue: EventQueue<FeedEvent>;
  readonly #subscription: SampleSubscription;
  /** Undefined when the replay is over: then polls bring the samples of its kind. */
  #replay: SampleReplay | undefined;
  /** The newest replayed sample. Polls may bring samples up to it again. */
  #replayedUpToId: number;
  /** Replayed samples in the queue. They are ahead of polled ones. */
  #queuedPast = 0;

  constructor(subscription: SampleSubscription, onEnd: () => void) {
    const { after, kinds, budget } = subscription;
    this.kinds = kinds;
    this.#subscription = subscription;
    this.queue = createEventQueue<FeedEvent>({
      capacity: MAX_QUEUE_BYTES,
      sizeOf,
      budget,
      createOverflowEvent: createSlowConsumerError,
      onEnd,
    });
    this.#replayedUpToId = after?.id ?? 0;
    if (after && kinds.includes(after.kind)) {
      const deliver = (samples: readonly Sample[], isLast: boolean) => this.#deliverReplayed(samples, isLast);
      this.#replay = new SampleReplay({ after, budget, deliver });
    }
  }

  /** Identifies whose turn it is to consume. */
  get caller(): string {
    return this.#subscription.budget.caller;
  }

  /** Whether the next event is a past sample. */
  isBehind(): boolean {
    return this.#queuedPast > 0;
  }

  /** Removes the next event from the queue. */
  next(): Promise<IteratorResult<FeedEvent>> {
    if (this.#queuedPast > 0) this.#queuedPast -= 1;
    return this.queue.next();
  }

  /** Delivers samples that a poll has brought. */
  deliver(kind: SampleKind, samples: readonly Sample[]): void {
    if (this.#replay?.kind === kind) {
      this.#replay.addPolled(samples);
      return;
    }
    const minId = kind === this.#subscription.after?.kind ? this.#replayedUpToId : 0;
    this.#push(samples.filter(({ id }) => id > minId));
  }

  /** Reads the next past samples; resolves at once when the replay is over. */
  async replayMore(): Promise<void> {
    await this.#replay?.readMore().catch((error: unknown) => this.queue.end(toLastEvent(error)));
  }

  close(): void {
    this.#replay?.close();
  }

  #deliverReplayed(samples: readonly Sample[], isLast: boolean): boolean {
    this.#replayedUpToId = Math.max(this.#replayedUpToId, newestId(samples));
    if (isLast) this.#replay = undefined;
    const count = this.#push(samples);
    this.#queuedPast += count;
    return count > 0;
  }

  /** Queues the samples of the selected streams, and returns their number. With none, a full queue does not end. */
  #push(samples: readonly Sample[]): number {
    const { streamIds } = this.#subscription;
    const selected = samples.filter(({ streamId }) => streamIds?.has(streamId) ?? true);
    if (selected.length > 0) this.queue.push(selected);
    return selected.length;
  }
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
    'Samples arrived faster than they were consumed. Subscribe again with `after` to continue without a loss.',
    { retryable: true },
  );
}

/** A replay may exceed the REST call limit of one operation. */
function toLastEvent(error: unknown): GatewayError {
  if (!(error instanceof GatewayError)) {
    return new GatewayError('INTERNAL_SERVER_ERROR', 'The gateway failed. Its log says why.', {
      cause: error,
    });
  }
  if (error.code !== 'TOO_MANY_REST_CALLS') return error;
  const message =
    'The past samples exceed the REST call limit of one operation. Subscribe again with `after` to continue.';
  return new GatewayError(error.code, message, { retryable: true });
}

/** The point at which a subscription resumes. */
interface ResumePoint {
  kind: QueueKind;
  /** The last received sample. */
  id: number;
  read: QueueReader<Sample>;
}

interface SampleReplayOptions {
  after: ResumePoint;
  budget: ByteBudget;
  /**
   * Delivers the next samples, oldest first, and returns whether the subscription selects any of them. `isLast` ends the
   * replay: polls bring all samples behind these.
   */
  deliver(samples: readonly Sample[], isLast: boolean): boolean;
}

/** Memory of a page while it is read and delivered: 10,000 samples. */
const PAGE_BYTES = 8 * 1024 * 1024;

/**
 * Reads the past samples of a resumed subscription page by page: the next page is read when the queue of the consumer is
 * empty, and when it fits into the caller's memory budget.
 */
class SampleReplay {
  readonly kind: QueueKind;
  readonly #options: SampleReplayOptions;
  readonly #pages: AsyncGenerator<CursorPage<Sample, number>>;
  readonly #closed: Promise<void>;
  #markClosed = () => {};
  #isClosed = false;
  #pendingRead: Promise<void> | undefined;
  #reservation: Reservation | undefined;
  /** Samples that polls bring while a page is read. The page may lack them; it has all earlier ones. */
  #polled: Sample[] = [];

  constructor(options: SampleReplayOptions) {
    const { kind, id, read } = options.after;
    this.kind = kind;
    this.#options = options;
    this.#pages = readPages(read, id);
    this.#closed = new Promise((resolve) => {
      this.#markClosed = resolve;
    });
  }

  /**
   * Reads until there are samples for the subscription or the past ends. Concurrent calls share one read. Rejects where
   * the platform cannot be read; resolves at once after `close`.
   */
  readMore(): Promise<void> {
    this.#pendingRead ??= this.#readOn().finally(() => {
      this.#pendingRead = undefined;
    });
    return Promise.race([this.#pendingRead, this.#closed]);
  }

  /** Records samples of the kind that a poll has brought. */
  addPolled(samples: readonly Sample[]): void {
    if (this.#pendingRead !== undefined) this.#polled.push(...samples);
  }

  /** Stops reading, and releases the memory. */
  close(): void {
    this.#isClosed = true;
    this.#markClosed();
    this.#reservation?.release();
  }

  async #readOn(): Promise<void> {
    this.#reservation = this.#options.budget.reserve(PAGE_BYTES);
    try {
      if (!(await this.#reservation.granted)) return;
      while (!this.#isClosed && !(await this.#readPage()));
    } finally {
      this.#reservation.release();
    }
  }

  /** Returns whether to stop reading for now. */
  async #readPage(): Promise<boolean> {
    this.#polled = [];
    const { value: page, done } = await this.#pages.next();
    if (this.#isClosed || done) return true;
    const isLast = !page.hasMore;
    const behind = isLast ? this.#polled.filter(({ id }) => id > page.next) : [];
    return this.#options.deliver([...page.items, ...behind], isLast) || isLast;
  }
}
