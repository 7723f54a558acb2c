/** Logs how far seeding has got, only where it takes longer than a second. */
import type { Logger } from '../../lib/logger.js';
import type { SeedProgress } from '../sandbox.js';

const QUIET_MS = 1000;
const MIN_INTERVAL_MS = 2000;

/**
 * The first line comes after a second, further lines at least two seconds apart, and one at the end when a line was
 * logged before.
 * @param now a monotonic clock in milliseconds.
 */
export function createProgressLog(logger: Logger, now: () => number): SeedProgress {
  const startedAt = now();
  let nextAt = startedAt + QUIET_MS;
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
