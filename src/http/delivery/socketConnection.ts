/** One websocket: reads messages at the caller's rate, bounds unsent bytes, and detects dead connections. */
import type { IncomingMessage } from 'node:http';
import type { WebSocket } from 'ws';
import { GatewayError } from '../../errors.js';
import { toExtensions } from '../../graphql/apollo/formatError.js';
import type { ByteBudget, ByteBudgets } from '../../lib/byteBudget.js';
import type { Clock } from '../../lib/clock.js';
import type { TakeTurn } from '../../lib/turns.js';
import type { CallerRateLimiter } from '../rateLimits/callerRateLimiter.js';
import { Inbox, ReadGate } from './inbox.js';
import { Outbox, type OutboxLimits } from './outbox.js';

export interface SocketConnectionOptions extends OutboxLimits {
  /** Limits the messages of each caller, pings and invalid messages included. */
  messageRate: CallerRateLimiter;
  budgets: ByteBudgets;
  /** Spreads messages over turns of the event loop. */
  takeMessageTurn: TakeTurn;
  clock: Clock;
  /** Called with the error of a connection that ends because it exceeds a limit. */
  onRefused(error: GatewayError): void;
}

/** A message and the fields that the connection needs. */
export interface SocketMessage {
  text: string;
  type: unknown;
  id: string;
}

/** Concurrent queries and mutations of one connection; further messages wait. */
const MAX_RUNNING_OPERATIONS = 16;
/** A client greets with its first message. A connection that sends more than this before it is accepted is closed. */
const MAX_MESSAGES_BEFORE_GREETING = 100;
/** Estimated memory of a connection, and of an open subscription in addition to its message. */
export const CONNECTION_BYTES = 16 * 1024;
const SUBSCRIPTION_BYTES = 16 * 1024;
/** A subscription retains its message as text, as parsed JSON and as a document. */
const BYTES_PER_CHARACTER = 8;

const HEARTBEAT_MS = 12_000;
/** Milliseconds for the client to answer a close frame. */
const CLOSE_TIMEOUT_MS = 2000;
const TRY_AGAIN_LATER = 1013;
/** A close frame allows 123 bytes (RFC 6455, 5.5). */
const MAX_REASON_BYTES = 120;

export class SocketConnection {
  readonly socket: WebSocket;
  readonly request: IncomingMessage;
  readonly gate: ReadGate;
  readonly #options: SocketConnectionOptions;
  readonly #outbox: Outbox;
  readonly #inbox: Inbox;
  /** Lengths of the messages of running operations, by operation id. */
  readonly #running = new Map<string, number>();
  /** Charged bytes of open subscriptions, by operation id. */
  readonly #subscriptions = new Map<string, number>();
  #caller: string;
  #budget: ByteBudget;
  #isAlive = true;
  #isClosed = false;
  #isGreeted = false;
  #messagesBeforeGreeting = 0;
  #delayedRefusals = 0;

