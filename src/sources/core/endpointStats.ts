/** Measures each endpoint, so that fetch plans know expensive calls from cheap ones, and failing endpoints from working ones. */

/** Expected cost of a call to an endpoint. */
export interface ExpectedCost {
  bytes: number;
  durationMs: number;
}

export interface EndpointStats {
  record(template: string, measured: ExpectedCost): void;
  /** The moving average of all calls; zero before the first call. */
  expectedCost(template: string): ExpectedCost;
  /** Marks an endpoint that fails while others work: plans avoid it for a while. */
  markFailing(template: string, nowMs: number): void;
  isFailing(template: string, nowMs: number): boolean;
}

/** Weight of the newest call in the moving average. */
const NEWEST_WEIGHT = 0.3;

/** Plans use a failing endpoint again after this time. */
const FAILING_TTL_MS = 60_000;

export function createEndpointStats(): EndpointStats {
  const costByTemplate = new Map<string, ExpectedCost>();
  /** By template; from the wall clock, which may be set back. */
  const failingSinceMs = new Map<string, number>();
  return {
    record(template, measured) {
      const before = costByTemplate.get(template) ?? measured;
      costByTemplate.set(template, {
        bytes: movingAverage(before.bytes, measured.bytes),
        durationMs: movingAverage(before.durationMs, measured.durationMs),
      });
    },
    expectedCost: (template) => costByTemplate.get(template) ?? { bytes: 0, durationMs: 0 },
    markFailing: (template, nowMs) => void failingSinceMs.set(template, nowMs),
    isFailing(template, nowMs) {
      const sinceMs = nowMs - (failingSinceMs.get(template) ?? Number.NEGATIVE_INFINITY);
      return sinceMs >= 0 && sinceMs < FAILING_TTL_MS;
    },
  };
}

function movingAverage(before: number, newest: number): number {
  return before + (newest - before) * NEWEST_WEIGHT;
}
