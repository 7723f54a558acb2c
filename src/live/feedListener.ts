/** The listeners of the sample feed. Each has a bounded queue of the polled samples that it selects. */
import { createSlowConsumerError, GatewayError } from '../errors.js';
import { type ByteBudget, unlimitedBytes } from '../lib/byteBudget.js';
import type { Sample } from '../sources/samples/samples.js';
import type { EventBatches, EventPosition } from './liveEvents.js';
import type { RefusalListener } from './refusals.js';
import type { SampleKind } from './sampleTail.js';

interface EventQueueOptions<Event> {
  /** The queue is full when the sizes of its events reach this. */
  capacity: number;
  /** The size of an event; absent: 1. */
  sizeOf?(event: Event): number;
  /** The sizes of queued events are charged here. The queue is also full when the budget is exceeded. */
  budget?: ByteBudget;
  /** Creates the last event of a consumer that is too slow. */
  createOverflowEvent(): Event;
  /** Called once, when the consumer stops or the queue ends. */
  onEnd(): void;
}

/** Consumed events are removed this many at a time, because each removal copies the rest of the list. */
const MAX_CONSUMED_EVENTS = 1000;

type Resolve<Event> = (result: IteratorResult<Event>) => void;

/** A bounded queue between one producer of events and one consumer. */
export class EventQueue<Event> {
  readonly #options: EventQueueOptions<Event>;
  readonly #budget: ByteBudget;
  #events: Event[] = [];
  /** The index of the next event. Events before it are consumed. */
  #head = 0;
  #size = 0;
  #waiting: Resolve<Event>[] = [];
  #isOpen = true;

  constructor(options: EventQueueOptions<Event>) {
    this.#options = options;
    this.#budget = options.budget ?? unlimitedBytes;
  }

  /**
   * Adds all events, however many, unless the queue is already full; in that case the queue ends with the overflow
   * event. So a large batch does not end the queue of a consumer that keeps up. Does nothing after the end.
   */
  push(events: readonly Event[]): void {
    if (this.isFull()) this.end(this.#options.createOverflowEvent());
    else if (this.#isOpen) this.#resize(events.reduce((size, event) => size + this.#deliver(event), 0));
  }

  /** Ends the queue after its events and one last event. */
  end(last: Event): void {
    if (!this.#isOpen) return;
    this.#resize(this.#deliver(last));
    this.#close();
  }

  isFull(): boolean {
    return this.#size >= this.#options.capacity || (this.#size > 0 && this.#budget.isExceeded());
  }

  isEmpty(): boolean {
    return this.#events.length === this.#head;
  }

  async next(): Promise<IteratorResult<Event>> {
    if (this.#events.length > 0) return { value: this.#shift(), done: false };
    if (!this.#isOpen) return { value: undefined, done: true };
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** The events that are ready, at least one and at most `max`; waits for the first one. Empty after the end. */
  async nextBatch(max: number): Promise<Event[]> {
    const first = await this.next();
    if (first.done) return [];
    const batch: Event[] = [first.value];
    while (batch.length < max && !this.isEmpty()) batch.push(this.#shift());
    return batch;
  }

  async return(): Promise<IteratorResult<Event>> {
    this.#close();
    this.#resize(-this.#size);
    this.#events = [];
    this.#head = 0;
    for (const resolve of this.#waiting) resolve({ value: undefined, done: true });
    this.#waiting = [];
    return { value: undefined, done: true };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** Returns the size that the event adds to the queue. */
  #deliver(event: Event): number {
    const resolve = this.#waiting.shift();
    if (resolve) {
      resolve({ value: event, done: false });
      return 0;
    }
    this.#events.push(event);
    return this.#sizeOf(event);
  }

  #shift(): Event {
    const event = this.#events[this.#head++] as Event;
    this.#resize(-this.#sizeOf(event));
    if (this.#head >= MAX_CONSUMED_EVENTS || this.isEmpty()) {
      this.#events = this.#events.slice(this.#head);
      this.#head = 0;
    }
    return event;
  }

  #sizeOf(event: Event): number {
    return this.#options.sizeOf?.(event) ?? 1;
  }

  #resize(by: number): void {
    this.#size += by;
    this.#budget.add(by);
  }

  #close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#options.onEnd();
  }
}

export interface SampleSelection {
  kinds: readonly SampleKind[];
  /** Only samples of these streams; undefined: of all streams. */
  streamIds: ReadonlySet<number> | undefined;
  /** Queued samples are charged here. */
  budget: ByteBudget;
  /** Maximum number of samples in one batch. Absent: 20, because the events of a batch are executed together. */
  maxBatch?: number | undefined;
  /** Called for refusals of the selected kinds, including those that exist at the start. */
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
  asOfMs: number | undefined;
  /** Resolves when its consumer has taken the end or has stopped. */
  readonly ended: Promise<void>;
  readonly #queue: EventQueue<FeedEvent>;
  #end: GatewayError | undefined;
  #resolveEnded: () => void = () => {};

  constructor(selection: SampleSelection, onEnd: () => void) {
    this.selection = selection;
    this.ended = new Promise((resolve) => {
      this.#resolveEnded = resolve;
    });
    this.#queue = new EventQueue<FeedEvent>({
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

  /** Whether further samples would end the listener with SLOW_CONSUMER. */
  isFull(): boolean {
    return this.#queue.isFull();
  }

  end(error: GatewayError): void {
    this.#queue.end(error);
  }

  async next(): Promise<IteratorResult<readonly Sample[], GatewayError | undefined>> {
    if (this.#end !== undefined) return this.#finish();
    const events = await this.#queue.nextBatch(this.selection.maxBatch ?? MAX_BATCH_EVENTS);
    const samples = events.filter((event): event is Sample => !(event instanceof GatewayError));
    this.#end = events.find((event) => event instanceof GatewayError);
    if (samples.length > 0) return { value: samples, done: false };
    return this.#finish();
  }

  async return(): Promise<IteratorResult<readonly Sample[], GatewayError | undefined>> {
    await this.#queue.return();
    this.#resolveEnded();
    return { value: undefined, done: true };
  }

  #finish(): IteratorResult<readonly Sample[], GatewayError | undefined> {
    this.#resolveEnded();
    return { value: this.#end, done: true };
  }
}

/** The listeners of a feed. */
export class FeedListeners implements Iterable<FeedListener> {
  readonly #all = new Set<FeedListener>();
  /** Listeners to all streams. */
  readonly #toAll = new Set<FeedListener>();
  /** The other listeners by stream, so that a sample is offered only to listeners that select it. */
  readonly #byStream = new Map<number, Set<FeedListener>>();

  [Symbol.iterator](): Iterator<FeedListener> {
    return this.#all.values();
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

function sizeOf(event: FeedEvent): number {
  if (event instanceof GatewayError) return SAMPLE_BYTES;
  if (event.__typename === 'ScalarSample') return SAMPLE_BYTES + 2 * event.rawValue.length;
  if (event.__typename === 'ImageSample') return SAMPLE_BYTES + 2 * event.url.length;
  return 2 * SAMPLE_BYTES + 4 * event.rawTagIds.length;
}
