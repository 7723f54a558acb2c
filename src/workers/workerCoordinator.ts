/** The coordinator of a worker: shares state with the other workers through the primary. */
import { type Coordinator, createRateCountBatch } from '../gateway/coordinator.js';
import { HEARTBEAT_MS, MAX_STEP_MS } from '../gateway/sharing/pollLease.js';
import type { PolledSamples, SamplePoll, SamplePolls, StartPoll } from '../live/samplePoll.js';
import type { SampleKind } from '../live/sampleTail.js';
import {
  type ChannelToPrimary,
  type FeedLeadership,
  type FeedName,
  toFeedKey,
  type WorkerAssignment,
} from './protocol.js';

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
    sharesPolls: true,
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

interface FollowedFeed {
  name: FeedName;
  start: StartPoll;
  onPolled(polled: PolledSamples): void;
  /** Undefined while another worker polls. */
  poll: SamplePoll | undefined;
}

/** Longer than the primary waits for the leader's start. */
const FOLLOW_TIMEOUT_MS = MAX_STEP_MS + 10_000;
/** A worker that was suspended receives the response late. Without the response, its subscribers would miss samples. */
const PUBLISH_TIMEOUT_MS = 86_400_000;

/**
 * A worker's part in the poll that all workers share: it follows feeds, and leads those that the primary assigns to it.
 * Returns a function that creates the polls of one connection to the platform.
 */
export function createSharedPolls(channel: ChannelToPrimary) {
  const followed = new Map<string, FollowedFeed>();

  channel.handle('lead', ({ leaderVersion, from, ...name }) => {
    const feed = followed.get(toFeedKey(name));
    if (feed === undefined) throw new Error('This worker no longer follows the feed.');
    feed.poll?.stop();
    const poll = feed.start(name.kind, from, async (step) => {
      // Publish before delivering: after a change of leader, the new leader delivers these samples.
      const isAccepted = await channel.request(
        'publishStep',
        { ...name, leaderVersion, ...step },
        PUBLISH_TIMEOUT_MS,
      );
      if (isAccepted) feed.onPolled(step);
      else poll.stop();
    });
    feed.poll = poll;
    sendHeartbeats(feed, poll, { ...name, leaderVersion });
    return poll.ready;
  });
  channel.handle('polled', (step) => followed.get(toFeedKey(step))?.onPolled(step));
  channel.handle('wakePoll', (name) => followed.get(toFeedKey(name))?.poll?.wake());

  /** Sends heartbeats until the poll stops or another worker leads. Pauses while the poll hangs. */
  function sendHeartbeats(feed: FollowedFeed, poll: SamplePoll, leadership: FeedLeadership): void {
    const timer = setInterval(() => {
      if (feed.poll !== poll || poll.isStopped()) clearInterval(timer);
      else if (poll.busyMs() < MAX_STEP_MS) channel.notify('leading', leadership);
    }, HEARTBEAT_MS).unref();
  }

  /** Two connections of one credential may overlap, one closing and one opening: each needs its own name. */
  function toFreeName(feed: string, kind: SampleKind): FeedName {
    for (let suffix = 0; ; suffix++) {
      const name = { feed: `${feed} ${suffix}`, kind };
      if (!followed.has(toFeedKey(name))) return name;
    }
  }

  return (feedName: string, start: StartPoll): SamplePolls => ({
    follow(kind, onPolled) {
      const feed: FollowedFeed = { name: toFreeName(feedName, kind), start, onPolled, poll: undefined };
      const key = toFeedKey(feed.name);
      followed.set(key, feed);
      return {
        ready: channel.request('follow', feed.name, FOLLOW_TIMEOUT_MS),
        wake() {
          if (feed.poll !== undefined && !feed.poll.isStopped()) feed.poll.wake();
          else channel.notify('wakePoll', feed.name);
        },
        pollNow: async () => (await feed.poll?.pollNow()) ?? false,
        stop() {
          if (followed.get(key) !== feed) return;
          followed.delete(key);
          feed.poll?.stop();
          channel.notify('unfollow', feed.name);
        },
      };
    },
  });
}