  constructor(socket: WebSocket, request: IncomingMessage, options: SocketConnectionOptions) {
    this.socket = socket;
    this.request = request;
    this.#options = options;
    this.#caller = request.socket.remoteAddress ?? '';
    this.#budget = options.budgets(this.#caller);
    this.#budget.add(CONNECTION_BYTES);
    this.gate = new ReadGate(socket);
    this.#outbox = new Outbox({
      ...options,
      gate: this.gate,
      budget: this.#budget,
      unsentBytes: () => socket.bufferedAmount,
      end: (error) => this.end(error),
    });
    this.#inbox = new Inbox({
      gate: this.gate,
      clock: options.clock,
      waitMs: () => options.messageRate.take(this.#caller),
      takeTurn: () => options.takeMessageTurn(this.#caller),
      hasRoom: () => this.#hasRoom(),
      onFlood: () => this.end(tooManyMessages()),
    });
    this.#watch();
  }

  /** Charged with the memory of this caller's subscriptions. */
  get budget(): ByteBudget {
    return this.#budget;
  }

  /** Calls the handler with each message when it may be handled. An operation runs until the promise settles. */
  onMessage(handle: (message: SocketMessage) => Promise<void>): void {
    this.socket.on('message', (data) => {
      // Decoded when it is handled: a flood is mostly discarded.
      this.#receive(() => {
        const text = String(data);
        void this.#handle({ text, ...readEnvelope(text) }, handle);
      });
    });
  }

  /** Takes no further message while a refusal is delayed. */
  pause(): void {
    this.#delayedRefusals += 1;
    this.gate.stop('rate');
  }

  resume(): void {
    this.#delayedRefusals -= 1;
    if (this.#delayedRefusals > 0) return;
    this.gate.resume('rate');
    this.#inbox.wake();
  }

  #hasRoom(): boolean {
    const isFree = this.#outbox.isFree() && this.#delayedRefusals === 0;
    return isFree && this.#running.size < MAX_RUNNING_OPERATIONS;
  }

  #receive(handle: () => void): void {
    if (!this.#isGreeted) this.#messagesBeforeGreeting += 1;
    if (!this.#isGreeted && this.#messagesBeforeGreeting > MAX_MESSAGES_BEFORE_GREETING)
      this.end(tooManyMessages());
    this.#inbox.push(handle);
  }

  async #handle(message: SocketMessage, handle: (message: SocketMessage) => Promise<void>): Promise<void> {
    if (!this.#isOpen()) return;
    const isOperation = message.type === 'subscribe' && !this.#isKnown(message.id);
    if (isOperation) this.#running.set(message.id, message.text.length);
    await handle(message);
    if (isOperation) this.#settle(message.id);
  }

  #isKnown(id: string): boolean {
    return this.#running.has(id) || this.#subscriptions.has(id);
  }

  #settle(id: string): void {
    this.#running.delete(id);
    this.#budget.add(-(this.#subscriptions.get(id) ?? 0));
    this.#subscriptions.delete(id);
    this.#inbox.wake();
  }

  /** Charges the connection to the authenticated caller from now on. */
  signIn(caller: string): void {
    if (this.#isClosed) return;
    const budget = this.#options.budgets(caller);
    const bytes = CONNECTION_BYTES + this.#subscriptionBytes();
    this.#budget.add(-bytes);
    budget.add(bytes);
    this.#outbox.moveTo(budget);
    this.#caller = caller;
    this.#budget = budget;
    this.#isGreeted = true;
  }

  /** Marks a running operation as a subscription: its memory is charged, and it no longer counts as running. Throws TOO_MANY_SUBSCRIPTIONS. */
  beginSubscription(id: string): void {
    const bytes = subscriptionBytes(this.#running.get(id) ?? 0);
    if (!this.#budget.hasRoomFor(bytes)) throw tooManySubscriptions();
    this.#running.delete(id);
    this.#subscriptions.set(id, bytes);
    this.#budget.add(bytes);
    this.#inbox.wake();
  }

  /** Resolves when the message is sent, or discarded because the connection is closed. */
  send(data: string): Promise<void> {
    return new Promise((resolve) => {
      if (!this.#isOpen()) return resolve();
      this.socket.send(data, () => {
        this.#flushed();
        resolve();
      });
      this.#outbox.sent();
    });
  }

  /** Sends the error to every open subscription and completes it. */
  endSubscriptions(error: GatewayError): void {
    const errors = [{ message: error.message, extensions: toExtensions(error) }];
    for (const id of this.#subscriptions.keys()) {
      void this.send(JSON.stringify({ id, type: 'next', payload: { data: null, errors } }));
      void this.send(JSON.stringify({ id, type: 'complete' }));
    }
  }

  /** Ends the connection because it exceeds a limit. The close reason contains the error code. */
  end(error: GatewayError): void {
    if (!this.#isOpen()) return;
    this.#options.onRefused(error);
    this.close(TRY_AGAIN_LATER, `${error.code}: ${error.message}`.slice(0, MAX_REASON_BYTES));
  }

  /** Closes the connection, and cuts it if the client does not answer in time. */
  close(code: number, reason: string): void {
    this.#inbox.close();
    this.socket.close(code, reason);
    setTimeout(() => this.socket.terminate(), CLOSE_TIMEOUT_MS).unref();
  }

  #isOpen(): boolean {
    return this.socket.readyState === this.socket.OPEN;
  }

  #subscriptionBytes(): number {
    return [...this.#subscriptions.values()].reduce((sum, bytes) => sum + bytes, 0);
  }

  #watch(): void {
    const heartbeat = setInterval(() => this.#checkAlive(), HEARTBEAT_MS).unref();
    this.socket.on('pong', () => {
      this.#isAlive = true;
      this.#receive(() => {});
    });
    // The library would queue its own pongs without a bound.
    this.socket.on('ping', (data) => this.#receive(() => this.#pong(data)));
    this.socket.on('close', () => {
      clearInterval(heartbeat);
      this.#isClosed = true;
      this.#inbox.close();
      this.#outbox.close();
      this.#budget.add(-CONNECTION_BYTES - this.#subscriptionBytes());
      this.#subscriptions.clear();
    });
  }

  #pong(data: Buffer): void {
    if (!this.#isOpen()) return;
    this.socket.pong(data, false, () => this.#flushed());
    this.#outbox.sent();
  }

  #flushed(): void {
    this.#outbox.flushed();
    this.#inbox.wake();
  }

  /** Skipped while the connection is not read, because a pong could not arrive. */
  #checkAlive(): void {
    if (this.gate.isStopped() || !this.#isOpen()) return;
    if (!this.#isAlive) {
      this.socket.terminate();
      return;
    }
    this.#isAlive = false;
    this.socket.ping();
  }
}

/** Reads the type and id of a message, which may be invalid. */
function readEnvelope(text: string): { type: unknown; id: string } {
  try {
    const { type, id } = JSON.parse(text) as { type?: unknown; id?: unknown };
    return { type, id: typeof id === 'string' ? id : '' };
  } catch {
    return { type: undefined, id: '' };
  }
}

function tooManyMessages(): GatewayError {
  return new GatewayError('RATE_LIMITED', 'Rate limited: messages came faster than allowed for too long.', {
    retryable: true,
    retryAfterMs: 1000,
  });
}

/** Estimated memory of an open subscription whose request has this many characters. */
export function subscriptionBytes(characters: number): number {
  return SUBSCRIPTION_BYTES + BYTES_PER_CHARACTER * characters;
}

export function tooManySubscriptions(): GatewayError {
  return new GatewayError(
    'TOO_MANY_SUBSCRIPTIONS',
    'Too many open subscriptions. End some, or name fewer streams in each.',
    { retryable: true },
  );
}
