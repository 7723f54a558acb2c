/**
 * Handles the messages of one connection in order, each as soon as its rate and the connection's room allow. Reading is
 * paused while a message waits, so that at most one read's worth of messages is in memory.
 */
import type { Clock } from '../../lib/clock.js';

interface InboxOptions {
  /** Counts the next message and returns 0, or returns the milliseconds until it may be handled. */
  waitMs(): number;
  /** Returns undefined if a message may be handled now, else a promise that resolves in a later turn. */
  takeTurn(): Promise<void> | undefined;
  /** Whether there is room for the work of another message. Call `wake` when that may have changed from false. */
  hasRoom(): boolean;
  gate: ReadGate;
  /** Called once, when messages have exceeded their rate for `MAX_FLOOD_MS` without a break. */
  onFlood(): void;
  clock: Clock;
}

/** A connection whose messages exceed their rate this long without a break is closed. */
export const MAX_FLOOD_MS = 10_000;
/** A connection that sends more messages than this after its inbox is closed is not read any more. */
export const MAX_DISCARDED_MESSAGES = 100;
/** Shorter waits would cost more timers without a benefit. */
const MIN_WAIT_MS = 20;

export class Inbox {
  readonly #options: InboxOptions;
  #waiting: (() => void)[] = [];
  #timer: NodeJS.Timeout | undefined;
  #floodSinceMs: number | undefined;
  #turn: 'none' | 'waiting' | 'taken' = 'none';
  #discarded = 0;
  #isClosed = false;

  constructor(options: InboxOptions) {
    this.#options = options;
  }

  /** Handles a message now or later; `handle` must not throw. */
  push(handle: () => void): void {
    if (this.#isClosed) {
      this.#discard();
    } else if (this.#waiting.length === 0 && this.#mayHandle()) {
      handle();
    } else if (!this.#isClosed) {
      this.#waiting.push(handle);
      this.#options.gate.stop('waiting messages');
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
    this.#options.gate.resume('waiting messages');
  }

  #mayHandle(): boolean {
    const { clock, hasRoom, waitMs, onFlood } = this.#options;
    if (this.#isClosed || this.#timer !== undefined || !hasRoom() || !this.#hasTurn()) return false;
    const delayMs = waitMs();
    if (delayMs === 0) return true;
    this.#floodSinceMs ??= clock.now();
    if (clock.now() - this.#floodSinceMs > MAX_FLOOD_MS) {
      this.close();
      onFlood();
    } else {
      this.#timer = setTimeout(() => this.#resume(), Math.max(delayMs, MIN_WAIT_MS)).unref();
    }
    return false;
  }

  #hasTurn(): boolean {
    if (this.#turn === 'waiting') return false;
    const turn = this.#turn === 'none' ? this.#options.takeTurn() : undefined;
    this.#turn = turn === undefined ? 'none' : 'waiting';
    void turn?.then(() => {
      this.#turn = 'taken';
      this.wake();
    });
    return turn === undefined;
  }

  /** Reading a closing connection is only worth while its client answers the close frame soon. */
  #discard(): void {
    this.#discarded += 1;
    if (this.#discarded > MAX_DISCARDED_MESSAGES) this.#options.gate.stop('discarded messages');
  }

  #resume(): void {
    this.#timer = undefined;
    this.#handleWaiting();
  }

  #handleWaiting(): void {
    while (this.#waiting.length > 0 && this.#mayHandle()) this.#waiting.shift()?.();
    if (this.#waiting.length > 0) return;
    this.#floodSinceMs = undefined;
    this.#options.gate.resume('waiting messages');
  }
}

/** Pauses and resumes reading from a connection. The connection is read while there is no reason to stop. */
export class ReadGate {
  readonly #connection: { pause(): unknown; resume(): unknown };
  readonly #reasons = new Set<string>();

  constructor(connection: { pause(): unknown; resume(): unknown }) {
    this.#connection = connection;
  }

  /** Adds a reason to stop. Adding the same reason again has no effect. */
  stop(reason: string): void {
    if (this.#reasons.size === 0) this.#connection.pause();
    this.#reasons.add(reason);
  }

  resume(reason: string): void {
    if (this.#reasons.delete(reason) && this.#reasons.size === 0) this.#connection.resume();
  }

  isStopped(): boolean {
    return this.#reasons.size > 0;
  }
}
