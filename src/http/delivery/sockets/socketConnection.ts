/** One websocket: reads messages at the caller's rate, bounds unsent bytes, and detects dead connections. */
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { WebSocket } from 'ws';
import type { GatewayError } from '../../../errors.js';
import type { ByteBudget, ByteBudgets } from '../../../lib/byteBudget.js';
import type { Clock } from '../../../lib/clock.js';
import type { TakeTurn } from '../../../lib/turns.js';
import type { Caller } from '../../auth/caller.js';
import { type CallerRateLimiter, toCallerId } from '../../rateLimits/callerRateLimiter.js';
import { remoteAddressOf, toAddressGroup } from '../../rateLimits/remoteAddress.js';
import {
  CONNECTION_BYTES,
  subscriptionBytes,
  tooManyMessages,
  tooManySubscriptions,
} from '../connectionBytes.js';
import { type ConnectionHeartbeat, HeartbeatBatch } from '../heartbeats.js';
import { Inbox, ReadGate } from '../inbox.js';
import { Outbox, type OutboxLimits } from '../outbox.js';
import { writeChunks } from './frames.js';
import type { Rounds } from './rounds.js';
import { isPong } from './socketMessage.js';

interface SocketConnectionOptions extends OutboxLimits {
  /** Limits the messages of each caller, pings and invalid messages included. */
  messageRate: CallerRateLimiter;
  budgets: ByteBudgets;
  /** Spreads messages over turns of the event loop. */
  takeMessageTurn: TakeTurn;
  clock: Clock;
  /** Calls the check of each connection for a dead client. */
  checks: Rounds;
  /** Called with the error of a connection that ends because it exceeds a limit, and with its address. */
  onRefused(error: GatewayError, address: string): void;
}

/** Concurrent queries and mutations of one connection; further messages wait. */
const MAX_RUNNING_OPERATIONS = 16;
/** A client greets with its first message. A connection that sends more than this before it is accepted is closed. */
const MAX_MESSAGES_BEFORE_GREETING = 100;

/** Milliseconds for the client to answer a close frame. */
const CLOSE_TIMEOUT_MS = 2000;
const TRY_AGAIN_LATER = 1013;
/** A close frame allows 123 bytes (RFC 6455, 5.5). */
const MAX_REASON_BYTES = 120;

