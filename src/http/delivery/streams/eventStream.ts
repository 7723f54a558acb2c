/**
 * The operations that share one streamed response: one in distinct connections mode and over multipart, several in single
 * connection mode. Verifies the credential periodically, and ends all operations together.
 */
import { randomBytes } from 'node:crypto';
import { createUnreadConnectionError, GatewayError } from '../../../errors.js';
import type { ByteBudget } from '../../../lib/byteBudget.js';
import type { CallerSession, OpenSession } from '../../auth/callerSession.js';
import type { ResponseTarget } from '../../responses/sendResponse.js';
import { ConnectionCharge } from '../connectionBytes.js';
import type { ConnectionOperation } from '../connectionOperation.js';
import { type ConnectionHeartbeat, HeartbeatBatch } from '../heartbeats.js';
import type { OutboxLimits } from '../outbox.js';
import {
  createCredentialExpiredError,
  recheckCredential,
  type VerifiableSession,
} from '../sockets/socketSessions.js';
import type { StreamFormat } from '../streamFormat.js';
import { ResponseStream } from './responseStream.js';
import type { StreamCodec } from './streamCodec.js';
import { DISTINCT_OPERATION, type StreamOperation } from './streamOperation.js';
import { createTokenError } from './streamRequest.js';

interface StreamConnectionOptions extends OutboxLimits {
  verifiable: VerifiableSession;
  openSession: OpenSession;
  recheckIntervalMs: number;
  /** Charged with the connection, its operations and its unsent bytes. */
  budget: ByteBudget;
  /** Writes what belongs to no operation. */
  codec: StreamCodec;
  endsWithOperation: boolean;
  /** Counts a connection that ends early. */
  onRefused(error: GatewayError): void;
  onClose(): void;
}

/** Interval of heartbeats without a subscription, which show proxies and clients that the connection works. */
const KEEP_ALIVE_MS = 12_000;

export class EventStream {
  readonly heartbeats = new HeartbeatBatch(this);
  readonly budget: ByteBudget;
  readonly charge: ConnectionCharge;
  readonly session: CallerSession;
  readonly format: StreamFormat;
  readonly #options: StreamConnectionOptions;
  readonly #operations = new Map<string, StreamOperation>();
  readonly #timers: readonly NodeJS.Timeout[];
  #response: ResponseStream | undefined;
  /** Frames of operations that have begun before the response. */
  readonly #waiting: (string | Buffer)[] = [];
  #isEnding = false;
  #isClosed = false;

