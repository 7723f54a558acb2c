/** Measures what a normal caller notices of hostile websockets, and the memory that they take. */
import { readFileSync } from 'node:fs';
import type { SocketAttackers } from './attackers.js';
import { askSteadily, type NormalCaller } from './normalCaller.js';
import { typical } from './percentiles.js';
import type { SocketForm } from './socketForms.js';

export interface SocketTurns {
  /** The times of each phase, in milliseconds. */
  quiet: number[][];
  attacked: number[][];
  /** The most memory in the quiet phases, and in the attacked ones. */
  quietMb: number;
  attackedMb: number;
  connections: number;
  bytes: number;
}

export interface SocketTurnsOptions {
  caller: NormalCaller;
  pid: number;
  rounds: number;
  phaseMs: number;
  connections: number;
  from: string;
}

const MAX_GROWTH_MB = 150;
const SAMPLE_MS = 50;

export async function takeSocketTurns(
  form: SocketForm,
  attackers: SocketAttackers,
  { caller, pid, rounds, phaseMs, connections, from }: SocketTurnsOptions,
): Promise<SocketTurns> {
  const turns: SocketTurns = { quiet: [], attacked: [], quietMb: 0, attackedMb: 0, connections: 0, bytes: 0 };
  for (let round = 0; round < rounds; round++) {
    const quiet = await withPeak(pid, () => askSteadily(caller, phaseMs));
    attackers.start(caller.url, form, from, connections);
    const attacked = await withPeak(pid, () => askSteadily(caller, phaseMs));
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

/** A line of the table, and whether the other caller was left alone. */
export function describeTurns(
  { name }: SocketForm,
  { quiet, attacked, quietMb, attackedMb, connections, bytes }: SocketTurns,
  maxRatio: number,
): { line: string; isWithin: boolean } {
  const ratio = typical(attacked, 99) / typical(quiet, 99);
  const times = [quiet, attacked].flatMap((all) => [50, 99].map((part) => typical(all, part).toFixed(1)));
  const growthMb = attackedMb - quietMb;
  const figures = [
    ...times,
    ratio.toFixed(2),
    ...[quietMb, attackedMb, bytes / 1e6].map((mb) => mb.toFixed(0)),
  ];
  const cells = [...figures, connections].map((value) => String(value).padStart(9)).join('');
  return { line: `  ${name.padEnd(32)}${cells}`, isWithin: ratio <= maxRatio && growthMb <= MAX_GROWTH_MB };
}

async function withPeak<Value>(
  pid: number,
  run: () => Promise<Value>,
): Promise<{ value: Value; peakMb: number }> {
  let peakMb = residentMb(pid);
  const timer = setInterval(() => {
    peakMb = Math.max(peakMb, residentMb(pid));
  }, SAMPLE_MS);
  try {
    return { value: await run(), peakMb };
  } finally {
    clearInterval(timer);
  }
}

function residentMb(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
}
