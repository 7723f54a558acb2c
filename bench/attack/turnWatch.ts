/**
 * Preloaded into an attacked gateway. Reports how long its turns of the event loop delay other requests, in CPU time of the
 * main thread, so that other load on the machine hardly counts.
 */
import { existsSync, openSync, readSync } from 'node:fs';

export interface TurnReport {
  /**
   * CPU milliseconds. With a probability of 1 %, an event at a random time waits longer than this for the running turn
   * to end.
   */
  waitP99Ms: number;
  /**
   * Share of the time in which the main thread was ready to run but other threads had the CPU. NaN on other
   * systems than Linux.
   */
  starvedShare: number;
}

const SHARE = 0.01;
const FILE = `/proc/self/task/${process.pid}/schedstat`;
const file = existsSync(FILE) ? openSync(FILE, 'r') : undefined;
const buffer = Buffer.alloc(100);

let turns: number[] = [];
let last = readTimes();
let startedAt = last;

setInterval(() => {
  const now = readTimes();
  turns.push(Math.min(now.cpuMs - last.cpuMs, now.atMs - last.atMs));
  last = now;
}, 1).unref();

process.on('message', () => {
  const now = readTimes();
  const totalMs = now.atMs - startedAt.atMs;
  const starvedShare = (now.starvedMs - startedAt.starvedMs) / totalMs;
  const report: TurnReport = { waitP99Ms: waitOf(turns, totalMs), starvedShare };
  turns = [];
  startedAt = now;
  process.send?.(report);
});

/** CPU time of the main thread, or of the process if the system does not report it per thread. */
function readTimes(): { atMs: number; cpuMs: number; starvedMs: number } {
  const atMs = performance.now();
  // The call brings the file up to date, which otherwise changes every 4 ms.
  const { user, system } = process.cpuUsage();
  if (file === undefined) return { atMs, cpuMs: (user + system) / 1000, starvedMs: Number.NaN };
  const length = readSync(file, buffer, 0, buffer.length, 0);
  const [cpu = 0, starved = 0] = buffer.toString('latin1', 0, length).split(' ').map(Number);
  return { atMs, cpuMs: cpu / 1e6, starvedMs: starved / 1e6 };
}

/**
 * The wait that an event at a random time exceeds with the probability `SHARE`. An event waits for the running turn to
 * end.
 */
function waitOf(lengths: readonly number[], totalMs: number): number {
  let [low, high] = [0, lengths.reduce((longest, length) => Math.max(longest, length), 0)];
  for (let step = 0; step < 30; step++) {
    const middle = (low + high) / 2;
    const exceedingMs = lengths.reduce((sum, length) => sum + Math.max(0, length - middle), 0);
    if (exceedingMs > SHARE * totalMs) low = middle;
    else high = middle;
  }
  return high;
}
