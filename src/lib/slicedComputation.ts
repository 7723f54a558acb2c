/** Runs long computations in slices, so that none of them blocks the event loop. */
import { setImmediate } from 'node:timers';
import { afterMicrotasks } from './turnBudget.js';

/** Maximum work of all computations in one turn, in milliseconds, besides the slice that exceeds it. */
const MAX_TURN_MS = 5;

const waiting: (() => void)[] = [];
let isScheduled = false;

/**
 * Resolves in a later turn of the event loop. Callers continue one after another, in the order in which they wait: if all
 * continued in each turn, a hundred concurrent computations would block it for a hundred slices.
 */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (!isScheduled) schedule();
  });
}

function schedule(): void {
  isScheduled = true;
  setImmediate(() => resume(waiting.length, performance.now()));
}

/** Resumes up to `count` callers while the turn has time left. Each runs its slice in microtasks. */
function resume(count: number, startMs: number): void {
  waiting.shift()?.();
  afterMicrotasks(() => {
    if (count > 1 && performance.now() - startMs < MAX_TURN_MS) return resume(count - 1, startMs);
    isScheduled = false;
    if (waiting.length > 0) schedule();
  });
}

/** A computation that yields between slices and returns its result. */
export type SlicedComputation<Result> = Generator<undefined, Result, undefined>;

/** Rows per slice: about a millisecond of work, several milliseconds before the code is optimised. */
export const ROWS_PER_SLICE = 10_000;

/** Runs all slices without a pause. */
export function runToCompletion<Result>(sliced: SlicedComputation<Result>): Result {
  for (;;) {
    const step = sliced.next();
    if (step.done) return step.value;
  }
}

/** Waits for the next turn of the event loop after each slice. */
export async function runInSlices<Result>(sliced: SlicedComputation<Result>): Promise<Result> {
  for (;;) {
    const step = sliced.next();
    if (step.done) return step.value;
    await nextTurn();
  }
}
