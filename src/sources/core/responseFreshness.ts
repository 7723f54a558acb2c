/** Determines how long a response may be reused: as long as the value in it that becomes stale first. */
export interface ResponseFreshness {
  /** Takes how long a value in the response stays fresh; 0 if it must not be reused. */
  limitTo(freshForMs: number): void;
  /** The response must not be stored at all, not even to be revalidated: it is a mutation's, or has errors. */
  forbidStoring(): void;
  mayStore(): boolean;
  /** Time at which the response becomes stale, in milliseconds since the Unix epoch; Infinity if it read nothing. */
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
