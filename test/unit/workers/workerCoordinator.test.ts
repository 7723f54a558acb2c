/** A worker shares its polls through the primary, and continues alone if the primary hangs. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createEntryKey } from '../../../src/cache/cacheKey.js';
import { createIpcChannel } from '../../../src/workers/ipcChannel.js';
import type { PrimaryHandlers, WorkerHandlers } from '../../../src/workers/protocol.js';
import { createWorkerCoordinator } from '../../../src/workers/workerCoordinator.js';
import { createFakePlatform, scope } from '../../support/workers/coordinators.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A primary that makes the worker the leader of each poll, as long as it responds. */
function createPrimary() {
  const primary = { isHanging: false };
  let reply: (message: unknown) => void = () => {};
  const channel = createIpcChannel<PrimaryHandlers, WorkerHandlers>({
    send(message) {
      const { id, name } = message as { id?: number; name: string };
      const response = name === 'claimPoll' ? { isLeader: true, position: undefined } : true;
      if (id !== undefined && !primary.isHanging) reply({ id, response });
    },
    onMessage(listener) {
      reply = listener;
    },
  });
  return { primary, channel };
}

it.each([
  ['has led the poll', false],
  ['has just started', true],
])('a worker that %s delivers samples within seconds although the primary hangs', async (_, isHanging) => {
  const { primary, channel } = createPrimary();
  const gateway = { livePollMs: 1000 };
  const identity = { gatewayId: 'gateway', workerCount: 2, workerId: 1, secret: 'secret' };
  const coordinator = createWorkerCoordinator(channel, { gateway, ...identity });
  const platform = createFakePlatform();
  const feed = { name: scope, entryKey: createEntryKey(scope, 'secret') };
  const ids: number[] = [];
  primary.isHanging = isHanging;
  const start = coordinator.sharePoll(feed, platform.createStart({ isFrozen: false }));
  const poll = start('SCALAR', { id: 100 }, ({ samples }) => void ids.push(...samples.map(({ id }) => id)));
  await vi.advanceTimersByTimeAsync(1000);
  primary.isHanging = true;
  platform.append(1);
  await vi.advanceTimersByTimeAsync(5000);
  platform.append(1);
  await vi.advanceTimersByTimeAsync(5000);
  expect(ids).toEqual([101, 102]);
  poll.stop();
  await coordinator.close();
});
