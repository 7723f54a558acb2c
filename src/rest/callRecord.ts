/**
 * The options and the record of one REST call, from which explanations, traces and the log derive, and the counts of all
 * calls.
 */
import { hash } from 'node:crypto';
import { GatewayError } from '../errors.js';
import type { Cancellation } from '../lib/cancellation.js';
import {
  createDurationHistogram,
  type DurationCounts,
  type DurationHistogram,
} from '../lib/durationHistogram.js';
import { isAuthEndpoint, type PlatformEndpoint, toEndpointFamily, toEndpointName } from './path.js';
import type { BreakerState } from './resilience/circuitBreaker.js';
import type { AttemptOutcome } from './transport/platformRequest.js';

/** Options that all REST calls of one request share. */
export interface CallOptions {
  /** Cancelled when the waiting client disconnects. */
  cancellation?: Cancellation | undefined;
  /** Sends `Cache-Control: no-cache` to the platform. */
  noCache?: boolean | undefined;
  /** The time on the monotonic clock, in milliseconds, after which the result is no longer needed. */
  deadlineAtMs?: number | undefined;
  requestId?: string | undefined;
  /** Id of the caller, among which the platform is shared fairly. Absent if the calls are not for one caller. */
  callerId?: string | undefined;
  /** Called before each call; if it throws, the call rejects with that error. */
  beforeCall?: (() => void) | undefined;
  /** Called when the response of a call is decoded, or the call failed. */
  onCall?: ((call: CallRecord) => void) | undefined;
  /** Begins the span of a call. Absent if the call is not traced. */
  beginSpan?: (() => CallSpan) | undefined;
  /** Why the value did not come from the cache; `uncached` by default. */
  cacheState?: CacheState | undefined;
  /** The number of keys that the call loads; 1 by default. */
  batchSize?: number | undefined;
  /** The body of an earlier call. A body that is equal to it is not parsed: the call returns an empty result. */
  previousBody?: PreviousBody | undefined;
}

/** Parsing a shorter body takes no longer than its hash. */
const MIN_HASHED_LENGTH = 1024;

/** Recognises a body that is equal to the one before, which the platform sends again without an `ETag`. */
export class PreviousBody {
  /** Hash of the body that was compared, if it is long. */
  hash: string | undefined;
  /** Whether the body that was compared is equal to the one before. */
  isUnchanged = false;
  readonly #getHashBefore: () => string | undefined;

  constructor(getHashBefore: () => string | undefined) {
    this.#getHashBefore = getHashBefore;
  }

  /** Returns whether the body is equal to the one before, which then need not be decoded. */
  compare(body: Buffer): boolean {
    if (body.length < MIN_HASHED_LENGTH) return false;
    this.hash = hash('sha256', body, 'base64');
    this.isUnchanged = this.hash === this.#getHashBefore();
    return this.isUnchanged;
  }
}

/**
 * The state of the cache before a call: `stale` for a revalidation, `bypassed` with `no-cache`, `uncached` for writes,
 * pages and other calls that no entry could replace.
 */
type CacheState = 'missing' | 'stale' | 'bypassed' | 'uncached';

export interface CallSpan {
  /** Headers that continue the trace on the platform. */
  headers: Readonly<Record<string, string>>;
  end(call: CallRecord): void;
}

/** The cost and result of a call, for explanations, traces and the log. */
export interface CallRecord {
  method: 'GET' | 'POST';
  template: string;
  /** HTTP status; 0 without a response. */
  status: number;
  durationMs: number;
  /** Length of the response's body. */
  bytes: number;
  /** Unreadable rows that were left out; if there are any, the result is partial. */
  skippedRows: number;
  /** How many times the request was sent; 0 if a limit or an open circuit refused it. */
  attempts: number;
  /** Duration of the last attempt in milliseconds, without the time in queues and between attempts. */
  lastAttemptMs: number;
  cacheState: CacheState;
  /** The number of keys that the call loads. */
  batchSize: number;
  /** State of the endpoint family's circuit breaker after the call. */
  breaker: BreakerState;
  /** The code of the failure; undefined if the call succeeded. */
  errorCode: string | undefined;
}

