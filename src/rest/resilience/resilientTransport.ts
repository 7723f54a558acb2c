/**
 * Sends requests to the platform within deadlines, with retries, bounded concurrency, rate limits and circuit breakers.
 * The decisions are made by the modules that this file combines.
 */
import { GatewayError } from '../../errors.js';
import type { Cancellation } from '../../lib/cancellation.js';
import { type Clock, toMonotonicClock } from '../../lib/clock.js';
import type { Logger } from '../../lib/logger.js';
import { retryAfterMs } from '../decode/responseErrors.js';
import { isAuthEndpoint, type PlatformEndpoint, toEndpointFamily } from '../path.js';
import type { AttemptOutcome, PlatformRequest, TransportResponse } from '../transport/platformRequest.js';
import type { Transport } from '../transport/transport.js';
import { isStaleConnection } from '../transport/transportError.js';
import { createCancellationError, createTimeoutError } from '../transport/waitLimits.js';
import { Bulkhead } from './bulkhead.js';
import { type BreakerState, createFamilyBreakers, type FamilyBreakers } from './circuitBreaker.js';
import { createEndpointLimits, type EndpointLimits } from './endpointLimits.js';
import { defaultResilienceLimits, type ResilienceLimits } from './resilienceLimits.js';
import { createRetryBudget, type RetryBudget } from './retryBudget.js';
import { decideRetryDelay } from './retryPolicy.js';

/** Rejects as soon as the cancellation is requested. */
type Sleep = (ms: number, cancellation: Cancellation | undefined) => Promise<void>;

/** A request with its deadline on the monotonic clock. */
interface TimedRequest {
  request: PlatformRequest;
  deadlineMs: number;
  /** Whether it was sent again because an idle connection was lost. If that fails, it counts as an attempt. */
  wasResent: boolean;
}

interface ResilientTransportOptions {
  transport: Transport;
  clock: Clock;
  /** From 0 to less than 1. */
  random: () => number;
  logger: Logger;
  sleep?: Sleep;
  limits?: Partial<ResilienceLimits>;
  /** Called with the outcome and the milliseconds of each attempt. */
  onAttempt?: ((endpoint: PlatformEndpoint, outcome: AttemptOutcome, durationMs: number) => void) | undefined;
}

/** Share of the slots that one endpoint family may use, so that the others find a slot while it hangs. */
const FAMILY_SHARE = 0.75;

export class ResilientTransport {
  readonly #options: ResilientTransportOptions;
  readonly #limits: ResilienceLimits;
  readonly #monotonicClock: Clock;
  readonly #endpointLimits: EndpointLimits;
  readonly #breakers: FamilyBreakers;
  readonly #bulkhead: Bulkhead;
  /** By endpoint family. A call takes a slot of its family before it takes one of all. */
  readonly #familyBulkheads = new Map<string, Bulkhead>();
  /** Token requests have separate slots, so that hanging calls cannot block them. */
  readonly #authBulkhead: Bulkhead;
  readonly #retryBudget: RetryBudget;

  constructor(options: ResilientTransportOptions) {
    const { clock, logger } = options;
    const limits = { ...defaultResilienceLimits, ...options.limits };
    const monotonicClock = toMonotonicClock(clock);
    this.#options = options;
    this.#limits = limits;
    this.#monotonicClock = monotonicClock;
    this.#endpointLimits = createEndpointLimits({ ...limits, clock, monotonicClock, logger });
    this.#breakers = createFamilyBreakers({ ...limits, monotonicClock, logger });
    this.#bulkhead = new Bulkhead(limits);
    this.#authBulkhead = new Bulkhead({ ...limits, maxConcurrent: limits.maxConcurrentAuth });
    this.#retryBudget = createRetryBudget(limits.retryBudget);
  }

