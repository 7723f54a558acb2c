/**
 * Bounds the unsent bytes of one long-lived connection. Above the limit the connection is not read. It ends with
 * SLOW_CONSUMER if it is not drained in time or has many times the limit unsent.
 */
import { GatewayError } from '../../errors.js';
import type { ByteBudget } from '../../lib/byteBudget.js';
import type { ReadGate } from './readGate.js';

export interface OutboxLimits {
  /** Unsent bytes above which the connection is not read. */
  maxUnsentBytes: number;
  /** Milliseconds until the connection must be below `maxUnsentBytes` again. */
  maxUnsentMs: number;
}

export interface OutboxOptions extends OutboxLimits {
  /** Bytes that the transport has buffered and not sent yet. */
  unsentBytes(): number;
  gate: ReadGate;
  /** Charged with the unsent bytes. */
  budget: ByteBudget;
  /** Ends the connection. Called once. */
  end(error: GatewayError): void;
}

export interface Outbox {
  /** Records that a message was passed to the transport. */
  sent(): void;
  /** Records that the transport has sent or discarded a message. */
  flushed(): void;
  /** Whether the unsent bytes are within the limit. */
  isFree(): boolean;
  /** Charges the bytes to another caller. */
  moveTo(budget: ByteBudget): void;
  /** Releases the charged bytes and the timer. */
  close(): void;
}

/** Memory of an unsent message in addition to its bytes. */
const MESSAGE_OVERHEAD_BYTES = 1024;
/** Factor on the limit at which the connection ends at once. It leaves room for operations in flight. */
const END_FACTOR = 32;
/** A connection with fewer unsent bytes does not end when its caller exceeds the budget by other connections. */
const MIN_CUT_BYTES = 64 * 1024;

export function createOutbox(options: OutboxOptions): Outbox {
  const { maxUnsentBytes, maxUnsentMs, gate, unsentBytes } = options;
  let { budget } = options;
  let messages = 0;
  let charged = 0;
  let deadline: NodeJS.Timeout | undefined;
  let isClosed = false;

  function charge(bytes: number): void {
    budget.add(bytes - charged);
    charged = bytes;
  }

  function end(): void {
    if (isClosed) return;
    close();
    options.end(createSlowConsumerError());
  }

  function close(): void {
    isClosed = true;
    clearTimeout(deadline);
    charge(0);
    gate.resume('unsent bytes');
  }

  function update(): void {
    if (isClosed) return;
    charge(messages === 0 ? 0 : unsentBytes() + messages * MESSAGE_OVERHEAD_BYTES);
    const isFarAbove = charged > END_FACTOR * maxUnsentBytes;
    if (isFarAbove || (charged > MIN_CUT_BYTES && budget.isExceeded())) {
      end();
      return;
    }
    if (charged <= maxUnsentBytes) {
      clearTimeout(deadline);
      deadline = undefined;
      gate.resume('unsent bytes');
      return;
    }
    gate.stop('unsent bytes');
    deadline ??= setTimeout(end, maxUnsentMs).unref();
  }

  return {
    sent() {
      messages += 1;
      update();
    },
    flushed() {
      messages -= 1;
      update();
    },
    isFree: () => charged <= maxUnsentBytes,
    moveTo(other) {
      const bytes = charged;
      charge(0);
      budget = other;
      charge(bytes);
    },
    close,
  };
}

/** The error of a connection or subscription that is not read in time. */
export function createSlowConsumerError(): GatewayError {
  const message = 'The client did not read in time. Connect again, and resume subscriptions with `after`.';
  return new GatewayError('SLOW_CONSUMER', message, { retryable: true });
}
