/** Runs long computations a little at a time, so that no one of them holds the event loop for others. */
import { setImmediate } from 'node:timers/promises';

/** Lets whatever else waits have its turn. */
export function nextTurn(): Promise<void> {
  return setImmediate();
}

/** A computation that pauses now and then; what it comes to is what it returns. */
export type SlicedComputation<Result> = Generator<undefined, Result, undefined>;

/** Rows that a sliced computation may look at between two pauses: a millisecond of work, several where it is new. */
export const ROWS_PER_SLICE = 10_000;

/** All at once. */
export function runToCompletion<Result>(sliced: SlicedComputation<Result>): Result {
  for (;;) {
    const step = sliced.next();
    if (step.done) return step.value;
  }
}

/** Lets the event loop turn at each pause. */
export async function runInSlices<Result>(sliced: SlicedComputation<Result>): Promise<Result> {
  for (;;) {
    const step = sliced.next();
    if (step.done) return step.value;
    await nextTurn();
  }
}
