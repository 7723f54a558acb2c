/**
 * Bounds the unsent bytes of one connection, of any transport: above the limit nothing more is read from it, and it is
 * ended with SLOW_CONSUMER when it is not drained in time or holds many times the limit.
 */
import { GatewayError } from '../../errors.js';
import type { ByteBudget } from '../../lib/byteBudget.js';
import type { ReadGate } from './readGate.js';

export interface OutboxLimits {
  /** Unsent bytes above which nothing more is read from the connection. */
  maxUnsentBytes: number;
  /** Milliseconds until the connection has to be below that again. */
  maxUnsentMs: number;
}

export interface OutboxOptions extends OutboxLimits {
  /** Bytes that the transport has taken and not sent yet. */
  unsentBytes(): number;
  gate: ReadGate;
  /** Where the bytes are charged. */
  budget: ByteBudget;
  /** Ends the connection. Called once. */
  end(error: GatewayError): void;
}

export interface Outbox {
  /** Notes that the transport was given a message. */
  sent(): void;
  /** Notes that the transport has sent a message, or has given it up. */
  flushed(): void;
  /** Whether another message may be handled. */
  isFree(): boolean;
  /** Charges the bytes to another caller from now on. */
  moveTo(budget: ByteBudget): void;
  /** Releases everything. */
  close(): void;
}

/** Memory of an unsent message besides its bytes. */
const MESSAGE_OVERHEAD_BYTES = 1024;
/** Times the limit; answers under way when it is reached still have to fit. */
const END_FACTOR = 32;
/** A connection with fewer unsent bytes is not ended where its caller holds too much elsewhere. */
const NOTABLE_BYTES = 64 * 1024;

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
    options.end(slowConsumer());
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
    const isHopeless = charged > END_FACTOR * maxUnsentBytes;
    if (isHopeless || (charged > NOTABLE_BYTES && budget.isExceeded())) {
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

/** The error of a connection or subscription that was not read in time. */
export function slowConsumer(): GatewayError {
  const message = 'The answers were not read in time. Connect again, and resume subscriptions with `after`.';
  return new GatewayError('SLOW_CONSUMER', message, { retryable: true });
}
