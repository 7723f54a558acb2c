/** Answers requests for streams at `/graphql`: GraphQL over SSE in both modes, and multipart HTTP. */
import type { IncomingMessage } from 'node:http';
import type { ApolloServer } from '@apollo/server';
import type { GraphQLError } from 'graphql';
import { createStoppingError, GatewayError } from '../../../errors.js';
import { createErrorCauseLogger } from '../../../graphql/apollo/logErrorCauses.js';
import type { Context } from '../../../graphql/context.js';
import { admitOperation, type OperationParameters } from '../../../graphql/limits/admitOperation.js';
import type { ByteBudgets } from '../../../lib/byteBudget.js';
import type { Clock } from '../../../lib/clock.js';
import type { Logger } from '../../../lib/logger.js';
import { createTurns } from '../../../lib/turns.js';
import type { OpenSession } from '../../auth/callerSession.js';
import { readCredentialFromHeaders } from '../../auth/providedCredential.js';
import { toCallerId } from '../../rateLimits/callerRateLimiter.js';
import { createRequestExecutor, type ExecuteRequest } from '../../requests/executeRequest.js';
import { hasJsonBody, readParameters, searchOf } from '../../requests/operationRequest.js';
import { parseJsonBody } from '../../requests/requestBody.js';
import { type Cors, isTrustedOrigin } from '../../responses/cors.js';
import { setCommonHeaders } from '../../responses/sendResponse.js';
import type { OutboxLimits } from '../outbox.js';
import { refuseOperation, toExecutionArgs } from '../socketOperation.js';
import { RECHECK_INTERVAL_MS } from '../socketSessions.js';
import { SingleConnections } from './singleConnections.js';
import { createCodec, createSseCodec, type StreamCodec } from './streamCodec.js';
import { type RunOperation, StreamConnection } from './streamConnection.js';
import { chooseStream, type StreamChoice } from './streamFormat.js';
import { runSubscription, type StreamOperationOptions, toRefusal } from './streamOperation.js';
import {
  createOriginError,
  createTooManyOperationsError,
  isReservation,
  MAX_OPERATIONS,
  ownerOf,
  readOperationId,
  readToken,
  type StreamRequest,
  toPayload,
} from './streamRequest.js';

export interface StreamHandlerOptions
  extends Omit<StreamOperationOptions, 'takeTurn' | 'logCauses'>,
    OutboxLimits {
  apolloServer: ApolloServer<Context>;
  clock: Clock;
  logger: Logger;
  openSession: OpenSession;
  cors: Cors;
  budgets: ByteBudgets;
  recheckIntervalMs?: number | undefined;
}

export interface StreamHandler {
  /**
   * Answers a request for a stream, and keeps and releases its session. Returns false for all other requests. Throws a
   * `GatewayError` before it responds.
   */
  handle(request: StreamRequest): boolean;
  /** Ends every stream with STOPPING. Resolves when all are closed, or after `graceMs`. */
  close(graceMs: number): Promise<void>;
  /** The number of open streams. */
  connectionCount(): number;
}

const NO_STORE = { 'Cache-Control': 'no-store' };
const JSON_HEADERS = { ...NO_STORE, 'Content-Type': 'application/json; charset=utf-8' };

export function createStreamHandler(options: StreamHandlerOptions): StreamHandler {
  return new HttpStreamHandler(options);
}

class HttpStreamHandler implements StreamHandler {
  readonly #options: StreamHandlerOptions & StreamOperationOptions;
  readonly #execute: ExecuteRequest;
  readonly #single = new SingleConnections();
  readonly #open = new Set<StreamConnection>();
  #onEmpty: () => void = () => {};

  constructor(options: StreamHandlerOptions) {
    const { apolloServer, clock, logger } = options;
    this.#execute = createRequestExecutor(apolloServer, clock);
    this.#options = { ...options, takeTurn: createTurns(1), logCauses: createErrorCauseLogger(logger) };
  }

  connectionCount(): number {
    return this.#open.size;
  }

  handle(incoming: StreamRequest): boolean {
    const { request } = incoming;
    const token = readToken(request);
    if (isReservation(request)) this.#reserve(incoming);
    else if (token === undefined) return this.#openDistinct(incoming);
    else if (request.method === 'GET') this.#openSingle(incoming, token);
    else if (request.method === 'POST') this.#start(incoming, token);
    else if (request.method === 'DELETE') this.#stop(incoming, token);
    else return false;
    return true;
  }

