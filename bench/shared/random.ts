/** Random numbers of benchmarks, from 0 up to 1. */

/** Repeats for the same seed: a linear congruential generator. */
export function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
