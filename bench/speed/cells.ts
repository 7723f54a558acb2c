/** The measurements: an operation in a mode, sent to some servers in turn. Pure. */
import type { WorkloadName } from './workloads.js';

/**
 * hot: the same request repeatedly. warm: distinct requests with all REST responses cached. cold: distinct requests
 * without cache.
 */
export type Mode = 'hot' | 'warm' | 'cold';

export type ServerName =
  | 'gateway'
  | 'conventional'
  | 'compiled'
  | 'ceiling'
  | 'REST call'
  | 'one worker'
  | 'two workers'
  | 'untraced'
  | 'untraced again'
  | 'traced'
  | 'unsampled';

export interface Cell {
  workload: WorkloadName;
  mode: Mode;
  /** The stub's delay of each response. */
  latencyMs: number;
  connections: number;
  /** In their order within each round. */
  servers: readonly ServerName[];
}

const WORKLOADS = ['Q1', 'Q2', 'Q3', 'Q4'] as const;
const MANY = 32;
const RIVALS = ['conventional', 'compiled'] as const;

/** All measurements. Cold ones have no ceiling, because they depend on REST's time, not on HTTP's. */
export function allCells(): Cell[] {
  return WORKLOADS.flatMap((workload) => [
    ...cellsOf(workload, 'hot', [0]),
    ...cellsOf(workload, 'warm', [0]),
    ...cellsOf(workload, 'cold', [0, 5]),
  ]);
}

function cellsOf(workload: WorkloadName, mode: Mode, latencies: readonly number[]): Cell[] {
  return latencies.flatMap((latencyMs) =>
    [MANY, 1].map((connections): Cell => {
      const isSequential = mode === 'cold' && latencyMs > 0 && connections === 1;
      const last: ServerName[] = mode !== 'cold' ? ['ceiling'] : isSequential ? ['REST call'] : [];
      return { workload, mode, latencyMs, connections, servers: ['gateway', ...RIVALS, ...last] };
    }),
  );
}

/** The measurements for the targets. */
export function ratioCells(): Cell[] {
  const many = { latencyMs: 0, connections: MANY };
  return [
    ...(['Q1', 'Q2', 'Q3'] as const).map(
      (workload): Cell => ({ ...many, workload, mode: 'hot', servers: ['gateway', 'ceiling'] }),
    ),
    { ...many, workload: 'Q2', mode: 'warm', servers: ['gateway', 'conventional', 'ceiling'] },
    { ...many, workload: 'Q4', mode: 'warm', servers: ['gateway', 'conventional'] },
    ...(['Q1', 'Q3'] as const).map(
      (workload): Cell => ({ ...many, workload, mode: 'cold', servers: ['gateway', 'compiled'] }),
    ),
    { workload: 'Q2', mode: 'cold', latencyMs: 5, connections: 1, servers: ['gateway', 'REST call'] },
  ];
}
