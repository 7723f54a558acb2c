/** Random choices that repeat for the same seed, so that a failure can be reproduced. */
import { seededNoise } from '../../src/sandbox/seed/seededNoise.js';

export interface Random {
  /** From 0 up to 1, as of `Math.random`. */
  next(): number;
  /** A whole number from 0 to `count - 1`. */
  below(count: number): number;
  /** True with the given probability. */
  chance(probability: number): boolean;
  pick<Item>(items: readonly Item[]): Item;
}

export function createRandom(seed: number): Random {
  let drawn = 0;
  const next = () => {
    drawn += 1;
    return seededNoise(seed, drawn);
  };
  const below = (count: number) => Math.floor(next() * count);
  return {
    next,
    below,
    chance: (probability) => next() < probability,
    pick<Item>(items: readonly Item[]) {
      if (items.length === 0) throw new Error('There is nothing to pick from.');
      return items[below(items.length)] as Item;
    },
  };
}