  async close(graceMs: number): Promise<void> {
    // Subscriptions that have just ended still send their last results.
    await new Promise((resolve) => setImmediate(resolve));
    const empty = new Promise<void>((resolve) => {
      this.#onEmpty = resolve;
    });
    for (const connection of this.#open) connection.end(createStoppingError());
    if (this.#open.size === 0) return;
    const timer = setTimeout(this.#onEmpty, graceMs);
    await empty;
    clearTimeout(timer);
  }

  /** Returns false if the client prefers JSON for this operation. */
  #openDistinct(incoming: StreamRequest): boolean {
    const { request } = incoming;
    const isOperation = request.method === 'GET' || request.method === 'POST';
    const choice = isOperation ? chooseStream(request.headers.accept) : undefined;
    if (choice === undefined) return false;
    const body = hasJsonBody(request) ? parseJsonBody(incoming.text) : undefined;
    const parameters = readParameters(request, body);
    if (!choice.isOnly && !this.#isSubscription(parameters)) return false;
    if (!isTrustedOrigin(request, this.#options.cors)) throw createOriginError();
    const codec = toCodec(request, choice);
    const connection = this.#connect(incoming, { codecOf: () => codec, endsWithOperation: true });
    connection.attach(incoming);
    void connection.run('', incoming.text, this.#toRun(incoming, parameters, body));
    return true;
  }

  /** Operations that exceed a limit are refused as JSON where the client accepts it. */
  #isSubscription(parameters: OperationParameters): boolean {
    try {
      return (
        admitOperation(this.#options.admission, parameters, { takesSubscriptions: true }).kind ===
        'subscription'
      );
    } catch {
      return false;
    }
  }

  #reserve(incoming: StreamRequest): void {
    const { response, requestId } = incoming;
    const codecOf = (operationId: string) => createSseCodec({ operationId });
    const token = this.#single.reserve(ownerOf(incoming), (onClose) =>
      this.#connect(incoming, { codecOf, endsWithOperation: false }, onClose),
    );
    setCommonHeaders(response, requestId);
    response.writeHead(201, { ...NO_STORE, 'Content-Type': 'text/plain; charset=utf-8' });
    response.end(token);
  }

  #openSingle(incoming: StreamRequest, token: string): void {
    this.#single.open(token, ownerOf(incoming)).attach(incoming);
    incoming.session.release();
  }

  #start(incoming: StreamRequest, token: string): void {
    const { request, response, requestId, session, text } = incoming;
    const connection = this.#single.get(token, ownerOf(incoming));
    const body = hasJsonBody(request) ? parseJsonBody(text) : undefined;
    const parameters = readParameters(request, body);
    const operationId = readOperationId(parameters);
    if (connection.has(operationId)) throw new GatewayError('BAD_REQUEST', 'This operationId is in use.');
    if (connection.operationCount >= MAX_OPERATIONS) throw createTooManyOperationsError();
    setCommonHeaders(response, requestId);
    const run = this.#toRun(incoming, parameters, body);
    const running = connection.run(operationId, text, run, {
      accept: () => void response.writeHead(202, NO_STORE).end(),
      refuse: (result) => void response.writeHead(400, JSON_HEADERS).end(result),
    });
    void running.finally(() => {
      // The client may have stopped the operation before it was accepted.
      if (!response.writableEnded) response.writeHead(202, NO_STORE).end();
      session.release();
    });
  }

  #stop(incoming: StreamRequest, token: string): void {
    const { request, response, requestId } = incoming;
    const operationId = new URLSearchParams(searchOf(request)).get('operationId');
    if (operationId === null) throw new GatewayError('BAD_REQUEST', 'Name the operation by operationId.');
    this.#single.get(token, ownerOf(incoming)).cancel(operationId);
    setCommonHeaders(response, requestId);
    response.writeHead(200, NO_STORE).end();
    incoming.session.release();
  }

  #connect(
    { request, requestId, session }: StreamRequest,
    kind: { codecOf(operationId: string): StreamCodec; endsWithOperation: boolean },
    onClosed: () => void = () => {},
  ): StreamConnection {
    const { openSession, budgets, requestMetrics, recheckIntervalMs } = this.#options;
    const { maxUnsentBytes, maxUnsentMs } = this.#options;
    const credential = readCredentialFromHeaders(request.headers);
    const address = request.socket.remoteAddress ?? '';
    const connection: StreamConnection = new StreamConnection({
      ...kind,
      ...{ requestId, openSession, maxUnsentBytes, maxUnsentMs },
      verifiable: { credential, address, session },
      recheckIntervalMs: recheckIntervalMs ?? RECHECK_INTERVAL_MS,
      budget: budgets(toCallerId(request, session.caller)),
      onRefused: ({ code }) => requestMetrics.recordRefusal(code),
      onClose: () => {
        onClosed();
        this.#open.delete(connection);
        if (this.#open.size === 0) this.#onEmpty();
      },
    });
    this.#open.add(connection);
    return connection;
  }

  #toErrors(error: unknown, callerId: string, requestId: string): readonly GraphQLError[] {
    try {
      return refuseOperation(error, callerId, requestId, this.#options);
    } catch (cause) {
      this.#options.logger.error({ requestId, cause }, 'A request failed');
      const failure = new GatewayError(
        'INTERNAL_SERVER_ERROR',
        'The gateway failed. See its log for the cause.',
      );
      return refuseOperation(failure, callerId, requestId, this.#options);
    }
  }

  /** Queries and mutations are executed like those over HTTP, subscriptions event by event. */
  #toRun(
    { request, requestId, session }: StreamRequest,
    parameters: OperationParameters,
    body: unknown,
  ): RunOperation {
    const options = this.#options;
    return async (connection, sink, cancellation) => {
      try {
        const { kind, cost } = admitOperation(options.admission, parameters, { takesSubscriptions: true });
        if (kind === 'subscription') {
          const origin = { connection, id: '', session, cancellation, requestId };
          const args = toExecutionArgs(toPayload(parameters), origin, options);
          return await runSubscription(args, sink, cancellation, options);
        }
        const admitted = { request, requestId, session, body, cost, isStream: true };
        const { status, text } = await this.#execute(admitted, cancellation);
        if (status >= 400) return await sink.refuse(text);
        sink.accept();
        await sink.next(text);
        sink.complete();
      } catch (error) {
        const callerId = toCallerId(request, session.caller);
        await sink.refuse(toRefusal(this.#toErrors(error, callerId, requestId)));
      }
    };
  }
}

function toCodec({ method }: IncomingMessage, { format }: StreamChoice): StreamCodec {
  // Browsers send EventSource requests by GET alone; the clients that fail on unknown events use POST.
  return createCodec(format, { isEventSource: method === 'GET' });
}
