/** The coordinator of a worker: shares state with the other workers through the primary. */
import { type Coordinator, createRateCountBatch } from '../gateway/coordinator.js';
import type { ChannelToPrimary, WorkerAssignment } from './protocol.js';
import { createSharedPolls } from './sharedPolls.js';

/** The primary serves no requests and responds at once. After this time the worker continues without the shared token. */
const TOKEN_TIMEOUT_MS = 2000;
/** Longer than the primary waits for the other workers. */
const INVALIDATE_TIMEOUT_MS = 1000;

type SharedAssignment = Pick<WorkerAssignment, 'gatewayId' | 'workerCount' | 'workerId' | 'secret'>;

export function createWorkerCoordinator(
  channel: ChannelToPrimary,
  { gatewayId, workerCount, workerId, secret }: SharedAssignment,
): Coordinator {
  const batch = createRateCountBatch((counts) => channel.notify('reportCounts', counts));
  let ports: ReadonlyMap<number, number> = new Map();
  channel.handle('workerPorts', (running) => {
    ports = new Map(running);
  });
  const followPolls = createSharedPolls(channel);
  return {
    gatewayId,
    processCount: workerCount,
    tokenStore: (name) => ({
      read: () => channel.request('readToken', { name }, TOKEN_TIMEOUT_MS).catch(() => undefined),
      replace: (version, text, lifeMs) =>
        channel
          .request('replaceToken', { name, version, text, lifeMs }, TOKEN_TIMEOUT_MS)
          .catch(() => undefined),
    }),
    cacheSharing: {
      peers: {
        invalidate: (tags) =>
          channel.request('invalidate', tags, INVALIDATE_TIMEOUT_MS).catch(() => undefined),
        onInvalidated: (listener) => channel.handle('invalidated', listener),
      },
    },
    polls: ({ name }, start) => followPolls(name, start),
    rateCounts: {
      add: batch.add,
      onRemoteCount(listener) {
        channel.handle('remoteCounts', (counts) => {
          for (const [caller, operations] of counts) listener(caller, operations);
        });
      },
    },
    failedLogins: {
      add: (login) => channel.notify('reportFailedLogin', login),
      onRemote: (listener) => channel.handle('remoteFailedLogin', listener),
    },
    metrics: {
      onRead: (read) => channel.handle('readMetrics', read),
      collect: () => channel.request('collectMetrics', undefined),
    },
    workers: {
      id: workerId,
      secret,
      announce: (port) => channel.request('announcePort', port),
      portOf: (id) => (id === workerId ? undefined : ports.get(id)),
    },
    async close() {
      batch.close();
    },
  };
}
