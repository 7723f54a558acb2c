/**
 * One websocket: reads messages at the caller's rate, bounds unsent bytes, and detects clients that no longer
 * respond.
 */
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { RawData } from 'ws';
import type { GatewayError } from '../../../errors.js';
import type { ByteBudget } from '../../../lib/byteBudget.js';
import type { Clock } from '../../../lib/clock.js';
import type { Caller } from '../../auth/caller.js';
import { toCallerId } from '../../rateLimits/callerRateLimiter.js';
import { remoteAddressOf, toAddressGroup } from '../../rateLimits/remoteAddress.js';
import {
  ConnectionCharge,
  createLongMessagesError,
  createTooManyMessagesError,
  createTooManySubscriptionsError,
  receivedBytes,
} from '../connectionBytes.js';
import { type ConnectionHeartbeat, HeartbeatBatch } from '../heartbeats.js';
import { Inbox, type InboxConnection, ReadGate, stopReasons } from '../inbox.js';
import { Outbox, type OutboxConnection } from '../outbox.js';
import type { ClientSocket } from './clientSocket.js';
import { type FrameTemplate, writeFrames } from './frames.js';
import { isPong } from './socketMessage.js';
import type { SocketConnectionOptions, SocketHandler } from './socketOptions.js';

/** Maximum concurrent queries and mutations of one connection; further messages wait. */
const MAX_RUNNING_OPERATIONS = 16;
/**
 * A client sends `connection_init` as its first message. A connection that sends more messages than this before it
 * is accepted is closed.
 */
const MAX_MESSAGES_BEFORE_INIT = 100;

const CLOSE_TIMEOUT_MS = 2000;
const GOING_AWAY = 1001;
export const TRY_AGAIN_LATER = 1013;

export class SocketConnection implements InboxConnection, OutboxConnection {
  readonly socket: ClientSocket;
  /** The remote address, or the /64 of an IPv6 address. */
  readonly address: string;
  /** The upgrade request; undefined when the caller has been authenticated by it. */
  request: IncomingMessage | undefined;
  /** Undefined before the authentication. */
  #identity: Caller | undefined;
  readonly gate: ReadGate;
  readonly heartbeats = new HeartbeatBatch(this);
  readonly charge: ConnectionCharge;
  readonly #options: SocketConnectionOptions;
  readonly #outbox: Outbox;
  readonly #inbox: Inbox;
  /** The connection below the websocket. */
  readonly #tcp: Socket;
  #running = 0;
  #expectedPongs = 0;
  #handler: SocketHandler | undefined;
  #isAlive = true;
  #isStopping = false;
  #messagesBeforeInit = 0;

  constructor(socket: ClientSocket, request: IncomingMessage, options: SocketConnectionOptions) {
    this.socket = socket;
    this.request = request;
    this.#tcp = request.socket;
    this.#options = options;
    this.address = toAddressGroup(remoteAddressOf(request));
    this.charge = new ConnectionCharge(options.budgets(this.address));
    this.gate = new ReadGate(socket);
    this.#outbox = new Outbox(this, options);
    this.#inbox = new Inbox(this);
    options.checks.add(this);
    socket.listen(this, this.#tcp);
  }

  /** The id of the caller; before the authentication, the address. */
  get caller(): string {
    return this.budget.caller;
  }

  /** Charged with the memory of this caller's subscriptions. */
  get budget(): ByteBudget {
    return this.charge.budget;
  }

  get clock(): Clock {
    return this.#options.clock;
  }

  setHandler(handler: SocketHandler): void {
    this.#handler = handler;
  }

  /** Ends the connection if its caller has too many unfinished messages. */
  receiveData(): void {
    if (!this.charge.receive(this.socket.arrivingBytes())) this.end(createLongMessagesError());
  }

  receiveMessage(data: RawData): void {
    if (this.#handler === undefined) return;
    if (this.#expectedPongs > 0 && isPong(data)) this.#expectedPongs -= 1;
    else this.#receiveText(data as Buffer);
    this.receiveData();
  }

  /**
   * The message is charged until it is handled. It is decoded only then, because most messages of a flood are
   * discarded.
   */
  #receiveText(data: Buffer): void {
    const bytes = this.isOpen() ? receivedBytes(data.length) : 0;
    this.charge.add(bytes);
    this.#receive(() => {
      this.charge.add(-bytes);
      if (this.isOpen()) this.#handler?.receive(String(data));
    });
  }

