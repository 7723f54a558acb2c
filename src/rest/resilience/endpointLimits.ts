/** Enforces the platform's limits on calls per endpoint: pauses after a 429, and the documented quota. */

import { GatewayError } from '../../errors.js';
import { type Clock, doubledMs } from '../../lib/clock.js';
import type { Logger } from '../../lib/logger.js';
import { createSlidingWindowCounter, type SlidingWindowCounter } from '../../lib/slidingWindowCounter.js';
import { retryAfterMs } from '../decode/responseErrors.js';
import { isAuthEndpoint, type PlatformEndpoint, toEndpointName } from '../path.js';
import type { AttemptOutcome, TransportResponse } from '../transport/platformRequest.js';

export type EndpointLimits = ReturnType<typeof createEndpointLimits>;

interface EndpointLimitsOptions {
  /** For HTTP dates in `Retry-After`. */
  clock: Clock;
  monotonicClock: Clock;
  logger: Logger;
  endpointQuota: EndpointQuotaLimits;
}

/** Ignores the token endpoint: the token manager limits its requests for each credential. */
export function createEndpointLimits(options: EndpointLimitsOptions) {
  const { clock, monotonicClock, logger } = options;
  const pauses = createEndpointPauses(monotonicClock);
  const quota = createEndpointQuota(options.endpointQuota, monotonicClock);

  return {
    /** Throws PLATFORM_RATE_LIMITED with `retryAfterMs` if the endpoint must not be called now. */
    check(endpoint: PlatformEndpoint): void {
      const name = toEndpointName(endpoint);
      const waitMs = Math.max(pauses.remainingMs(name), quota.waitMs(name));
      if (waitMs > 0) throw createRateLimitedError(endpoint, waitMs);
    },
    /** Counts a call that is about to be made. */
    countCall(endpoint: PlatformEndpoint): void {
      if (!isAuthEndpoint(endpoint)) quota.countCall(toEndpointName(endpoint));
    },
    /** Records the outcome of a call; `requestId` is for the log. */
    record(endpoint: PlatformEndpoint & { requestId?: string | undefined }, outcome: AttemptOutcome): void {
      if ('error' in outcome || isAuthEndpoint(endpoint)) return;
      const name = toEndpointName(endpoint);
      const { status, headers } = outcome.response;
      if (status !== 429) pauses.recordResponse(name);
      else if (pauses.recordRateLimit(name, readPauseMs(headers, clock.now()))) {
        const pauseMs = Math.round(pauses.remainingMs(name));
        const fields = { requestId: endpoint.requestId, endpoint: name, pauseMs };
        logger.warn(fields, 'Rate limited by the platform');
      }
    },
    /** Milliseconds until the pause after a 429 ends; 0 without a pause. */
    pauseRemainingMs: (endpoint: PlatformEndpoint) => pauses.remainingMs(toEndpointName(endpoint)),
    remainingCalls: (endpoint: PlatformEndpoint) => quota.remaining(toEndpointName(endpoint)),
  };
}

/** Also undefined for a date in the past, which comes from a platform whose clock differs. */
function readPauseMs(headers: TransportResponse['headers'], nowMs: number): number | undefined {
  const pauseMs = retryAfterMs(headers, nowMs);
  return pauseMs === 0 && Number(headers['retry-after']) !== 0 ? undefined : pauseMs;
}

function createRateLimitedError({ template }: PlatformEndpoint, waitMs: number): GatewayError {
  const message = `The platform rate limits ${template}.`;
  return new GatewayError('PLATFORM_RATE_LIMITED', message, { retryable: true, retryAfterMs: waitMs });
}

interface Pause {
  untilMs: number;
  streak: number;
}

/** Without `Retry-After`: one second, doubled with each pause in a row, up to a minute. */
const FIRST_PAUSE_MS = 1_000;
const MAX_DEFAULT_PAUSE_MS = 60_000;

/** Pauses calls to endpoints that responded 429. The clock must be monotonic. */
export function createEndpointPauses(clock: Clock) {
  const pauses = new Map<string, Pause>();

  /** Milliseconds until the endpoint may be called again; 0 without a pause. */
  function remainingMs(endpointName: string): number {
    return Math.max(0, (pauses.get(endpointName)?.untilMs ?? 0) - clock.now());
  }

  return {
    remainingMs,
    /** Records a 429 with its `Retry-After`, if any. Returns whether it starts a pause. */
    recordRateLimit(endpointName: string, retryAfterMs: number | undefined): boolean {
      const previous = pauses.get(endpointName);
      const isNew = remainingMs(endpointName) === 0;
      // A 429 for several concurrent calls counts as one step of the doubling.
      const streak = (previous?.streak ?? 0) + (isNew ? 1 : 0);
      const defaultMs = doubledMs(FIRST_PAUSE_MS, streak, MAX_DEFAULT_PAUSE_MS);
      const untilMs = clock.now() + (retryAfterMs ?? defaultMs);
      pauses.set(endpointName, { untilMs: Math.max(untilMs, previous?.untilMs ?? 0), streak });
      return isNew;
    },
    /** Records any other response. */
    recordResponse(endpointName: string): void {
      if (remainingMs(endpointName) === 0) pauses.delete(endpointName);
    },
  };
}

export interface EndpointQuotaLimits {
  /** Calls to one endpoint within the window. */
  maxCalls: number;
  windowMs: number;
}

/** The platform's specification: 1,000,000 calls per 15 minutes for each endpoint except the token endpoint. */
export const defaultEndpointQuotaLimits: EndpointQuotaLimits = { maxCalls: 1_000_000, windowMs: 900_000 };

const SLICES = 15;

/**
 * Counts calls per endpoint as the platform does, in order to stop before its limit: even a response with status
 * 429 counts as a call. The clock must be monotonic.
 */
export function createEndpointQuota({ maxCalls, windowMs }: EndpointQuotaLimits, clock: Clock) {
  const counts = new Map<string, SlidingWindowCounter>();

  /** Calls left in the current window. */
  function remaining(endpointName: string): number {
    return Math.max(0, maxCalls - (counts.get(endpointName)?.total() ?? 0));
  }

  return {
    remaining,
    /** Milliseconds until a call is allowed; 0 if it is now. */
    waitMs: (endpointName: string) =>
      remaining(endpointName) > 0 ? 0 : (counts.get(endpointName)?.msUntilDecrease() ?? 0),
    countCall(endpointName: string): void {
      const count =
        counts.get(endpointName) ?? createSlidingWindowCounter({ clock, windowMs, slices: SLICES });
      counts.set(endpointName, count);
      count.add();
    },
  };
}
