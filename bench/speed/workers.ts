/** Compares two workers of the gateway with one. */
import type { Cell } from './cells.js';
import { startMeasuredGateway } from './contestants.js';
import { type Bench, measureCell, type Pace, type Result } from './measure.js';
import { type Memory, memoryOf } from './memory.js';

const CELL: Cell = {
  workload: 'Q2',
  mode: 'warm',
  latencyMs: 0,
  connections: 32,
  servers: ['one worker', 'two workers'],
};

/** Each worker compiles separately, from its half of the requests. */
const WARM_UP_TIMES = 5;

interface WorkerResults {
  results: Result[];
  memory: Memory[];
}

export async function measureWorkers(bench: Bench, paceOf: (cell: Cell) => Pace): Promise<WorkerResults> {
  const one = await startMeasuredGateway(bench.stub, { WORKERS: '1' });
  const two = await startMeasuredGateway(bench.stub, { WORKERS: '2' });
  const contestants = [
    { ...one, name: 'one worker' as const },
    { ...two, name: 'two workers' as const },
  ];
  try {
    const pace = paceOf(CELL);
    const warmUpMs = WARM_UP_TIMES * pace.warmUpMs;
    const results = await measureCell({ ...bench, contestants }, CELL, { ...pace, warmUpMs });
    return { results, memory: memoryOf(contestants) };
  } finally {
    one.stop();
    two.stop();
  }
}
