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
  /** What is asked for, and what fails a run in CI: about half of what was reached last, since machines there are noisy. */
  asked: number;
  floor: number;
  /** Whether more is worse. */
  isCeiling?: true;
  /** Undefined where this run did not measure it. */
  figure(measured: Measured): number | undefined;
  /** The same by processor time, which tells more where a machine has others to serve. Shown, not judged. */
  byCpu?(measured: Measured): number | undefined;
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
  measured: number;
  byCpu: number | undefined;
  isMet: boolean;
  /** Whether it is within the bound that CI holds it to. */
  isWithinFloor: boolean;
}

const MANY = 32;

/** How many times as many requests a second the gateway answers as another, and how many times less processor time each takes. */
function ratioTo(server: ServerName, workload: WorkloadName, mode: Mode): Pick<Bound, 'figure' | 'byCpu'> {
  const cell = { workload, mode, latencyMs: 0, connections: MANY };
  const both = ({ results }: Measured) =>
    [figuresOf(results, 'gateway', cell), figuresOf(results, server, cell)] as const;
  return {
    figure(measured) {
      const [gateway, other] = both(measured);
      return divide(gateway?.requestsPerSecond, other?.requestsPerSecond);
    },
    byCpu(measured) {
      const [gateway, other] = both(measured);
      return divide(other?.cpuMicroseconds, gateway?.cpuMicroseconds);
    },
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
      floor: 0.5,
      ...ratioTo('ceiling', workload, 'hot'),
    }),
  ),
  {
    name: 'warm Q2 against the conventional gateway, as warm',
    asked: 15,
    floor: 7,
    ...ratioTo('conventional', 'Q2', 'warm'),
  },
  {
    name: 'warm Q2 against the ceiling: four times the best native gateway',
    asked: 0.016,
    floor: 0.016,
    ...ratioTo('ceiling', 'Q2', 'warm'),
  },
  {
    name: 'cold Q2 of one caller, stub at 5 ms, in times of one bare REST call',
    asked: 6,
    floor: 8,
    isCeiling: true,
    figure: ({ results }) =>
      divide(figuresOf(results, 'gateway', calm)?.p50Ms, figuresOf(results, 'REST call', calm)?.p50Ms),
  },
  ...(['Q1', 'Q3'] as const).map(
    (workload): Bound => ({
      name: `cold ${workload} against the compiled server`,
      asked: 1,
      floor: 0.5,
      ...ratioTo('compiled', workload, 'cold'),
    }),
  ),
  {
    name: 'warm Q4 against the conventional gateway, as warm',
    asked: 5,
    floor: 4,
    ...ratioTo('conventional', 'Q4', 'warm'),
  },
  {
    name: 'cold Q4 against the conventional gateway',
    asked: 5,
    floor: 2.5,
    ...ratioTo('conventional', 'Q4', 'cold'),
  },
  {
    name: 'two workers against one, warm Q2',
    asked: 1.5,
    floor: 0.8,
    figure: ({ results }) =>
      divide(
        figuresOf(results, 'two workers', executed)?.requestsPerSecond,
        figuresOf(results, 'one worker', executed)?.requestsPerSecond,
      ),
  },
  {
    name: 'peak memory of a gateway, MB',
    asked: 200,
    floor: 280,
    isCeiling: true,
    figure: ({ gatewayMegabytes }) => gatewayMegabytes,
  },
];

/** What this run measured of it. */
export function judge(measured: Measured): Judgement[] {
  return BOUNDS.flatMap(({ name, asked, floor, isCeiling = false, figure, byCpu }) => {
    const value = figure(measured);
    if (value === undefined) return [];
    const keeps = (bound: number) => (isCeiling ? value <= bound : value >= bound);
    const kept = { isMet: keeps(asked), isWithinFloor: keeps(floor) };
    return [{ name, asked, floor, isCeiling, measured: value, byCpu: byCpu?.(measured), ...kept }];
  });
}
