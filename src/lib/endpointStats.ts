/** Remembers what was seen of each endpoint, so that the fetch plan can tell a heavy call from a light one. */

/** What a call to an endpoint is expected to take. */
export interface Expectation {
  bytes: number;
  durationMs: number;
}

export interface EndpointStats {
  record(template: string, seen: Expectation): void;
  /** The moving average of what was seen; a modest guess before anything was. */
  of(template: string): Expectation;
}

/** How much the newest call counts against those before it. */
const NEWEST_WEIGHT = 0.3;

export function createEndpointStats(): EndpointStats {
  const seenByTemplate = new Map<string, Expectation>();
  return {
    record(template, seen) {
      const before = seenByTemplate.get(template) ?? seen;
      seenByTemplate.set(template, {
        bytes: blend(before.bytes, seen.bytes),
        durationMs: blend(before.durationMs, seen.durationMs),
      });
    },
    of: (template) => seenByTemplate.get(template) ?? { bytes: 0, durationMs: 0 },
  };
}

function blend(before: number, newest: number): number {
  return before + (newest - before) * NEWEST_WEIGHT;
}
