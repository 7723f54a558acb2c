/** Loaded into a process to be measured: tells its parent, when asked, how long its event loop was held and its memory. */
import { monitorEventLoopDelay } from 'node:perf_hooks';

export interface Watched {
  /** The longest that the event loop was late since the last question, in milliseconds. */
  longestHoldMs: number;
  /** The most memory that the process ever had, and what it had at the start of this module, in megabytes. */
  peakMegabytes: number;
  startMegabytes: number;
}

const MEGABYTE = 1024 * 1024;
const RESOLUTION_MS = 1;
const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
delay.enable();
const startMegabytes = process.memoryUsage.rss() / MEGABYTE;

process.on('message', () => {
  const longestHoldMs = Math.max(0, delay.max / 1e6 - RESOLUTION_MS);
  delay.reset();
  const watched: Watched = {
    longestHoldMs,
    peakMegabytes: process.resourceUsage().maxRSS / 1024,
    startMegabytes,
  };
  process.send?.(watched);
});
