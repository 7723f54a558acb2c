/** Decides whether a refused token is worth replacing. */
import type { Clock } from '../../lib/clock.js';

/** `renew`: another token may help. `final`: it will not; the refusal is the response. */
export type RefusalDecision = 'renew' | 'final';

interface EndpointRefusal {
  /** The last token that the endpoint refused, and the time. */
  token: string;
  atMs: number;
  /** Length of the last period in which refusals were final; 0 without one. */
  finalForMs: number;
  finalUntilMs: number;
}

/** If a second token is refused within this time, renewing the token does not help. */
const SECOND_REFUSAL_MS = 60_000;
const MIN_FINAL_PERIOD_MS = 60_000;
const MAX_FINAL_PERIOD_MS = 900_000;

/**
 * Pure: returns the decision and the next state. Consecutive periods double in length. The refusal of an invalid token
 * says nothing about the endpoint.
 */
export function decideRefusal(
  before: EndpointRefusal | undefined,
  token: string,
  nowMs: number,
  isInvalid = false,
): { decision: RefusalDecision; after: EndpointRefusal } {
  if (before && isFinalAt(nowMs, before)) return { decision: 'final', after: before };
  const sinceMs = before ? nowMs - before.atMs : Number.POSITIVE_INFINITY;
  const isLongAgo = before === undefined || sinceMs < 0 || nowMs - before.finalUntilMs > MAX_FINAL_PERIOD_MS;
  const finalForMs = isLongAgo ? 0 : before.finalForMs;
  if (!isInvalid && before && before.token !== token && sinceMs >= 0 && sinceMs < SECOND_REFUSAL_MS) {
    return { decision: 'final', after: beginFinalPeriod(finalForMs, token, nowMs) };
  }
  return {
    decision: 'renew',
    after: { token, atMs: nowMs, finalForMs, finalUntilMs: before?.finalUntilMs ?? nowMs },
  };
}

/** False after the clock was set back to before the refusal. */
function isFinalAt(nowMs: number, refusal: EndpointRefusal | undefined): boolean {
  return refusal !== undefined && nowMs >= refusal.atMs && nowMs < refusal.finalUntilMs;
}

function beginFinalPeriod(previousMs: number, token: string, nowMs: number): EndpointRefusal {
  const finalForMs = Math.min(Math.max(previousMs * 2, MIN_FINAL_PERIOD_MS), MAX_FINAL_PERIOD_MS);
  return { token, atMs: nowMs, finalForMs, finalUntilMs: nowMs + finalForMs };
}

/**
 * Distinguishes an expired token from a forbidden endpoint: an endpoint that refuses a second token right after
 * the first would also refuse a third. Endpoints are named by status and path template.
 */
export function createRefusedEndpoints(clock: Clock) {
  /** By status and template. There are about a hundred. */
  const refusals = new Map<string, EndpointRefusal>();

  return {
    refuse(token: string, endpoint: string, isInvalid: boolean): RefusalDecision {
      const { decision, after } = decideRefusal(refusals.get(endpoint), token, clock.now(), isInvalid);
      refusals.set(endpoint, after);
      return decision;
    },
    /** Whether the endpoint refused another token a moment ago, or its last final period ended recently. */
    mayRefuseEvery(token: string, endpoint: string): boolean {
      const { decision, after } = decideRefusal(refusals.get(endpoint), token, clock.now());
      // The length of the last final period is reset a while after its end.
      return decision === 'final' || after.finalForMs > 0;
    },
    /**
     * Begins a period in which refusals by this endpoint are final, because their reason is not the validity of the
     * token.
     */
    confirm(token: string, endpoint: string): void {
      const { finalForMs = 0 } = refusals.get(endpoint) ?? {};
      refusals.set(endpoint, beginFinalPeriod(finalForMs, token, clock.now()));
    },
    lastAtMs: (endpoint: string): number => refusals.get(endpoint)?.atMs ?? Number.NEGATIVE_INFINITY,
    /** Records that this endpoint has accepted a token that it had refused. */
    withdraw: (endpoint: string): void => void refusals.delete(endpoint),
    isFinal: (endpoint: string): boolean => isFinalAt(clock.now(), refusals.get(endpoint)),
  };
}

export type RefusedEndpoints = ReturnType<typeof createRefusedEndpoints>;
