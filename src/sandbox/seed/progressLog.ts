/** Logs the progress of seeding if it takes longer than a second. */
import type { Logger } from '../../lib/logger.js';

/** Called for `samples`, then for `indexes`, with the completed share of the step from 0 to 1. */
export type SeedProgress = (step: 'samples' | 'indexes', share: number) => void;

const FIRST_LOG_MS = 1000;
const MIN_INTERVAL_MS = 2000;

/**
 * Logs the first line after a second, further lines at least two seconds apart, and a last line at the end if it logged
 * any line before.
 * @param now a monotonic clock in milliseconds.
 */
export function createProgressLog(logger: Logger, now: () => number): SeedProgress {
  const startedAt = now();
  let nextAt = startedAt + FIRST_LOG_MS;
  let hasLogged = false;
  return (step, share) => {
    const at = now();
    const isDone = step === 'indexes' && share === 1;
    if (isDone ? !hasLogged : at < nextAt) return;
    nextAt = at + MIN_INTERVAL_MS;
    hasLogged = true;
    logger.info({ part: 'sandbox', elapsedMs: Math.round(at - startedAt) }, messageFor(step, share, isDone));
  };
}

function messageFor(step: 'samples' | 'indexes', share: number, isDone: boolean): string {
  if (isDone) return 'Sandbox seeded';
  if (step === 'indexes') return 'Seeding the sandbox: creating indexes';
  return `Seeding the sandbox: ${Math.floor(share * 100)}% of the samples`;
}
