/** Enforces the platform's limits on calls per endpoint: pauses after a 429, and the documented quota. */
import { GatewayError } from '../../errors.js';
import type { Clock } from '../../lib/clock.js';
import type { Logger } from '../../lib/logger.js';
import { createSlidingWindowCounter, type SlidingWindowCounter } from '../../lib/slidingWindowCounter.js';
import { retryAfterMs } from '../decode/responseErrors.js';
import { isAuthEndpoint, type PlatformEndpoint, toEndpointName } from '../path.js';
import type { AttemptOutcome } from '../transport/attemptOutcome.js';
import type { TransportResponse } from '../transport/platformRequest.js';

export interface EndpointLimits {
  /** Throws PLATFORM_RATE_LIMITED with `retryAfterMs` if the endpoint must not be called now. */
  check(endpoint: PlatformEndpoint): void;
  /** Counts a call that is about to be made. */
  countCall(endpoint: PlatformEndpoint): void;
  /** Records the outcome of a call; `requestId` is for the log. */
  record(endpoint: PlatformEndpoint & { requestId?: string | undefined }, outcome: AttemptOutcome): void;
  /** Milliseconds until the pause after a 429 ends; 0 without a pause. */
  pauseRemainingMs(endpoint: PlatformEndpoint): number;
  remainingCalls(endpoint: PlatformEndpoint): number;
}

interface EndpointLimitsOptions {
  /** For HTTP dates in `Retry-After`. */
  clock: Clock;
  monotonicClock: Clock;
  logger: Logger;
  endpointQuota: EndpointQuotaLimits;
}

/** Ignores the token endpoint: the token manager limits its requests for each credential. */
export function createEndpointLimits(options: EndpointLimitsOptions): EndpointLimits {
  const { clock, monotonicClock, logger } = options;
  const pauses = createEndpointPauses(monotonicClock);
  const quota = createEndpointQuota(options.endpointQuota, monotonicClock);

  return {
    check(endpoint) {
      const name = toEndpointName(endpoint);
      const waitMs = Math.max(pauses.remainingMs(name), quota.waitMs(name));
      if (waitMs > 0) throw createRateLimitedError(endpoint, waitMs);
    },
    countCall(endpoint) {
      if (!isAuthEndpoint(endpoint)) quota.countCall(toEndpointName(endpoint));
    },
    record(endpoint, outcome) {
      if ('error' in outcome || isAuthEndpoint(endpoint)) return;
      const name = toEndpointName(endpoint);
      const { status, headers } = outcome.response;
      if (status !== 429) pauses.recordResponse(name);
      else if (pauses.recordRateLimit(name, readPauseMs(headers, clock.now()))) {
        const { requestId } = endpoint;
        logger.warn(
          { requestId, endpoint: name, pauseMs: pauses.remainingMs(name) },
          'Rate limited by the platform',
        );
      }
    },
    pauseRemainingMs: (endpoint) => pauses.remainingMs(toEndpointName(endpoint)),
    remainingCalls: (endpoint) => quota.remaining(toEndpointName(endpoint)),
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

/** Pauses calls to endpoints that responded 429. */
interface EndpointPauses {
  /** Milliseconds until the endpoint may be called again; 0 without a pause. */
  remainingMs(endpointName: string): number;
  /** Records a 429 with its `Retry-After`, if any. Returns whether it starts a pause. */
  recordRateLimit(endpointName: string, retryAfterMs: number | undefined): boolean;
  /** Records any other response. */
  recordResponse(endpointName: string): void;
}

interface Pause {
  untilMs: number;
  /** Number of pauses in a row. */
  streak: number;
}

/** Without `Retry-After`: one second, doubled with each pause in a row, up to a minute. */
const FIRST_PAUSE_MS = 1_000;
const MAX_DEFAULT_PAUSE_MS = 60_000;

/** The clock must be monotonic. */
export function createEndpointPauses(clock: Clock): EndpointPauses {
  const pauses = new Map<string, Pause>();

  function remainingMs(endpointName: string): number {
    return Math.max(0, (pauses.get(endpointName)?.untilMs ?? 0) - clock.now());
  }

  return {
    remainingMs,
    recordRateLimit(endpointName, retryAfterMs) {
      const previous = pauses.get(endpointName);
      const isNew = remainingMs(endpointName) === 0;
      // A 429 for several concurrent calls counts as one step of the doubling.
      const streak = (previous?.streak ?? 0) + (isNew ? 1 : 0);
      const defaultMs = Math.min(MAX_DEFAULT_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (streak - 1));
      const untilMs = clock.now() + (retryAfterMs ?? defaultMs);
      pauses.set(endpointName, { untilMs: Math.max(untilMs, previous?.untilMs ?? 0), streak });
      return isNew;
    },
    recordResponse(endpointName) {
      if (remainingMs(endpointName) === 0) pauses.delete(endpointName);
    },
  };
}

interface EndpointQuota {
  /** Calls left in the current window. */
  remaining(endpointName: string): number;
  /** Milliseconds until a call is allowed; 0 if it is now. */
  waitMs(endpointName: string): number;
  countCall(endpointName: string): void;
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
export function createEndpointQuota(
  { maxCalls, windowMs }: EndpointQuotaLimits,
  clock: Clock,
): EndpointQuota {
  const counts = new Map<string, SlidingWindowCounter>();

  function remaining(endpointName: string): number {
    return Math.max(0, maxCalls - (counts.get(endpointName)?.total() ?? 0));
  }

  return {
    remaining,
    waitMs: (endpointName) =>
      remaining(endpointName) > 0 ? 0 : (counts.get(endpointName)?.msUntilDecrease() ?? 0),
    countCall(endpointName) {
      const count =
        counts.get(endpointName) ?? createSlidingWindowCounter({ clock, windowMs, slices: SLICES });
      counts.set(endpointName, count);
      count.add();
    },
  };
}
