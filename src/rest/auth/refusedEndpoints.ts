/**
 * Tells a token that is no longer good from an endpoint that refuses whoever asks: what refuses a second
 * token right after the first means it, and is not worth a third.
 */

/** `renew`: another token may help. `meant`: it won't; the refusal is the answer. */
export type RefusalVerdict = 'renew' | 'meant';

export interface EndpointRefusal {
  /** The last token that was refused here, and when. */
  token: string;
  atMs: number;
  /** How long refusals here were last taken as meant; 0: never. */
  holdMs: number;
  heldUntilMs: number;
}

/** A second token refused within this span was no better than the first. */
const SECOND_TOKEN_MS = 60_000;
const MIN_HOLD_MS = 60_000;
const MAX_HOLD_MS = 900_000;
/** More than the REST API has endpoints. */
const MAX_ENDPOINTS = 500;

/** Pure: the verdict, and what is remembered of the place. Holds double while renewing does not help. */
export function judgeRefusal(
  before: EndpointRefusal | undefined,
  token: string,
  nowMs: number,
): { verdict: RefusalVerdict; after: EndpointRefusal } {
  const sinceMs = before ? nowMs - before.atMs : Number.POSITIVE_INFINITY;
  if (before && sinceMs >= 0 && nowMs < before.heldUntilMs) return { verdict: 'meant', after: before };
  const isLongAgo = before === undefined || sinceMs < 0 || nowMs - before.heldUntilMs > MAX_HOLD_MS;
  const holdMs = isLongAgo ? 0 : before.holdMs;
  if (before && before.token !== token && sinceMs >= 0 && sinceMs < SECOND_TOKEN_MS) {
    return { verdict: 'meant', after: holdLonger(holdMs, token, nowMs) };
  }
  return {
    verdict: 'renew',
    after: { token, atMs: nowMs, holdMs, heldUntilMs: before?.heldUntilMs ?? nowMs },
  };
}

function holdLonger(lastHoldMs: number, token: string, nowMs: number): EndpointRefusal {
  const holdMs = Math.min(Math.max(lastHoldMs * 2, MIN_HOLD_MS), MAX_HOLD_MS);
  return { token, atMs: nowMs, holdMs, heldUntilMs: nowMs + holdMs };
}

export interface RefusedEndpoints {
  /** `place` names where the token was refused, and how: a path template and a status. */
  refuse(token: string, place: string, nowMs: number): RefusalVerdict;
  /** The token that was refused here is good elsewhere: refusals here are meant for a while. */
  confirm(token: string, place: string, nowMs: number): void;
  /** Whether refusals here are taken as meant at the moment. */
  isHeld(place: string, nowMs: number): boolean;
}

export function createRefusedEndpoints(): RefusedEndpoints {
  const places = new Map<string, EndpointRefusal>();

  function remember(place: string, refusal: EndpointRefusal): void {
    if (places.size >= MAX_ENDPOINTS) places.clear();
    places.set(place, refusal);
  }

  return {
    refuse(token, place, nowMs) {
      const { verdict, after } = judgeRefusal(places.get(place), token, nowMs);
      remember(place, after);
      return verdict;
    },
    confirm: (token, place, nowMs) =>
      remember(place, holdLonger(places.get(place)?.holdMs ?? 0, token, nowMs)),
    isHeld(place, nowMs) {
      const { atMs, heldUntilMs } = places.get(place) ?? { atMs: 0, heldUntilMs: 0 };
      return nowMs >= atMs && nowMs < heldUntilMs;
    },
  };
}
