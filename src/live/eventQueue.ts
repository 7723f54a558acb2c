/** A bounded queue between one producer of events and one consumer that takes them at its own pace. */
import { type ByteBudget, unlimitedBytes } from '../lib/byteBudget.js';

export interface EventQueue<Event> extends AsyncIterableIterator<Event> {
  /**
   * Takes the events whole, so that a large batch ends nobody who keeps up; ends the queue with the overflow
   * event where it was full before. Does nothing once it has ended.
   */
  push(arrived: readonly Event[]): void;
  /** Ends the queue behind what it holds and one last event. */
  end(last: Event): void;
  /** Whether no event waits to be taken. */
  isEmpty(): boolean;
}

export interface EventQueueOptions<Event> {
  /** With this many events waiting, or this sum of their sizes, a consumer lags too far to be given others. */
  capacity: number;
  /** The size of an event; absent: 1. */
  sizeOf?(event: Event): number;
  /** Where the sizes of waiting events are charged. A consumer whose budget is exceeded lags too far as well. */
  budget?: ByteBudget;
  /** The last thing a consumer is told that lagged too far. */
  createOverflowEvent(): Event;
  /** Called once, when the consumer stops or the queue ends. */
  onEnd(): void;
}

/** After so many, events that are taken are let go of. */
const MAX_CONSUMED_EVENTS = 1000;

type Resolve<Event> = (result: IteratorResult<Event>) => void;

export function createEventQueue<Event>(options: EventQueueOptions<Event>): EventQueue<Event> {
  const { capacity, createOverflowEvent, onEnd, sizeOf = () => 1, budget = unlimitedBytes } = options;
  let events: Event[] = [];
  /** Those before it are taken: to shift a long list costs its length each time. */
  let head = 0;
  let waiting: Resolve<Event>[] = [];
  let size = 0;
  let isOpen = true;

  function resize(by: number): void {
    size += by;
    budget.add(by);
  }

  function close(): void {
    if (!isOpen) return;
    isOpen = false;
    onEnd();
  }

  function deliver(event: Event): void {
    const resolve = waiting.shift();
    if (resolve) {
      resolve({ value: event, done: false });
      return;
    }
    events.push(event);
    resize(sizeOf(event));
  }

  function take(): Event {
    const event = events[head++] as Event;
    resize(-sizeOf(event));
    if (head >= MAX_CONSUMED_EVENTS || head === events.length) {
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
    resize(-size);
    events = [];
    head = 0;
    for (const resolve of waiting) resolve({ value: undefined, done: true });
    waiting = [];
    return { value: undefined, done: true };
  }

  return {
    push(arrived) {
      if (size >= capacity || (size > 0 && budget.isExceeded())) end(createOverflowEvent());
      else if (isOpen) for (const event of arrived) deliver(event);
    },
    end,
    isEmpty: () => events.length === head,
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
