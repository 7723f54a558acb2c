/** Counts responses, operations and refusals. The counters are allocated at startup, so counting is cheap. */
import type { ErrorCode } from '../../errors.js';
import { createDurationHistogram, type DurationCounts } from '../../lib/durationHistogram.js';

/** How the response of an operation over HTTP was obtained. The names are values of a metric label. */
const responseSources = ['executed', 'shared', 'cached'] as const;

export type ResponseSource = (typeof responseSources)[number];

export type RequestMetrics = ReturnType<typeof createRequestMetrics>;

export interface RequestCounts {
  /** By class of status, such as `2xx`. */
  statuses: [status: string, count: number][];
  operations: [source: ResponseSource, counts: DurationCounts][];
  refusals: [code: string, count: number][];
  /** Results with errors. */
  errors: [code: string, count: number][];
}

export function createRequestMetrics() {
  /** From 2xx to 5xx. */
  const statuses = [0, 0, 0, 0];
  const operations = new Map(responseSources.map((source) => [source, createDurationHistogram()]));
  const refusals = new Map<string, number>();
  const errors = new Map<string, number>();
  return {
    recordResponse(status: number): void {
      const index = Math.floor(status / 100) - 2;
      statuses[index] = (statuses[index] ?? 0) + 1;
    },
    recordOperation: (source: ResponseSource, durationMs: number) =>
      operations.get(source)?.observe(durationMs),
    /** Counts an operation, connection or request of any transport that was refused. */
    recordRefusal: (code: ErrorCode) => void refusals.set(code, (refusals.get(code) ?? 0) + 1),
    /** Counts a result, of any transport, that contains errors with this code. */
    recordError: (code: string) => void errors.set(code, (errors.get(code) ?? 0) + 1),
    counts: (): RequestCounts => ({
      statuses: statuses.map((count, index) => [`${index + 2}xx`, count]),
      operations: [...operations].map(([source, durations]) => [source, durations.counts()]),
      refusals: [...refusals],
      errors: [...errors],
    }),
  };
}
