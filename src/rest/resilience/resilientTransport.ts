/**
 * Sends requests to the platform within deadlines, with retries, bounded concurrency, rate limits and circuit breakers.
 * The decisions are in the parts that this file combines.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { Clock } from '../../lib/clock.js';
import type { Logger } from '../../lib/logger.js';
import { toMonotonicClock } from '../../lib/monotonicClock.js';
import { unwrapOutcome } from '../transport/attemptOutcome.js';
import type { PlatformRequest, Transport, TransportResponse } from '../transport/transport.js';
import type { BreakerState } from './circuitBreaker.js';
import { createEndpointLimits } from './endpointLimits.js';
import { createFamilyBreakers } from './familyBreakers.js';
import { defaultResilienceLimits, type ResilienceLimits } from './resilienceLimits.js';
import { createRetries, type Sleep } from './retries.js';
import { createRetryBudget } from './retryBudget.js';
import { createSendAttempt, type SendAttemptOptions, type TimedRequest } from './sendAttempt.js';

export interface PlatformTransport {
  /**
   * Resolves to the response, whatever its status. Rejects with CANCELLED as soon as the signal is aborted,
   * PLATFORM_TIMEOUT, PLATFORM_UNAVAILABLE, PLATFORM_RATE_LIMITED, or PLATFORM_BAD_RESPONSE.
   */
  send(request: PlatformRequest): Promise<TransportResponse>;
  /** Calls left of the endpoint's quota, as far as this process knows; `method` is GET by default. */
  remainingCalls(template: string, method?: 'GET' | 'POST'): number;
  /** By endpoint family, of the families called so far. */
  breakerStates(): Record<string, BreakerState>;
  /** Closes all sockets; later requests reject. */
  close(): void;
}

export interface ResilientTransportOptions {
  transport: Transport;
  clock: Clock;
  /** From 0 to less than 1. */
  random: () => number;
  logger: Logger;
  sleep?: Sleep;
  limits?: Partial<ResilienceLimits>;
  /** Called with the outcome and the milliseconds of each attempt. */
  onAttempt?: SendAttemptOptions['onAttempt'];
}

export function createResilientTransport(options: ResilientTransportOptions): PlatformTransport {
  const { transport, clock, random, logger, sleep = sleepFor, onAttempt } = options;
  const limits = { ...defaultResilienceLimits, ...options.limits };
  const monotonicClock = toMonotonicClock(clock);
  const endpointLimits = createEndpointLimits({ ...limits, clock, monotonicClock, logger });
  const breakers = createFamilyBreakers({ ...limits, monotonicClock, logger });
  const sendAttempt = createSendAttempt({
    transport,
    endpointLimits,
    breakers,
    monotonicClock,
    limits,
    onAttempt,
  });
  const retryBudget = createRetryBudget(limits.retryBudget);
  const retry = createRetries({
    sendAttempt,
    policy: limits.retry,
    retryBudget,
    endpointLimits,
    sleep,
    random,
    clock,
    monotonicClock,
    logger,
  });

  function toOperation(request: PlatformRequest): TimedRequest {
    const { deadlineAtMs } = request;
    const leftMs = deadlineAtMs === undefined ? limits.operationTimeoutMs : deadlineAtMs - clock.now();
    return { request, deadlineMs: monotonicClock.now() + leftMs };
  }

  /** Adds the pause of this process to a 429 without `Retry-After`. */
  function withPause(response: TransportResponse, { request }: TimedRequest): TransportResponse {
    const pauseMs = endpointLimits.pauseRemainingMs(request);
    if (response.status !== 429 || response.headers['retry-after'] !== undefined || pauseMs <= 0)
      return response;
    return {
      ...response,
      headers: { ...response.headers, 'retry-after': String(Math.ceil(pauseMs / 1000)) },
    };
  }

  async function sendWithRetries(operation: TimedRequest): Promise<TransportResponse> {
    let outcome = await sendAttempt(operation);
    for (let attemptsMade = 1; ; attemptsMade++) {
      const next = await retry(operation, attemptsMade, outcome);
      if (next === undefined) return withPause(unwrapOutcome(outcome), operation);
      outcome = next;
    }
  }

  return {
    send: (request) => retryBudget.runRequest(() => sendWithRetries(toOperation(request))),
    remainingCalls: (template, method = 'GET') => endpointLimits.remainingCalls({ method, template }),
    breakerStates: breakers.states,
    close: () => transport.close(),
  };
}

const sleepFor: Sleep = (ms, signal) => wait(ms, undefined, signal ? { signal } : {});
