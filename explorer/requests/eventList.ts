/**
 * Shows the events of a subscription as a growing list, newest first; GraphiQL alone would replace each event with
 * the next.
 */
import { stopAtOnce } from './stopAtOnce.js';

/** The result that GraphiQL shows. */
export interface EventList {
  /** The number of events since the start, including those that are no longer in the list, without failures. */
  received: number;
  /** The newest events, the newest first, each as the server sent it. */
  events: readonly unknown[];
  /** The time up to which the platform has been polled (RFC 3339). Absent before the first heartbeat. */
  asOf?: string;
  /** Why the subscription waits for the gateway. Absent while the connection works. */
  reconnecting?: string | undefined;
}

interface ListedEvents extends AsyncIterableIterator<EventList> {
  /** Shows the time of a heartbeat, so that a list without events differs from a subscription that has not begun. */
  setAsOf(asOf: string): void;
  setReconnecting(reason: string | undefined): void;
}

/** Older events are discarded. */
export const MAX_EVENTS = 100;
/** The list is rendered at most this often, so that a burst of events does not block the page. */
const MIN_RENDER_MS = 100;

/** Whether a result has only errors, like the last result of a subscription that fails. */
export function isFailure(event: unknown): boolean {
  const { data, errors } = (event ?? {}) as { data?: unknown; errors?: unknown };
  return errors !== undefined && (data ?? null) === null;
}

/** Adds an event. Pure. */
export function addEvent(list: EventList, event: unknown): EventList {
  const { received, events } = list;
  return {
    ...list,
    received: isFailure(event) ? received : received + 1,
    events: [event, ...events].slice(0, MAX_EVENTS),
  };
}

/**
 * Yields the list of all events so far, at most every `MIN_RENDER_MS`. An error of the source is converted by
 * `toFailure` and becomes the last event, because a thrown error would replace the list.
 */
export function listEvents(
  source: AsyncIterable<unknown>,
  toFailure: (error: unknown) => unknown = (error) => error,
): ListedEvents {
  const events = source[Symbol.asyncIterator]();
  let list: EventList = { received: 0, events: [] };
  let shown = list;
  let isDone = false;
  let wake = () => {};

  function update(change: Partial<EventList>): void {
    if (isDone) return;
    list = { ...list, ...change };
    wake();
  }

  async function collect(): Promise<void> {
    try {
      for (let next = await events.next(); !next.done; next = await events.next()) {
        list = addEvent(list, next.value);
        wake();
      }
    } catch (error) {
      list = addEvent(list, { errors: [toFailure(error)].flat() });
    }
    isDone = true;
    wake();
  }

  async function* show(): AsyncGenerator<EventList, void> {
    for (;;) {
      await new Promise((resolve) => setTimeout(resolve, shown.events.length === 0 ? 0 : MIN_RENDER_MS));
      if (list === shown && !isDone) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      if (list === shown) return;
      shown = list;
      yield list;
    }
  }

  void collect();
  return {
    ...stopAtOnce(show(), () => void events.return?.().catch(() => undefined)),
    setAsOf: (asOf) => update({ asOf }),
    setReconnecting(reconnecting) {
      if (list.reconnecting !== reconnecting) update({ reconnecting });
    },
  };
}
