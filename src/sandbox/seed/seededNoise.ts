/**
 * Numbers that look random and are a function of their arguments, so that a sample can be
 * computed again after a restart without any state having been kept.
 */

function mix(hash: number): number {
  let mixed = hash ^ (hash >>> 16);
  mixed = Math.imul(mixed, 0x85ebca6b);
  mixed ^= mixed >>> 13;
  mixed = Math.imul(mixed, 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

/** A hash of up to four integers, 0 to 2^32 - 1. */
export function seededHash(a: number, b: number, c = 0, d = 0): number {
  return mix(Math.imul(mix(Math.imul(mix(mix(a) ^ b), 31) ^ c), 31) ^ d);
}

/** Evenly spread over [0, 1), the same for the same integers. */
export function seededNoise(a: number, b: number, c = 0, d = 0): number {
  return seededHash(a, b, c, d) / 4294967296;
}

/** One of the items, chosen by the integers. */
export function seededPick<Items extends readonly [unknown, ...unknown[]]>(
  items: Items,
  a: number,
  b: number,
  c = 0,
): Items[number] {
  return items[seededHash(a, b, c) % items.length];
}
