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
  return { ...handles(), bytes: bytesInUse() };
}

function handles(): { sockets: number; timers: number } {
  const resources = process.getActiveResourcesInfo();
  const count = (kind: string) => resources.filter((resource) => resource === kind).length;
  return { sockets: count('TCPSocketWrap'), timers: count('Timeout') };
}

/** Garbage included. */
function bytesInUse(): number {
  const { arrayBuffers, heapUsed } = process.memoryUsage();
  return arrayBuffers + heapUsed;
}

/** Code that runs for the first time is compiled, and stays. */
const TOLERATED_BYTES = 20_000_000;
const LOOKS = 300;
const PAUSE_MS = 10;

/** Waits until no more is held than before; fails where that does not come. */
export async function expectReturnTo(before: Holdings): Promise<void> {
  const isHeldOn = () => handles().sockets > before.sockets || handles().timers > before.timers;
  for (let look = 0; look < LOOKS && isHeldOn(); look++) await sleep(PAUSE_MS);
  const { sockets, timers } = handles();
  expect(sockets).toBeLessThanOrEqual(before.sockets);
  expect(timers).toBeLessThanOrEqual(before.timers);

  const mostBytes = before.bytes + TOLERATED_BYTES;
  // The other end of a socket, which is in this process, too, lets go a little later.
  for (let look = 0; look < LOOKS && bytesInUse() > mostBytes; look++) {
    collectGarbage();
    await sleep(PAUSE_MS);
  }
  expect(bytesInUse()).toBeLessThanOrEqual(mostBytes);
}
