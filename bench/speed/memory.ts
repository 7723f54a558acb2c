/** The peak memory of each server. */
import { peakMegabytes } from '../shared/processFigures.js';
import { toTable, toText } from '../shared/tables.js';
import type { Contestant } from './contestants.js';

export interface Memory {
  name: string;
  megabytes: number;
}

/** In the order of the contestants. A rival has two processes. */
export function memoryOf(contestants: readonly Contestant[]): Memory[] {
  return contestants
    .filter(({ name }) => name !== 'REST call')
    .flatMap(({ name, targetFor }) => {
      const [cached, bare] = [targetFor('warm'), targetFor('cold')];
      const one = { name, megabytes: peakMegabytes(cached.pid) };
      if (cached.pid === bare.pid) return [one];
      return [
        { ...one, name: `${name}, with its cache` },
        { name: `${name}, without`, megabytes: peakMegabytes(bare.pid) },
      ];
    });
}

export function memoryTable(memory: readonly Memory[]): string {
  return toTable(
    ['', 'peak MB'],
    memory.map(({ name, megabytes }) => [name, toText(megabytes)]),
  );
}
