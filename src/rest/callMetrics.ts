/** Counts the calls to the platform by endpoint and outcome, and measures their durations. */
import {
  createDurationHistogram,
  type DurationCounts,
  type DurationHistogram,
} from '../lib/durationHistogram.js';
import { TOKEN_PATH } from './auth/tokenRenewal.js';
import { type PlatformEndpoint, toEndpointFamily, toEndpointName } from './path.js';
import type { AttemptOutcome } from './transport/attemptOutcome.js';

/** A class of status, or the failure. */
type CallOutcome =
  | '2xx'
  | '3xx'
  | '4xx'
  | '5xx'
  | '429'
  | 'timeout'
  | 'unavailable'
  | 'cancelled'
  | 'unreadable';

interface CallCount {
  /** For example `GET /v2.0/site/{siteId}`; the REST API has a bounded number of endpoints. */
  endpoint: string;
  outcome: CallOutcome;
  count: number;
}

export interface CallMetrics {
  /** Counts an attempt. */
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
    const histogram = durations.get(family) ?? createDurationHistogram();
    durations.set(family, histogram);
    return histogram;
  }

  return {
    record(endpoint, attempt, durationMs) {
      const outcome = toOutcome(attempt);
      const name = toEndpointName(endpoint);
      const key = `${name} ${outcome}`;
      const counted = counts.get(key) ?? { endpoint: name, outcome, count: 0 };
      counted.count += 1;
      counts.set(key, counted);
      if (endpoint.template === TOKEN_PATH) tokenRequests += 1;
      durationsOf(toEndpointFamily(endpoint.template)).observe(durationMs);
    },
    counts: () => [...counts.values()],
    tokenRequests: () => tokenRequests,
    durations: () => [...durations].map(([family, histogram]) => [family, histogram.counts()]),
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