  constructor(options: StreamConnectionOptions) {
    this.#options = options;
    this.budget = options.budget;
    this.charge = new ConnectionCharge(options.budget);
    this.session = options.verifiable.session;
    this.format = options.codec.format;
    this.#timers = [
      setInterval(() => void this.#recheckCredential(), options.recheckIntervalMs).unref(),
      setInterval(() => this.#keepAlive(), KEEP_ALIVE_MS).unref(),
    ];
  }

  get operationCount(): number {
    return this.#operations.size;
  }

  isAttached(): boolean {
    return this.#response !== undefined;
  }

  isEnding(): boolean {
    return this.#isEnding;
  }

  has(operationId: string): boolean {
    return this.#operations.has(operationId);
  }

  /** Sends the results over this response from now on. */
  attach(target: ResponseTarget): void {
    this.#response = new ResponseStream(target, {
      ...this.#options,
      onDrain: () => this.#resume(),
      onSlow: (error) => {
        this.#options.onRefused(error);
        for (const operation of [...this.#operations.values()]) operation.endUnread(error);
        this.end(error);
      },
      onClose: () => this.close(),
    });
    for (const frames of this.#takeWaiting()) this.#response.write(frames);
    this.#resume();
  }

  isDrained(): boolean {
    return this.#response?.isDrained() ?? false;
  }

  write(frames: string | Buffer): void {
    this.heartbeats.flush();
    if (this.#response) this.#response.write(frames);
    else if (!this.#isClosed) this.#buffer(frames);
  }

  /** Adds an operation. Its id must not be in use. */
  add(operation: StreamOperation): void {
    this.#operations.set(operation.id, operation);
  }

  remove(operation: ConnectionOperation): void {
    if (this.#operations.get(operation.id) === operation) this.#operations.delete(operation.id);
    if (this.#options.endsWithOperation || this.#isEnding) this.#endWithoutOperations();
  }

  cancel(operationId: string): void {
    this.#operations.get(operationId)?.cancel();
  }

  /** Ends every subscription with the error. Ends the response after them and after the running queries. */
  end(error: GatewayError): void {
    this.#isEnding = true;
    for (const { subscription } of [...this.#operations.values()]) subscription?.fail(error);
    this.#endWithoutOperations();
  }

  /** Cancels every operation and releases the session. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    for (const timer of this.#timers) clearInterval(timer);
    for (const operation of [...this.#operations.values()]) operation.cancel();
    this.#takeWaiting();
    this.charge.release();
    this.#options.onClose();
    this.session.release();
  }

  /** Buffers frames until there is a response. Closes the connection if its caller exceeds the budget. */
  #buffer(frames: string | Buffer): void {
    const { budget, onRefused } = this.#options;
    this.#waiting.push(frames);
    this.charge.add(bytesOf(frames));
    if (!budget.isExceeded()) return;
    onRefused(createUnreadConnectionError());
    this.close();
  }

  #takeWaiting(): (string | Buffer)[] {
    const waiting = this.#waiting.splice(0);
    for (const frames of waiting) this.charge.add(-bytesOf(frames));
    return waiting;
  }

  #endWithoutOperations(): void {
    if (this.#operations.size > 0) return;
    if (this.#response) this.#response.end();
    else this.close();
  }

  #resume(): void {
    for (const operation of this.#operations.values()) operation.resume();
  }

  /** Subscriptions have heartbeats of their own, which carry the time of the last poll. */
  #keepAlive(): void {
    if (!this.isAttached()) return;
    const hasSubscription = [...this.#operations.values()].some(({ subscription }) => subscription);
    if (!hasSubscription) this.sendHeartbeat({ cursors: {} });
  }

  sendHeartbeat({ asOf, cursors }: ConnectionHeartbeat): void {
    const { codec, endsWithOperation } = this.#options;
    const cursor = cursors[DISTINCT_OPERATION];
    this.write(codec.heartbeat(endsWithOperation ? { asOf, cursor } : { asOf, cursors }));
  }

  async #recheckCredential(): Promise<void> {
    const refusal = await recheckCredential(this.#options.verifiable, this.#options.openSession);
    if (refusal === undefined || this.#isEnding || this.#isClosed) return;
    this.#options.onRefused(refusal);
    this.end(createCredentialExpiredError());
  }
}

/** A character of a string takes up to two bytes. */
function bytesOf(frames: string | Buffer): number {
  return typeof frames === 'string' ? 2 * frames.length : frames.length;
}

interface StreamReservation {
  connection: EventStream;
  /** Names the caller and its authorization. */
  owner: string;
  /** Ends the reservation if no GET follows. */
  timer: NodeJS.Timeout;
}

/** Milliseconds from a PUT to the GET that opens the connection. */
const RESERVATION_MS = 30_000;
const TOKEN_BYTES = 24;

export class SingleConnections {
  readonly #reservations = new Map<string, StreamReservation>();
  readonly #suffix: string;

  /** `worker`: the id of this worker, which tokens name. Undefined without workers. */
  constructor(worker: number | undefined) {
    this.#suffix = worker === undefined ? '' : `.${worker}`;
  }

  /** Returns the token of the connection, which nobody can guess. */
  reserve(owner: string, create: (onClose: () => void) => EventStream): string {
    const token = randomBytes(TOKEN_BYTES).toString('base64url') + this.#suffix;
    const connection = create(() => this.#delete(token));
    const timer = setTimeout(() => connection.close(), RESERVATION_MS).unref();
    this.#reservations.set(token, { connection, owner, timer });
    return token;
  }

  /** The connection of a token. Throws BAD_REQUEST for every caller except its owner. */
  get(token: string, owner: string): EventStream {
    const found = this.#reservations.get(token);
    if (found === undefined || found.owner !== owner) throw createTokenError();
    return found.connection;
  }

  /** The connection of a token, to be opened. A token opens one connection. */
  open(token: string, owner: string): EventStream {
    const connection = this.get(token, owner);
    if (connection.isAttached())
      throw new GatewayError('BAD_REQUEST', 'This token is in use. Reserve another one.');
    clearTimeout(this.#reservations.get(token)?.timer);
    return connection;
  }

  #delete(token: string): void {
    clearTimeout(this.#reservations.get(token)?.timer);
    this.#reservations.delete(token);
  }
}