export class SocketConnection {
  readonly socket: WebSocket;
  /** Or the /64 of an IPv6 address. */
  readonly address: string;
  /** The upgrade request; undefined when the caller has been authenticated by it. */
  request: IncomingMessage | undefined;
  readonly gate: ReadGate;
  readonly heartbeats = new HeartbeatBatch((heartbeat) => this.#sendPing(heartbeat));
  readonly #options: SocketConnectionOptions;
  readonly #outbox: Outbox;
  readonly #inbox: Inbox;
  /** The connection below the websocket. */
  readonly #tcp: Socket;
  /** Queries and mutations that run. */
  #running = 0;
  /** Charged bytes of the connection and of its subscriptions. */
  #reservedBytes = 0;
  #expectedPongs = 0;
  #onDrain = () => {};
  #onEnd: (error: GatewayError) => void = () => {};
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
    this.#tcp = request.socket;
    this.#options = options;
    this.address = toAddressGroup(remoteAddressOf(request));
    this.#caller = this.address;
    this.#budget = options.budgets(this.#caller);
    this.#reserve(CONNECTION_BYTES);
    this.gate = new ReadGate(socket);
    this.#outbox = new Outbox({
      maxUnsentBytes: options.maxUnsentBytes,
      maxUnsentMs: options.maxUnsentMs,
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

  /** The id of the caller; before the authentication, the address. */
  get caller(): string {
    return this.#caller;
  }

  /** Charged with the memory of this caller's subscriptions. */
  get budget(): ByteBudget {
    return this.#budget;
  }

  /** Calls the handler with each message when it may be handled. */
  onMessage(handle: (text: string) => void): void {
    this.socket.on('message', (data) => {
      if (this.#expectedPongs > 0 && isPong(data)) this.#expectedPongs -= 1;
      // Decoded when it is handled: a flood is mostly discarded.
      else this.#receive(() => this.isOpen() && handle(String(data)));
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

  /** Calls the listener when `isDrained` has become true. */
  onDrain(listener: () => void): void {
    this.#onDrain = listener;
  }

  /** Calls the listener with the error before the connection ends because it exceeds a limit. */
  onEnd(listener: (error: GatewayError) => void): void {
    this.#onEnd = listener;
  }

  /** Counts a running operation. Call `endOperation` once for it. */
  beginOperation(): void {
    this.#running += 1;
  }

  endOperation(): void {
    this.#running -= 1;
    this.#inbox.wake();
  }

  /** Charges the memory of a subscription with a message of this length. Throws TOO_MANY_SUBSCRIPTIONS. */
  beginSubscription(messageLength: number): number {
    const bytes = subscriptionBytes(messageLength);
    if (!this.#budget.hasRoomFor(bytes)) throw tooManySubscriptions();
    this.#reserve(bytes);
    return bytes;
  }

  /** Releases the bytes that `beginSubscription` returned. */
  endSubscription(bytes: number): void {
    if (!this.#isClosed) this.#reserve(-bytes);
  }

  /** Charges the connection to the authenticated caller from now on. */
  signIn(identity: Pick<Caller, 'id'>): void {
    if (this.#isClosed) return;
    const caller = toCallerId(this.#caller, identity);
    const budget = this.#options.budgets(caller);
    this.#budget.add(-this.#reservedBytes);
    budget.add(this.#reservedBytes);
    this.#outbox.moveTo(budget);
    this.#caller = caller;
    this.#budget = budget;
    this.#isGreeted = true;
    // A request with its headers is larger than the rest of the connection.
    this.request = undefined;
  }

  /** Resolves when the message is sent, or discarded because the connection is closed. */
  send(data: string): Promise<void> {
    this.heartbeats.flush();
    return new Promise((resolve) => {
      if (!this.isOpen()) return resolve();
      this.socket.send(data, () => {
        this.#flushed();
        resolve();
      });
      this.#outbox.sent();
    });
  }

  /** Sends complete websocket frames in one write. Do so only while `isDrained`, so that few bytes wait. */
  sendFrames(chunks: readonly Buffer[]): void {
    this.heartbeats.flush();
    if (!this.isOpen() || writeChunks(this.#tcp, chunks)) return;
    if (this.#outbox.isDrained()) {
      this.#tcp.once('drain', () => {
        this.#outbox.drain();
        this.#inbox.wake();
        this.#onDrain();
      });
    }
    this.#outbox.stall();
  }

  /** Whether the client has read everything up to a small buffer. */
  isDrained(): boolean {
    return this.#outbox.isDrained() && this.#outbox.isFree();
  }

  /** Ends the connection because it exceeds a limit. The close reason contains the error code. */
  end(error: GatewayError): void {
    if (!this.isOpen()) return;
    this.#options.onRefused(error, this.address);
    this.#onEnd(error);
    this.close(TRY_AGAIN_LATER, `${error.code}: ${error.message}`.slice(0, MAX_REASON_BYTES));
  }

  /** Closes the connection, and cuts it if the client does not answer in time. */
  close(code: number, reason: string): void {
    this.#inbox.close();
    this.socket.close(code, reason);
    setTimeout(() => this.socket.terminate(), CLOSE_TIMEOUT_MS).unref();
  }

  isOpen(): boolean {
    return this.socket.readyState === this.socket.OPEN;
  }

  #sendPing(payload: ConnectionHeartbeat): void {
    if (!this.isDrained()) return;
    // Clients that do not answer must not gain free messages.
    this.#expectedPongs = 1;
    void this.send(JSON.stringify({ type: 'ping', payload }));
  }

  #hasRoom(): boolean {
    return this.#outbox.isFree() && this.#delayedRefusals === 0 && this.#running < MAX_RUNNING_OPERATIONS;
  }

  #receive(handle: () => void): void {
    if (!this.#isGreeted && this.isOpen()) {
      this.#messagesBeforeGreeting += 1;
      if (this.#messagesBeforeGreeting > MAX_MESSAGES_BEFORE_GREETING) this.end(tooManyMessages());
    }
    this.#inbox.push(handle);
  }

  #reserve(bytes: number): void {
    this.#reservedBytes += bytes;
    this.#budget.add(bytes);
  }

  #watch(): void {
    const stopChecking = this.#options.checks.add(() => this.#checkAlive());
    this.socket.on('pong', () => {
      // The answer to a ping of the gateway does not count as a message of the caller.
      if (this.#isAlive) this.#receive(() => {});
      this.#isAlive = true;
    });
    // The library would queue its own pongs without a bound.
    this.socket.on('ping', (data) => this.#receive(() => this.#pong(data)));
    this.socket.on('close', () => {
      stopChecking();
      this.#isClosed = true;
      this.#inbox.close();
      this.#outbox.close();
      this.#reserve(-this.#reservedBytes);
    });
  }

  #pong(data: Buffer): void {
    if (!this.isOpen()) return;
    this.socket.pong(data, false, () => this.#flushed());
    this.#outbox.sent();
  }

  #flushed(): void {
    this.#outbox.flushed();
    this.#inbox.wake();
  }

  /** Skipped while the connection is not read, because a pong could not arrive. */
  #checkAlive(): void {
    if (this.gate.isStopped() || !this.#outbox.isDrained() || !this.isOpen()) return;
    if (!this.#isAlive) {
      this.socket.terminate();
      return;
    }
    this.#isAlive = false;
    this.socket.ping();
  }
}
