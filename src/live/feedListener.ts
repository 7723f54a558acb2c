/** One subscription of the sample feed: its queue, and the replay of past samples before polled ones. */
import { GatewayError } from '../errors.js';
import type { ByteBudget } from '../lib/byteBudget.js';
import { newestId } from '../sources/samples/sampleQueues.js';
import type { Sample } from '../sources/samples/samples.js';
import { createEventQueue, type EventQueue } from './eventQueue.js';
import { type ResumePoint, SampleReplay } from './sampleReplay.js';
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
    return this.#push(samples);
  }

  /** Queues the samples of the selected streams. Returns false where there are none: a full queue does not end then. */
  #push(samples: readonly Sample[]): boolean {
    const { streamIds } = this.#subscription;
    const selected = samples.filter(({ streamId }) => streamIds?.has(streamId) ?? true);
    if (selected.length > 0) this.queue.push(selected);
    return selected.length > 0;
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
