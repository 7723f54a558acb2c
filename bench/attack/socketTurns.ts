/** Measures the effect of hostile websockets on normal callers and on the gateway's memory. */
import type { SocketAttackers } from './attackers.js';
import { describeRounds, measureRounds, type Rounds, type RoundsOptions } from './phases.js';
import type { SocketAttackReport } from './socketAttacker.js';
import type { SocketForm } from './socketForms.js';

interface SocketTurns extends Rounds {
  reports: SocketAttackReport[];
}

interface SocketTurnsOptions extends Omit<RoundsOptions, 'attack' | 'endAttack'> {
  connections: number;
  from: string;
}

const MAX_GROWTH_MB = 150;

export async function measureSocketTurns(
  form: SocketForm,
  attackers: SocketAttackers,
  options: SocketTurnsOptions,
): Promise<SocketTurns> {
  const { gateway, connections, from } = options;
  const reports: SocketAttackReport[] = [];
  const rounds = await measureRounds({
    ...options,
    attack: () => attackers.start(gateway.url, form, from, connections),
    endAttack: async () => reports.push(await attackers.end()),
  });
  return { ...rounds, reports };
}

/** A row of the table, and whether the ratio and the memory growth are within their limits. */
export function describeTurns(
  { name }: SocketForm,
  turns: SocketTurns,
  maxRatio: number,
): { cells: (string | number)[]; isWithin: boolean } {
  const { quiet, attacked, reports } = turns;
  const { cells, ratio } = describeRounds(turns);
  const [sent, connections] = [sum(reports, 'bytes') / 1e6, sum(reports, 'connections')];
  const memory = [quiet.peakMb, attacked.peakMb, sent].map((mb) => mb.toFixed(0));
  return {
    cells: [name, ...cells, ...memory, connections],
    isWithin: ratio <= maxRatio && attacked.peakMb - quiet.peakMb <= MAX_GROWTH_MB,
  };
}

function sum(reports: readonly SocketAttackReport[], figure: keyof SocketAttackReport): number {
  return reports.reduce((total, report) => total + report[figure], 0);
}
