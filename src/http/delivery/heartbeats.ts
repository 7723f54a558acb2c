/** Combines the heartbeats of the subscriptions of one connection into one. */
import type { Heartbeat } from '../../live/subscriptionSink.js';

export interface ConnectionHeartbeat {
  /**
   * Every subscription has received all events up to this time. Absent if one of them has not been polled yet or
   * is still catching up.
   */
  asOf?: string;
  /** The cursors of the subscriptions by the ids of their operations. */
  cursors: Readonly<Record<string, string>>;
}

interface HeartbeatSender {
  sendHeartbeat(heartbeat: ConnectionHeartbeat): void;
}

export class HeartbeatBatch {
  readonly #connection: HeartbeatSender;
  /** Waiting heartbeats by operation. Undefined if there are none. */
  #waiting: Map<string, Heartbeat> | undefined;

  constructor(connection: HeartbeatSender) {
    this.#connection = connection;
  }

  /** Heartbeats of one turn of the event loop are sent together. */
  add(operationId: string, heartbeat: Heartbeat): void {
    if (this.#waiting === undefined) {
      this.#waiting = new Map();
      setImmediate(() => this.flush());
    }
    this.#waiting.set(operationId, heartbeat);
  }

  /** Call this before results are sent: a cursor must not arrive after later events. */
  flush(): void {
    if (this.#waiting === undefined) return;
    const heartbeats = [...this.#waiting];
    this.#waiting = undefined;
    this.#connection.sendHeartbeat(combine(heartbeats));
  }
}

function combine(
  heartbeats: readonly (readonly [operationId: string, heartbeat: Heartbeat])[],
): ConnectionHeartbeat {
  const times = heartbeats.flatMap(([, { asOf }]) => asOf ?? []);
  const [asOf] = times.length < heartbeats.length ? [] : times.sort();
  const cursors = heartbeats.flatMap(([id, { cursor }]) =>
    cursor === undefined ? [] : [[id, cursor] as const],
  );
  return { ...(asOf !== undefined && { asOf }), cursors: Object.fromEntries(cursors) };
}
