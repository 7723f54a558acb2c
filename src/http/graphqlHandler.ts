/** Serves GraphQL over HTTP at one address, by the shortest way: an answer that is kept, one under way, or a new one. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ApolloServer } from '@apollo/server';
import { GatewayError } from '../errors.js';
import { type Admission, admitOperation } from '../graphql/admitOperation.js';
import type { Context } from '../graphql/context.js';
import type { Clock } from '../lib/clock.js';
import { createEnding, type Ending, type Leaving } from '../lib/leaving.js';
import { isPromise, type MaybePromise, settle } from '../lib/maybePromise.js';
import { toAnswerKey, toAskedText } from './answerKey.js';
import { createAnswers, type Question } from './answers.js';
import { type CallerPace, isRefusal } from './callerPace.js';
import { callerOf } from './callerRate.js';
import type { CallerSession, OpenSession } from './callers/callerSession.js';
import { fromHeaders } from './callers/givenCredential.js';
import { sendRefusal } from './callers/refusals.js';
import { type AdmittedRequest, createRequestExecutor } from './executeRequest.js';
import { hasJsonBody, readParameters, wantsExplanation, wantsFresh } from './operationRequest.js';
import { parseJsonBody, readBodyText } from './requestBody.js';
import type { AnswerKind, RequestTally } from './requestTally.js';
import { type ExecutedAnswer, sendKept, sendOnce } from './sendAnswer.js';
import { sendError } from './sendError.js';

export interface GraphqlHandlerOptions {
  apolloServer: ApolloServer<Context>;
  openSession: OpenSession;
  admission: Admission;
  pace: CallerPace;
  /** The largest body read, in bytes. */
  mostBodyBytes: number;
  clock: Clock;
  tally: RequestTally;
}

export type GraphqlHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  requestId: string,
) => Promise<void>;

/** A request of a caller who was let in. */
interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  requestId: string;
  session: CallerSession;
}

export function createGraphqlHandler(options: GraphqlHandlerOptions): GraphqlHandler {
  const { openSession, pace, tally } = options;
  const answerOperation = createOperationAnswerer(options);

  async function serve(exchange: Exchange): Promise<void> {
    const { request, response, requestId, session } = exchange;
    const name = callerOf(request, session.caller);
    try {
      const startedAtMs = performance.now();
      const text = await receive(request, name, options);
      const { status, kind } = await answerOperation(exchange, text);
      tally.operation(kind, performance.now() - startedAtMs);
      if (isCallersFault(status)) pace.refuse(name);
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error;
      if (error.code === 'CANCELLED') return;
      tally.refused(error.code);
      if (isRefusal(error)) pace.refuse(name);
      await pace.holdBack(request.socket, error);
      sendError(response, error.code === 'RATE_LIMITED' ? 429 : 400, error, requestId);
    }
  }

  return async (request, response, requestId) => {
    const opening = letIn(request, openSession);
    const session = isPromise(opening) ? await opening : opening;
    if (session instanceof GatewayError) {
      await pace.holdBack(request.socket, session);
      tally.refused(session.code);
      return sendRefusal(response, session, requestId);
    }
    try {
      await serve({ request, response, requestId, session });
    } finally {
      session.end();
    }
  };
}

/** An operation that was not run, by what it is; those that ran are answered with 200, whatever became of their fields. */
function isCallersFault(status: number): boolean {
  return status >= 400 && status < 500;
}

/** Before anything of the request is read but its headers. */
function letIn(
  { headers, socket }: IncomingMessage,
  openSession: OpenSession,
): MaybePromise<CallerSession | GatewayError> {
  return settle<CallerSession, CallerSession | GatewayError>(
    () => openSession(fromHeaders(headers), socket.remoteAddress ?? ''),
    (session) => session,
    (error) => {
      if (error instanceof GatewayError) return error;
      throw error;
    },
  );
}

/** The body's text, empty where there is none that is JSON; rejects with what is wrong with it, or with its caller's rate. */
async function receive(
  request: IncomingMessage,
  name: string,
  { pace, mostBodyBytes }: GraphqlHandlerOptions,
): Promise<string> {
  const turn = pace.enter(name);
  if (turn !== undefined) await turn;
  return hasJsonBody(request) ? readBodyText(request, mostBodyBytes) : '';
}

/** The operation within all limits, or the error of the first one that it exceeds. */
function admit({ request, requestId, session }: Exchange, text: string, admission: Admission) {
  const body = hasJsonBody(request) ? parseJsonBody(text) : undefined;
  const { kind, cost } = admitOperation(admission, readParameters(request, body));
  const admitted: AdmittedRequest = { request, requestId, session, body, cost };
  return { admitted, isQuery: kind === 'query' };
}

/** How an operation was answered: the status that was sent, and where the answer came from. */
interface Answered {
  status: number;
  kind: AnswerKind;
}

function createOperationAnswerer(options: GraphqlHandlerOptions) {
  const { apolloServer, admission, clock } = options;
  const answers = createAnswers<ExecutedAnswer>();
  const execute = createRequestExecutor(apolloServer, clock);

  async function executeOrJoin(exchange: Exchange, text: string, question: Question): Promise<Answered> {
    const { request, response, requestId } = exchange;
    const { admitted, isQuery } = admit(exchange, text, admission);
    let kind: AnswerKind = 'joined';
    const run = async (ending: Ending) => {
      kind = 'executed';
      const executed = await execute(admitted, ending);
      if (executed.kept) answers.keep(question, executed.kept, clock.now());
      return executed;
    };
    const isShared = isQuery && isPlain(request);
    const executed = await (isShared
      ? answers.join(question, leavingOf(response), run)
      : run(endingWith(response)));
    const status = executed.kept
      ? sendKept(request, response, { answer: executed.kept, requestId, nowMs: clock.now() })
      : sendOnce(response, executed, requestId);
    return { status, kind };
  }

  return async (exchange: Exchange, text: string): Promise<Answered> => {
    const { request, response, requestId, session } = exchange;
    const key = toAnswerKey(session.answerScope, toAskedText(request, text));
    const question = { key, epoch: session.epoch() };
    const known = isPlain(request) ? answers.find(question, clock.now()) : undefined;
    if (!known) return executeOrJoin(exchange, text, question);
    const kept = { answer: known, requestId, nowMs: clock.now() };
    return { status: sendKept(request, response, kept), kind: 'kept' };
  };
}

/** Whether what was made for somebody else will do. */
function isPlain(request: IncomingMessage): boolean {
  return !wantsFresh(request) && !wantsExplanation(request);
}

function leavingOf(response: ServerResponse): Leaving {
  return {
    // Perhaps while it was looked into who calls.
    hasLeft: () => response.destroyed,
    watch(onLeave) {
      response.once('close', onLeave);
      return () => void response.off('close', onLeave);
    },
  };
}

function endingWith(response: ServerResponse): Ending {
  const ending = createEnding();
  if (response.destroyed) ending.abort();
  response.once('close', () => {
    if (!response.writableFinished) ending.abort();
  });
  return ending;
}
