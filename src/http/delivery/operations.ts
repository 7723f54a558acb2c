/** Admits operations of long-lived connections with the same limits, checks and errors as over HTTP. */
import { randomUUID } from 'node:crypto';
import type { DocumentNode, GraphQLError, GraphQLFormattedError } from 'graphql';
import { createStoppingError, GatewayError, hasCode } from '../../errors.js';
import type { Executor, IncrementalExecutor } from '../../execution/executor.js';
import type { IncrementalFormat } from '../../execution/incremental/incrementalFormat.js';
import type { Context } from '../../graphql/context.js';
import type { ParsedDocuments } from '../../graphql/documents/documentStore.js';
import {
  type AdmissionPolicy,
  admitOperation,
  type OperationParameters,
} from '../../graphql/limits/admitOperation.js';
import type { Prefetch } from '../../graphql/prefetch.js';
import type { ByteBudget } from '../../lib/byteBudget.js';
import type { Cancellation } from '../../lib/cancellation.js';
import type { TakeTurn } from '../../lib/fairQueue.js';
import { toRecord } from '../../lib/records.js';
import type { OperationTrace } from '../../tracing/operationTrace.js';
import type { Tracing } from '../../tracing/tracing.js';
import type { CallerSession } from '../auth/callerSession.js';
import {
  type CallerThrottle,
  isOperationRefusal,
  type PausableConnection,
} from '../rateLimits/callerThrottle.js';
import type { ExecutionLimit } from '../rateLimits/executionLimit.js';
import type { AccessLog } from '../requests/accessLog.js';
import type { Refusal, ReportRefusal } from '../requests/refusalReporter.js';
import type { ExecutionSummary } from '../requests/responder.js';
import {
  findOperation,
  InvalidOperation,
  type PreparedOperation,
  readDocument,
} from './preparedOperation.js';
import type { ResultFormatter, ResultFormatterOptions } from './resultFormatter.js';
import { ResultParts, sendParts } from './resultParts.js';
import { readIncrementalFormat } from './streamFormat.js';
import type { LiveTransport } from './subscriptionMetrics.js';

export interface OperationOptions extends ResultFormatterOptions {
  execute: Executor;
  executeIncrementally: IncrementalExecutor;
  /** Loads what the initial result will certainly need. */
  prefetch: Prefetch;
  admission: AdmissionPolicy;
  throttle: CallerThrottle;
  executions: ExecutionLimit;
  parsedDocuments: ParsedDocuments;
  /** Spreads operations over turns of the event loop, so that a burst of one caller does not delay others. */
  takeTurn: TakeTurn;
  accessLog?: AccessLog | undefined;
  reportRefusal: ReportRefusal;
  tracing?: Tracing | undefined;
}

interface OperationOrigin {
  session: CallerSession;
  /** From `toCallerId`. */
  callerId: string;
  /** Reading from it is paused while a rate-limit refusal is delayed. */
  connection: PausableConnection;
  /** Called when the operation is valid and a subscription. May throw TOO_MANY_SUBSCRIPTIONS. */
  beginSubscription(document: DocumentNode): void;
}

interface RefusedOperation extends Pick<Refusal, 'transport' | 'caller' | 'headers'> {
  requestId: string;
  trace: OperationTrace | undefined;
}

interface EndedOrigin {
  transport: LiveTransport;
  /** The value of `performance.now` at the start. */
  startedAtMs: number;
}

/** Requested by headers, which messages of websockets do not have. */
export interface RequestedReads {
  noCache?: boolean | undefined;
  /** Whether the client requests `extensions.explain`. */
  explain?: boolean | undefined;
}

interface ExecutionDetails extends RequestedReads {
  cancellation: Cancellation;
  budget: ByteBudget;
  transport: LiveTransport;
  /** Receives every result except the last. Resolves when the client may get the next one. */
  send(text: string): Promise<void> | void;
}

export class Operations {
  readonly #options: OperationOptions;
  readonly #results: ResultFormatter;
  #isStopped = false;

  constructor(options: OperationOptions, results: ResultFormatter) {
    this.#options = options;
    this.#results = results;
  }

  /** Refuses operations over websockets from now on; the server refuses HTTP requests. */
  stop(): void {
    this.#isStopped = true;
  }

