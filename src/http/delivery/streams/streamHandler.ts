/** Responds to requests for streams at `/graphql`: GraphQL over SSE in both modes, and multipart HTTP. */
import type { DocumentNode, GraphQLFormattedError } from 'graphql';
import {
  createClientDisconnectedError,
  createInternalError,
  createStoppingError,
  GatewayError,
} from '../../../errors.js';
import {
  type AdmissionPolicy,
  admitOperation,
  type OperationParameters,
} from '../../../graphql/limits/admitOperation.js';
import { nextTurn } from '../../../lib/slicedComputation.js';
import { readCredentialFromHeaders } from '../../auth/providedCredential.js';
import { remoteAddressOf, toAddressGroup } from '../../rateLimits/remoteAddress.js';
import { requestsExplanation, requestsNoCache, searchOf } from '../../requests/operationRequest.js';
import { createOriginError, isTrustedOrigin } from '../../responses/cors.js';
import { chooseJsonType } from '../../responses/mediaTypes.js';
import { setCommonHeaders } from '../../responses/sendResponse.js';
import type { PreparedOperation } from '../preparedOperation.js';
import type { ResultFormatter } from '../resultFormatter.js';
import { chooseStream } from '../streamFormat.js';
import type { DeliveryOptions } from '../subscriptions.js';
import { EventStream, SingleConnections } from './eventStream.js';
import { createSseCodec, multipartCodec, type StreamCodec } from './streamCodec.js';
import { DISTINCT_OPERATION, StreamOperation } from './streamOperation.js';
import {
  checkParameters,
  createTokenError,
  isReservation,
  ownerOf,
  readLastEventId,
  readOperationId,
  readParametersOf,
  readToken,
  type StreamRequest,
} from './streamRequest.js';

interface StreamHandlerOptions extends DeliveryOptions {
  results: ResultFormatter;
  admission: AdmissionPolicy;
  worker?: number | undefined;
}

/** Maximum number of open operations of one stream. */
const MAX_OPERATIONS = 1000;
const NO_STORE = { 'Cache-Control': 'no-store' };

/**
 * Browsers send requests of EventSource by GET, and their `User-Agent` begins with this. Routers may also use GET, but
 * treat each event as a result.
 */
const BROWSER = /^Mozilla\//;

export class StreamHandler {
  readonly #options: StreamHandlerOptions;
  readonly #single: SingleConnections;
  readonly #open = new Set<EventStream>();
  #onEmpty: () => void = () => {};

  constructor(options: StreamHandlerOptions) {
    this.#options = options;
    this.#single = new SingleConnections(options.worker);
  }

  connectionCount(): number {
    return this.#open.size;
  }

  /**
   * Responds to a request for a stream, and releases its session when the stream ends. Returns false for all other
   * requests. Throws a `GatewayError` only before it has sent anything.
   */
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

