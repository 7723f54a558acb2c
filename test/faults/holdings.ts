/** Counts what this process holds, so that a fault can be shown to leave nothing behind. */
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect } from 'vitest';

/** What this process holds: test, gateway and sandbox. */
export interface Holdings {
  /** Both ends; a client's idle ones are left out, their other ends are not. */
  sockets: number;
  timers: number;
  bytes: number;
}

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

export function holdings(): Holdings {
  collectGarbage();
  const { arrayBuffers, heapUsed } = process.memoryUsage();
  return { ...handles(), bytes: arrayBuffers + heapUsed };
}

function handles(): { sockets: number; timers: number } {
  const resources = process.getActiveResourcesInfo();
  const count = (kind: string) => resources.filter((resource) => resource === kind).length;
  return { sockets: count('TCPSocketWrap'), timers: count('Timeout') };
}

/** Code that runs for the first time is compiled, and stays. */
const TOLERATED_BYTES = 20_000_000;
const LOOKS = 300;

/** Waits until no more is held than before; fails where that does not come. */
export async function expectReturnTo(before: Holdings): Promise<void> {
  const isHeldOn = () => handles().sockets > before.sockets || handles().timers > before.timers;
  for (let look = 0; look < LOOKS && isHeldOn(); look++) await sleep(10);
  const { sockets, timers, bytes } = holdings();
  expect(sockets).toBeLessThanOrEqual(before.sockets);
  expect(timers).toBeLessThanOrEqual(before.timers);
  expect(bytes - before.bytes).toBeLessThan(TOLERATED_BYTES);
}
