/** A bounded queue between one producer of events and one consumer that takes them at its own pace. */

export interface EventQueue<Event> extends AsyncIterableIterator<Event> {
  /** Ends the queue with the overflow event when it is full. Does nothing once it has ended. */
  push(event: Event): void;
  /** Ends the queue behind what it holds and one last event. */
  end(last: Event): void;
}

export interface EventQueueOptions<Event> {
  /** The most events held for a consumer that lags. */
  capacity: number;
  /** The last thing a consumer is told that lagged too far. */
  overflow(): Event;
  /** Called once, when the consumer stops or the queue ends. */
  onEnd(): void;
}

type Resolve<Event> = (result: IteratorResult<Event>) => void;

export function createEventQueue<Event>(options: EventQueueOptions<Event>): EventQueue<Event> {
  const { capacity, overflow, onEnd } = options;
  const events: Event[] = [];
  let waiting: Resolve<Event>[] = [];
  let isOpen = true;

  function close(): void {
    if (!isOpen) return;
    isOpen = false;
    onEnd();
  }

  function deliver(event: Event): void {
    const resolve = waiting.shift();
    if (resolve) resolve({ value: event, done: false });
    else events.push(event);
  }

  function end(last: Event): void {
    if (!isOpen) return;
    deliver(last);
    close();
  }

  async function stop(): Promise<IteratorResult<Event>> {
    close();
    events.length = 0;
    for (const resolve of waiting) resolve({ value: undefined, done: true });
    waiting = [];
    return { value: undefined, done: true };
  }

  return {
    push(event) {
      if (events.length >= capacity) end(overflow());
      else if (isOpen) deliver(event);
    },
    end,
    async next() {
      if (events.length > 0) return { value: events.shift() as Event, done: false };
      if (!isOpen) return { value: undefined, done: true };
      return new Promise((resolve) => waiting.push(resolve));
    },
    return: stop,
    throw: stop,
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
