/** What the rounds of a measurement come to: the median of each figure. Pure. */
import type { Cell, ServerName } from './cells.js';
import type { Result, Round } from './measure.js';
import { median } from './statistics.js';

export function summarise({ rounds }: Pick<Result, 'rounds'>): Round {
  const medianOf = (figure: keyof Round) => median(rounds.map((round) => round[figure]));
  return {
    requestsPerSecond: medianOf('requestsPerSecond'),
    p50Ms: medianOf('p50Ms'),
    p99Ms: medianOf('p99Ms'),
    restCalls: medianOf('restCalls'),
    cpuMicroseconds: medianOf('cpuMicroseconds'),
    cpuShare: medianOf('cpuShare'),
    loadShare: medianOf('loadShare'),
  };
}

/** Undefined where it was not measured. */
export function figuresOf(
  results: readonly Result[],
  server: ServerName,
  wanted: Omit<Cell, 'servers'>,
): Round | undefined {
  const result = results.find(
    ({ cell, server: of }) =>
      of === server &&
      cell.workload === wanted.workload &&
      cell.mode === wanted.mode &&
      cell.latencyMs === wanted.latencyMs &&
      cell.connections === wanted.connections,
  );
  return result && summarise(result);
}
