/**
 * Handles the messages of one connection in their order, each as soon as it may be handled. Reading stops while one
 * waits, so that a connection holds no more messages than have been read in one piece.
 */
import type { Clock } from '../../lib/clock.js';
import type { ReadGate } from './readGate.js';

export interface InboxOptions {
  /** Counts the next message and answers 0, or answers the milliseconds after which it may be handled. */
  waitMs(): number;
  /** Whether there is room for what the next message causes; `wake` has to be called when there may be again. */
  hasRoom(): boolean;
  gate: ReadGate;
  /** Called once, when messages have come faster than allowed for a long time. */
  onFlood(): void;
  clock: Clock;
}

export interface Inbox {
  /** Handles a message now or later; `handle` must not throw. */
  push(handle: () => void): void;
  wake(): void;
  /** Drops what waits. */
  close(): void;
}

/** A caller whose messages wait for their rate as long as this without a break is disconnected. */
export const MAX_FLOOD_MS = 10_000;
/** Shorter waits would only cost timers. */
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