  /** Ends every stream with STOPPING. Resolves when all are closed, or after `graceMs`. */
  async close(graceMs: number): Promise<void> {
    // Subscriptions that have just ended still send their last results.
    await nextTurn();
    const empty = new Promise<void>((resolve) => {
      this.#onEmpty = resolve;
    });
    for (const connection of [...this.#open]) connection.end(createStoppingError());
    if (this.#open.size === 0) return;
    const timer = setTimeout(this.#onEmpty, graceMs);
    await empty;
    clearTimeout(timer);
  }

  /** Returns false if the client prefers JSON for this operation. */
  #openDistinct(incoming: StreamRequest): boolean {
    const { request, text } = incoming;
    const { method, headers } = request;
    const choice = method === 'GET' || method === 'POST' ? chooseStream(headers.accept) : undefined;
    if (choice === undefined) return false;
    const parameters = readParametersOf(incoming);
    if (!choice.acceptsNoJson && !this.#isSubscription(parameters)) return false;
    if (!isTrustedOrigin(request, this.#options.cors)) {
      throw createOriginError(request);
    }
    // A client that has already disconnected emits no event that would end its stream.
    if (incoming.response.destroyed) throw createClientDisconnectedError();
    const isEventSource = method === 'GET' && BROWSER.test(headers['user-agent'] ?? '');
    const codec = choice.format === 'sse' ? createSseCodec({ isEventSource }) : multipartCodec;
    const connection = this.#connect(incoming, { codec, endsWithOperation: true });
    connection.attach(incoming);
    const operation = new StreamOperation(DISTINCT_OPERATION, codec, connection);
    const prepared = this.#prepare(incoming, parameters, operation);
    if ('document' in prepared) {
      this.#run(operation, prepared, connection, { request, after: readLastEventId(request), text });
    } else operation.end({ text: JSON.stringify({ errors: prepared }), error: undefined });
    return true;
  }

  /** Operations that exceed a limit are refused as JSON if the client accepts it. */
  #isSubscription(parameters: OperationParameters): boolean {
    try {
      const supportsSubscriptions = true;
      const { summary } = admitOperation(this.#options.admission, parameters, { supportsSubscriptions });
      return summary.kind === 'subscription';
    } catch {
      return false;
    }
  }

  #reserve(incoming: StreamRequest): void {
    const { response, requestId } = incoming;
    const token = this.#single.reserve(ownerOf(incoming), (onClose) =>
      this.#connect(incoming, { codec: createSseCodec(), endsWithOperation: false }, onClose),
    );
    setCommonHeaders(response, requestId);
    response.writeHead(201, { ...NO_STORE, 'Content-Type': 'text/plain; charset=utf-8' });
    response.end(token);
  }

  #openSingle(incoming: StreamRequest, token: string): void {
    if (incoming.response.destroyed) throw createClientDisconnectedError();
    this.#single.open(token, ownerOf(incoming)).attach(incoming);
    incoming.session.release();
  }

  /** Runs the operation with the session that reserved the connection, which has the same rights. */
  #start(incoming: StreamRequest, token: string): void {
    const { request, response, requestId, session, text } = incoming;
    const connection = this.#single.get(token, ownerOf(incoming));
    // It no longer verifies its credential, so a new subscription would outlive a later refusal.
    if (connection.isEnding()) throw createTokenError();
    const parameters = readParametersOf(incoming);
    const operationId = readOperationId(parameters);
    if (connection.has(operationId)) throw new GatewayError('BAD_REQUEST', 'This operationId is in use.');
    if (connection.operationCount >= MAX_OPERATIONS) {
      const message = `A stream runs at most ${MAX_OPERATIONS} operations at a time.`;
      throw new GatewayError('TOO_MANY_SUBSCRIPTIONS', message, { retryable: true });
    }
    const operation = new StreamOperation(operationId, createSseCodec({ operationId }), connection);
    const prepared = this.#prepare(incoming, parameters, operation);
    setCommonHeaders(response, requestId);
    if ('document' in prepared) {
      response.writeHead(202, NO_STORE).end();
      this.#run(operation, prepared, connection, { request, after: undefined, text });
    } else {
      operation.cancel();
      const type = chooseJsonType(request.headers.accept);
      const headers = { 'Content-Type': type, 'Cache-Control': 'no-store' };
      response.writeHead(400, headers).end(JSON.stringify({ errors: prepared }));
    }
    session.release();
  }

  #stop(incoming: StreamRequest, token: string): void {
    const { request, response, requestId } = incoming;
    const operationId = new URLSearchParams(searchOf(request)).get('operationId');
    if (operationId === null)
      throw new GatewayError('BAD_REQUEST', 'Set the parameter operationId to the id of the operation.');
    this.#single.get(token, ownerOf(incoming)).cancel(operationId);
    setCommonHeaders(response, requestId);
    response.writeHead(200, NO_STORE).end();
    incoming.session.release();
  }

  #connect(
    { request, requestId, session, callerId }: StreamRequest,
    form: { codec: StreamCodec; endsWithOperation: boolean },
    onClosed: () => void = () => {},
  ): EventStream {
    const { budgets, reportRefusal } = this.#options;
    const { caller } = session;
    const credential = readCredentialFromHeaders(request.headers);
    const address = remoteAddressOf(request);
    const connection: EventStream = new EventStream({
      ...this.#options,
      ...form,
      verifiable: { credential, address, session },
      budget: budgets(callerId),
      onRefused: (error) =>
        reportRefusal({ error, transport: 'stream', requestId, caller, address: toAddressGroup(address) }),
      onClose: () => {
        onClosed();
        this.#open.delete(connection);
        if (this.#open.size === 0) this.#onEmpty();
      },
    });
    this.#open.add(connection);
    return connection;
  }

  /** Returns the errors that refuse the operation if there are any. */
  #prepare(
    { request, requestId, session, callerId, text, trace: requestTrace }: StreamRequest,
    parameters: OperationParameters,
    operation: StreamOperation,
  ): PreparedOperation | readonly GraphQLFormattedError[] {
    const { operations } = this.#options;
    const trace = requestTrace?.beginOperation();
    const beginSubscription = (document: DocumentNode) => operation.beginSubscription(text.length, document);
    try {
      checkParameters(parameters);
      const prepared = operations.admit(parameters, { session, beginSubscription }, requestId, trace);
      if (request.method === 'GET' && prepared.operation.operation === 'mutation')
        throw new GatewayError('BAD_REQUEST', 'Send mutations by POST.');
      if (trace) requestTrace?.endWith(trace);
      return prepared;
    } catch (error) {
      const { caller } = session;
      const refused = { transport: 'stream' as const, requestId, caller, headers: request.headers, trace };
      return operations.refuse(error, callerId, refused);
    }
  }

  #run(
    operation: StreamOperation,
    prepared: PreparedOperation,
    { session, budget, format: transport }: EventStream,
    { request, after, text }: Pick<StreamRequest, 'request' | 'text'> & { after: string | undefined },
  ): void {
    const { results, logger } = this.#options;
    const { requestId } = prepared;
    if (prepared.operation.operation !== 'subscription') operation.chargeRequest(text.length);
    const [noCache, explain] = [requestsNoCache(request), requestsExplanation(request)];
    const origin = { transport, session, budget, after, noCache, explain };
    operation.run(this.#options, prepared, origin).catch((cause) => {
      logger.error({ requestId, cause }, 'A request failed');
      operation.end({
        text: results.toErrorJson(createInternalError(), requestId, undefined),
        error: undefined,
      });
    });
  }
}
