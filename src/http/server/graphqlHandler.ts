/**
 * Serves GraphQL over HTTP: authenticates the caller, limits its rate, and sends the response whole, incrementally
 * or as a stream.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { GatewayError } from '../../errors.js';
import type { ByteBudget, ByteBudgets } from '../../lib/byteBudget.js';
import { isPromise, settle } from '../../lib/maybePromise.js';
import type { RequestTrace } from '../../tracing/operationTrace.js';
import type { Tracing } from '../../tracing/tracing.js';
import type { Caller } from '../auth/caller.js';
import type { CallerSession, OpenSession } from '../auth/callerSession.js';
import { hasCredential, readCredentialFromHeaders } from '../auth/providedCredential.js';
import { createLongMessagesError, receivedBytes } from '../delivery/connectionBytes.js';
import { chargeUnsentBytes, checkRoomForResponse } from '../delivery/outbox.js';
import type { RespondInParts } from '../delivery/streams/incrementalHandler.js';
import type { StreamHandler } from '../delivery/streams/streamHandler.js';
import { mayRequestEventStream } from '../delivery/streams/streamRequest.js';
import { toCallerId } from '../rateLimits/callerRateLimiter.js';
import { type CallerThrottle, isOperationRefusal } from '../rateLimits/callerThrottle.js';
import { isSecure, remoteAddressOf, toAddressGroup } from '../rateLimits/remoteAddress.js';
import type { AccessLog, LoggedSource } from '../requests/accessLog.js';
import type { Exchange } from '../requests/executeRequest.js';
import { hasJsonBody } from '../requests/operationRequest.js';
import type { ReportRefusal } from '../requests/refusalReporter.js';
import { readBodyText } from '../requests/requestBody.js';
import type { RequestMetrics } from '../requests/requestMetrics.js';
import { createResponder, type ResponderOptions, type SentResponse } from '../requests/responder.js';
import { sendError } from '../responses/sendError.js';
import { CLIENT_DISCONNECTED, type ResponseTarget } from '../responses/sendResponse.js';

interface GraphqlHandlerOptions extends ResponderOptions {
  openSession: OpenSession;
  throttle: CallerThrottle;
  /** Charged with long requests, and with the unsent bytes of responses. */
  budgets: ByteBudgets;
  maxBodyBytes: number;
  requestMetrics: RequestMetrics;
  accessLog?: AccessLog | undefined;
  reportRefusal: ReportRefusal;
  tracing?: Tracing | undefined;
  streams: Pick<StreamHandler, 'handle'>;
  respondInParts: RespondInParts;
}

export type RouteHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  requestId: string,
) => Promise<unknown>;

export function createGraphqlHandler(options: GraphqlHandlerOptions): RouteHandler {
  const { tracing } = options;
  const handler = new GraphqlHandler(options);
  if (tracing === undefined)
    return (request, response, requestId) => handler.handle(request, response, requestId, undefined);
  return async (request, response, requestId) => {
    const trace = tracing.beginRequest(request.headers, requestId);
    let isClientDisconnected = false;
    response.once('close', () => {
      isClientDisconnected = !response.headersSent;
    });
    const end = (sentStatus: number, hasFailed: boolean, source?: LoggedSource) => {
      const status = isClientDisconnected ? CLIENT_DISCONNECTED : sentStatus;
      trace.end({ method: request.method ?? '', isSecure: isSecure(request), status, source, hasFailed });
    };
    try {
      const source = await handler.handle(request, response, requestId, trace);
      end(response.statusCode, false, source);
    } catch (error) {
      // The server responds to this error, unless a response has begun.
      end(response.headersSent ? response.statusCode : INTERNAL_ERROR, true);
      throw error;
    }
  };
}

const INTERNAL_ERROR = 500;

class GraphqlHandler {
  readonly #options: GraphqlHandlerOptions;
  readonly #responder: ReturnType<typeof createResponder>;

  constructor(options: GraphqlHandlerOptions) {
    this.#options = options;
    this.#responder = createResponder(options);
  }

