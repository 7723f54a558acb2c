/**
 * Remembers what was seen of each endpoint, so that the fetch plan can tell a heavy call from a light one, and one
 * that fails from one that works.
 */

/** What a call to an endpoint is expected to take. */
export interface ExpectedCost {
  bytes: number;
  durationMs: number;
}

export interface EndpointStats {
  record(template: string, seen: ExpectedCost): void;
  /** The moving average of what was seen; a modest guess before anything was. */
  expectedCost(template: string): ExpectedCost;
  /** The endpoint fails where others work: for a while it is better not asked. */
  markFailing(template: string, nowMs: number): void;
  isFailing(template: string, nowMs: number): boolean;
}

/** How much the newest call counts against those before it. */
const NEWEST_WEIGHT = 0.3;

/** After this it is given another chance. */
const FAILING_TTL_MS = 60_000;

export function createEndpointStats(): EndpointStats {
  const seenByTemplate = new Map<string, ExpectedCost>();
  /** By template, since when; of the clock that may be set back. */
  const avoidedSinceMs = new Map<string, number>();
  return {
    record(template, seen) {
      const before = seenByTemplate.get(template) ?? seen;
      seenByTemplate.set(template, {
        bytes: movingAverage(before.bytes, seen.bytes),
        durationMs: movingAverage(before.durationMs, seen.durationMs),
      });
    },
    expectedCost: (template) => seenByTemplate.get(template) ?? { bytes: 0, durationMs: 0 },
    markFailing: (template, nowMs) => void avoidedSinceMs.set(template, nowMs),
    isFailing(template, nowMs) {
      const sinceMs = nowMs - (avoidedSinceMs.get(template) ?? Number.NEGATIVE_INFINITY);
      return sinceMs >= 0 && sinceMs < FAILING_TTL_MS;
    },
  };
}

function movingAverage(before: number, newest: number): number {
  return before + (newest - before) * NEWEST_WEIGHT;
}
