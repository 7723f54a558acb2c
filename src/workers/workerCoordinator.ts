/** The coordinator of a worker: shares state with the other workers through the primary. */
import { randomUUID } from 'node:crypto';
import type { Coordinator } from '../gateway/coordinator.js';
import { type PollLease, type PollLeaseListener, toLeaseMs } from '../gateway/sharing/pollLease.js';
import { createSharedPollStarter } from '../gateway/sharing/sharedPoll.js';
import { systemClock, toMonotonicClock } from '../lib/clock.js';
import type { ChannelToPrimary, WorkerAssignment } from './protocol.js';

/**
 * The primary serves no requests, so it responds at once, or after it has waited a second for the other workers. After this
 * time the worker continues without the shared state.
 */
const RESPONSE_TIMEOUT_MS = 2000;

type SharedAssignment = Pick<WorkerAssignment, 'gatewayId' | 'workerCount' | 'workerId' | 'secret'> & {
  gateway: Pick<WorkerAssignment['gateway'], 'livePollMs'>;
};

export function createWorkerCoordinator(
  channel: ChannelToPrimary,
  { gateway, gatewayId, workerCount, workerId, secret }: SharedAssignment,
): Coordinator {
  let ports: ReadonlyMap<number, number> = new Map();
  channel.handle('workerPorts', (running) => {
    ports = new Map(running);
  });
  const createLease = createLeases(channel);
  return {
    gatewayId,
    processCount: workerCount,
    tokenStore: (name) => ({
      read: () => channel.request('readToken', { name }, RESPONSE_TIMEOUT_MS).catch(() => undefined),
      replace: (version, text, lifeMs) =>
        channel
          .request('replaceToken', { name, version, text, lifeMs }, RESPONSE_TIMEOUT_MS)
          .catch(() => undefined),
    }),
    cacheSharing: {
      peers: {
        invalidate: (invalidation) =>
          channel.request('invalidate', invalidation, RESPONSE_TIMEOUT_MS).catch(() => undefined),
        onInvalidated: (listener) => channel.handle('invalidated', listener),
      },
    },
    sharesPolls: true,
    sharePoll: ({ name }, start) =>
      createSharedPollStarter({
        start,
        // The workers of a gateway stop together.
        followersPollNow: false,
        leaseMs: toLeaseMs(gateway.livePollMs),
        clock: toMonotonicClock(systemClock),
        createLease: (kind, listener) => createLease(`${name}:${kind}`, listener),
      }),
    pollNeeds: {
      add: (feeds) => channel.notify('pollNeeds', feeds),
      onRemote: (listener) => channel.handle('pollNeeds', listener),
    },
    rateCounts: {
      add: (counts) => channel.notify('rateCounts', counts),
      onRemote: (listener) => channel.handle('rateCounts', listener),
    },
    logins: {
      add: (login) => channel.notify('logins', login),
      onRemote: (listener) => channel.handle('logins', listener),
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
    async close() {},
  };
}

/** Returns a function that creates the leases of this worker, which the primary holds. */
function createLeases(channel: ChannelToPrimary) {
  const listeners = new Map<string, PollLeaseListener>();
  channel.handle('pollMessage', ({ id, message }) => listeners.get(id)?.(message));

  return (feed: string, listener: PollLeaseListener): PollLease => {
    const participant = { feed, id: randomUUID() };
    listeners.set(participant.id, listener);
    return {
      claim: (position) =>
        channel.request('claimPoll', { participant, position }, RESPONSE_TIMEOUT_MS).catch(() => undefined),
      publish: (step) =>
        channel.request('publishStep', { participant, step }, RESPONSE_TIMEOUT_MS).catch(() => undefined),
      wake: () => channel.notify('wakePoll', participant),
      close() {
        listeners.delete(participant.id);
        channel.notify('releasePoll', participant);
      },
    };
  };
}
