/** Counts the resources of this process, so that a test can show that a fault leaks nothing. */
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect } from 'vitest';
import { WAIT_MS } from '../../support/waiting.js';

/** The resources of this process: test, gateway and sandbox. */
interface Holdings {
  /** Both ends; idle sockets of a client are not counted, while their other ends are. */
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

/** With garbage. */
function bytesInUse(): number {
  const { arrayBuffers, heapUsed } = process.memoryUsage();
  return arrayBuffers + heapUsed;
}

/** Code that runs for the first time is compiled, and its memory stays in use. */
const TOLERATED_BYTES = 20_000_000;
const PAUSE_MS = 10;
const MAX_CHECKS = WAIT_MS / PAUSE_MS;

/** Waits until the resources are back at their previous level; fails after a deadline. */
export async function expectReturnTo(before: Holdings): Promise<void> {
  const isInUse = () => handles().sockets > before.sockets || handles().timers > before.timers;
  for (let check = 0; check < MAX_CHECKS && isInUse(); check++) await sleep(PAUSE_MS);
  const { sockets, timers } = handles();
  expect(sockets).toBeLessThanOrEqual(before.sockets);
  expect(timers).toBeLessThanOrEqual(before.timers);

  const maxBytes = before.bytes + TOLERATED_BYTES;
  // The other end of a socket, which is in this process too, is freed a little later.
  for (let check = 0; check < MAX_CHECKS && bytesInUse() > maxBytes; check++) {
    collectGarbage();
    await sleep(PAUSE_MS);
  }
  expect(bytesInUse()).toBeLessThanOrEqual(maxBytes);
}
