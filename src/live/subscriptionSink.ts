/** The part of a transport that one subscription writes to, and what it writes beside results. */
import type { GatewayError } from '../errors.js';
import type { PayloadBatch } from './payloads.js';

/** The end of a subscription, and the cursor after which it can be resumed. */
export interface SubscriptionEnd {
  /** Undefined if the events have ended without an error. */
  readonly error: GatewayError | undefined;
  readonly cursor: string | undefined;
}

/** Shows a client that its subscription works. */
export interface Heartbeat {
  /**
   * All events up to this time have been delivered, RFC 3339. Undefined while the subscription catches up.
   */
  readonly asOf: string | undefined;
  /** Resuming after this cursor continues after the last delivered event. */
  readonly cursor: string | undefined;
}

/** No method may throw. */
export interface SubscriptionSink {
  /** False while earlier bytes wait for the client to read. Call `GroupMember.resume` when it may be true again. */
  isFree(): boolean;
  next(batch: PayloadBatch): void;
  heartbeat(heartbeat: Heartbeat): void;
  /** Called once, after the last result. Not called after `GroupMember.close`. */
  end(end: SubscriptionEnd): void;
}