/** The rows of a list that could be decoded, and the number of rows that the platform sent. */
export interface CountedRows<Row> {
  rows: readonly Row[];
  lengthOnWire: number;
}

/** Reads a list in one call, and also counts the rows that were left out. */
export async function readCounted<Row>(
  read: (options: CallOptions) => Promise<readonly Row[]>,
  options: CallOptions,
): Promise<CountedRows<Row>> {
  const counted = countSkippedRows(options);
  const rows = await read(counted.options);
  return { rows, lengthOnWire: rows.length + counted.skippedRows() };
}

/** Counts the rows that all calls with the returned options leave out. */
export function countSkippedRows(options: CallOptions = {}) {
  let skippedRows = 0;
  const onCall = (call: CallRecord) => {
    skippedRows += call.skippedRows;
    options.onCall?.(call);
  };
  return { options: { ...options, onCall }, skippedRows: () => skippedRows };
}

export function createRecord(
  method: CallRecord['method'],
  { template }: { template: string },
  { cacheState = 'uncached', batchSize = 1 }: CallOptions,
): CallRecord {
  const cost = { status: 0, durationMs: 0, bytes: 0, skippedRows: 0, attempts: 0, lastAttemptMs: 0 };
  return { method, template, ...cost, cacheState, batchSize, breaker: 'closed', errorCode: undefined };
}

/** Returns the error. */
export function recordFailure(record: CallRecord, error: unknown): unknown {
  record.errorCode = error instanceof GatewayError ? error.code : 'INTERNAL_SERVER_ERROR';
  if (error instanceof GatewayError) error.endpoint ??= `${record.method} ${record.template}`;
  return error;
}

interface CallCount {
  /** For example `GET /v2.0/site/{siteId}`; the REST API has a bounded number of endpoints. */
  endpoint: string;
  /** `429`, another status by its class, such as `5xx`, or the failure, such as `timeout`. */
  outcome: string;
  count: number;
}

export type CallMetrics = ReturnType<typeof createCallMetrics>;

/** Counts the calls to the platform by endpoint and outcome, and measures their durations. */
export function createCallMetrics() {
  const counts = new Map<string, CallCount>();
  const durations = new Map<string, DurationHistogram>();
  let tokenRequests = 0;

  function durationsOf(family: string): DurationHistogram {
    const histogram = durations.get(family) ?? createDurationHistogram();
    durations.set(family, histogram);
    return histogram;
  }

  return {
    record(endpoint: PlatformEndpoint, attempt: AttemptOutcome, durationMs: number): void {
      const outcome = toOutcome(attempt);
      const name = toEndpointName(endpoint);
      const key = `${name} ${outcome}`;
      const counted = counts.get(key) ?? { endpoint: name, outcome, count: 0 };
      counted.count += 1;
      counts.set(key, counted);
      if (isAuthEndpoint(endpoint)) tokenRequests += 1;
      durationsOf(toEndpointFamily(endpoint.template)).observe(durationMs);
    },
    counts: (): CallCount[] => [...counts.values()],
    tokenRequests: (): number => tokenRequests,
    /** By family of endpoints. */
    durations: (): [family: string, counts: DurationCounts][] =>
      [...durations].map(([family, histogram]) => [family, histogram.counts()]),
  };
}

function toOutcome(outcome: AttemptOutcome): string {
  if ('response' in outcome) {
    const { status } = outcome.response;
    return status === 429 ? '429' : `${Math.floor(status / 100)}xx`;
  }
  const { code } = outcome.error;
  if (code === 'PLATFORM_TIMEOUT') return 'timeout';
  if (code === 'PLATFORM_UNAVAILABLE') return 'unavailable';
  return code === 'CANCELLED' ? 'cancelled' : 'unreadable';
}
