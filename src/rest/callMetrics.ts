/** Counts the calls that go out to the platform: how many to which endpoint, what came of them, how long they took. */
import {
  createDurationHistogram,
  type DurationCounts,
  type DurationHistogram,
} from '../lib/durationHistogram.js';
import { TOKEN_PATH } from './auth/requestToken.js';
import type { AttemptOutcome } from './transport/attemptOutcome.js';
import { type PlatformEndpoint, toEndpointFamily, toEndpointName } from './transport/platformEndpoint.js';

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

export interface CallMetrics {
  /** Counts a try, whatever came of it. */
  record(endpoint: PlatformEndpoint, outcome: AttemptOutcome, durationMs: number): void;
  counts(): CallCount[];
  tokenRequests(): number;
  /** By family of endpoints. */
  durations(): [family: string, counts: DurationCounts][];
}

export function createCallMetrics(): CallMetrics {
  const counts = new Map<string, CallCount>();
  const durations = new Map<string, DurationHistogram>();
  let tokenRequests = 0;

  function durationsOf(family: string): DurationHistogram {
    const known = durations.get(family) ?? createDurationHistogram();
    durations.set(family, known);
    return known;
  }

  return {
    record(endpoint, tried, durationMs) {
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
    durations: () => [...durations].map(([family, one]) => [family, one.counts()]),
  };
}

function toOutcome(outcome: AttemptOutcome): CallOutcome {
  if ('response' in outcome) return toStatusClass(outcome.response.status);
  const { code } = outcome.error;
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
