/**
 * Delivers the responses of queries and mutations with `@defer` or `@stream` incrementally, over multipart HTTP or
 * SSE, if the client accepts that.
 */
import type { ServerResponse } from 'node:http';
import { hasCode } from '../../../errors.js';
import { type Cancellation, createCancellation } from '../../../lib/cancellation.js';
import { nextTurn } from '../../../lib/slicedComputation.js';
import type { ExecutionLimit } from '../../rateLimits/executionLimit.js';
import { remoteAddressOf, toAddressGroup } from '../../rateLimits/remoteAddress.js';
import { checkPreflight } from '../../requests/executeRequest.js';
import { requestsExplanation, requestsNoCache } from '../../requests/operationRequest.js';
import type { ExecutionSummary } from '../../requests/responder.js';
import type { Operations } from '../operations.js';
import type { OutboxLimits } from '../outbox.js';
import type { PreparedOperation } from '../preparedOperation.js';
import type { ResultParts } from '../resultParts.js';
import {
  chooseIncremental,
  type IncrementalChoice,
  isIncremental,
  mayBeIncremental,
  type Preferred,
} from '../streamFormat.js';
import type { DeliveryOptions } from '../subscriptions.js';
import { ResponseStream } from './responseStream.js';
import { createIncrementalCodec, createSseCodec, type StreamCodec } from './streamCodec.js';
import { checkParameters, readParametersOf, type StreamRequest } from './streamRequest.js';

type IncrementalHandlerOptions = OutboxLimits &
  Pick<DeliveryOptions, 'operations' | 'budgets' | 'reportRefusal'> & { executions: ExecutionLimit };

interface IncrementalResponse extends ExecutionSummary {
  /** A complete result that the caller sends; undefined if the results have been sent. */
  text: string | undefined;
}

/**
 * Undefined for all requests that are not delivered incrementally. These include refused requests, which the
 * ordinary path checks again and refuses with the error. Uses the session until it resolves.
 */
export type RespondInParts = (
  incoming: StreamRequest,
) => Promise<IncrementalResponse | undefined> | undefined;

export function createIncrementalHandler(options: IncrementalHandlerOptions): RespondInParts {
  return (incoming) => {
    const { request, text } = incoming;
    if (request.method !== 'GET' && request.method !== 'POST') return undefined;
    const choice = chooseIncremental(request.headers.accept);
    if (choice === undefined || !mayBeIncremental(request, text)) return undefined;
    const prepared = prepare(incoming, options.operations);
    if (prepared === undefined) return undefined;
    const cancellation = cancelOnClose(incoming.response);
    const { callerId, session } = incoming;
    const executing = options.executions.run(callerId, prepared.summary.cost, { cancellation, session }, () =>
      respond(incoming, prepared, choice, cancellation, options),
    );
    return executing.catch((error: unknown) => {
      if (!hasCode(error, 'CANCELLED')) throw error;
      return { text: undefined, operation: prepared.summary };
    });
  };
}

function prepare(incoming: StreamRequest, operations: Operations): PreparedOperation | undefined {
  const { request, requestId, session } = incoming;
  try {
    checkPreflight(request);
    const parameters = readParametersOf(incoming);
    checkParameters(parameters);
    const origin = { session, beginSubscription: () => undefined };
    // Continued by the ordinary path if this one does not execute the operation.
    const prepared = operations.admit(parameters, origin, requestId, incoming.trace?.beginOperation());
    const { operation } = prepared.operation;
    const isAllowed = operation === 'query' || (operation === 'mutation' && request.method === 'POST');
    return isAllowed && isIncremental(prepared.source) ? prepared : undefined;
  } catch {
    return undefined;
  }
}

async function respond(
  incoming: StreamRequest,
  prepared: PreparedOperation,
  choice: Preferred<IncrementalChoice>,
  cancellation: Cancellation,
  options: IncrementalHandlerOptions,
): Promise<IncrementalResponse | undefined> {
  const { request, response, session, requestId, callerId } = incoming;
  const { summary, trace } = prepared;
  const { cost } = summary;
  const [noCache, explain] = [requestsNoCache(request), requestsExplanation(request)];
  trace?.beginPhase('graphql.execute');
  const details = { requestId, callerId, cancellation, cost, noCache, explain, trace };
  const context = session.createContext(details);
  const { format } = choice;
  const executing = options.operations.executeInParts(prepared, context, { cancellation, format });
  const parts = await executing.catch((error: unknown) => {
    trace?.refuse();
    throw error;
  });
  if (parts === undefined) return undefined;
  const { reads, errorCodes } = context;
  const result = { operation: summary, reads, errorCodes };
  try {
    if (!parts.hasNext() && !choice.acceptsNoJson) return { text: parts.initial, ...result };
    if (response.destroyed) return { text: undefined, ...result };
    const codec = choice.container === 'sse' ? createSseCodec() : createIncrementalCodec(format);
    await streamParts(incoming, codec, parts, options);
    return { text: undefined, ...result };
  } finally {
    trace?.end({ cost: cost?.estimated, reads });
  }
}

/**
 * Aborted when the response closes, also after it was written: a response that ends with SLOW_CONSUMER leaves parts that
 * are being executed.
 */
function cancelOnClose(response: ServerResponse): Cancellation {
  const cancellation = createCancellation();
  if (response.destroyed) cancellation.abort();
  response.once('close', () => cancellation.abort());
  return cancellation;
}

/**
 * Sends the results as fast as the client reads them, so that a slow client delays the execution of further parts.
 * Resolves when the response is closed.
 */
export async function streamParts(
  incoming: StreamRequest,
  codec: StreamCodec,
  parts: Pick<ResultParts, 'initial' | 'hasNext' | 'next' | 'fail'>,
  { budgets, reportRefusal, maxUnsentBytes, maxUnsentMs }: IncrementalHandlerOptions,
): Promise<void> {
  const { request, response, requestId, session, callerId } = incoming;
  const closed = new Promise((resolve) => response.once('close', resolve));
  let isOver = false;
  let wake: (value?: unknown) => void = () => undefined;
  const stop = () => {
    isOver = true;
    wake();
  };
  const stream = new ResponseStream(incoming, {
    codec,
    budget: budgets(callerId),
    maxUnsentBytes,
    maxUnsentMs,
    onDrain: () => wake(),
    onSlow(error) {
      const { caller } = session;
      const address = toAddressGroup(remoteAddressOf(request));
      const { headers } = request;
      reportRefusal({ error, transport: 'http', requestId, caller, address, headers });
      stream.write(codec.next(parts.fail(error)) + codec.complete());
      stop();
    },
    onClose: stop,
  });
  stream.write(codec.next(parts.initial));
  while (parts.hasNext() && !isOver) {
    if (!stream.isDrained()) {
      await new Promise((resolve) => {
        wake = resolve;
      });
    }
    // The first part leaves the process before the execution of the others begins.
    await nextTurn();
    if (isOver) break;
    const text = await parts.next();
    if (text !== undefined) stream.write(codec.next(text));
  }
  stream.write(codec.complete());
  stream.end();
  await closed;
}
