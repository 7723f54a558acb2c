/** Reads from the command line which measurements to run and how long. Pure. */
import { parseArgs } from 'node:util';
import { allCells, type Cell, ratioCells } from './cells.js';
import type { Pace } from './measure.js';

export interface Options {
  cells: readonly Cell[];
  paceOf(cell: Cell): Pace;
  measuresStart: boolean;
  measuresWorkers: boolean;
  measuresTracing: boolean;
  /** Whether a figure beyond its bound in CI fails the run. */
  isGate: boolean;
}

export const HELP = `npm run bench -- [options]

  --ratios             only the measurements with targets; fail beyond the bounds in CI
  --only q1,q2         some of q1, q2, q3, q4, start, workers, tracing
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

/** @throws TypeError with the name of an unknown option. */
export function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({ args: [...args], options: spec });
  const isSelected = (list: string | undefined, value: string | number) =>
    list === undefined || list.toLowerCase().split(',').includes(String(value).toLowerCase());
  const cells = (values.ratios ? ratioCells() : allCells())
    .filter(({ workload }) => isSelected(values.only, workload))
    .filter(({ mode }) => isSelected(values.mode, mode))
    .filter(({ latencyMs }) => isSelected(values.latency, latencyMs))
    .filter(({ connections }) => isSelected(values.connections, connections))
    .map((cell) => ({ ...cell, servers: cell.servers.filter((name) => isSelected(values.servers, name)) }));
  const seconds = Number(values.seconds ?? (values.ratios ? 1 : 1.2));
  const rounds = Number(values.rounds);
  if (!(seconds > 0 && rounds >= 1)) throw new TypeError('--rounds and --seconds must be above 0.');
  const isSpecial = (name: string) => !values.ratios && isSelected(values.only, name);
  return {
    cells,
    paceOf: (cell) => toPace(rounds, seconds * 1000, cell),
    measuresStart: isSpecial('start'),
    measuresWorkers: isSpecial('workers'),
    measuresTracing: isSelected(values.only, 'tracing'),
    isGate: values.ratios,
  };
}

/**
 * A single connection needs half the time for a round, and more to warm up: it sends few requests, and until V8 has
 * compiled all functions, a fifth of the CPU time of a cold operation is compiling. Hot rows compare with a server of a
 * dozen functions: after a second, when V8 still compiles the gateway, they gave 0.5 instead of 0.7.
 */
function toPace(rounds: number, milliseconds: number, { mode, connections }: Cell): Pace {
  if (connections === 1) return { rounds, roundMs: milliseconds / 2, warmUpMs: 3000 };
  return { rounds, roundMs: milliseconds, warmUpMs: mode === 'hot' ? 4000 : 1000 };
}
