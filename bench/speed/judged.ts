/**
 * What the gateway is held to, and whether it keeps it. Only ratios of what one run measured: none depends on how
 * fast a machine is. Memory, which does not either, is the exception. Pure.
 */
import type { Mode, ServerName } from './cells.js';
import type { Result } from './measure.js';
import { figuresOf } from './summary.js';
import type { WorkloadName } from './workloads.js';

interface Bound {
  name: string;
  /** What is asked for, and what fails a run in CI: about half as much, since machines there are noisy. */
  asked: number;
  floor: number;
  /** Whether more is worse. */
  isCeiling?: true;
  figure(measured: Measured): number | undefined;
}

export interface Measured {
  results: readonly Result[];
  /** The most that a gateway ever had. */
  gatewayMegabytes: number;
}

export interface Judgement {
  name: string;
  asked: number;
  floor: number;
  isCeiling: boolean;
  /** Undefined where this run did not measure it. */
  measured: number | undefined;
  isMet: boolean | undefined;
  isAboveFloor: boolean | undefined;
}

const MANY = 32;

/** How many times as many requests a second the gateway answers as another. */
function ratioTo(server: ServerName, workload: WorkloadName, mode: Mode) {
  return ({ results }: Measured) => {
    const cell = { workload, mode, latencyMs: 0, connections: MANY };
    return divide(
      figuresOf(results, 'gateway', cell)?.requestsPerSecond,
      figuresOf(results, server, cell)?.requestsPerSecond,
    );
  };
}

function divide(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? undefined : one / other;
}

const calm = { workload: 'Q2', mode: 'cold', latencyMs: 5, connections: 1 } as const;
const executed = { workload: 'Q2', mode: 'warm', latencyMs: 0, connections: MANY } as const;

export const BOUNDS: readonly Bound[] = [
  ...(['Q1', 'Q2', 'Q3'] as const).map(
    (workload): Bound => ({
      name: `hot ${workload} against the ceiling`,
      asked: 0.7,
      floor: 0.35,
      figure: ratioTo('ceiling', workload, 'hot'),
    }),
  ),
  {
    name: 'warm Q2 against the conventional gateway, as warm',
    asked: 15,
    floor: 7,
    figure: ratioTo('conventional', 'Q2', 'warm'),
  },
  {
    name: 'warm Q2 against the ceiling: four times the best native gateway',
    asked: 0.016,
    floor: 0.008,
    figure: ratioTo('ceiling', 'Q2', 'warm'),
  },
  {
    name: 'cold Q2 of one caller, stub at 5 ms, in times of one bare REST call',
    asked: 6,
    floor: 12,
    isCeiling: true,
    figure: ({ results }) =>
      divide(figuresOf(results, 'gateway', calm)?.p50Ms, figuresOf(results, 'REST call', calm)?.p50Ms),
  },
  ...(['Q1', 'Q3'] as const).map(
    (workload): Bound => ({
      name: `cold ${workload} against the compiled server`,
      asked: 1,
      floor: 0.5,
      figure: ratioTo('compiled', workload, 'cold'),
    }),
  ),
  {
    name: 'warm Q4 against the conventional gateway, as warm',
    asked: 5,
    floor: 2.5,
    figure: ratioTo('conventional', 'Q4', 'warm'),
  },
  {
    name: 'cold Q4 against the conventional gateway',
    asked: 5,
    floor: 2.5,
    figure: ratioTo('conventional', 'Q4', 'cold'),
  },
  {
    name: 'two workers against one, warm Q2',
    asked: 1.5,
    floor: 1,
    figure: ({ results }) =>
      divide(
        figuresOf(results, 'two workers', executed)?.requestsPerSecond,
        figuresOf(results, 'one worker', executed)?.requestsPerSecond,
      ),
  },
  {
    name: 'peak memory of a gateway, MB',
    asked: 200,
    floor: 300,
    isCeiling: true,
    figure: ({ gatewayMegabytes }) => gatewayMegabytes,
  },
];

export function judge(measured: Measured): Judgement[] {
  return BOUNDS.map(({ name, asked, floor, isCeiling = false, figure }) => {
    const value = figure(measured);
    const keeps = (bound: number) => (isCeiling ? (value ?? 0) <= bound : (value ?? 0) >= bound);
    const [isMet, isAboveFloor] = value === undefined ? [] : [keeps(asked), keeps(floor)];
    return { name, asked, floor, isCeiling, measured: value, isMet, isAboveFloor };
  });
}
