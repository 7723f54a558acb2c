/**
 * Tells a token that is no longer good from an endpoint that refuses whoever asks: what refuses a second
 * token right after the first means it, and is not worth a third.
 */

/** `renew`: another token may help. `meant`: it won't; the refusal is the answer. */
export type RefusalVerdict = 'renew' | 'meant';

export interface PlaceRefusal {
  /** The last token that was refused here, and when. */
  token: string;
  atMs: number;
  /** How long refusals here were last taken as meant; 0: never. */
  holdMs: number;
  heldUntilMs: number;
}

/** A second token refused within this span was no better than the first. */
const SECOND_TOKEN_MS = 60_000;
const LEAST_HOLD_MS = 60_000;
const MOST_HOLD_MS = 900_000;
/** More than the REST API has endpoints. */
const MOST_PLACES = 500;

/** Pure: the verdict, and what is remembered of the place. Holds double while renewing does not help. */
export function judgeRefusal(
  before: PlaceRefusal | undefined,
  token: string,
  nowMs: number,
): { verdict: RefusalVerdict; after: PlaceRefusal } {
  const sinceMs = before ? nowMs - before.atMs : Number.POSITIVE_INFINITY;
  if (before && sinceMs >= 0 && nowMs < before.heldUntilMs) return { verdict: 'meant', after: before };
  const isLongAgo = before === undefined || sinceMs < 0 || nowMs - before.heldUntilMs > MOST_HOLD_MS;
  const holdMs = isLongAgo ? 0 : before.holdMs;
  if (before && before.token !== token && sinceMs >= 0 && sinceMs < SECOND_TOKEN_MS) {
    const longerMs = Math.min(Math.max(holdMs * 2, LEAST_HOLD_MS), MOST_HOLD_MS);
    return {
      verdict: 'meant',
      after: { token, atMs: nowMs, holdMs: longerMs, heldUntilMs: nowMs + longerMs },
    };
  }
  return {
    verdict: 'renew',
    after: { token, atMs: nowMs, holdMs, heldUntilMs: before?.heldUntilMs ?? nowMs },
  };
}

export interface RefusedPlaces {
  /** `place` is where the token was refused: a path template. */
  refuse(token: string, place: string, nowMs: number): RefusalVerdict;
}

export function createRefusedPlaces(): RefusedPlaces {
  const places = new Map<string, PlaceRefusal>();
  return {
    refuse(token, place, nowMs) {
      const { verdict, after } = judgeRefusal(places.get(place), token, nowMs);
      if (places.size >= MOST_PLACES) places.clear();
      places.set(place, after);
      return verdict;
    },
  };
}
