/** Pauses calls to endpoints that responded 429. */
import type { Clock } from '../../lib/clock.js';

export interface EndpointPauses {
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
/** The platform counts in windows of 15 minutes, so a header of more than a day is a mistake. */
const MAX_PAUSE_MS = 86_400_000;

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
      // Concurrent calls are limited together, which counts as one step of the doubling.
      const streak = (previous?.streak ?? 0) + (isNew ? 1 : 0);
      const defaultMs = Math.min(MAX_DEFAULT_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (streak - 1));
      const untilMs = clock.now() + Math.min(retryAfterMs ?? defaultMs, MAX_PAUSE_MS);
      pauses.set(endpointName, { untilMs: Math.max(untilMs, previous?.untilMs ?? 0), streak });
      return isNew;
    },
    recordResponse(endpointName) {
      if (remainingMs(endpointName) === 0) pauses.delete(endpointName);
    },
  };
}
