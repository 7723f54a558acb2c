/**
 * Rounds of three phases: quiet, attacked, and a control in which another process uses the CPU time that the attack
 * cost the attacker and the platform. They share the machine with the gateway here; the control shows the part of their
 * CPU time in the response times.
 */
import { forkRemoteHelper, type RunningServer } from '../shared/processes.js';
import { cpuSeconds, residentMegabytes } from '../shared/processFigures.js';
import { median, medianPercentile } from '../shared/statistics.js';
import { type NormalCallers, sendSteadily } from './normalCaller.js';
import type { TurnReport } from './turnWatch.js';

/** One kind of phases in all rounds. */
interface Phases {
  /** The response times of each phase in milliseconds. */
  times: number[][];
  turns: TurnReport[];
  /** CPU time of the gateway in seconds. */
  cpu: number;
  /** Peak memory of the gateway. */
  peakMb: number;
}

export interface Rounds {
  quiet: Phases;
  attacked: Phases;
  control: Phases;
}

export interface RoundsOptions {
  gateway: RunningServer;
  callers: NormalCallers;
  rounds: number;
  phaseMs: number;
  /** Processes that share the machine with the gateway: the attacker and the platform. */
  others: readonly number[];
  attack(): void;
  endAttack(): Promise<unknown>;
}

/** Preload this into the gateway. */
export const turnWatch = {
  nodeArguments: ['--import', new URL('turnWatch.js', import.meta.url).href],
  hasChannel: true,
};

/** Titles of the cells of `describeRounds`. */
export const ROUND_TITLES = [
  ...['quiet p50', 'quiet p99', 'attacked p50', 'attacked p99', 'p99 ratio'],
  ...['control p99', 'ratio to control', 'turn quiet', 'turn attacked'],
  ...['starved quiet', 'starved attacked', 'starved control'],
];

const SAMPLE_MS = 50;

const createPhases = (): Phases => ({ times: [], turns: [], cpu: 0, peakMb: 0 });

/** Alternates the phases, so that other load on the machine affects all. */
export async function measureRounds(options: RoundsOptions): Promise<Rounds> {
  const { rounds, phaseMs, others } = options;
  const dummy = forkRemoteHelper<{ share: number }, string>(new URL('dummy.js', import.meta.url));
  const result: Rounds = { quiet: createPhases(), attacked: createPhases(), control: createPhases() };
  const othersCpu = () => others.reduce((sum, pid) => sum + cpuSeconds(pid), 0);
  try {
    for (let round = 0; round < rounds; round++) {
      const atStart = othersCpu();
      await measurePhase(options, result.quiet);
      const atAttack = othersCpu();
      options.attack();
      await measurePhase(options, result.attacked);
      const atEnd = othersCpu();
      await options.endAttack();
      const share = (atEnd - atAttack - (atAttack - atStart)) / (phaseMs / 1000);
      dummy.send({ share: Math.max(0.01, share) });
      await measurePhase(options, result.control);
      await dummy.request({ share: 0 });
    }
  } finally {
    dummy.stop();
  }
  return result;
}

async function measurePhase({ gateway, callers, phaseMs }: RoundsOptions, phases: Phases): Promise<void> {
  const { pid } = gateway;
  const takePeak = () => {
    phases.peakMb = Math.max(phases.peakMb, residentMegabytes(pid));
  };
  const timer = setInterval(takePeak, SAMPLE_MS);
  try {
    await gateway.request('turns');
    const cpuAtStart = cpuSeconds(pid);
    phases.times.push(await sendSteadily(callers, phaseMs));
    phases.cpu += cpuSeconds(pid) - cpuAtStart;
    phases.turns.push((await gateway.request('turns')) as TurnReport);
    takePeak();
  } finally {
    clearInterval(timer);
  }
}

/** The cells of a row, and the ratio of the 99th percentiles. */
export function describeRounds({ quiet, attacked, control }: Rounds) {
  const p99 = ({ times }: Phases) => medianPercentile(times, 0.99);
  const turn = ({ turns }: Phases) => median(turns.map(({ waitP99Ms }) => waitP99Ms)).toFixed(2);
  const starved = ({ turns }: Phases) =>
    `${(median(turns.map(({ starvedShare }) => starvedShare)) * 100).toFixed(1)}%`;
  const ratio = p99(attacked) / p99(quiet);
  const times = [quiet, attacked].flatMap(({ times }) =>
    [0.5, 0.99].map((share) => medianPercentile(times, share).toFixed(1)),
  );
  const cells = [
    ...[...times, ratio.toFixed(2), p99(control).toFixed(1), (p99(attacked) / p99(control)).toFixed(2)],
    ...[turn(quiet), turn(attacked), starved(quiet), starved(attacked), starved(control)],
  ];
  return { cells, ratio };
}