  /** Undefined if the request was refused before its operation was read, or the response is a stream. */
  async handle(
    request: IncomingMessage,
    response: ServerResponse,
    requestId: string,
    trace: RequestTrace | undefined,
  ): Promise<LoggedSource | undefined> {
    const { openSession, throttle, budgets, maxBodyBytes } = this.#options;
    const opening = authenticate(request, openSession);
    const session = isPromise(opening) ? await opening : opening;
    if (session instanceof GatewayError) return this.#refuseCaller({ request, response, requestId }, session);
    const callerId = toCallerId(remoteAddressOf(request), session.caller);
    const exchange = { request, response, requestId, session, callerId, trace };
    const budget = budgets(callerId);
    const startedAtMs = performance.now();
    const chargeBody = createBodyCharge(budget);
    let release = () => {
      chargeUnsentBytes(response, budget, (error) => this.#reportRefusal(exchange, error, session.caller));
      session.release();
    };
    try {
      const turn = throttle.admit(callerId, response);
      if (turn !== undefined) await turn;
      checkRoomForResponse(budget);
      const announced = announcedLength(request, maxBodyBytes);
      chargeBody(announced);
      const text = hasJsonBody(request)
        ? await readBodyText(request, maxBodyBytes, (length) => {
            if (length <= announced) return;
            chargeBody(length);
            if (budget.isExceeded()) throw createLongMessagesError();
          })
        : '';
      chargeBody(text.length);
      const sent = mayRequestEventStream(request)
        ? await this.#respondToStreamable(exchange, text)
        : await this.#responder.respond(exchange, text);
      // A stream has its own bound of unsent bytes, and releases its session when it ends.
      if (sent !== undefined) return this.#recordResponse(exchange, sent, startedAtMs);
      release = () => {};
      return undefined;
    } catch (error) {
      await this.#fail(exchange, error);
      return undefined;
    } finally {
      chargeBody(0);
      release();
    }
  }

  /** Responds whole, in parts or with a stream. Undefined if the response is a stream. */
  async #respondToStreamable(exchange: Exchange, text: string): Promise<SentResponse | undefined> {
    const { respondInParts, streams } = this.#options;
    const incoming = { text, ...exchange };
    const result = await respondInParts(incoming);
    if (result) return this.#responder.sendResult(exchange, result);
    return streams.handle(incoming) ? undefined : this.#responder.respond(exchange, text);
  }

  async #refuseCaller(target: ResponseTarget, refusal: GatewayError): Promise<undefined> {
    const { request, response, requestId } = target;
    await this.#options.throttle.delayRefusal(request.socket, refusal);
    this.#reportRefusal(target, refusal);
    sendError(response, refusal, requestId);
  }

  async #fail(exchange: Exchange, error: unknown): Promise<void> {
    const { request, response, requestId, session, callerId } = exchange;
    const { throttle } = this.#options;
    if (!(error instanceof GatewayError)) throw error;
    if (error.code === 'CANCELLED') return;
    this.#reportRefusal(exchange, error, session.caller);
    if (isOperationRefusal(error)) throttle.recordRefusal(callerId);
    await throttle.delayRefusal(request.socket, error);
    sendError(response, error, requestId);
  }

  #reportRefusal({ request, requestId }: ResponseTarget, error: GatewayError, caller?: Caller): void {
    const address = toAddressGroup(remoteAddressOf(request));
    const { headers } = request;
    const hasNoCredential = caller === undefined && !hasCredential(readCredentialFromHeaders(headers));
    const { reportRefusal } = this.#options;
    reportRefusal({ error, transport: 'http', requestId, caller, address, headers, hasNoCredential });
  }

  #recordResponse(
    { request: { headers }, requestId, session: { caller }, callerId }: Exchange,
    sent: SentResponse,
    startedAtMs: number,
  ): LoggedSource {
    const { requestMetrics, accessLog, throttle } = this.#options;
    const durationMs = performance.now() - startedAtMs;
    const { status, source, operation, reads, errorCodes } = sent;
    // Executed operations have status 200, with or without field errors.
    const isRefused = status >= 400 && status < 500 && status !== CLIENT_DISCONNECTED;
    requestMetrics.recordOperation(source, durationMs);
    const result = isRefused ? 'refused' : source;
    // Written field by field: a spread takes as long as a fifth of a cached response.
    accessLog?.record({
      requestId,
      caller,
      headers,
      transport: 'http',
      durationMs,
      status,
      source: result,
      operation,
      reads,
      errorCodes,
    });
    if (isRefused) throttle.recordRefusal(callerId);
    return result;
  }
}

/** Returns a function that charges a body of the passed length, and releases the charge for the previous length. */
function createBodyCharge(budget: ByteBudget): (length: number) => void {
  let charged = 0;
  return (length) => {
    const added = receivedBytes(length) - charged;
    if (added === 0) return;
    charged += added;
    budget.add(added);
  };
}

/** The length of the body according to the headers; 0 for a chunked body. */
function announcedLength({ headers }: IncomingMessage, maxBodyBytes: number): number {
  return Math.min(Number(headers['content-length'] ?? 0), maxBodyBytes);
}

/** Opens a session from the headers, before the body is read. Returns the error if the caller is refused. */
function authenticate(request: IncomingMessage, openSession: OpenSession) {
  return settle<CallerSession, CallerSession | GatewayError>(
    () => openSession(readCredentialFromHeaders(request.headers), remoteAddressOf(request)),
    (session) => session,
    (error) => {
      if (error instanceof GatewayError) return error;
      throw error;
    },
  );
}
