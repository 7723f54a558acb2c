/**
 * The protocol `graphql-transport-ws` of one connection: handles the handshake, runs operations and subscriptions,
 * and closes the connection of a client that violates the protocol.
 * https://github.com/enisdenjo/graphql-ws/blob/master/PROTOCOL.md
 */
import type { GatewayError } from '../../../errors.js';
import type { OperationParameters } from '../../../graphql/limits/admitOperation.js';
import type { Logger } from '../../../lib/logger.js';
import { nextTurn } from '../../../lib/slicedComputation.js';
import type { PayloadBatch } from '../../../live/payloads.js';
import { ConnectionOperation } from '../connectionOperation.js';
import type { Operations } from '../operations.js';
import type { Subscriptions } from '../subscriptions.js';
import type { TransportEnd } from '../transportSubscription.js';
import { createNextFrames } from './frames.js';
import type { SocketConnection } from './socketConnection.js';
import { parseMessage } from './socketMessage.js';
import type { SocketHandler } from './socketOptions.js';
import type { SocketSessions } from './socketSessions.js';

interface SocketProtocolParts {
  sessions: SocketSessions;
  operations: Operations;
  subscriptions: Subscriptions;
  onViolation(connection: SocketConnection): void;
  logger: Logger;
}

const INIT_TIMEOUT_MS = 3000;

/**
 * Operations of a closed connection that are cancelled in one turn of the event loop. This takes a tenth of a
 * millisecond.
 */
const CANCELLED_PER_TURN = 20;

export const PROTOCOL = 'graphql-transport-ws';

const DUPLICATE_ID = 4409;

const closeReasons = {
  failed: [4500, 'Internal server error'],
  invalid: [4400, 'Invalid message received'],
  unauthorized: [4401, 'Unauthorized'],
  protocol: [4406, 'Subprotocol not acceptable'],
  notInitialised: [4408, 'Connection initialisation timeout'],
  initialisedTwice: [4429, 'Too many initialisation requests'],
} as const;

export class SocketProtocol implements SocketHandler {
  readonly connection: SocketConnection;
  readonly #parts: SocketProtocolParts;
  /** By the id that the client chose. */
  readonly #operations = new Map<string, SocketOperation>();
  #state: 'new' | 'initialising' | 'open' = 'new';
  #initTimer: NodeJS.Timeout | undefined;

  constructor(connection: SocketConnection, parts: SocketProtocolParts) {
    this.connection = connection;
    this.#parts = parts;
    if (connection.socket.protocol !== PROTOCOL) {
      this.#close('protocol');
      return;
    }
    this.#initTimer = setTimeout(() => this.#close('notInitialised'), INIT_TIMEOUT_MS);
  }

  receive(text: string): void {
    const message = parseMessage(text);
    if (typeof message === 'string') this.#close('invalid', `: ${message}`);
    else if (message.type === 'connection_init')
      void this.#initialise(message.payload).catch((cause) => this.#fail(cause));
    else if (message.type === 'ping')
      void this.connection.send(JSON.stringify({ type: 'pong', payload: message.payload }));
    else if (message.type === 'subscribe') this.#subscribe(message, text.length);
    else if (message.type === 'complete') this.#operations.get(message.id)?.cancel();
  }

