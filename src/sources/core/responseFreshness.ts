/** Determines how long a response may be reused: as long as the value in it that becomes stale first. */
import { openPeriodStart } from '../../cache/policies.js';

export interface ResponseFreshness {
  /** Takes how long a value in the response stays fresh; 0 if it must not be reused. */
  limitTo(freshForMs: number): void;
  /** The response must not be stored at all, not even to be revalidated: it is a mutation's, or has errors. */
  forbidStoring(): void;
  mayStore(): boolean;
  /** Time at which the response becomes stale, in milliseconds since the Unix epoch; Infinity if it read nothing. */
  freshUntilMs(): number;
  /** The response has only data of time ranges, and the latest of them ends at this time. Unix milliseconds. */
  setRangeEnd(endMs: number): void;
  /**
   * How long clients may reuse the response without revalidation, in milliseconds; 0 for responses that may change. A
   * range counts as closed when samples rarely arrive for its days. The older a range is, the fewer devices still have
   * samples for it, so the time grows with its age.
   */
  immutableForMs(): number;
}

/** A month: longer than browsers keep most responses. */
const MAX_IMMUTABLE_MS = 30 * 86_400_000;

export function createResponseFreshness(nowMs: () => number): ResponseFreshness {
  let endsAtMs = Number.POSITIVE_INFINITY;
  let isForbidden = false;
  let rangeEndMs: number | undefined;
  return {
    limitTo(freshForMs) {
      endsAtMs = Math.min(endsAtMs, freshForMs > 0 ? nowMs() + freshForMs : 0);
    },
    forbidStoring() {
      isForbidden = true;
    },
    mayStore: () => !isForbidden,
    freshUntilMs: () => endsAtMs,
    setRangeEnd(endMs) {
      rangeEndMs = endMs;
    },
    immutableForMs() {
      const now = nowMs();
      if (rangeEndMs === undefined || rangeEndMs > openPeriodStart(now) || endsAtMs <= now) return 0;
      return Math.min(now - rangeEndMs, MAX_IMMUTABLE_MS);
    },
  };
}
