/** Counts the calls that go out to the platform: how many to which endpoint, what came of them, how long they took. */
import { createDurations, type DurationCounts, type Durations } from '../lib/durations.js';
import { type Endpoint, toEndpointFamily, toEndpointName } from './patience/endpoint.js';
import type { TryOutcome } from './patience/tryOutcome.js';
import { TOKEN_PATH } from './token/requestToken.js';

/** A class of status, or why there was none. */
export type CallOutcome =
  | '2xx'
  | '3xx'
  | '4xx'
  | '5xx'
  | '429'
  | 'timeout'
  | 'unavailable'
  | 'cancelled'
  | 'unreadable';

export interface CallCount {
  /** Such as `GET /v2.0/site/{siteId}`: the REST API has a bounded number of them. */
  endpoint: string;
  outcome: CallOutcome;
  count: number;
}

export interface CallTally {
  /** Counts a try, whatever came of it. */
  note(endpoint: Endpoint, outcome: TryOutcome, durationMs: number): void;
  counts(): CallCount[];
  tokenRequests(): number;
  /** By family of endpoints. */
  durations(): [family: string, counts: DurationCounts][];
}

export function createCallTally(): CallTally {
  const counts = new Map<string, CallCount>();
  const durations = new Map<string, Durations>();
  let tokenRequests = 0;

  function durationsOf(family: string): Durations {
    const known = durations.get(family) ?? createDurations();
    durations.set(family, known);
    return known;
  }

  return {
    note(endpoint, tried, durationMs) {
      const outcome = toOutcome(tried);
      const name = toEndpointName(endpoint);
      const key = `${name} ${outcome}`;
      const known = counts.get(key) ?? { endpoint: name, outcome, count: 0 };
      known.count += 1;
      counts.set(key, known);
      if (endpoint.template === TOKEN_PATH) tokenRequests += 1;
      durationsOf(toEndpointFamily(endpoint.template)).observe(durationMs);
    },
    counts: () => [...counts.values()],
    tokenRequests: () => tokenRequests,
    durations: () => [...durations].map(([family, one]) => [family, one.read()]),
  };
}

function toOutcome(tried: TryOutcome): CallOutcome {
  if ('response' in tried) return toStatusClass(tried.response.status);
  const { code } = tried.error;
  if (code === 'PLATFORM_TIMEOUT') return 'timeout';
  if (code === 'PLATFORM_UNAVAILABLE') return 'unavailable';
  return code === 'CANCELLED' ? 'cancelled' : 'unreadable';
}

function toStatusClass(status: number): CallOutcome {
  if (status === 429) return '429';
  if (status >= 500) return '5xx';
  if (status >= 400) return '4xx';
  return status >= 300 ? '3xx' : '2xx';
}
