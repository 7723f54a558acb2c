/** Remembers which endpoints the platform limits at the moment, so that nobody asks them before their time. */
import type { Clock } from '../../lib/clock.js';

export interface EndpointPauses {
  /** Milliseconds until the endpoint may be asked again; 0 where it may now. */
  remainingMs(endpointName: string): number;
  /** A call was answered 429; `retryAfterMs` is what the platform said. Answers whether it begins a pause. */
  recordRateLimit(endpointName: string, retryAfterMs: number | undefined): boolean;
  /** A call was answered otherwise. */
  recordResponse(endpointName: string): void;
}

interface Pause {
  untilMs: number;
  /** How many pauses in a row there were. */
  streak: number;
}

/** Where the platform names no time: a second, doubled with each pause that did not help, up to a minute. */
const FIRST_PAUSE_MS = 1_000;
const MAX_DEFAULT_PAUSE_MS = 60_000;
/** The platform counts in windows of 15 minutes; a header that names more than a day is not meant. */
const MAX_PAUSE_MS = 86_400_000;

/** The clock may not go back. */
export function createEndpointPauses(clock: Clock): EndpointPauses {
  const pauses = new Map<string, Pause>();

  function remainingMs(endpointName: string): number {
    return Math.max(0, (pauses.get(endpointName)?.untilMs ?? 0) - clock.now());
  }

  return {
    remainingMs,
    recordRateLimit(endpointName, retryAfterMs) {
      const known = pauses.get(endpointName);
      const isNew = remainingMs(endpointName) === 0;
      // Calls that were under way together are limited together: they are one step of the doubling.
      const streak = (known?.streak ?? 0) + (isNew ? 1 : 0);
      const ownMs = Math.min(MAX_DEFAULT_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (streak - 1));
      const untilMs = clock.now() + Math.min(retryAfterMs ?? ownMs, MAX_PAUSE_MS);
      pauses.set(endpointName, { untilMs: Math.max(untilMs, known?.untilMs ?? 0), streak });
      return isNew;
    },
    recordResponse(endpointName) {
      if (remainingMs(endpointName) === 0) pauses.delete(endpointName);
    },
  };
}
