/**
 * Bounds the unsent bytes of HTTP responses and of long-lived connections. Above the limit a long-lived connection is
 * not read. It ends with SLOW_CONSUMER if it is not drained in time or has many times the limit unsent.
 */
import type { ServerResponse } from 'node:http';
import { createCallerLimitError, createUnreadConnectionError, type GatewayError } from '../../errors.js';
import type { ByteBudget } from '../../lib/byteBudget.js';
import { type ReadGate, stopReasons } from './inbox.js';

export interface OutboxLimits {
  /** Unsent bytes above which the connection is not read. */
  maxUnsentBytes: number;
  /** Milliseconds until the connection must be below `maxUnsentBytes` again, and no longer stalled. */
  maxUnsentMs: number;
}

export interface OutboxConnection {
  /** Bytes that the transport has buffered and not sent yet. */
  unsentBytes(): number;
  /** Absent if nothing is read from the client after its request. */
  readonly gate?: ReadGate;
  /** Charged with the unsent bytes. */
  readonly budget: ByteBudget;
  /** Ends the connection. Called once. */
  end(error: GatewayError): void;
}

/** Memory of an unsent message in addition to its bytes. */
const MESSAGE_OVERHEAD_BYTES = 1024;
/** Multiple of the limit at which the connection is closed at once. It leaves room for operations in flight. */
const END_FACTOR = 32;
/**
 * A connection with fewer unsent bytes is not closed when its caller exceeds the budget because of other
 * connections.
 */
const MIN_CLOSE_BYTES = 64 * 1024;

export class Outbox {
  readonly #connection: OutboxConnection;
  readonly #limits: OutboxLimits;
  #budget: ByteBudget;
  #messages = 0;
  #charged = 0;
  #deadline: NodeJS.Timeout | undefined;
  #isStalled = false;
  #isClosed = false;

  constructor(connection: OutboxConnection, limits: OutboxLimits) {
    this.#connection = connection;
    this.#limits = limits;
    this.#budget = connection.budget;
  }

  /** Records that a message was passed to the transport. */
  sent(): void {
    this.#messages += 1;
    this.#update();
  }

  /** Records that the transport has sent or discarded a message. */
  flushed(): void {
    this.#messages -= 1;
    this.#update();
  }

  /** Records that the transport waits for the client to read before it sends on. */
  stall(): void {
    this.#isStalled = true;
    this.#update();
  }

  /** Records that the client has read everything. */
  drain(): void {
    this.#isStalled = false;
    this.#update();
  }

  /** Whether everything has been sent since the last call of `stall`. */
  isDrained(): boolean {
    return !this.#isStalled;
  }

  /** Whether the unsent bytes are within the limit. */
  isFree(): boolean {
    return this.#charged <= this.#limits.maxUnsentBytes;
  }

  moveTo(budget: ByteBudget): void {
    const bytes = this.#charged;
    this.#charge(0);
    this.#budget = budget;
    this.#charge(bytes);
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#deadline);
    this.#charge(0);
    this.#connection.gate?.resume(stopReasons.unsentBytes);
  }

  #charge(bytes: number): void {
    this.#budget.add(bytes - this.#charged);
    this.#charged = bytes;
  }

  #end(): void {
    this.close();
    this.#connection.end(createUnreadConnectionError());
  }

  #update(): void {
    if (this.#isClosed) return;
    const { maxUnsentBytes, maxUnsentMs } = this.#limits;
    const { gate } = this.#connection;
    const hasUnsent = this.#messages > 0 || this.#isStalled;
    this.#charge(hasUnsent ? this.#connection.unsentBytes() + this.#messages * MESSAGE_OVERHEAD_BYTES : 0);
    const isFarAbove = this.#charged > END_FACTOR * maxUnsentBytes;
    if (isFarAbove || (this.#charged > MIN_CLOSE_BYTES && this.#budget.isExceeded())) {
      this.#end();
      return;
    }
    if (this.isFree()) gate?.resume(stopReasons.unsentBytes);
    else gate?.stop(stopReasons.unsentBytes);
    if (this.isFree() && !this.#isStalled) {
      clearTimeout(this.#deadline);
      this.#deadline = undefined;
    } else this.#deadline ??= setTimeout(() => this.#end(), maxUnsentMs).unref();
  }
}

/** Throws RATE_LIMITED if long requests, unread responses and websockets occupy more than half of the caller's budget. */
export function checkRoomForResponse(budget: ByteBudget): void {
  if (budget.hasRoomFor(0)) return;
  const message =
    'Earlier requests are still arriving or in progress, or their responses have not been read yet. Read them, then repeat the request.';
  throw createCallerLimitError(message);
}

/**
 * Charges the unsent bytes of an ended response to its caller until they are sent. Destroys the connection if the
 * caller then exceeds its budget: the status line has already been sent, so an error can no longer be sent. Node
 * does not report progress within one response, so all of its bytes stay charged until the last one is sent.
 */
export function chargeUnsentBytes(
  response: ServerResponse,
  budget: ByteBudget,
  onCut: (error: GatewayError) => void,
): void {
  const bytes = response.writableLength;
  if (bytes === 0 || response.destroyed) return;
  budget.add(bytes);
  response.once('close', () => budget.add(-bytes));
  if (!budget.isExceeded()) return;
  onCut(createUnreadConnectionError());
  response.destroy();
}
