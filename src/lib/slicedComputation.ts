/** Runs long computations in slices, so that none of them blocks the event loop. */
import { setImmediate } from 'node:timers';

const waiting: (() => void)[] = [];

/**
 * Resolves in a later turn of the event loop, for one caller in each turn: if all continued in the next one, a hundred
 * concurrent computations would block it for a hundred slices.
 */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(resumeFirst);
  });
}

function resumeFirst(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(resumeFirst);
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
