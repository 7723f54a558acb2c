/** Measures the effect of hostile websockets on a normal caller and on the gateway's memory. */
import { residentMegabytes } from '../shared/processFigures.js';
import { medianPercentile } from '../shared/statistics.js';
import type { SocketAttackers } from './attackers.js';
import { type NormalCallers, sendSteadily } from './normalCaller.js';
import type { SocketForm } from './socketForms.js';

export interface SocketTurns {
  /** The response times of each phase in milliseconds. */
  quiet: number[][];
  attacked: number[][];
  /** Peak memory in the quiet phases and in the attacked phases. */
  quietMb: number;
  attackedMb: number;
  connections: number;
  bytes: number;
}

export interface SocketTurnsOptions {
  callers: NormalCallers;
  pid: number;
  rounds: number;
  phaseMs: number;
  connections: number;
  from: string;
}

const MAX_GROWTH_MB = 150;
const SAMPLE_MS = 50;

export async function measureSocketTurns(
  form: SocketForm,
  attackers: SocketAttackers,
  { callers, pid, rounds, phaseMs, connections, from }: SocketTurnsOptions,
): Promise<SocketTurns> {
  const turns: SocketTurns = { quiet: [], attacked: [], quietMb: 0, attackedMb: 0, connections: 0, bytes: 0 };
  for (let round = 0; round < rounds; round++) {
    const quiet = await withPeak(pid, () => sendSteadily(callers, phaseMs));
    attackers.start(callers.url, form, from, connections);
    const attacked = await withPeak(pid, () => sendSteadily(callers, phaseMs));
    const report = await attackers.end();
    turns.quiet.push(quiet.value);
    turns.attacked.push(attacked.value);
    turns.quietMb = Math.max(turns.quietMb, quiet.peakMb);
    turns.attackedMb = Math.max(turns.attackedMb, attacked.peakMb);
    turns.connections += report.connections;
    turns.bytes += report.bytes;
  }
  return turns;
}

/** A row of the table, and whether the ratio and the memory growth are within their limits. */
export function describeTurns(
  { name }: SocketForm,
  { quiet, attacked, quietMb, attackedMb, connections, bytes }: SocketTurns,
  maxRatio: number,
): { cells: (string | number)[]; isWithin: boolean } {
  const ratio = medianPercentile(attacked, 0.99) / medianPercentile(quiet, 0.99);
  const times = [quiet, attacked].flatMap((phases) =>
    [0.5, 0.99].map((share) => medianPercentile(phases, share).toFixed(1)),
  );
  const growthMb = attackedMb - quietMb;
  const memory = [quietMb, attackedMb, bytes / 1e6].map((mb) => mb.toFixed(0));
  return {
    cells: [name, ...times, ratio.toFixed(2), ...memory, connections],
    isWithin: ratio <= maxRatio && growthMb <= MAX_GROWTH_MB,
  };
}

async function withPeak<Value>(
  pid: number,
  run: () => Promise<Value>,
): Promise<{ value: Value; peakMb: number }> {
  let peakMb = residentMegabytes(pid);
  const timer = setInterval(() => {
    peakMb = Math.max(peakMb, residentMegabytes(pid));
  }, SAMPLE_MS);
  try {
    return { value: await run(), peakMb };
  } finally {
    clearInterval(timer);
  }
}
