/** Runs long computations in slices, so that none of them blocks the event loop. */
import { setImmediate } from 'node:timers/promises';

/** Resolves in the next turn of the event loop. */
export function nextTurn(): Promise<void> {
  return setImmediate();
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
