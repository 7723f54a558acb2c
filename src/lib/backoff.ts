/** Milliseconds of the `step`th pause in a row, from 1: doubled with each step, up to the maximum. */
export function doubledMs(firstMs: number, step: number, maxMs: number): number {
  return Math.min(firstMs * 2 ** (step - 1), maxMs);
}
