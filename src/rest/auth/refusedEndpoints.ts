/**
 * Tells an expired token from a forbidden endpoint: an endpoint that refuses a second token right after the first would
 * refuse a third one, too.
 */

/** `renew`: another token may help. `final`: it will not; the refusal is the response. */
export type RefusalVerdict = 'renew' | 'final';

interface EndpointRefusal {
  /** The last token that the endpoint refused, and the time. */
  token: string;
  atMs: number;
  /** Length of the last period in which refusals were final; 0 without one. */
  finalForMs: number;
  finalUntilMs: number;
}

/** A second token refused within this time was no better than the first. */
const SECOND_TOKEN_MS = 60_000;
const MIN_FINAL_MS = 60_000;
const MAX_FINAL_MS = 900_000;
/** More than the REST API has endpoints. */
const MAX_ENDPOINTS = 500;

/** Pure: returns the verdict and the next state. Each period in a row doubles. */
export function judgeRefusal(
  before: EndpointRefusal | undefined,
  token: string,
  nowMs: number,
): { verdict: RefusalVerdict; after: EndpointRefusal } {
  const sinceMs = before ? nowMs - before.atMs : Number.POSITIVE_INFINITY;
  if (before && sinceMs >= 0 && nowMs < before.finalUntilMs) return { verdict: 'final', after: before };
  const isLongAgo = before === undefined || sinceMs < 0 || nowMs - before.finalUntilMs > MAX_FINAL_MS;
  const finalForMs = isLongAgo ? 0 : before.finalForMs;
  if (before && before.token !== token && sinceMs >= 0 && sinceMs < SECOND_TOKEN_MS) {
    return { verdict: 'final', after: beginFinalPeriod(finalForMs, token, nowMs) };
  }
  return {
    verdict: 'renew',
    after: { token, atMs: nowMs, finalForMs, finalUntilMs: before?.finalUntilMs ?? nowMs },
  };
}

function beginFinalPeriod(previousMs: number, token: string, nowMs: number): EndpointRefusal {
  const finalForMs = Math.min(Math.max(previousMs * 2, MIN_FINAL_MS), MAX_FINAL_MS);
  return { token, atMs: nowMs, finalForMs, finalUntilMs: nowMs + finalForMs };
}

/** Endpoints are named by path template and status. */
interface RefusedEndpoints {
  refuse(token: string, endpoint: string, nowMs: number): RefusalVerdict;
  /** Another endpoint accepted the token: refusals by this endpoint are final for a while. */
  confirm(token: string, endpoint: string, nowMs: number): void;
  /** Whether refusals by the endpoint are final at the moment. */
  isFinal(endpoint: string, nowMs: number): boolean;
}

export function createRefusedEndpoints(): RefusedEndpoints {
  const refusals = new Map<string, EndpointRefusal>();

  function set(endpoint: string, refusal: EndpointRefusal): void {
    if (refusals.size >= MAX_ENDPOINTS) refusals.clear();
    refusals.set(endpoint, refusal);
  }

  return {
    refuse(token, endpoint, nowMs) {
      const { verdict, after } = judgeRefusal(refusals.get(endpoint), token, nowMs);
      set(endpoint, after);
      return verdict;
    },
    confirm: (token, endpoint, nowMs) =>
      set(endpoint, beginFinalPeriod(refusals.get(endpoint)?.finalForMs ?? 0, token, nowMs)),
    isFinal(endpoint, nowMs) {
      const { atMs, finalUntilMs } = refusals.get(endpoint) ?? { atMs: 0, finalUntilMs: 0 };
      return nowMs >= atMs && nowMs < finalUntilMs;
    },
  };
}
