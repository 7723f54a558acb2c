/** One listener of the sample feed: the polled samples that it selects, in a bounded queue. */
import { GatewayError } from '../errors.js';
import type { ByteBudget } from '../lib/byteBudget.js';
import type { Sample } from '../sources/samples/samples.js';
import { createEventQueue, type EventQueue } from './eventQueue.js';
import type { EventBatches, EventPosition } from './liveEvents.js';
import type { RefusalListener } from './refusals.js';
import type { SampleKind } from './sampleTail.js';

export interface SampleSelection {
  kinds: readonly SampleKind[];
  /** Only samples of these streams; undefined: of all streams. */
  streamIds: ReadonlySet<number> | undefined;
  /** Queued samples are charged here. */
  budget: ByteBudget;
  /** The most samples of one batch. Absent: 20, since the events of a batch are executed together. */
  maxBatch?: number | undefined;
  /** Called for the selected kinds, at the start too. */
  onRefusal?: RefusalListener | undefined;
}

/** An error is always the last event. It gives the reason for the end. */
type FeedEvent = Sample | GatewayError;

/** A queue of this size is full: about 10,000 samples. */
const MAX_QUEUE_BYTES = 2_560_000;
/** Memory of a sample without its texts. */
const SAMPLE_BYTES = 240;
/** Events that are executed together. */
export const MAX_BATCH_EVENTS = 20;

export class FeedListener implements EventBatches<Sample> {
  readonly selection: SampleSelection;
  /** Set when the polls have begun. */
  from: readonly EventPosition[] = [];
  readonly #queue: EventQueue<FeedEvent>;
  #end: GatewayError | undefined;

  constructor(selection: SampleSelection, onEnd: () => void) {
    this.selection = selection;
    this.#queue = createEventQueue<FeedEvent>({
      capacity: MAX_QUEUE_BYTES,
      sizeOf,
      budget: selection.budget,
      createOverflowEvent: createSlowConsumerError,
      onEnd,
    });
  }

  push(samples: readonly Sample[]): void {
    if (samples.length > 0) this.#queue.push(samples);
  }

  end(error: GatewayError): void {
    this.#queue.end(error);
  }

  async next(): Promise<IteratorResult<readonly Sample[], GatewayError | undefined>> {
    if (this.#end !== undefined) return { value: this.#end, done: true };
    const events = await this.#queue.nextBatch(this.selection.maxBatch ?? MAX_BATCH_EVENTS);
    const samples = events.filter((event): event is Sample => !(event instanceof GatewayError));
    this.#end = events.find((event) => event instanceof GatewayError);
    if (samples.length > 0) return { value: samples, done: false };
    return { value: this.#end, done: true };
  }

  async return(): Promise<IteratorResult<readonly Sample[], GatewayError | undefined>> {
    await this.#queue.return?.();
    return { value: undefined, done: true };
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
