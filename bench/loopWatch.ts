/** Preloaded into a measured process. Reports its event loop delays and memory to its parent on request. */
import { existsSync, openSync, readSync } from 'node:fs';

export interface LoopReport {
  /** The longest delay of a timer since the last report, in milliseconds of wall time. */
  maxDelayMs: number;
  /**
   * The longest delay without time in which other processes had the CPU: the most CPU time that the process used while a
   * timer was due, in milliseconds.
   */
  maxBusyMs: number;
  /**
   * The same for the CPU time of the main thread alone, without V8's helper threads, which compile and collect garbage
   * beside it. The kernel updates it every few milliseconds. On systems other than Linux it is that of all threads.
   */
  maxMainMs: number;
  /** Peak memory, and memory before the product was loaded, in megabytes. */
  peakMegabytes: number;
  startMegabytes: number;
}

const MEGABYTE = 1024 * 1024;
const startMegabytes = process.memoryUsage.rss() / MEGABYTE;
let maxDelayMs = 0;
let maxBusyMs = 0;
const mainThreadMs = createMainThreadClock();
let maxMainMs = 0;
let lastMs = performance.now();
let lastCpuMs = cpuMs();
let lastMainMs = mainThreadMs();

setInterval(() => {
  const [nowMs, nowCpuMs, nowMainMs] = [performance.now(), cpuMs(), mainThreadMs()];
  const delayMs = nowMs - lastMs;
  maxDelayMs = Math.max(maxDelayMs, delayMs);
  maxBusyMs = Math.max(maxBusyMs, Math.min(delayMs, nowCpuMs - lastCpuMs));
  maxMainMs = Math.max(maxMainMs, Math.min(delayMs, nowMainMs - lastMainMs));
  [lastMs, lastCpuMs, lastMainMs] = [nowMs, nowCpuMs, nowMainMs];
}, 1).unref();

process.on('message', () => {
  const peakMegabytes = process.resourceUsage().maxRSS / 1024;
  const report: LoopReport = { maxDelayMs, maxBusyMs, maxMainMs, peakMegabytes, startMegabytes };
  [maxDelayMs, maxBusyMs, maxMainMs] = [0, 0, 0];
  process.send?.(report);
});

/** Linux counts the time of each thread; that of the main thread is the process's own file. */
function createMainThreadClock(): () => number {
  const file = '/proc/self/schedstat';
  if (!existsSync(file)) return cpuMs;
  const descriptor = openSync(file, 'r');
  const buffer = Buffer.alloc(64);
  return () => {
    const length = readSync(descriptor, buffer, 0, buffer.length, 0);
    const [nanoseconds] = buffer.toString('latin1', 0, length).split(' ');
    return Number(nanoseconds) / 1e6;
  };
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
