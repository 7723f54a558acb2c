/** A bounded queue between one producer of events and one consumer. */
import { type ByteBudget, unlimitedBytes } from '../lib/byteBudget.js';

export interface EventQueue<Event> extends AsyncIterableIterator<Event> {
  /**
   * Adds all events, however many, unless the queue is full already: then it ends with the overflow event. So a large
   * batch does not end a consumer that keeps up. Does nothing after the end.
   */
  push(events: readonly Event[]): void;
  /** Ends the queue behind its events and one last event. */
  end(last: Event): void;
  isEmpty(): boolean;
  /** The events that are ready, at least one and at most `max`; waits for the first one. Empty after the end. */
  nextBatch(max: number): Promise<Event[]>;
}

interface EventQueueOptions<Event> {
  /** The queue is full when the sizes of its events reach this. */
  capacity: number;
  /** The size of an event; absent: 1. */
  sizeOf?(event: Event): number;
  /** The sizes of queued events are charged here. The queue is full, too, when the budget is exceeded. */
  budget?: ByteBudget;
  /** Creates the last event of a consumer that is too slow. */
  createOverflowEvent(): Event;
  /** Called once, when the consumer stops or the queue ends. */
  onEnd(): void;
}

/** Consumed events are removed in steps of this many, since each removal costs the length of the list. */
const MAX_CONSUMED_EVENTS = 1000;

type Resolve<Event> = (result: IteratorResult<Event>) => void;

export function createEventQueue<Event>(options: EventQueueOptions<Event>): EventQueue<Event> {
  return new BoundedEventQueue(options);
}

class BoundedEventQueue<Event> implements EventQueue<Event> {
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

  push(events: readonly Event[]): void {
    const { capacity, createOverflowEvent } = this.#options;
    const isFull = this.#size >= capacity || (this.#size > 0 && this.#budget.isExceeded());
    if (isFull) this.end(createOverflowEvent());
    else if (this.#isOpen) this.#resize(events.reduce((size, event) => size + this.#deliver(event), 0));
  }

  end(last: Event): void {
    if (!this.#isOpen) return;
    this.#resize(this.#deliver(last));
    this.#close();
  }

  isEmpty(): boolean {
    return this.#events.length === this.#head;
  }

  async next(): Promise<IteratorResult<Event>> {
    if (this.#events.length > 0) return { value: this.#shift(), done: false };
    if (!this.#isOpen) return { value: undefined, done: true };
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

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

  throw(): Promise<IteratorResult<Event>> {
    return this.return();
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
