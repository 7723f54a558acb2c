/** Notices rejections that would end the process of a gateway. */
import { setImmediate } from 'node:timers/promises';

/** Runs a test. Returns the reasons of promises that were rejected meanwhile, or right after, without a handler. */
export async function collectUnhandled(run: () => Promise<unknown>): Promise<unknown[]> {
  const reasons: unknown[] = [];
  const listener = (reason: unknown) => reasons.push(reason);
  process.on('unhandledRejection', listener);
  try {
    await run();
    // Node reports a rejection when the microtasks of its turn have run.
    for (let turn = 0; turn < 3; turn += 1) await setImmediate();
  } finally {
    process.off('unhandledRejection', listener);
  }
  return reasons;
}
