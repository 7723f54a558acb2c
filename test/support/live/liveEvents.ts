/** The events of subscription fields in tests. */
import type { LiveEvents } from '../../../src/live/liveEvents.js';

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