  drained(): void {
    for (const operation of this.#operations.values()) operation.subscription?.resume();
  }

  endSubscriptions(error: GatewayError): void {
    for (const operation of this.#operations.values()) operation.subscription?.fail(error);
  }

  closed(): void {
    clearTimeout(this.#initTimer);
    void this.#cancelOperations().finally(() => this.#parts.sessions.close(this.connection));
  }

  remove(operation: ConnectionOperation): void {
    if (this.#operations.get(operation.id) === operation) this.#operations.delete(operation.id);
  }

  #close(reason: keyof typeof closeReasons, details = ''): void {
    const [code, message] = closeReasons[reason];
    if (reason !== 'failed') this.#parts.onViolation(this.connection);
    this.connection.close(code, message + details);
  }

  /**
   * In several turns of the event loop: there may be hundreds of operations on each of many connections. The
   * newest are cancelled first, so that an operation that waits for memory does not get the memory of an older
   * one.
   */
  async #cancelOperations(): Promise<void> {
    for (const [index, operation] of [...this.#operations.values()].reverse().entries()) {
      if (index % CANCELLED_PER_TURN === CANCELLED_PER_TURN - 1) await nextTurn();
      operation.cancel();
    }
  }

  async #initialise(params: Record<string, unknown> | undefined): Promise<void> {
    clearTimeout(this.#initTimer);
    this.#initTimer = undefined;
    if (this.#state !== 'new') {
      this.#close('initialisedTwice');
      return;
    }
    this.#state = 'initialising';
    const session = await this.#parts.sessions.open(this.connection, params);
    if (session === undefined) return;
    this.connection.signIn(session.caller);
    this.#state = 'open';
    await this.connection.send('{"type":"connection_ack"}');
  }

  #subscribe({ id, payload }: { id: string; payload: OperationParameters }, length: number): void {
    if (this.#state !== 'open') {
      this.#close('unauthorized');
      return;
    }
    if (this.#operations.has(id)) {
      this.connection.close(DUPLICATE_ID, `Subscriber for ${id} already exists`);
      return;
    }
    const operation = new SocketOperation(id, this.connection, this);
    this.#operations.set(id, operation);
    this.#run(operation, payload, length).catch((cause) => this.#fail(cause));
  }

  async #run(operation: SocketOperation, payload: OperationParameters, length: number): Promise<void> {
    const { connection } = this;
    const { sessions, operations } = this.#parts;
    const { budget } = connection;
    const startedAtMs = performance.now();
    connection.beginOperation(length);
    try {
      const session = await sessions.get(connection);
      if (session === undefined) return;
      const prepared = await operations.prepare(payload, {
        session,
        callerId: connection.caller,
        connection,
        beginSubscription: (document) => operation.beginSubscription(length, document),
      });
      if (!('document' in prepared)) await operation.refuse(prepared);
      else if (!operation.isOver)
        await operation.run(this.#parts, prepared, { transport: 'websocket', session, budget });
      else operations.endCancelled(prepared, session, { transport: 'websocket', startedAtMs });
    } finally {
      connection.endOperation(length);
    }
  }

  #fail(cause: unknown): void {
    this.#parts.logger.error({ cause }, 'A websocket message failed');
    this.#close('failed');
  }
}

class SocketOperation extends ConnectionOperation<SocketConnection> {
  async refuse(errors: unknown): Promise<void> {
    if (this.isOver) return;
    this.finish();
    await this.#send('error', JSON.stringify(errors));
  }

  /** A connection that is closing takes no results, so nothing further is executed. */
  async send(text: string): Promise<void> {
    if (!this.isOver) await this.#send('next', text);
    if (!this.connection.isOpen()) this.cancel();
  }

  next(batch: PayloadBatch): void {
    const id = JSON.stringify(this.id);
    const idBytes = Buffer.byteLength(id);
    const template = batch.framed(`websocket ${idBytes}`, (payloads) => createNextFrames(payloads, idBytes));
    this.connection.sendFrames(template, id);
  }

  async end({ text }: TransportEnd): Promise<void> {
    if (this.isOver) return;
    if (text !== undefined) void this.#send('next', text);
    this.finish();
    await this.#send('complete');
  }

  /** `payload`: JSON. */
  #send(type: 'next' | 'error' | 'complete', payload?: string): Promise<void> {
    const content = payload === undefined ? '' : `,"payload":${payload}`;
    return this.connection.send(`{"id":${JSON.stringify(this.id)},"type":"${type}"${content}}`);
  }
}
