/** Compares the server's response with the response to the same operation from a client's cache. */
import { isRecord } from '../../../src/lib/records.js';

export interface CacheComparison {
  /** Paths at which the cache has another value, with both values. */
  differences: string[];
  /** Scalars that the cache has. */
  compared: number;
  /** Scalars that the cache does not have: the client would request them again. */
  missing: number;
}

export function compareWithCache(server: unknown, cached: unknown, path = 'data'): CacheComparison {
  if (cached === undefined) return { differences: [], compared: 0, missing: countScalars(server) };
  if (Array.isArray(server) && Array.isArray(cached) && server.length === cached.length) {
    return sum(server.map((item, index) => compareWithCache(item, cached[index], `${path}[${index}]`)));
  }
  if (isRecord(server) && isRecord(cached)) {
    return sum(
      Object.entries(server).map(([name, value]) => compareWithCache(value, cached[name], `${path}.${name}`)),
    );
  }
  const isSame = server === cached;
  const difference = `${path}: ${JSON.stringify(cached)} instead of ${JSON.stringify(server)}`;
  return { differences: isSame ? [] : [difference], compared: 1, missing: 0 };
}

export function sum(parts: readonly CacheComparison[]): CacheComparison {
  return {
    differences: parts.flatMap(({ differences }) => differences),
    compared: parts.reduce((total, { compared }) => total + compared, 0),
    missing: parts.reduce((total, { missing }) => total + missing, 0),
  };
}

function countScalars(value: unknown): number {
  const inside = Array.isArray(value) ? value : isRecord(value) ? Object.values(value) : undefined;
  return inside === undefined ? 1 : inside.reduce<number>((total, item) => total + countScalars(item), 0);
}
