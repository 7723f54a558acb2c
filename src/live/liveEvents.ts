/** The events of one subscription field: those from now on, and the past ones after a cursor. */
import type { GatewayError } from '../errors.js';
import type { RefusalListener } from './refusals.js';

/** The position of an event among the events of its kind. Ids of one kind rise in the order of arrival. */
export interface EventPosition {
  kind: string;
  id: number;
  /** The position as a part of a cursor, for example `ScalarSample:88001:90210`. */
  cursor: string;
}

export interface PastBatch<Event> {
  readonly events: readonly Event[];
  /** Whether all events that the platform had at the time of the request have been read. */
  readonly isLast: boolean;
  /** Whether more events were requested together with these. The next calls return them. */
  readonly hasPendingEvents?: boolean;
}

/** Past events, read on demand. */
export interface EventReplay<Event> {
  /** The id after which the replay begins, by kind. Other kinds begin with the next event. */
  readonly from: readonly EventPosition[];
  /**
   * Reads the next events. After a batch with `isLast`, it reads those that have arrived since. Rejects with a
   * `GatewayError` if the platform cannot be read.
   */
  read(): Promise<PastBatch<Event>>;
  /** Kinds whose past the platform refuses to read. They stay at their position in `from`. */
  readonly refused?: ReadonlySet<string> | undefined;
  close(): void;
}

/** Batches of events that were ready at the same time. Returns the error that ends the events. */
export interface EventBatches<Event>
  extends AsyncIterator<readonly Event[], GatewayError | undefined, undefined> {
  /** The positions after which the events begin. Absent if they are not known. */
  readonly from?: readonly EventPosition[];
  /** When the platform was polled up to `from`, in Unix milliseconds. Absent if it is not known. */
  readonly asOfMs?: number | undefined;
  /** Whether the next batch waits for new events. Absent if it is not known. */
  readonly isIdle?: boolean;
  return(): Promise<IteratorResult<readonly Event[], GatewayError | undefined>>;
}

/** How far the platform has been polled. */
interface EventProgress {
  /** Unix milliseconds. Undefined before a poll has begun. */
  asOfMs: number | undefined;
  /** All events up to these positions have been polled. Kinds without a cursor are absent. */
  positions: readonly EventPosition[];
}

/** The result of a `subscribe` resolver. Nothing starts before a method is called. */
export interface LiveEvents<Event> extends AsyncIterable<Event> {
  /** The kinds of events that it delivers. */
  readonly kinds: readonly string[];
  /** The streams that it was limited to when it was opened. Undefined for all streams. */
  readonly streamIds?: ReadonlySet<number> | undefined;
  /**
   * Starts the events that happen from now on. Called once for each group of equal subscriptions. Rejects with a
   * `GatewayError` if they cannot start. A kind that the platform refuses is reported; the others still start.
   */
  start(onRefusal?: RefusalListener): Promise<EventBatches<Event>>;
  /** Absent for a subscription without a cursor. */
  readonly replay: EventReplay<Event> | undefined;
  /**
   * Undefined while polled events are still being prepared: then waiting for a batch does not mean that all events
   * are delivered.
   */
  progress?(): EventProgress | undefined;
  /** Undefined for events that cannot be resumed from. */
  positionOf(event: Event): EventPosition | undefined;
  /** When the poll returned the event, by the monotonic clock of the process. Undefined for past events. */
  arrivedAtMs?(event: Event): number | undefined;
}