  /** Admits and validates an operation. Resolves with the errors that refuse it if there are any. */
  async prepare(
    parameters: OperationParameters,
    origin: OperationOrigin,
  ): Promise<PreparedOperation | readonly GraphQLFormattedError[]> {
    const { throttle, takeTurn, tracing } = this.#options;
    const { callerId, connection } = origin;
    const requestId = randomUUID();
    let trace: OperationTrace | undefined;
    try {
      if (this.#isStopped) throw createStoppingError();
      await throttle.admit(callerId);
      await takeTurn(callerId);
      trace = tracing?.beginOperation(parameters.extensions, requestId);
      return this.admit(parameters, origin, requestId, trace);
    } catch (error) {
      if (error instanceof GatewayError) await throttle.delayRefusal(connection, error);
      // Many delays end at the same time, so the refusals take turns.
      await takeTurn(callerId);
      const { caller } = origin.session;
      return this.refuse(error, callerId, { transport: 'websocket', requestId, caller, trace });
    }
  }

  /** The errors that the client gets. Counts and logs the refusal. Rethrows errors that the operation did not cause. */
  refuse(
    error: unknown,
    callerId: string,
    { trace, ...refused }: RefusedOperation,
  ): readonly GraphQLFormattedError[] {
    const problems = error instanceof InvalidOperation ? error.problems : [error];
    try {
      if (problems.some(isOperationRefusal)) this.#options.throttle.recordRefusal(callerId);
      // A caller without an id is identified by its address.
      if (error instanceof GatewayError)
        this.#options.reportRefusal({ error, address: callerId, ...refused });
      return problems.map((problem) => this.#results.toRefusal(problem, refused.requestId));
    } finally {
      // Last, because log lines get the id of the trace while it runs.
      trace?.refuse();
    }
  }

  /**
   * Executes a query or mutation as soon as the other operations of its caller leave room. Resolves with the last result
   * as JSON. Without a format, it is the only result.
   */
  async execute(
    prepared: PreparedOperation,
    session: CallerSession,
    details: ExecutionDetails,
  ): Promise<string> {
    const { requestId, trace } = prepared;
    const { cost } = prepared.summary;
    const { budget, cancellation, transport } = details;
    const startedAtMs = performance.now();
    const execute = () => this.#execute(prepared, session, details, startedAtMs);
    try {
      return await this.#options.executions.run(budget.caller, cost, { cancellation, session }, execute);
    } catch (error) {
      if (hasCode(error, 'CANCELLED')) {
        this.endCancelled(prepared, session, { transport, startedAtMs });
        return UNREAD_RESULT;
      }
      const refused = { transport: toLoggedTransport(transport), requestId, caller: session.caller, trace };
      return JSON.stringify({ errors: this.refuse(error, budget.caller, refused) });
    }
  }

  async #execute(
    prepared: PreparedOperation,
    session: CallerSession,
    { cancellation, budget, transport, noCache = false, explain = false, send }: ExecutionDetails,
    startedAtMs: number,
  ): Promise<string> {
    const { requestId, document, operationName, variables, summary, format, trace } = prepared;
    const { cost } = summary;
    const { caller: callerId } = budget;
    const details = { requestId, callerId, cancellation, cost, noCache, explain, budget, trace };
    const contextValue = session.createContext(details);
    try {
      trace?.beginPhase('graphql.execute');
      const parts = format && (await this.executeInParts(prepared, contextValue, { cancellation, format }));
      if (parts) return await sendParts(parts, send);
      const request = { document, operationName, variableValues: variables, contextValue };
      const result = await this.#options.execute(request);
      if (result.errors) trace?.fail();
      trace?.beginPhase('graphql.serialize');
      return this.#results.toText(result, contextValue);
    } finally {
      this.#end(prepared, session, { transport, startedAtMs }, contextValue);
    }
  }

  /** Logs an operation that its client has cancelled before the execution began, and ends its trace. */
  endCancelled(prepared: PreparedOperation, session: CallerSession, origin: EndedOrigin): void {
    this.#end(prepared, session, origin, { reads: undefined, errorCodes: new Set(['CANCELLED']) });
  }

  #end(
    { requestId, summary, trace }: PreparedOperation,
    { caller }: CallerSession,
    { transport, startedAtMs }: EndedOrigin,
    { reads, errorCodes }: Pick<ExecutionSummary, 'reads' | 'errorCodes'>,
  ): void {
    this.#options.accessLog?.record({
      requestId,
      caller,
      transport: toLoggedTransport(transport),
      durationMs: performance.now() - startedAtMs,
      source: 'executed',
      operation: summary,
      reads,
      errorCodes,
    });
    // Last, because log lines get the id of the trace while it runs.
    trace?.end({ cost: summary.cost?.estimated, reads });
  }

  /** Executes a query or mutation whose results are sent in parts. Undefined if it has to be executed in one piece. */
  async executeInParts(
    { document, operation, operationName, variables }: PreparedOperation,
    contextValue: Context,
    { format, cancellation }: { format: IncrementalFormat; cancellation: Cancellation },
  ): Promise<ResultParts | undefined> {
    const { executeIncrementally, prefetch } = this.#options;
    await prefetch.begin({ document, operation, variables, contextValue });
    const request = { document, operationName, variableValues: variables, contextValue };
    const result = await executeIncrementally(request, format);
    const formatErrors = (errors: readonly GraphQLError[]) =>
      this.#results.toClientErrors(errors, contextValue);
    const { explain, trace } = contextValue;
    return result && new ResultParts(result, { format, cancellation, formatErrors, explain, trace });
  }

  /** Validates an operation whose rate is admitted. Throws the error that refuses it; then the caller ends the trace. */
  admit(
    parameters: OperationParameters,
    { session, beginSubscription }: Pick<OperationOrigin, 'session' | 'beginSubscription'>,
    requestId: string,
    trace: OperationTrace | undefined,
  ): PreparedOperation {
    trace?.beginPhase('graphql.validate');
    const { admission } = this.#options;
    const { source, summary } = admitOperation(admission, parameters, { supportsSubscriptions: true });
    if (source === undefined) throw new GatewayError('BAD_REQUEST', NO_DOCUMENT);
    trace?.describe(summary);
    const document = readDocument(source, this.#options);
    const operationName = typeof parameters.operationName === 'string' ? parameters.operationName : undefined;
    const operation = findOperation(document, operationName, session, requestId);
    // Apollo Server stores such documents of other requests.
    if (toRecord(parameters.extensions)['persistedQuery'] && summary.documentHash !== undefined)
      admission.documents.set(summary.documentHash, source);
    if (operation.operation === 'subscription') beginSubscription(document);
    const variables = (parameters.variables ?? {}) as Readonly<Record<string, unknown>>;
    const format = readIncrementalFormat(parameters.extensions);
    return { requestId, source, document, operation, operationName, summary, variables, format, trace };
  }
}

const NO_DOCUMENT = 'Send the operation as `query`, or the hash or id of its document.';

/** The result of an operation that its client has cancelled. Nobody reads it. */
const UNREAD_RESULT = '';

export function toLoggedTransport(transport: LiveTransport): Refusal['transport'] {
  return transport === 'websocket' ? transport : 'stream';
}
