/** Preloaded into a measured process. Reports its event loop delays and memory to its parent on request. */

export interface LoopReport {
  /** The longest delay of a timer since the last report, in milliseconds of wall time. */
  maxDelayMs: number;
  /**
   * The longest delay without time in which other processes had the CPU: the most CPU time that the process used while a
   * timer was due, in milliseconds.
   */
  maxBusyMs: number;
  /** Peak memory, and memory before the product was loaded, in megabytes. */
  peakMegabytes: number;
  startMegabytes: number;
}

const MEGABYTE = 1024 * 1024;
const startMegabytes = process.memoryUsage.rss() / MEGABYTE;
let maxDelayMs = 0;
let maxBusyMs = 0;
let lastMs = performance.now();
let lastCpuMs = cpuMs();

setInterval(() => {
  const [nowMs, nowCpuMs] = [performance.now(), cpuMs()];
  const delayMs = nowMs - lastMs;
  maxDelayMs = Math.max(maxDelayMs, delayMs);
  maxBusyMs = Math.max(maxBusyMs, Math.min(delayMs, nowCpuMs - lastCpuMs));
  [lastMs, lastCpuMs] = [nowMs, nowCpuMs];
}, 1).unref();

process.on('message', () => {
  const peakMegabytes = process.resourceUsage().maxRSS / 1024;
  const report: LoopReport = { maxDelayMs, maxBusyMs, peakMegabytes, startMegabytes };
  [maxDelayMs, maxBusyMs] = [0, 0];
  process.send?.(report);
});

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
