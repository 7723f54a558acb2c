/**
 * Handles the messages of one connection in order, each as soon as its rate and the connection's room allow. Reading is
 * paused while a message waits, so that at most one read's worth of messages is in memory.
 */
import type { Clock } from '../../lib/clock.js';
import type { ReadGate } from './readGate.js';

export interface InboxOptions {
  /** Counts the next message and returns 0, or returns the milliseconds until it may be handled. */
  waitMs(): number;
  /** Whether there is room for the work of another message. Call `wake` when that may have changed from false. */
  hasRoom(): boolean;
  gate: ReadGate;
  /** Called once, when messages have exceeded their rate for `MAX_FLOOD_MS` without a break. */
  onFlood(): void;
  clock: Clock;
}

export interface Inbox {
  /** Handles a message now or later; `handle` must not throw. */
  push(handle: () => void): void;
  wake(): void;
  /** Discards waiting messages. */
  close(): void;
}

/** A connection whose messages exceed their rate this long without a break is closed. */
export const MAX_FLOOD_MS = 10_000;
/** Shorter waits would cost more timers without a benefit. */
const MIN_WAIT_MS = 20;

export function createInbox(options: InboxOptions): Inbox {
  const { gate, clock, hasRoom, waitMs, onFlood } = options;
  let waiting: (() => void)[] = [];
  let timer: NodeJS.Timeout | undefined;
  let floodSinceMs: number | undefined;
  let isClosed = false;

  /** Whether the next message may be handled now. */
  function mayHandle(): boolean {
    if (isClosed || timer !== undefined || !hasRoom()) return false;
    const delayMs = waitMs();
    if (delayMs === 0) return true;
    floodSinceMs ??= clock.now();
    if (clock.now() - floodSinceMs > MAX_FLOOD_MS) {
      close();
      onFlood();
      return false;
    }
    timer = setTimeout(
      () => {
        timer = undefined;
        handleWaiting();
      },
      Math.max(delayMs, MIN_WAIT_MS),
    ).unref();
    return false;
  }

  function handleWaiting(): void {
    while (waiting.length > 0 && mayHandle()) waiting.shift()?.();
    if (waiting.length > 0) return;
    floodSinceMs = undefined;
    gate.resume('waiting messages');
  }

  function close(): void {
    isClosed = true;
    clearTimeout(timer);
    waiting = [];
    gate.resume('waiting messages');
  }

  return {
    push(handle) {
      if (isClosed) return;
      if (waiting.length === 0 && mayHandle()) return handle();
      if (isClosed) return;
      waiting.push(handle);
      gate.stop('waiting messages');
    },
    wake() {
      if (waiting.length > 0) handleWaiting();
    },
    close,
  };
}
