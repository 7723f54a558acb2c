/** Combines the heartbeats of the subscriptions of one connection into one. */
import type { Heartbeat } from '../../live/subscriptionSink.js';

export interface ConnectionHeartbeat {
  /**
   * Every subscription of the connection has received all events up to this time. Absent if one of them has not started yet
   * or is still catching up.
   */
  asOf?: string | undefined;
  /** The cursors of the subscriptions that sent a heartbeat now, by the ids of their operations. */
  cursors: Readonly<Record<string, string>>;
}

interface HeartbeatSender {
  sendHeartbeat(heartbeat: ConnectionHeartbeat): void;
}

export class HeartbeatBatch {
  readonly #connection: HeartbeatSender;
  /** Waiting heartbeats by operation. Undefined if there are none. */
  #waiting: Map<string, Heartbeat> | undefined;
  /**
   * The time in the last heartbeat of each open subscription; undefined before the first heartbeat, and if it had no
   * time.
   */
  readonly #times = new Map<string, string | undefined>();

  constructor(connection: HeartbeatSender) {
    this.#connection = connection;
  }

  /**
   * Begins a subscription that waits for the platform. Until its first heartbeat, the heartbeats of the connection
   * have no time.
   */
  begin(operationId: string): void {
    this.#times.set(operationId, undefined);
  }

  /** Heartbeats of one turn of the event loop are sent together. */
  add(operationId: string, heartbeat: Heartbeat): void {
    if (this.#waiting === undefined) {
      this.#waiting = new Map();
      setImmediate(() => this.flush());
    }
    this.#waiting.set(operationId, heartbeat);
    this.#times.set(operationId, heartbeat.asOf);
  }

  remove(operationId: string): void {
    this.#times.delete(operationId);
  }

  /** Call this before results are sent: a cursor must not arrive after later events. */
  flush(): void {
    if (this.#waiting === undefined) return;
    const heartbeats = [...this.#waiting];
    this.#waiting = undefined;
    const times = [...this.#times.values()];
    const asOf = times.includes(undefined) ? undefined : times.toSorted()[0];
    const cursors = heartbeats.flatMap(([id, { cursor }]) =>
      cursor === undefined ? [] : [[id, cursor] as const],
    );
    this.#connection.sendHeartbeat({ asOf, cursors: Object.fromEntries(cursors) });
  }
}
