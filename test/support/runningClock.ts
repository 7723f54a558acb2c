/** The time of tests: it starts at one instant and runs, so that no test depends on the hour of the run. */
import type { Clock } from '../../src/lib/clock.js';

/** The instant at which tests start; under a shifted clock it is the shifted one, see test/README.md. */
export function testStartMs(): number {
  return Date.parse(process.env['TEST_START'] ?? '2026-03-14T09:30:00Z');
}

/** Runs from the given instant. It reads the monotonic clock, so it never goes back. */
function createRunningClock(startMs = testStartMs()): Clock {
  const startedAtMs = performance.now();
  return { now: () => startMs + Math.floor(performance.now() - startedAtMs) };
}

/** Shared by the sandboxes and gateways that one test file starts. */
export let runningClock = createRunningClock();

/** Starts a new clock for each file, even if several files share a process. */
export function restartRunningClock(): void {
  runningClock = createRunningClock();
}
