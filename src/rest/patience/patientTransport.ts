/**
 * Sends requests to the platform with patience: within deadlines, again where that helps, few at once, and
 * not at all while the platform limits or fails. What is decided is in the parts; here they are put together.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { Clock } from '../../lib/clock.js';
import type { Logger } from '../../lib/logger.js';
import type { PlatformRequest, Transport, TransportResponse } from '../transport.js';
import type { BreakerState } from './circuitBreaker.js';
import { createEndpointLimits } from './endpointLimits.js';
import { createFamilyBreakers } from './familyBreakers.js';
import { defaultPatienceLimits, type PatienceLimits } from './patienceLimits.js';
import { createRetries, type Sleep } from './retries.js';
import { createRetryBudget } from './retryBudget.js';
import { createSingleTry, type Operation, type SingleTryOptions } from './singleTry.js';
import { createSteadyClock } from './steadyClock.js';
import { settleOutcome } from './tryOutcome.js';

export interface PlatformTransport {
  /**
   * The platform's answer of whatever status. Rejects with CANCELLED as soon as the signal is aborted,
   * PLATFORM_TIMEOUT, PLATFORM_UNAVAILABLE, PLATFORM_RATE_LIMITED, or PLATFORM_BAD_RESPONSE.
   */
  send(request: PlatformRequest): Promise<TransportResponse>;
  /** Calls that may still be made to an endpoint, as far as this process knows; `method` is GET by default. */
  budgetLeft(template: string, method?: 'GET' | 'POST'): number;
  /** By endpoint family; those asked so far. */
  breakerStates(): Record<string, BreakerState>;
  /** Closes all sockets; nothing is sent any more. */
  close(): void;
}

export interface PatientTransportOptions {
  transport: Transport;
  clock: Clock;
  /** From 0 to less than 1. */
  random: () => number;
  logger: Logger;
  sleep?: Sleep;
  limits?: Partial<PatienceLimits>;
  /** Told what came of each try, and how many milliseconds it took. */
  onTry?: SingleTryOptions['onTry'];
}

export function createPatientTransport(options: PatientTransportOptions): PlatformTransport {
  const { transport, clock, random, logger, sleep = sleepFor, onTry } = options;
  const limits = { ...defaultPatienceLimits, ...options.limits };
  const steadyClock = createSteadyClock(clock);
  const endpointLimits = createEndpointLimits({ ...limits, clock, steadyClock, logger });
  const breakers = createFamilyBreakers({ ...limits, steadyClock, logger });
  const trySending = createSingleTry({ transport, endpointLimits, breakers, steadyClock, limits, onTry });
  const budget = createRetryBudget(limits.retryBudget);
  const common = { trySending, endpointLimits, clock, steadyClock, logger, sleep, random };
  const tryAgain = createRetries({ ...common, budget, policy: limits.retry });

  function toOperation(request: PlatformRequest): Operation {
    const { deadlineAtMs } = request;
    const leftMs = deadlineAtMs === undefined ? limits.operationTimeoutMs : deadlineAtMs - clock.now();
    return { request, deadlineMs: steadyClock.now() + leftMs };
  }

  /** A limit that came without `Retry-After` is told with the pause that this side makes of it. */
  function withPause(response: TransportResponse, { request }: Operation): TransportResponse {
    const pauseMs = endpointLimits.pauseLeftMs(request);
    if (response.status !== 429 || response.headers['retry-after'] !== undefined || pauseMs <= 0)
      return response;
    return {
      ...response,
      headers: { ...response.headers, 'retry-after': String(Math.ceil(pauseMs / 1000)) },
    };
  }

  async function sendPatiently(operation: Operation): Promise<TransportResponse> {
    let outcome = await trySending(operation);
    for (let triesMade = 1; ; triesMade++) {
      const next = await tryAgain(operation, triesMade, outcome);
      if (next === undefined) return withPause(settleOutcome(outcome), operation);
      outcome = next;
    }
  }

  return {
    send: (request) => budget.duringRequest(() => sendPatiently(toOperation(request))),
    budgetLeft: (template, method = 'GET') => endpointLimits.callsLeft({ method, template }),
    breakerStates: breakers.states,
    close: () => transport.close(),
  };
}

const sleepFor: Sleep = (ms, signal) => wait(ms, undefined, signal ? { signal } : {});
