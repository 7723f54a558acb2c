/** The listeners of the sample feed. Each has a bounded queue of the polled samples that it selects. */
import { createSlowConsumerError, type GatewayError } from '../errors.js';
import type { ByteBudget } from '../lib/byteBudget.js';
import type { Sample } from '../sources/samples/samples.js';
import type { EventBatches, EventPosition } from './liveEvents.js';
import type { RefusalListener } from './refusals.js';
import type { SampleKind } from './sampleTail.js';

export interface SampleSelection {
  kinds: readonly SampleKind[];
  /** Only samples of these streams; of all streams if undefined. */
  streamIds: ReadonlySet<number> | undefined;
  /** Queued samples and the ids of the streams are charged here. */
  budget: ByteBudget;
  /** Maximum number of samples in one batch. If absent, 20, because the events of a batch are executed together. */
  maxBatch?: number | undefined;
  /** Called for refusals of the selected kinds, including those that exist at the start. */
  onRefusal?: RefusalListener | undefined;
}

/** A queue of this size is full: about 10,000 samples. */
const MAX_QUEUE_BYTES = 2_560_000;
/**
 * Samples that the consumer has received are removed this many at a time, because each removal copies the rest of the
 * list.
 */
const SAMPLES_PER_REMOVAL = 1000;
/** Memory of a sample without its strings. */
const SAMPLE_BYTES = 240;
/** Memory of a selected stream: its id in the selection, and the listener among those of the stream. */
const SELECTED_STREAM_BYTES = 64;
/** Maximum number of events that are executed together. */
export const MAX_BATCH_EVENTS = 20;

/** Queues the samples of the feed for one consumer, which makes one call of `next` at a time. The queue is bounded. */
export class FeedListener implements EventBatches<Sample> {
  readonly selection: SampleSelection;
  /** Set when the polls have begun. */
  from: readonly EventPosition[] = [];
  asOfMs: number | undefined;
  /** Resolves when the consumer has received the end of the queue, or has stopped. */
  readonly ended: Promise<void>;
  readonly #onEnd: () => void;
  #samples: Sample[] = [];
  /** The index of the next sample. The consumer has received the samples before it. */
  #head = 0;
  #size = 0;
  #isOpen = true;
  #reason: GatewayError | undefined;
  #wake: () => void = () => {};
  #resolveEnded: () => void = () => {};

  /** `onEnd` is called once, when the consumer stops or the queue ends. */
  constructor(selection: SampleSelection, onEnd: () => void) {
    this.selection = selection;
    this.#onEnd = onEnd;
    selection.budget.add(this.#selectionBytes());
    this.ended = new Promise((resolve) => {
      this.#resolveEnded = resolve;
    });
  }

  /**
   * Adds all samples, however many, unless the queue is already full; in that case it ends with SLOW_CONSUMER. So a
   * large batch does not end the queue of a consumer that keeps up. Does nothing after the end.
   */
  push(samples: readonly Sample[]): void {
    if (samples.length === 0 || !this.#isOpen) return;
    if (this.isFull()) {
      this.end(createSlowConsumerError());
      return;
    }
    for (const sample of samples) this.#samples.push(sample);
    this.#resize(sizeOf(samples));
    this.#wake();
  }

  get isIdle(): boolean {
    return this.#samples.length === 0;
  }

  /** Whether further samples would end the listener with SLOW_CONSUMER. */
  isFull(): boolean {
    return this.#size >= MAX_QUEUE_BYTES || (this.#size > 0 && this.selection.budget.isExceeded());
  }

  /** Ends the queue after its samples, with a reason. */
  end(reason?: GatewayError): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#reason = reason;
    this.selection.budget.add(-this.#selectionBytes());
    this.#onEnd();
    this.#wake();
  }

  async next(): Promise<IteratorResult<readonly Sample[], GatewayError | undefined>> {
    if (this.isIdle && this.#isOpen) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    const { maxBatch = MAX_BATCH_EVENTS } = this.selection;
    const samples = this.#samples.slice(this.#head, this.#head + maxBatch);
    if (samples.length > 0) {
      this.#take(samples);
      return { value: samples, done: false };
    }
    this.#resolveEnded();
    return { value: this.#reason, done: true };
  }

  async return(): Promise<IteratorResult<readonly Sample[], GatewayError | undefined>> {
    this.end();
    this.#reason = undefined;
    this.#samples = [];
    this.#head = 0;
    this.#resize(-this.#size);
    this.#resolveEnded();
    return { value: undefined, done: true };
  }

  #selectionBytes(): number {
    return SELECTED_STREAM_BYTES * (this.selection.streamIds?.size ?? 0);
  }

  #take(samples: readonly Sample[]): void {
    this.#head += samples.length;
    this.#resize(-sizeOf(samples));
    if (this.#head < SAMPLES_PER_REMOVAL && this.#head < this.#samples.length) return;
    this.#samples = this.#samples.slice(this.#head);
    this.#head = 0;
  }

  #resize(by: number): void {
    this.#size += by;
    this.selection.budget.add(by);
  }
}

export class FeedListeners implements Iterable<FeedListener> {
  readonly #all = new Set<FeedListener>();
  readonly #toAll = new Set<FeedListener>();
  /** The other listeners by stream, so that a sample is offered only to listeners that select it. */
  readonly #byStream = new Map<number, Set<FeedListener>>();

  [Symbol.iterator](): Iterator<FeedListener> {
    return this.#all.values();
  }

  /** The kinds of samples that they select. */
  kinds(): Set<SampleKind> {
    return new Set([...this.#all].flatMap(({ selection }) => selection.kinds));
  }

  add(listener: FeedListener): void {
    this.#all.add(listener);
    const { streamIds } = listener.selection;
    if (streamIds === undefined) this.#toAll.add(listener);
    for (const id of streamIds ?? []) {
      const listeners = this.#byStream.get(id) ?? new Set();
      this.#byStream.set(id, listeners.add(listener));
    }
  }

  delete(listener: FeedListener): void {
    this.#all.delete(listener);
    this.#toAll.delete(listener);
    for (const id of listener.selection.streamIds ?? []) {
      const listeners = this.#byStream.get(id);
      listeners?.delete(listener);
      if (listeners?.size === 0) this.#byStream.delete(id);
    }
  }

  /** Whether no listener to this kind is full. */
  hasRoom(kind: SampleKind): boolean {
    for (const listener of this.#all) {
      if (listener.selection.kinds.includes(kind) && listener.isFull()) return false;
    }
    return true;
  }

  /** Adds samples of one kind to the queues of the listeners that select them. */
  push(kind: SampleKind, samples: readonly Sample[]): void {
    for (const listener of this.#toAll) if (listener.selection.kinds.includes(kind)) listener.push(samples);
    const selected = new Map<FeedListener, Sample[]>();
    for (const sample of samples) {
      for (const listener of this.#byStream.get(sample.streamId) ?? []) {
        if (!listener.selection.kinds.includes(kind)) continue;
        const list = selected.get(listener);
        if (list === undefined) selected.set(listener, [sample]);
        else list.push(sample);
      }
    }
    for (const [listener, list] of selected) listener.push(list);
  }
}

function sizeOf(samples: readonly Sample[]): number {
  return samples.reduce((size, sample) => size + bytesOf(sample), 0);
}

function bytesOf(sample: Sample): number {
  if (sample.__typename === 'ScalarSample') return SAMPLE_BYTES + 2 * sample.rawValue.length;
  if (sample.__typename === 'ImageSample') return SAMPLE_BYTES + 2 * sample.url.length;
  return 2 * SAMPLE_BYTES + 4 * sample.rawTagIds.length;
}
