/** Opens the sessions of callers: authenticates the caller, leases its platform connection, creates its contexts. */
import { createClientDisconnectedError, GatewayError } from '../errors.js';
import { type Context, createContext } from '../graphql/context.js';
import { findRefusal } from '../graphql/scopes.js';
import {
  type Authenticator,
  type Caller,
  recheckCaller,
  toAuthorizationKey,
  toLogKey,
  toLogName,
} from '../http/auth/caller.js';
import type { CallerSession, OpenSession, RequestDetails } from '../http/auth/callerSession.js';
import type { ProvidedCredential } from '../http/auth/providedCredential.js';
import { unlimitedBytes } from '../lib/byteBudget.js';
import { CallGate } from '../lib/callGate.js';
import { type Clock, toMonotonicClock } from '../lib/clock.js';
import type { Logger } from '../lib/logger.js';
import { whenReady } from '../lib/maybePromise.js';
import { OperationTurns } from '../lib/turnBudget.js';
import type { SampleFeed } from '../live/sampleFeed.js';
import { createQueueReader } from '../live/sampleTail.js';
import { createRestrictedSources } from '../sources/access/restrictedSources.js';
import { createExplanation, OperationRecords } from '../sources/core/explanation.js';
import { Reader } from '../sources/core/reader.js';
import { createResponseFreshness } from '../sources/core/responseFreshness.js';
import type { HealthCounters } from '../sources/entities/deviceRecords.js';
import type { ConnectionLease } from './callerConnections.js';
import type { PlatformAccess } from './platformAccess.js';
import type { WriteLog } from './writeLog.js';

interface SessionOpenerOptions {
  authenticator: Authenticator;
  access: PlatformAccess;
  channelAttribute: string;
  healthCounters: HealthCounters;
  /** Per operation, and per batch of at most 20 events of a subscription. */
  maxRestCalls: number;
  /** The deadline of an operation's REST calls, in milliseconds. */
  operationTimeoutMs: number;
  clock: Clock;
  writeLog: WriteLog;
  /** Rate limited; for the lines about refused mutations. */
  callerLogger: Logger;
}

export function createSessionOpener(options: SessionOpenerOptions): OpenSession {
  const { authenticator, access } = options;
  const authorizationKeys = new WeakMap<Caller, string>();

  function keyOf(caller: Caller, { platform }: ConnectionLease): string {
    const cached = authorizationKeys.get(caller);
    if (cached !== undefined) return cached;
    const key = toAuthorizationKey(caller, platform.scope);
    authorizationKeys.set(caller, key);
    return key;
  }

  return (credential, address) =>
    whenReady(authenticator.authenticate(credential), (caller) =>
      whenReady(
        access.lease(caller.credential, address),
        (lease) => new LeasedSession(caller, credential, keyOf(caller, lease), lease, options),
      ),
    );
}

/** A class, because every open connection has one. */
class LeasedSession implements CallerSession {
  readonly caller: Caller;
  readonly authorizationKey: string;
  readonly #credential: ProvidedCredential;
  readonly #lease: ConnectionLease;
  readonly #options: SessionOpenerOptions;

  constructor(
    caller: Caller,
    credential: ProvidedCredential,
    authorizationKey: string,
    lease: ConnectionLease,
    options: SessionOpenerOptions,
  ) {
    this.caller = caller;
    this.authorizationKey = authorizationKey;
    this.#credential = credential;
    this.#lease = lease;
    this.#options = options;
  }

  get feed(): SampleFeed {
    return this.#lease.feed;
  }

  cacheVersion(): number {
    const { cache, scope } = this.#lease.platform;
    return cache.version(scope);
  }

  numbersVersion(): number {
    return this.#lease.platform.arrivedSamples.version;
  }

  createContext(details: RequestDetails): Context {
    return createContextFor(this.caller, this.#lease, details, this.#options);
  }

  async checkCredential(): Promise<void> {
    const { authenticator } = this.#options;
    const refusal = await recheckCaller(this.caller, () => authenticator.authenticate(this.#credential));
    if (refusal) throw refusal;
  }

  release(): void {
    this.#lease.release();
  }
}

/** Each operation has its own sources over the shared cache, and its own deadline. */
function createContextFor(
  caller: Caller,
  { platform, feed }: ConnectionLease,
  details: RequestDetails,
  options: SessionOpenerOptions,
): Context {
  const { requestId, callerId, cancellation, noCache, explain = false, cost, after, trace } = details;
  const { budget = unlimitedBytes } = details;
  const { channelAttribute, healthCounters, maxRestCalls, clock, writeLog, callerLogger } = options;
  const { rest, writes: restWrites, cache, keys, samplePages, arrivedSamples, endpointStats } = platform;
  const nowMs = () => clock.now();
  const monotonicClock = toMonotonicClock(clock);
  const mayExplain = explain && findRefusal('explanation', caller) === undefined;
  const explanation = mayExplain ? createExplanation(clock) : undefined;
  const records = new OperationRecords(explanation, trace && ((plan) => trace.addPlan(plan)));
  const beginSpan = trace && (() => trace.beginCall());
  const freshness = createResponseFreshness(nowMs);
  const operationCalls = createRestCallLimit(maxRestCalls);
  const turns = new OperationTurns(undefined, callerId);
  const callGate = new CallGate(() => platform.currentCallLimit(callerId));
  let beforeCall = operationCalls;
  const callOptions = () => ({
    requestId,
    callerId,
    cancellation,
    beforeCall,
    beginSpan,
    deadlineAtMs: monotonicClock.now() + options.operationTimeoutMs,
  });
  const toLogFields = (fields: object) => ({
    requestId,
    caller: toLogName(caller),
    callerKey: toLogKey(caller),
    ...fields,
  });
  return createContext({
    requestId,
    feed,
    budget,
    after,
    readQueue: (kind) =>
      createQueueReader(kind, rest, () => ({ ...callOptions(), beforeCall: operationCalls })),
    caller,
    nowMs,
    freshness,
    checkCancelled() {
      if (cancellation?.isCancelled()) throw createClientDisconnectedError();
    },
    turns,
    trace,
    reads: records.counts,
    explain:
      explanation &&
      (() => ({
        ...(trace && { trace_id: trace.traceId }),
        cost,
        ...explanation.report(),
        ...platform.status(),
      })),
    beginWrite: (description) => writeLog.begin(toLogFields(description)),
    logRefusedWrite: (fields) =>
      callerLogger.info(toLogFields({ ...fields, result: 'refused' }), 'Mutation refused'),
    createSources({ bypassesCaches, resetsCallLimit }) {
      if (resetsCallLimit) beforeCall = createRestCallLimit(maxRestCalls);
      const reader = new Reader({
        cache,
        keys,
        samplePages,
        endpointStats,
        callGate,
        turns,
        records,
        freshness,
        monotonicClock,
        options: { noCache: noCache || bypassesCaches, ...callOptions() },
      });
      return createRestrictedSources(
        { rest, restWrites, reader, arrivedSamples, channelAttribute, healthCounters, nowMs },
        caller.organizationIds,
      );
    },
  });
}

/**
 * Limits the REST calls of one operation, so that no operation can flood the platform. Returns a function to call before
 * each REST call, which throws TOO_MANY_REST_CALLS at the limit.
 */
function createRestCallLimit(maxCalls: number): () => void {
  let calls = 0;
  return () => {
    calls += 1;
    if (calls <= maxCalls) return;
    const message = `The operation needs more than ${maxCalls} REST calls. Request fewer items.`;
    throw new GatewayError('TOO_MANY_REST_CALLS', message);
  };
}
