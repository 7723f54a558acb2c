/**
 * Measures each endpoint, so that fetch plans can distinguish expensive calls from cheap ones, failing endpoints from
 * working ones, and truncated lists from complete ones.
 */
import type { CallRecord } from '../../rest/callRecord.js';
import { type ExpectedCost, isTruncated, MAX_LIST_LENGTH } from './fetchPlan.js';

export type EndpointStats = ReturnType<typeof createEndpointStats>;

interface EndpointStatsOptions {
  /** The time of a monotonic clock. */
  nowMs: () => number;
  /** The length at which the platform ends a list; 10,000 by default. */
  maxListLength?: number | undefined;
}

/** Weight of the newest call in the moving average. */
const NEWEST_WEIGHT = 0.3;

/**
 * The time of calls counts for this long after the last one. Otherwise one slow call would exclude an endpoint for
 * as long as plans have an alternative, because it would never be measured again.
 */
const DURATION_TTL_MS = 60_000;
/** Plans use a failing endpoint again after this time. */
const FAILING_TTL_MS = 60_000;
/** After this time, operations wait again for a list that timed out, however long it takes. */
const TIMED_OUT_TTL_MS = 10 * 60_000;
/**
 * An attempt without a response within this time has timed out, even if all callers stopped waiting at their
 * deadlines.
 */
const MIN_TIMED_OUT_MS = 10_000;
/** After this time, plans request a truncated list again: the account may have become smaller. */
const TRUNCATED_TTL_MS = 60 * 60_000;

const UNKNOWN_COST: ExpectedCost = { bytes: 0, durationMs: 0 };

export function createEndpointStats({ nowMs, maxListLength = MAX_LIST_LENGTH }: EndpointStatsOptions) {
  const costByTemplate = new Map<string, ExpectedCost>();
  const pagesByTemplate = new Map<string, number>();
  const measured = new TimedMarks(DURATION_TTL_MS, nowMs);
  const failing = new TimedMarks(FAILING_TTL_MS, nowMs);
  const refused = new TimedMarks(FAILING_TTL_MS, nowMs);
  const timedOut = new TimedMarks(TIMED_OUT_TTL_MS, nowMs);
  const truncated = new TimedMarks(TRUNCATED_TTL_MS, nowMs);
  function recordTruncation(list: string, isIncomplete: boolean): void {
    if (isIncomplete) truncated.add(list);
    else truncated.delete(list);
  }
  return {
    record(template: string, { bytes, durationMs }: ExpectedCost): void {
      const before = costByTemplate.get(template);
      const isRecent = measured.has(template);
      costByTemplate.set(template, {
        bytes: before ? movingAverage(before.bytes, bytes) : bytes,
        durationMs: before && isRecent ? movingAverage(before.durationMs, durationMs) : durationMs,
      });
      measured.add(template);
      timedOut.delete(template);
    },
    /**
     * The moving average of all calls; zero before the first call. A minute after the last call, the time is reset
     * to zero.
     */
    expectedCost(template: string): ExpectedCost {
      const cost = costByTemplate.get(template);
      if (cost === undefined) return UNKNOWN_COST;
      return measured.has(template) ? cost : { bytes: cost.bytes, durationMs: 0 };
    },
    /** Marks an endpoint that fails while others work: plans avoid it for a while. */
    markFailing(template: string, isRefusal: boolean): void {
      failing.add(template);
      if (isRefusal) refused.add(template);
      else refused.delete(template);
    },
    isFailing: (template: string): boolean => failing.has(template),
    /** Whether it fails because the platform refuses the call. */
    isRefused: (template: string): boolean => refused.has(template),
    /** Marks an endpoint that did not respond in time, until it responds or for a while. */
    recordFailure(call: CallRecord): void {
      if (hasTimedOut(call)) timedOut.add(call.template);
    },
    hasTimedOut: (template: string): boolean => timedOut.has(template),
    /**
     * Records the length of a list on the wire: of an endpoint, or of one of its keys. Returns whether the platform may
     * have truncated it.
     */
    recordLength(list: string, length: number): boolean {
      const isIncomplete = isTruncated(length, maxListLength);
      recordTruncation(list, isIncomplete);
      return isIncomplete;
    },
    /** Records whether the last response of a list lacked items. */
    recordTruncation,
    /** Whether the list was truncated the last time: plans that need all of it avoid it for a while. */
    isTruncated: (list: string): boolean => truncated.has(list),
    /** Records how many pages a batch takes, read or estimated. */
    recordPages: (template: string, pages: number): void => void pagesByTemplate.set(template, pages),
    /** 1 before the first record. */
    expectedPages: (template: string): number => pagesByTemplate.get(template) ?? 1,
  };
}

/** Marks templates for a limited time. */
class TimedMarks {
  readonly #ttlMs: number;
  readonly #nowMs: () => number;
  readonly #sinceMs = new Map<string, number>();

  constructor(ttlMs: number, nowMs: () => number) {
    this.#ttlMs = ttlMs;
    this.#nowMs = nowMs;
  }

  add(template: string): void {
    this.#sinceMs.set(template, this.#nowMs());
  }

  delete(template: string): void {
    this.#sinceMs.delete(template);
  }

  has(template: string): boolean {
    const sinceMs = this.#sinceMs.get(template);
    return sinceMs !== undefined && this.#nowMs() - sinceMs < this.#ttlMs;
  }
}

function movingAverage(before: number, newest: number): number {
  return before + (newest - before) * NEWEST_WEIGHT;
}

/**
 * Whether a call shows that its endpoint does not respond. Revalidations do not count, because nobody waits for
 * them: the stale list is served until they end.
 */
function hasTimedOut({ status, attempts, lastAttemptMs, errorCode, cacheState }: CallRecord): boolean {
  const hasNoResponse = status === 0 && (errorCode === 'PLATFORM_TIMEOUT' || errorCode === 'CANCELLED');
  return hasNoResponse && attempts > 0 && lastAttemptMs >= MIN_TIMED_OUT_MS && cacheState !== 'stale';
}
