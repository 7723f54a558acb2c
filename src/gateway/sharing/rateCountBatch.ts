/** Collects the operations of each caller and sends them a few times a second, instead of one message per operation. */

export type RateCounts = readonly (readonly [caller: string, operations: number])[];

/** A caller with many connections gains at most the operations of one interval per process. */
const REPORT_INTERVAL_MS = 100;

export interface RateCountBatch {
  add(caller: string, operations: number): void;
  close(): void;
}

export function createRateCountBatch(send: (counts: RateCounts) => void): RateCountBatch {
  const counts = new Map<string, number>();
  const flush = () => {
    if (counts.size > 0) send([...counts]);
    counts.clear();
  };
  const timer = setInterval(flush, REPORT_INTERVAL_MS).unref();
  return {
    add: (caller, operations) => void counts.set(caller, (counts.get(caller) ?? 0) + operations),
    close: () => clearInterval(timer),
  };
}
