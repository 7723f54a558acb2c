/**
 * Handles the messages of one connection in order, each as soon as the rate limit and the room of the connection
 * allow it. Reading is paused while a message waits, so that at most one read's worth of messages is in memory.
 */
import type { Clock } from '../../lib/clock.js';

export interface InboxConnection {
  /** Counts the next message and returns 0, or returns the milliseconds until it may be handled. */
  waitMs(): number;
  /** Returns undefined if a message may be handled now, else a promise that resolves in a later turn. */
  takeTurn(): Promise<void> | undefined;
  /**
   * Whether there is room for the work of another message. Call `wake` when this may have changed from false to
   * true.
   */
  hasRoom(): boolean;
  readonly gate: ReadGate;
  /** Called once, when messages have exceeded their rate for `MAX_FLOOD_MS` without a break. */
  onFlood(): void;
  readonly clock: Clock;
}

/** A connection whose messages exceed their rate this long without a break is closed. */
export const MAX_FLOOD_MS = 10_000;
/** The gateway stops reading from a connection that sends more messages than this after its inbox is closed. */
export const MAX_DISCARDED_MESSAGES = 100;
/** Shorter waits would cost more timers without a benefit. */
const MIN_WAIT_MS = 20;

export class Inbox {
  readonly #connection: InboxConnection;
  #waiting: (() => void)[] = [];
  #timer: NodeJS.Timeout | undefined;
  #floodSinceMs: number | undefined;
  #turn: 'none' | 'waiting' | 'taken' = 'none';
  #discarded = 0;
  #isClosed = false;

  constructor(connection: InboxConnection) {
    this.#connection = connection;
  }

  /** Handles a message now or later; `handle` must not throw. */
  push(handle: () => void): void {
    if (this.#isClosed) {
      // Continuing to read from a closing connection only helps if the client responds to the close frame soon.
      this.#discarded += 1;
      if (this.#discarded > MAX_DISCARDED_MESSAGES) this.#connection.gate.stop(stopReasons.discardedMessages);
    } else if (this.#waiting.length === 0 && this.#mayHandle()) {
      handle();
    } else if (!this.#isClosed) {
      this.#waiting.push(handle);
      this.#connection.gate.stop(stopReasons.waitingMessages);
    }
  }

  wake(): void {
    if (this.#waiting.length > 0) this.#handleWaiting();
  }

  /** Discards waiting and later messages. */
  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#waiting = [];
    this.#connection.gate.resume(stopReasons.waitingMessages);
  }

  #mayHandle(): boolean {
    const connection = this.#connection;
    if (this.#isClosed || this.#timer !== undefined || !connection.hasRoom() || !this.#hasTurn())
      return false;
    const delayMs = connection.waitMs();
    if (delayMs === 0) return true;
    const { clock } = connection;
    this.#floodSinceMs ??= clock.now();
    if (clock.now() - this.#floodSinceMs > MAX_FLOOD_MS) {
      this.close();
      connection.onFlood();
    } else {
      const resume = () => {
        this.#timer = undefined;
        this.#handleWaiting();
      };
      this.#timer = setTimeout(resume, Math.max(delayMs, MIN_WAIT_MS)).unref();
    }
    return false;
  }

  #hasTurn(): boolean {
    if (this.#turn === 'waiting') return false;
    const turn = this.#turn === 'none' ? this.#connection.takeTurn() : undefined;
    this.#turn = turn === undefined ? 'none' : 'waiting';
    void turn?.then(() => {
      this.#turn = 'taken';
      this.wake();
    });
    return turn === undefined;
  }

  #handleWaiting(): void {
    while (this.#waiting.length > 0 && this.#mayHandle()) this.#waiting.shift()?.();
    if (this.#waiting.length > 0) return;
    this.#floodSinceMs = undefined;
    this.#connection.gate.resume(stopReasons.waitingMessages);
  }
}

/** Reasons to stop reading from a connection, one bit each. */
export const stopReasons = { rate: 1, waitingMessages: 2, discardedMessages: 4, unsentBytes: 8 } as const;

type StopReason = (typeof stopReasons)[keyof typeof stopReasons];

/** Pauses and resumes reading from a connection. The connection is read while there is no reason to stop. */
export class ReadGate {
  readonly #connection: { pause(): unknown; resume(): unknown };
  #reasons = 0;

  constructor(connection: { pause(): unknown; resume(): unknown }) {
    this.#connection = connection;
  }

  /** Adds a reason to stop. Adding the same reason again has no effect. */
  stop(reason: StopReason): void {
    if (this.#reasons === 0) this.#connection.pause();
    this.#reasons |= reason;
  }

  resume(reason: StopReason): void {
    if (this.#reasons === 0) return;
    this.#reasons &= ~reason;
    if (this.#reasons === 0) this.#connection.resume();
  }

  /** Whether there is this reason to stop, or any. */
  isStopped(reason?: StopReason): boolean {
    return reason === undefined ? this.#reasons !== 0 : (this.#reasons & reason) !== 0;
  }
}
