/** Counts what callers ask and how it ends, by numbers that stand ready: nothing is looked up for a request but its code. */
import type { ErrorCode } from '../../errors.js';
import { createDurationHistogram, type DurationCounts } from '../../lib/durationHistogram.js';

/** How an operation over HTTP was answered. */
const responseSources = ['executed', 'joined', 'kept'] as const;

export type ResponseSource = (typeof responseSources)[number];

export interface RequestMetrics {
  /** An HTTP request is over. */
  recordResponse(status: number): void;
  /** An operation over HTTP was answered. */
  recordOperation(kind: ResponseSource, durationMs: number): void;
  /** An operation, however it came, was turned away before anything of it ran. */
  recordRefusal(code: ErrorCode): void;
  counts(): RequestCounts;
}

export interface RequestCounts {
  /** By class of status, such as `2xx`. */
  statuses: [status: string, count: number][];
  operations: [kind: ResponseSource, counts: DurationCounts][];
  refusals: [code: string, count: number][];
}

export function createRequestMetrics(): RequestMetrics {
  /** From 2xx to 5xx. */
  const statuses = [0, 0, 0, 0];
  const operations = new Map(responseSources.map((kind) => [kind, createDurationHistogram()]));
  const refusals = new Map<string, number>();
  return {
    recordResponse(status) {
      const index = Math.floor(status / 100) - 2;
      statuses[index] = (statuses[index] ?? 0) + 1;
    },
    recordOperation: (kind, durationMs) => operations.get(kind)?.observe(durationMs),
    recordRefusal: (code) => void refusals.set(code, (refusals.get(code) ?? 0) + 1),
    counts: () => ({
      statuses: statuses.map((count, index) => [`${index + 2}xx`, count]),
      operations: [...operations].map(([kind, durations]) => [kind, durations.counts()]),
      refusals: [...refusals],
    }),
  };
}
