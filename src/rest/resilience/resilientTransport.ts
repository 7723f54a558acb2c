/**
 * Sends requests to the platform with patience: within deadlines, again where that helps, few at once, and
 * not at all while the platform limits or fails. What is decided is in the parts; here they are put together.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { Clock } from '../../lib/clock.js';
import type { Logger } from '../../lib/logger.js';
import { unwrapOutcome } from '../transport/attemptOutcome.js';
import type { PlatformRequest, Transport, TransportResponse } from '../transport/transport.js';
import type { BreakerState } from './circuitBreaker.js';
import { createEndpointLimits } from './endpointLimits.js';
import { createFamilyBreakers } from './familyBreakers.js';
import { defaultResilienceLimits, type ResilienceLimits } from './resilienceLimits.js';
import { createRetries, type Sleep } from './retries.js';
import { createRetryBudget } from './retryBudget.js';
import { createSendAttempt, type SendAttemptOptions, type TimedRequest } from './sendAttempt.js';
import { createSteadyClock } from './steadyClock.js';

export interface PlatformTransport {
  /**
   * The platform's answer of whatever status. Rejects with CANCELLED as soon as the signal is aborted,
   * PLATFORM_TIMEOUT, PLATFORM_UNAVAILABLE, PLATFORM_RATE_LIMITED, or PLATFORM_BAD_RESPONSE.
   */
  send(request: PlatformRequest): Promise<TransportResponse>;
  /** Calls that may still be made to an endpoint, as far as this process knows; `method` is GET by default. */
  remainingCalls(template: string, method?: 'GET' | 'POST'): number;
  /** By endpoint family; those asked so far. */
  breakerStates(): Record<string, BreakerState>;
  /** Closes all sockets; nothing is sent any more. */
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
  /** Told what came of each try, and how many milliseconds it took. */
  onAttempt?: SendAttemptOptions['onAttempt'];
}

export function createResilientTransport(options: ResilientTransportOptions): PlatformTransport {
  const { transport, clock, random, logger, sleep = sleepFor, onAttempt } = options;
  const limits = { ...defaultResilienceLimits, ...options.limits };
  const monotonicClock = createSteadyClock(clock);
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
  const common = {
    sendAttempt: sendAttempt,
    endpointLimits,
    clock,
    monotonicClock: monotonicClock,
    logger,
    sleep,
    random,
  };
  const tryAgain = createRetries({ ...common, retryBudget, policy: limits.retry });

  function toOperation(request: PlatformRequest): TimedRequest {
    const { deadlineAtMs } = request;
    const leftMs = deadlineAtMs === undefined ? limits.operationTimeoutMs : deadlineAtMs - clock.now();
    return { request, deadlineMs: monotonicClock.now() + leftMs };
  }

  /** A limit that came without `Retry-After` is told with the pause that this side makes of it. */
  function withPause(response: TransportResponse, { request }: TimedRequest): TransportResponse {
    const pauseMs = endpointLimits.pauseRemainingMs(request);
    if (response.status !== 429 || response.headers['retry-after'] !== undefined || pauseMs <= 0)
      return response;
    return {
      ...response,
      headers: { ...response.headers, 'retry-after': String(Math.ceil(pauseMs / 1000)) },
    };
  }

  async function sendPatiently(operation: TimedRequest): Promise<TransportResponse> {
    let outcome = await sendAttempt(operation);
    for (let triesMade = 1; ; triesMade++) {
      const next = await tryAgain(operation, triesMade, outcome);
      if (next === undefined) return withPause(unwrapOutcome(outcome), operation);
      outcome = next;
    }
  }

  return {
    send: (request) => retryBudget.runRequest(() => sendPatiently(toOperation(request))),
    remainingCalls: (template, method = 'GET') => endpointLimits.remainingCalls({ method, template }),
    breakerStates: breakers.states,
    close: () => transport.close(),
  };
}

const sleepFor: Sleep = (ms, signal) => wait(ms, undefined, signal ? { signal } : {});
