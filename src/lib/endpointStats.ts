/**
 * Remembers what was seen of each endpoint, so that the fetch plan can tell a heavy call from a light one, and one
 * that fails from one that works.
 */

/** What a call to an endpoint is expected to take. */
export interface Expectation {
  bytes: number;
  durationMs: number;
}

export interface EndpointStats {
  record(template: string, seen: Expectation): void;
  /** The moving average of what was seen; a modest guess before anything was. */
  of(template: string): Expectation;
  /** The endpoint fails where others work: for a while it is better not asked. */
  avoid(template: string, nowMs: number): void;
  isAvoided(template: string, nowMs: number): boolean;
}

/** How much the newest call counts against those before it. */
const NEWEST_WEIGHT = 0.3;

/** After this it is given another chance. */
const AVOIDED_MS = 60_000;

export function createEndpointStats(): EndpointStats {
  const seenByTemplate = new Map<string, Expectation>();
  /** By template, since when; of the clock that may be set back. */
  const avoidedSinceMs = new Map<string, number>();
  return {
    record(template, seen) {
      const before = seenByTemplate.get(template) ?? seen;
      seenByTemplate.set(template, {
        bytes: blend(before.bytes, seen.bytes),
        durationMs: blend(before.durationMs, seen.durationMs),
      });
    },
    of: (template) => seenByTemplate.get(template) ?? { bytes: 0, durationMs: 0 },
    avoid: (template, nowMs) => void avoidedSinceMs.set(template, nowMs),
    isAvoided(template, nowMs) {
      const sinceMs = nowMs - (avoidedSinceMs.get(template) ?? Number.NEGATIVE_INFINITY);
      return sinceMs >= 0 && sinceMs < AVOIDED_MS;
    },
  };
}

function blend(before: number, newest: number): number {
  return before + (newest - before) * NEWEST_WEIGHT;
}