  /** The library would queue its own pongs without limit. */
  receivePing(data: Buffer): void {
    this.#receive(() => {
      if (!this.isOpen()) return;
      this.socket.pong(data, false, () => this.#flushed());
      this.#outbox.sent();
    });
  }

  /** The pong for a ping of the gateway does not count as a message of the caller. */
  receivePong(): void {
    if (this.#isAlive) this.#receive(() => {});
    this.#isAlive = true;
  }

  receiveError(error: Error): void {
    this.#options.onViolation(error, this.address);
  }

  closed(): void {
    this.#options.checks.delete(this);
    this.#inbox.close();
    this.#outbox.close();
    this.charge.release();
    this.#handler?.closed();
  }

  waitMs(): number {
    return this.#options.messageRate.take(this.caller);
  }

  takeTurn(): Promise<void> | undefined {
    return this.#options.takeMessageTurn(this.caller);
  }

  hasRoom(): boolean {
    const isRefusalDelayed = this.gate.isStopped(stopReasons.rate);
    return this.#outbox.isFree() && !isRefusalDelayed && this.#running < MAX_RUNNING_OPERATIONS;
  }

  onFlood(): void {
    this.end(createTooManyMessagesError());
  }

  unsentBytes(): number {
    return this.socket.bufferedAmount;
  }

  /** Pauses reading while a refusal is delayed. */
  pause(): void {
    this.gate.stop(stopReasons.rate);
  }

  resume(): void {
    this.gate.resume(stopReasons.rate);
    this.#inbox.wake();
  }

  /** Counts a running operation, and charges its message. Call `endOperation` once for it, with the same length. */
  beginOperation(messageLength: number): void {
    this.#running += 1;
    this.charge.add(receivedBytes(messageLength));
  }

  endOperation(messageLength: number): void {
    this.#running -= 1;
    this.charge.add(-receivedBytes(messageLength));
    this.#inbox.wake();
    if (this.#isStopping) this.stop();
  }

  /**
   * Charges the connection to the authenticated caller from now on. Ends the connection if the caller has no room for
   * it.
   */
  signIn(identity: Caller): void {
    this.#identity = identity;
    const budget = this.#options.budgets(toCallerId(this.caller, identity));
    if (!this.charge.moveTo(budget)) return void this.end(createTooManySubscriptionsError());
    this.#outbox.moveTo(budget);
    // Released, because a request with its headers is larger than the rest of the connection.
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
  sendFrames(template: FrameTemplate, id: string): void {
    this.heartbeats.flush();
    if (!this.isOpen() || writeFrames(this.#tcp, template, id)) return;
    if (this.#outbox.isDrained()) {
      this.#tcp.once('drain', () => {
        this.#outbox.drain();
        this.#inbox.wake();
        this.#handler?.drained();
      });
    }
    this.#outbox.stall();
  }

  /** Whether the client has read everything except for a small buffer. */
  isDrained(): boolean {
    return this.#outbox.isDrained() && this.#outbox.isFree();
  }

  /** Ends the connection because it exceeds a limit. The close reason contains the error code. */
  end(error: GatewayError): void {
    if (!this.isOpen()) return;
    this.#options.onRefused(error, this.address, this.#identity);
    this.endSubscriptions(error);
    this.close(TRY_AGAIN_LATER, `${error.code}: ${error.message}`);
  }

  /** Sends the error to every open subscription, and completes it. */
  endSubscriptions(error: GatewayError): void {
    this.#handler?.endSubscriptions(error);
  }

  /** Closes the connection, and destroys the socket if the client does not respond in time. */
  close(code: number, reason: string): void {
    this.#inbox.close();
    this.socket.closeWith(code, reason);
    setTimeout(() => this.socket.terminate(), CLOSE_TIMEOUT_MS).unref();
  }

  /** Closes the connection when its queries and mutations have ended, so that the client gets their results. */
  stop(): void {
    this.#isStopping = true;
    if (this.#running === 0) this.close(GOING_AWAY, 'Going away');
  }

  isOpen(): boolean {
    return this.socket.readyState === this.socket.OPEN;
  }

  sendHeartbeat(payload: ConnectionHeartbeat): void {
    // Reset, so that clients that do not respond to pings cannot collect uncounted messages.
    this.#expectedPongs = 1;
    void this.send(JSON.stringify({ type: 'ping', payload }));
  }

  /** Skipped while the connection is not read, because a pong could not arrive. */
  checkAlive(): void {
    if (this.gate.isStopped() || !this.#outbox.isDrained() || !this.isOpen()) return;
    if (!this.#isAlive) {
      this.socket.terminate();
      return;
    }
    this.#isAlive = false;
    this.socket.ping();
  }

  #receive(handle: () => void): void {
    if (this.request !== undefined && this.isOpen()) {
      this.#messagesBeforeInit += 1;
      if (this.#messagesBeforeInit > MAX_MESSAGES_BEFORE_INIT) this.end(createTooManyMessagesError());
    }
    this.#inbox.push(handle);
  }

  /** Large results, too, keep subscriptions from sending until the client has read them. */
  #flushed(): void {
    const wasDrained = this.isDrained();
    this.#outbox.flushed();
    this.#inbox.wake();
    if (!wasDrained && this.isDrained()) this.#handler?.drained();
  }
}
