/** Determines how long a response may be reused: until the first value in it becomes stale. */
import { openPeriodStart, POLICIES, type ResourceKind } from '../../cache/policies.js';

export type ResponseFreshness = ReturnType<typeof createResponseFreshness>;

/** A month: longer than browsers keep most responses. */
const MAX_IMMUTABLE_MS = 30 * 86_400_000;

export function createResponseFreshness(nowMs: () => number) {
  let endsAtMs = Number.POSITIVE_INFINITY;
  let isForbidden = false;
  let readsNumbers = false;
  let rangeEndMs: number | undefined;
  return {
    /**
     * Limits the freshness of the response to that of a value of this kind in it, in milliseconds; 0 if the value must
     * not be reused.
     */
    limitTo(freshForMs: number, kind: ResourceKind): void {
      if (POLICIES[kind].changesWithNumbers) readsNumbers = true;
      endsAtMs = Math.min(endsAtMs, freshForMs > 0 ? nowMs() + freshForMs : 0);
    },
    /** The response must not be stored at all, not even to be revalidated: it is a mutation's, or has errors. */
    forbidStoring(): void {
      isForbidden = true;
    },
    mayStore: (): boolean => !isForbidden,
    /** Whether a value in the response changes when numeric samples arrive. */
    readsNumbers: (): boolean => readsNumbers,
    /** Time at which the response becomes stale, in milliseconds since the Unix epoch; Infinity if it read nothing. */
    freshUntilMs: (): number => endsAtMs,
    /**
     * Records that the response contains only data of time ranges, the latest of which ends at this time. Unix
     * milliseconds.
     */
    setRangeEnd(endMs: number): void {
      rangeEndMs = endMs;
    },
    /**
     * How long clients may reuse the response without revalidation, in milliseconds; 0 for responses that may change. A
     * range counts as closed when samples rarely arrive for its days. The older a range is, the fewer devices still have
     * samples for it, so the time grows with its age.
     */
    immutableForMs(): number {
      const now = nowMs();
      if (rangeEndMs === undefined || rangeEndMs > openPeriodStart(now) || endsAtMs <= now) return 0;
      return Math.min(now - rangeEndMs, MAX_IMMUTABLE_MS);
    },
  };
}
