/** How long an answer made of many may be given again: as long as the part of it that ages first. */
export interface ResponseFreshness {
  /** A part of the answer stays fresh for so long; 0 where it is not to be given again. */
  limitTo(freshForMs: number): void;
  /** The response must not be stored at all, not even to be revalidated: it is a mutation's, or has errors. */
  forbidStoring(): void;
  mayStore(): boolean;
  /** Until when the answer may be given again, milliseconds since the Unix epoch; Infinity where it read nothing. */
  freshUntilMs(): number;
}

export function createResponseFreshness(nowMs: () => number): ResponseFreshness {
  let endsAtMs = Number.POSITIVE_INFINITY;
  let isForbidden = false;
  return {
    limitTo(freshForMs) {
      endsAtMs = Math.min(endsAtMs, freshForMs > 0 ? nowMs() + freshForMs : 0);
    },
    forbidStoring() {
      isForbidden = true;
    },
    mayStore: () => !isForbidden,
    freshUntilMs: () => endsAtMs,
  };
}
