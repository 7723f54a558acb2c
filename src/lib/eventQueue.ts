/** A bounded queue between one producer of events and one consumer that takes them at its own pace. */

export interface EventQueue<Event> extends AsyncIterableIterator<Event> {
  /**
   * Takes the events whole, so that a large batch ends nobody who keeps up; ends the queue with the overflow
   * event where it was full before. Does nothing once it has ended.
   */
  push(arrived: readonly Event[]): void;
  /** Ends the queue behind what it holds and one last event. */
  end(last: Event): void;
}

export interface EventQueueOptions<Event> {
  /** So many events, or more, are waiting for a consumer that lags too far to be given others. */
  capacity: number;
  /** The last thing a consumer is told that lagged too far. */
  overflow(): Event;
  /** Called once, when the consumer stops or the queue ends. */
  onEnd(): void;
}

/** After so many, events that are taken are let go of. */
const MOST_TAKEN = 1000;

type Resolve<Event> = (result: IteratorResult<Event>) => void;

export function createEventQueue<Event>(options: EventQueueOptions<Event>): EventQueue<Event> {
  const { capacity, overflow, onEnd } = options;
  let events: Event[] = [];
  /** Those before it are taken: to shift a long list costs its length each time. */
  let head = 0;
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

  function take(): Event {
    const event = events[head++] as Event;
    if (head >= MOST_TAKEN || head === events.length) {
      events = events.slice(head);
      head = 0;
    }
    return event;
  }

  function end(last: Event): void {
    if (!isOpen) return;
    deliver(last);
    close();
  }

  async function stop(): Promise<IteratorResult<Event>> {
    close();
    events = [];
    head = 0;
    for (const resolve of waiting) resolve({ value: undefined, done: true });
    waiting = [];
    return { value: undefined, done: true };
  }

  return {
    push(arrived) {
      if (events.length - head >= capacity) end(overflow());
      else if (isOpen) for (const event of arrived) deliver(event);
    },
    end,
    async next() {
      if (events.length > 0) return { value: take(), done: false };
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
