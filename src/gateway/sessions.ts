/** Opens the sessions of callers: authenticates the caller, leases its platform connection, creates its contexts. */
import { createClientDisconnectedError, GatewayError } from '../errors.js';
import { type Context, OperationContext, type SourcesRequest } from '../graphql/context.js';
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
import type { QueueKind, QueueReader } from '../sources/samples/sampleQueues.js';
import type { Sample } from '../sources/samples/samples.js';
import type { Sources } from '../sources/sources.js';
import type { ConnectionLease } from './callerConnections.js';
import type { PlatformAccess } from './platformAccess.js';
import type { WriteLog } from './writeLog.js';

interface SessionOpenerOptions {
  authenticator: Authenticator;
  access: PlatformAccess;
  channelAttribute: string;
  healthCounters: HealthCounters;
  /** Maximum REST calls of an operation, or of a batch of at most 20 events of a subscription. */
  maxRestCalls: number;
  /** The deadline of an operation's REST calls, in milliseconds. */
  operationTimeoutMs: number;
  clock: Clock;
  writeLog: WriteLog;
  /** Logs refused mutations. Rate limited. */
  callerLogger: Logger;
}

interface SessionParts extends SessionOpenerOptions {
  nowMs(): number;
  monotonicClock: Clock;
}

export function createSessionOpener(options: SessionOpenerOptions): OpenSession {
  const { authenticator, access, clock } = options;
  const parts = { ...options, nowMs: () => clock.now(), monotonicClock: toMonotonicClock(clock) };
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
        (lease) => new LeasedSession(caller, credential, keyOf(caller, lease), lease, parts),
      ),
    );
}

/** A class, because every open connection has one. */
class LeasedSession implements CallerSession {
  readonly caller: Caller;
  readonly authorizationKey: string;
  readonly #credential: ProvidedCredential;
  readonly #lease: ConnectionLease;
  readonly #parts: SessionParts;

  constructor(
    caller: Caller,
    credential: ProvidedCredential,
    authorizationKey: string,
    lease: ConnectionLease,
    parts: SessionParts,
  ) {
    this.caller = caller;
    this.authorizationKey = authorizationKey;
    this.#credential = credential;
    this.#lease = lease;
    this.#parts = parts;
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
    return new SessionContext(this.caller, this.#lease, details, this.#parts);
  }

  async checkCredential(): Promise<void> {
    const { authenticator } = this.#parts;
    const refusal = await recheckCaller(this.caller, () => authenticator.authenticate(this.#credential));
    if (refusal) throw refusal;
  }

  release(): void {
    this.#lease.release();
  }
}

/** Each operation has its own sources over the shared cache, its own deadline, and its own limit of REST calls. */
class SessionContext extends OperationContext {
  declare readonly caller: Caller;
  private readonly lease: ConnectionLease;
  private readonly details: RequestDetails;
  private readonly parts: SessionParts;
  private readonly records: OperationRecords;
  private readonly callGate: CallGate;
  /**
   * Called before each REST call: `queue` before one that reads a queue, `event` before one that loads data of the
   * current event.
   */
  private readonly callLimits: { queue: () => void; event: () => void };

  constructor(caller: Caller, lease: ConnectionLease, details: RequestDetails, parts: SessionParts) {
    const { requestId, callerId, explain = false, cost, after, trace, budget = unlimitedBytes } = details;
    const { platform, feed } = lease;
    const { clock, nowMs, maxRestCalls } = parts;
    const mayExplain = explain && findRefusal('explanation', caller) === undefined;
    const explanation = mayExplain ? createExplanation(clock) : undefined;
    const records = new OperationRecords(explanation, trace && ((plan) => trace.addPlan(plan)));
    super({
      requestId,
      caller,
      feed,
      budget,
      after,
      nowMs,
      freshness: createResponseFreshness(nowMs),
      turns: new OperationTurns(undefined, callerId),
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
    });
    const limit = createRestCallLimit(maxRestCalls);
    this.lease = lease;
    this.details = details;
    this.parts = parts;
    this.records = records;
    this.callGate = new CallGate(() => platform.currentCallLimit(callerId));
    this.callLimits = { queue: limit, event: limit };
  }

  readQueue(kind: QueueKind): QueueReader<Sample> {
    return createQueueReader(kind, this.lease.platform.rest, () => this.callOptions(this.callLimits.queue));
  }

  checkCancelled(): void {
    if (this.details.cancellation?.isCancelled()) throw createClientDisconnectedError();
  }

  beginWrite(description: object): (result: object) => void {
    return this.parts.writeLog.begin(this.toLogFields(description));
  }

  logRefusedWrite(fields: object): void {
    this.parts.callerLogger.info(this.toLogFields({ ...fields, result: 'refused' }), 'Mutation refused');
  }

  createSources({ bypassesCaches, resetsCallLimit }: SourcesRequest): Sources {
    const { callGate, turns, records, freshness, callLimits } = this;
    const { channelAttribute, healthCounters, maxRestCalls, nowMs, monotonicClock } = this.parts;
    const { rest, writes, cache, keys, samplePages, arrivedSamples, endpointStats } = this.lease.platform;
    if (resetsCallLimit) callLimits.event = createRestCallLimit(maxRestCalls);
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
      options: { noCache: this.details.noCache || bypassesCaches, ...this.callOptions(callLimits.event) },
    });
    return createRestrictedSources(
      { rest, restWrites: writes, reader, arrivedSamples, channelAttribute, healthCounters, nowMs },
      this.caller.organizationIds,
    );
  }

  /** The deadline of the calls counts from now. */
  private callOptions(beforeCall: () => void) {
    const { requestId, callerId, cancellation, trace } = this.details;
    const { monotonicClock, operationTimeoutMs } = this.parts;
    return {
      requestId,
      callerId,
      cancellation,
      beforeCall,
      beginSpan: trace && (() => trace.beginCall()),
      deadlineAtMs: monotonicClock.now() + operationTimeoutMs,
    };
  }

  private toLogFields(fields: object): object {
    const { requestId, caller } = this;
    return { requestId, caller: toLogName(caller), callerKey: toLogKey(caller), ...fields };
  }
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
