/** Which measurements there are: an operation, asked in a mode, of some servers in turn. Pure. */
import type { WorkloadName } from './workloads.js';

/**
 * hot: the same request again and again. warm: no two alike, with all answers of REST at hand. cold: no two alike,
 * and nothing at hand.
 */
export type Mode = 'hot' | 'warm' | 'cold';

export type ServerName =
  | 'gateway'
  | 'conventional'
  | 'compiled'
  | 'ceiling'
  | 'REST call'
  | 'one worker'
  | 'two workers';

export interface Cell {
  workload: WorkloadName;
  mode: Mode;
  /** What the stub waits with each answer. */
  latencyMs: number;
  connections: number;
  /** In the order of each round. */
  servers: readonly ServerName[];
}

const WORKLOADS = ['Q1', 'Q2', 'Q3', 'Q4'] as const;
const MANY = 32;
const RIVALS = ['conventional', 'compiled'] as const;

/** All that there is to measure. A cold run has no ceiling: what is kept there is REST's time, not HTTP's. */
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
      const isCalm = mode === 'cold' && latencyMs > 0 && connections === 1;
      const last: ServerName[] = mode !== 'cold' ? ['ceiling'] : isCalm ? ['REST call'] : [];
      return { workload, mode, latencyMs, connections, servers: ['gateway', ...RIVALS, ...last] };
    }),
  );
}

/** What the judged ratios need, and no more. */
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