  /**
   * Resolves to the response, whatever its status. Rejects with CANCELLED as soon as the caller cancels,
   * PLATFORM_TIMEOUT, PLATFORM_UNAVAILABLE, PLATFORM_RATE_LIMITED, or PLATFORM_BAD_RESPONSE.
   */
  send(request: PlatformRequest): Promise<TransportResponse> {
    const { deadlineAtMs = this.#monotonicClock.now() + this.#limits.operationTimeoutMs } = request;
    return this.#sendWithRetries({ request, deadlineMs: deadlineAtMs, wasResent: false });
  }

  /**
   * Maximum calls that one operation of the caller may currently have in flight or waiting, at least 1. Calls within it
   * are never refused because of other operations.
   */
  currentCallLimit(callerId?: string): number {
    let limit = this.#bulkhead.currentCallLimit(callerId);
    for (const family of this.#familyBulkheads.values()) {
      limit = Math.min(limit, family.currentCallLimit(callerId));
    }
    return limit;
  }

  /** By endpoint family, of the families called so far. */
  breakerStates(): Record<string, BreakerState> {
    return this.#breakers.states();
  }

  /** Closes all sockets; later requests reject. */
  close(): void {
    this.#options.transport.close();
  }

  async #sendWithRetries(operation: TimedRequest): Promise<TransportResponse> {
    this.#retryBudget.beginRequest();
    try {
      let outcome = await this.#sendAttempt(operation);
      for (let attemptsMade = 1; ; attemptsMade++) {
        const delayMs = this.#retryDelayMs(operation, attemptsMade, outcome);
        if (delayMs === undefined) break;
        const next = await this.#retryBudget.runRetry(() => this.#retryAfter(operation, delayMs));
        if (next === undefined) break;
        outcome = next;
      }
      if ('error' in outcome) throw outcome.error;
      return this.#withPause(outcome.response, operation.request);
    } finally {
      this.#retryBudget.endRequest();
    }
  }

