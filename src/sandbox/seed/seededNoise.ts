/** Pseudo-random functions of integers, so that samples are reproducible after a restart without stored state. */

function mix(hash: number): number {
  let mixed = hash ^ (hash >>> 16);
  mixed = Math.imul(mixed, 0x85ebca6b);
  mixed ^= mixed >>> 13;
  mixed = Math.imul(mixed, 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

/** A hash of up to four integers, from 0 to 2^32 - 1. */
export function seededHash(a: number, b: number, c = 0, d = 0): number {
  return mix(Math.imul(mix(Math.imul(mix(mix(a) ^ b), 31) ^ c), 31) ^ d);
}

/** A number of [0, 1), uniformly distributed, equal for equal integers. */
export function seededNoise(a: number, b: number, c = 0, d = 0): number {
  return seededHash(a, b, c, d) / 4294967296;
}

/** One of the items, selected by the integers. */
export function seededPick<Items extends readonly [unknown, ...unknown[]]>(
  items: Items,
  a: number,
  b: number,
  c = 0,
): Items[number] {
  return items[seededHash(a, b, c) % items.length];
}
