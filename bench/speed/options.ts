/** What to measure and how long, from the command line. Pure. */
import { parseArgs } from 'node:util';
import { allCells, type Cell, ratioCells } from './cells.js';
import type { Pace } from './measure.js';

export interface Options {
  cells: readonly Cell[];
  paceOf(cell: Cell): Pace;
  measuresStart: boolean;
  measuresWorkers: boolean;
  /** Whether a ratio below its bound in CI fails the run. */
  isGate: boolean;
}

export const HELP = `npm run bench -- [options]

  --ratios             only what is judged, and fail where a ratio is far below what is asked for
  --only q1,q2         some of q1, q2, q3, q4, start, workers
  --mode hot,warm      some of hot, warm, cold
  --latency 0,5        some of the stub's latencies
  --connections 32,1   some of the numbers of connections
  --servers gateway    some of gateway, conventional, compiled, ceiling
  --rounds 3           rounds of each measurement
  --seconds 1.2        length of a round`;

const spec = {
  ratios: { type: 'boolean', default: false },
  only: { type: 'string' },
  mode: { type: 'string' },
  latency: { type: 'string' },
  connections: { type: 'string' },
  servers: { type: 'string' },
  rounds: { type: 'string', default: '3' },
  seconds: { type: 'string' },
} as const;

/** Throws a `TypeError` that says which option is unknown. */
export function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({ args: [...args], options: spec });
  const isWanted = (given: string | undefined, value: string | number) =>
    given === undefined || given.toLowerCase().split(',').includes(String(value).toLowerCase());
  const cells = (values.ratios ? ratioCells() : allCells())
    .filter(({ workload }) => isWanted(values.only, workload))
    .filter(({ mode }) => isWanted(values.mode, mode))
    .filter(({ latencyMs }) => isWanted(values.latency, latencyMs))
    .filter(({ connections }) => isWanted(values.connections, connections))
    .map((cell) => ({ ...cell, servers: cell.servers.filter((name) => isWanted(values.servers, name)) }));
  const seconds = Number(values.seconds ?? (values.ratios ? 0.7 : 1.2));
  const rounds = Number(values.rounds);
  if (!(seconds > 0 && rounds >= 1)) throw new TypeError('--rounds and --seconds have to be above 0.');
  const isSpecial = (name: string) => !values.ratios && isWanted(values.only, name);
  return {
    cells,
    paceOf: ({ connections }) => toPace(rounds, seconds * 1000, connections),
    measuresStart: isSpecial('start'),
    measuresWorkers: isSpecial('workers'),
    isGate: values.ratios,
  };
}

/** One caller alone, asked when all is warm already, tells as much in half the time. */
function toPace(rounds: number, milliseconds: number, connections: number): Pace {
  return connections === 1
    ? { rounds, roundMs: milliseconds / 2, warmUpMs: 300 }
    : { rounds, roundMs: milliseconds, warmUpMs: 1000 };
}