  /**
   * A POST is not retried, because a failed one may have taken effect. Token requests are also POSTs, and count
   * against a small limit.
   */
  #retryDelayMs(
    { request, deadlineMs, wasResent }: TimedRequest,
    attemptsMade: number,
    outcome: AttemptOutcome,
  ): number | undefined {
    if (request.method !== 'GET' || request.cancellation?.isCancelled()) return undefined;
    const { clock, random } = this.#options;
    const headers = 'response' in outcome ? outcome.response.headers : {};
    return decideRetryDelay(this.#limits.retry, {
      attemptsMade: wasResent ? attemptsMade + 1 : attemptsMade,
      outcome,
      retryAfterMs: Math.max(
        this.#endpointLimits.pauseRemainingMs(request),
        retryAfterMs(headers, clock.now()) ?? 0,
      ),
      remainingMs: deadlineMs - this.#monotonicClock.now(),
      random: random(),
    });
  }

  /** Undefined if the retry was not sent; then the last outcome stands. */
  async #retryAfter(operation: TimedRequest, delayMs: number): Promise<AttemptOutcome | undefined> {
    const { logger, sleep = sleepFor } = this.#options;
    const { cancellation, template, requestId } = operation.request;
    logger.debug({ requestId, endpoint: template, delayMs: Math.round(delayMs) }, 'Retrying a REST call');
    try {
      await sleep(delayMs, cancellation);
      return await this.#sendAttempt(operation);
    } catch (error) {
      if (cancellation?.isCancelled()) throw createCancellationError(cancellation);
      // During the delay a circuit opened, a limit was reached, or no slot became free in time.
      if (error instanceof GatewayError) return undefined;
      throw error;
    }
  }

  /**
   * Sends the request once, if limits, circuit breaker and bulkhead admit it. Throws if it was not sent. Otherwise resolves
   * to the outcome, which may be a failure.
   */
  async #sendAttempt(operation: TimedRequest): Promise<AttemptOutcome> {
    const { request } = operation;
    let timeoutMs = this.#remainingMs(operation);
    this.#endpointLimits.check(request);
    this.#breakers.check(request);
    const entered: Bulkhead[] = [];
    try {
      for (const bulkhead of this.#bulkheadsOf(request)) {
        const waiting = bulkhead.enter({ cancellation: request.cancellation, timeoutMs }, request);
        if (waiting !== undefined) await waiting;
        entered.push(bulkhead);
        if (waiting === undefined) continue;
        // The results of the checks may have changed while the request was queued.
        this.#endpointLimits.check(request);
        timeoutMs = this.#remainingMs(operation);
      }
      return await this.#sendNow(operation, timeoutMs);
    } finally {
      for (const bulkhead of entered) bulkhead.leave();
    }
  }

  #bulkheadsOf(request: PlatformRequest): readonly Bulkhead[] {
    if (isAuthEndpoint(request)) return [this.#authBulkhead];
    const family = toEndpointFamily(request.template);
    let bulkhead = this.#familyBulkheads.get(family);
    if (bulkhead === undefined) {
      const maxConcurrent = Math.ceil(this.#limits.maxConcurrent * FAMILY_SHARE);
      bulkhead = new Bulkhead({ ...this.#limits, maxConcurrent });
      this.#familyBulkheads.set(family, bulkhead);
    }
    return [bulkhead, this.#bulkhead];
  }

  async #sendNow(operation: TimedRequest, remainingMs: number): Promise<AttemptOutcome> {
    const { request } = operation;
    const timeoutMs = Math.min(this.#limits.attemptTimeoutMs, remainingMs);
    const report = this.#breakers.enter(request, timeoutMs);
    let outcome: AttemptOutcome | undefined;
    try {
      const startedAtMs = performance.now();
      // The other idle connections may also be lost.
      const first = operation.wasResent ? { ...request, isOnNewConnection: true } : request;
      outcome = await this.#exchange(first, timeoutMs);
      // The platform did not fail, so this is not a retry, and the circuit breaker does not count it. A new connection is
      // never stale, so a request is sent again once.
      if (
        'error' in outcome &&
        isStaleConnection(outcome.error) &&
        this.#endpointLimits.remainingCalls(request) > 0 &&
        this.#endpointLimits.pauseRemainingMs(request) === 0
      ) {
        operation.wasResent = true;
        const leftMs = timeoutMs - (performance.now() - startedAtMs);
        outcome = await this.#exchange({ ...request, isOnNewConnection: true }, leftMs);
      }
      return outcome;
    } finally {
      report(isAbandoned(request, outcome) ? undefined : outcome);
    }
  }

  async #exchange(request: PlatformRequest, timeoutMs: number): Promise<AttemptOutcome> {
    const { transport, onAttempt } = this.#options;
    this.#endpointLimits.countCall(request);
    request.onSend?.();
    const sentAtMs = performance.now();
    let outcome: AttemptOutcome;
    try {
      outcome = { response: await transport.send(request, timeoutMs) };
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error;
      outcome = { error };
    }
    onAttempt?.(request, outcome, performance.now() - sentAtMs);
    this.#endpointLimits.record(request, outcome);
    return outcome;
  }

  /** Milliseconds left. Throws if the caller disconnected or the deadline is over. */
  #remainingMs({ request, deadlineMs }: TimedRequest): number {
    if (request.cancellation?.isCancelled()) throw createCancellationError(request.cancellation);
    const leftMs = deadlineMs - this.#monotonicClock.now();
    if (leftMs <= 0) throw createTimeoutError();
    return leftMs;
  }

  /** Adds the pause of this process to a 429 without a usable `Retry-After`. */
  #withPause(response: TransportResponse, request: PlatformRequest): TransportResponse {
    const { clock } = this.#options;
    if (response.status !== 429 || retryAfterMs(response.headers, clock.now())) return response;
    const pauseMs = this.#endpointLimits.pauseRemainingMs(request);
    if (pauseMs <= 0) return response;
    const retryAfter = String(Math.ceil(pauseMs / 1000));
    return { ...response, headers: { ...response.headers, 'retry-after': retryAfter } };
  }
}

/** Nobody waited for the response any more, so its absence says nothing about the platform. */
function isAbandoned({ cancellation }: PlatformRequest, outcome: AttemptOutcome | undefined): boolean {
  return outcome !== undefined && 'error' in outcome && cancellation?.isCancelled() === true;
}

const sleepFor: Sleep = (ms, cancellation) =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      stopWatching?.();
      resolve();
    }, ms);
    const stopWatching = cancellation?.onCancelled(() => {
      clearTimeout(timer);
      reject(createCancellationError(cancellation));
    });
  });
