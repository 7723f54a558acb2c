/** Summarises the rounds of a measurement by the median of each figure. Pure. */
import { median } from '../shared/statistics.js';
import type { Cell, ServerName } from './cells.js';
import type { Result, Round } from './measure.js';

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

/** Undefined if the cell was not measured. */
export function figuresOf(
  results: readonly Result[],
  server: ServerName,
  measured: Omit<Cell, 'servers'>,
): Round | undefined {
  const result = results.find(
    ({ cell, server: of }) =>
      of === server &&
      cell.workload === measured.workload &&
      cell.mode === measured.mode &&
      cell.latencyMs === measured.latencyMs &&
      cell.connections === measured.connections,
  );
  return result && summarise(result);
}
