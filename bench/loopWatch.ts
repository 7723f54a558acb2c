/** Loaded into a process to be measured: tells its parent, when asked, how long its event loop was held and its memory. */

export interface Watched {
  /** The longest that a timer was late since the last question, in milliseconds by the clock. */
  longestHoldMs: number;
  /**
   * The same without what the process spent waiting for a processor that others had: the most processor time that
   * it took while a timer was due.
   */
  longestBusyMs: number;
  /** The most memory that the process ever had, and what it had before the product was loaded, in megabytes. */
  peakMegabytes: number;
  startMegabytes: number;
}

const MEGABYTE = 1024 * 1024;
const startMegabytes = process.memoryUsage.rss() / MEGABYTE;
let longestHoldMs = 0;
let longestBusyMs = 0;
let lastMs = performance.now();
let lastCpuMs = cpuMs();

setInterval(() => {
  const [nowMs, nowCpuMs] = [performance.now(), cpuMs()];
  const heldMs = nowMs - lastMs;
  longestHoldMs = Math.max(longestHoldMs, heldMs);
  longestBusyMs = Math.max(longestBusyMs, Math.min(heldMs, nowCpuMs - lastCpuMs));
  [lastMs, lastCpuMs] = [nowMs, nowCpuMs];
}, 1).unref();

process.on('message', () => {
  const peakMegabytes = process.resourceUsage().maxRSS / 1024;
  const watched: Watched = { longestHoldMs, longestBusyMs, peakMegabytes, startMegabytes };
  [longestHoldMs, longestBusyMs] = [0, 0];
  process.send?.(watched);
});

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
