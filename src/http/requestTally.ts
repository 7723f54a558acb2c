/** Counts what callers ask and how it ends, by numbers that stand ready: nothing is looked up for a request but its code. */
import type { ErrorCode } from '../errors.js';
import { createDurations, type DurationCounts } from '../lib/durations.js';

/** How an operation over HTTP was answered. */
const answerKinds = ['executed', 'joined', 'kept'] as const;

export type AnswerKind = (typeof answerKinds)[number];

export interface RequestTally {
  /** An HTTP request is over. */
  answered(status: number): void;
  /** An operation over HTTP was answered. */
  operation(kind: AnswerKind, durationMs: number): void;
  /** An operation, however it came, was turned away before anything of it ran. */
  refused(code: ErrorCode): void;
  counts(): RequestCounts;
}

export interface RequestCounts {
  /** By class of status, such as `2xx`. */
  statuses: [status: string, count: number][];
  operations: [kind: AnswerKind, counts: DurationCounts][];
  refusals: [code: string, count: number][];
}

export function createRequestTally(): RequestTally {
  /** From 2xx to 5xx. */
  const statuses = [0, 0, 0, 0];
  const operations = new Map(answerKinds.map((kind) => [kind, createDurations()]));
  const refusals = new Map<string, number>();
  return {
    answered(status) {
      const index = Math.floor(status / 100) - 2;
      statuses[index] = (statuses[index] ?? 0) + 1;
    },
    operation: (kind, durationMs) => operations.get(kind)?.observe(durationMs),
    refused: (code) => void refusals.set(code, (refusals.get(code) ?? 0) + 1),
    counts: () => ({
      statuses: statuses.map((count, index) => [`${index + 2}xx`, count]),
      operations: [...operations].map(([kind, durations]) => [kind, durations.read()]),
      refusals: [...refusals],
    }),
  };
}
