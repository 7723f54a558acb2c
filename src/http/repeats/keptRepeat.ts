/** Answers a request that comes again with what is kept of its answer, by the rules of every other: who may ask, how often, how fresh. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock } from '../../lib/clock.js';
import { isPromise } from '../../lib/maybePromise.js';
import { toAnswerKey, toAskedText } from '../answerKey.js';
import type { Answers } from '../answers.js';
import type { CallerPace } from '../callerPace.js';
import { callerOf } from '../callerRate.js';
import type { CallerSession, OpenSession } from '../callers/callerSession.js';
import { fromHeaders, type GivenCredential } from '../callers/givenCredential.js';
import { isKnownTo } from '../keptAnswer.js';
import type { RequestTally } from '../requestTally.js';
import { listKeptHeaders } from '../sendAnswer.js';
import type { Repeat, RepeatedAnswer } from './repeatedRequests.js';
import { writeHead } from './responseHead.js';

export interface KeptRepeatsOptions {
  /** For a credential that was let in before: whoever is turned away now is judged, and counted, by the long way. */
  reopenSession: OpenSession;
  pace: CallerPace;
  clock: Clock;
  tally: RequestTally;
}

/** A request for which there is a kept answer, before that is sent. `text` is its body's. */
export interface RepeatableRequest {
  request: IncomingMessage;
  response: ServerResponse;
  requestId: string;
  text: string;
}

/** Nothing of the request itself is held: only what of it decides on the answer. */
export function createKeptRepeats(
  { reopenSession, pace, clock, tally }: KeptRepeatsOptions,
  answers: Pick<Answers<unknown>, 'find'>,
): (repeatable: RepeatableRequest) => Repeat {
  /** Undefined where the caller is turned away, or it takes time to tell. */
  function openAtOnce(given: GivenCredential, { remoteAddress = '' }: Socket): CallerSession | undefined {
    try {
      const session = reopenSession(given, remoteAddress);
      if (!isPromise(session)) return session;
      session.then(({ end }) => end()).catch(() => undefined);
    } catch {
      // Whoever reads the request finds the same, and says so.
    }
    return undefined;
  }

  return ({ request, response, requestId, text }) => {
    const given = fromHeaders(request.headers);
    const asked = toAskedText(request, text);
    const ifNoneMatch = request.headers['if-none-match'];
    const givenId = request.headers['x-request-id'] === requestId ? requestId : undefined;
    const { vary, ...set } = response.getHeaders();
    const toOtherSites = Object.entries(set)
      .filter(([name]) => name.startsWith('access-control-'))
      .flatMap(([name, value]) => [name, String(value)]);

    function answer(session: CallerSession, socket: Socket): RepeatedAnswer | undefined {
      const startedAtMs = performance.now();
      const name = callerOf({ socket }, session.caller);
      const nowMs = clock.now();
      const known = answers.find(
        { key: toAnswerKey(session.answerScope, asked), epoch: session.epoch() },
        nowMs,
      );
      if (!known || !pace.isFree(name)) return undefined;
      void pace.enter(name);
      const kept = { answer: known, requestId: givenId ?? randomUUID(), nowMs };
      const status = isKnownTo(ifNoneMatch, known) ? 304 : 200;
      const headers = [...toOtherSites, ...listKeptHeaders(kept, status, vary)];
      tally.answered(status);
      tally.operation('kept', performance.now() - startedAtMs);
      return { head: writeHead(status, headers, nowMs), body: status === 200 ? known.body : NOTHING };
    }

    return (socket) => {
      const session = openAtOnce(given, socket);
      if (session === undefined) return undefined;
      try {
        return answer(session, socket);
      } finally {
        session.end();
      }
    };
  };
}

const NOTHING = Buffer.alloc(0);
