/** One websocket: reads its messages at the caller's rate, bounds what it has not sent, notices when it is dead. */
import type { IncomingMessage } from 'node:http';
import type { WebSocket } from 'ws';
import { GatewayError } from '../../errors.js';
import { toExtensions } from '../../graphql/apollo/formatError.js';
import type { ByteBudget, ByteBudgets } from '../../lib/byteBudget.js';
import type { Clock } from '../../lib/clock.js';
import { createInbox, type Inbox } from './inbox.js';
import type { MessageRate } from './messageRate.js';
import { createOutbox, type Outbox, type OutboxLimits } from './outbox.js';
import { createReadGate, type ReadGate } from './readGate.js';

export interface SocketConnectionOptions extends OutboxLimits {
  rate: MessageRate;
  budgets: ByteBudgets;
  clock: Clock;
  /** Is told the code of a connection that is ended for breaking a limit. */
  onRefused(error: GatewayError): void;
}

/** A message that has been read as far as it has to be. */
export interface SocketMessage {
  text: string;
  type: unknown;
  id: string;
}

/** Queries and mutations of one connection at a time; further messages wait. */
export const MAX_RUNNING_OPERATIONS = 16;
/** Memory of a connection, and of an open subscription besides its message. */
export const CONNECTION_BYTES = 16 * 1024;
const SUBSCRIPTION_BYTES = 16 * 1024;
/** A message is held as text, as parsed JSON and as a document. */
const BYTES_PER_CHARACTER = 8;

const HEARTBEAT_MS = 12_000;
/** Milliseconds to answer that the connection ends. */
const CLOSE_TIMEOUT_MS = 2000;
const TRY_AGAIN_LATER = 1013;
/** The protocol allows 123 bytes. */
const MAX_REASON = 120;

export class SocketConnection {
  readonly socket: WebSocket;
  readonly request: IncomingMessage;
  readonly gate: ReadGate;
  readonly #options: SocketConnectionOptions;
  readonly #outbox: Outbox;
  readonly #inbox: Inbox;
  /** Operations that take one of the places, by id: the length of their message. */
  readonly #running = new Map<string, number>();
  /** Open subscriptions by id, with the bytes they are charged. */
  readonly #subscriptions = new Map<string, number>();
  #caller: string;
  #budget: ByteBudget;
  #isAlive = true;
  #isGone = false;

  constructor(socket: WebSocket, request: IncomingMessage, options: SocketConnectionOptions) {
    this.socket = socket;
    this.request = request;
    this.#options = options;
    this.#caller = request.socket.remoteAddress ?? '';
    this.#budget = options.budgets(this.#caller);
    this.#budget.add(CONNECTION_BYTES);
    this.gate = createReadGate(socket);
    this.#outbox = createOutbox({
      ...options,
      gate: this.gate,
      budget: this.#budget,
      unsentBytes: () => socket.bufferedAmount,
      end: (error) => this.end(error),
    });
    this.#inbox = createInbox({
      gate: this.gate,
      clock: options.clock,
      waitMs: () => options.rate.take(this.#caller),
      hasRoom: () => this.#outbox.isFree() && this.#running.size < MAX_RUNNING_OPERATIONS,
      onFlood: () => this.end(tooManyMessages()),
    });
    this.#watch();
  }

  /** Where memory held for this caller is charged. */
  get budget(): ByteBudget {
    return this.#budget;
  }

  /** Passes each message on when it may be handled. An operation runs until the promise settles. */
  onMessage(handle: (message: SocketMessage) => Promise<void>): void {
    this.socket.on('message', (data) => {
      const text = String(data);
      this.#inbox.push(() => void this.#handle({ text, ...readEnvelope(text) }, handle));
    });
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

  /** Charges the connection to the caller that has shown a credential. */
  signIn(caller: string): void {
    if (this.#isGone) return;
    const budget = this.#options.budgets(caller);
    const bytes = CONNECTION_BYTES + this.#subscriptionBytes();
    this.#budget.add(-bytes);
    budget.add(bytes);
    this.#outbox.moveTo(budget);
    this.#caller = caller;
    this.#budget = budget;
  }

  /** A running operation is a subscription: it holds memory from now on, and no place. Throws TOO_MANY_SUBSCRIPTIONS. */
  beginSubscription(id: string): void {
    const bytes = SUBSCRIPTION_BYTES + BYTES_PER_CHARACTER * (this.#running.get(id) ?? 0);
    if (!this.#budget.hasRoomFor(bytes)) throw tooManySubscriptions();
    this.#running.delete(id);
    this.#subscriptions.set(id, bytes);
    this.#budget.add(bytes);
    this.#inbox.wake();
  }

  /** Resolves when the message is on its way, or lost with the connection. */
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

  /** Tells every open subscription why it ends. */
  endSubscriptions(error: GatewayError): void {
    const errors = [{ message: error.message, extensions: toExtensions(error) }];
    for (const id of this.#subscriptions.keys()) {
      void this.send(JSON.stringify({ id, type: 'next', payload: { data: null, errors } }));
      void this.send(JSON.stringify({ id, type: 'complete' }));
    }
  }

  /** Ends the connection for breaking a limit, with the code of the error in the reason. */
  end(error: GatewayError): void {
    if (!this.#isOpen()) return;
    this.#options.onRefused(error);
    this.close(TRY_AGAIN_LATER, `${error.code}: ${error.message}`.slice(0, MAX_REASON));
  }

  /** Closes the connection, and cuts it when the caller does not answer in time. */
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
      this.#inbox.push(() => {});
    });
    // Each one is answered here rather than by the library, which would queue the answers without a bound.
    this.socket.on('ping', (data) => this.#inbox.push(() => this.#pong(data)));
    this.socket.on('close', () => {
      clearInterval(heartbeat);
      this.#isGone = true;
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

  /** Answers to a ping can not be seen while nothing is read. */
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

/** What a message is, without trusting that it is one. */
function readEnvelope(text: string): { type: unknown; id: string } {
  try {
    const { type, id } = JSON.parse(text) as { type?: unknown; id?: unknown };
    return { type, id: typeof id === 'string' ? id : '' };
  } catch {
    return { type: undefined, id: '' };
  }
}

function tooManyMessages(): GatewayError {
  return new GatewayError('RATE_LIMITED', 'Messages came faster than they are read for too long.', {
    retryable: true,
    retryAfterMs: 1000,
  });
}

function tooManySubscriptions(): GatewayError {
  return new GatewayError(
    'TOO_MANY_SUBSCRIPTIONS',
    'You hold too many subscriptions open. End some, or name fewer streams in each.',
    { retryable: true },
  );
}
