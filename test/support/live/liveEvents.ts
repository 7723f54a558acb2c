/** The events of subscription fields in tests. */
import type { LiveEvents } from '../../../src/live/liveEvents.js';
import { SampleFeed } from '../../../src/live/sampleFeed.js';

/** A feed without samples. */
export function createSilentFeed(): SampleFeed {
  return new SampleFeed(() => ({
    ready: Promise.resolve({ id: 0 }),
    wake() {},
    stop() {},
    pollNow: async () => false,
  }));
}

/** Adapts events without batches and positions. `asOfMs`: the time of the last poll before the first event. */
export function toLiveEvents<Event>(events: AsyncIterable<Event>, asOfMs?: number): LiveEvents<Event> {
  return {
    kinds: [],
    replay: undefined,
    positionOf: () => undefined,
    async start() {
      const iterator = events[Symbol.asyncIterator]();
      return {
        asOfMs,
        async next() {
          const { value, done } = await iterator.next();
          return done ? { value: undefined, done } : { value: [value], done: false };
        },
        async return() {
          await iterator.return?.();
          return { value: undefined, done: true };
        },
      };
    },
    [Symbol.asyncIterator]: () => events[Symbol.asyncIterator](),
  };
}

/** An unbounded queue of events for one consumer. */
export class EventQueue<Event> implements AsyncIterableIterator<Event> {
  readonly #onEnd: () => void;
  #events: Event[] = [];
  #isOpen = true;
  #wake = () => {};

  constructor(onEnd: () => void = () => {}) {
    this.#onEnd = onEnd;
  }

  push(events: readonly Event[]): void {
    this.#events = [...this.#events, ...events];
    this.#wake();
  }

  async nextBatch(max: number): Promise<Event[]> {
    while (this.#events.length === 0 && this.#isOpen)
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    return this.#events.splice(0, max);
  }

  async next(): Promise<IteratorResult<Event>> {
    const [value] = await this.nextBatch(1);
    return value === undefined ? { value, done: true } : { value, done: false };
  }

  async return(): Promise<IteratorResult<Event>> {
    if (this.#isOpen) this.#onEnd();
    this.#isOpen = false;
    this.#wake();
    return { value: undefined, done: true };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}
