/**
 * Has, in the primary, one worker poll the platform for all that follow the same samples, hands what it brings to
 * the others, and lets another go on from the same place when it leaves or dies: nothing is lost, nothing told twice.
 */
import type { Clock } from '../lib/clock.js';
import type { TailPosition } from '../live/sampleTail.js';
import { hasExpired } from './lease.js';
import type { ConnectedWorker, Coordinator, FeedName, LeaderStep } from './protocol.js';

interface Feed {
  name: FeedName;
  followers: Set<ConnectedWorker>;
  leader: ConnectedWorker | undefined;
  /** Counts leaders: what one says whose time is over is not heard. */
  leaderVersion: number;
  /** When the leader was elected or last heard of. */
  renewedAtMs: number;
  /** How far the samples have been handed out; undefined until a leader has begun. */
  position: TailPosition | undefined;
  /** Followers who are told when it has begun. */
  waiting: { resolve(): void; reject(error: unknown): void }[];
}

/** To find the start takes a few calls, each with patience. */
export const MAX_START_MS = 150_000;

export interface FeedBoardOptions {
  /** May not go back. */
  clock: Clock;
  pollMs: number;
  /** Milliseconds between two looks for leaders that hang. */
  checkMs?: number;
}

const CHECK_MS = 1000;

export function createFeedCoordinator({ clock, pollMs, checkMs = CHECK_MS }: FeedBoardOptions): Coordinator {
  const feeds = new Map<string, Feed>();
  setInterval(replaceHungLeaders, checkMs).unref();

  function feedOf(name: FeedName): Feed {
    const key = toKey(name);
    const feed = feeds.get(key) ?? createFeed(name);
    feeds.set(key, feed);
    return feed;
  }

  /** The one that has followed for longest leads. */
  async function elect(feed: Feed): Promise<void> {
    const [leader] = feed.followers;
    feed.leader = leader;
    feed.renewedAtMs = clock.now();
    const term = ++feed.leaderVersion;
    if (leader === undefined) return void feeds.delete(toKey(feed.name));
    try {
      const asked = { ...feed.name, term, from: feed.position };
      const position = await leader.channel.request('lead', asked, MAX_START_MS);
      if (feed.leaderVersion === term) begin(feed, position);
    } catch (error) {
      if (feed.leaderVersion === term) giveUp(feed, leader, error);
    }
  }

  /** The next follower leads; the one that hangs stays a follower, and leads again only after all others. */
  function replaceHungLeaders(): void {
    for (const feed of feeds.values()) {
      const { leader, followers, renewedAtMs } = feed;
      const hasOther = followers.size > 1;
      if (leader === undefined || !hasOther || !hasExpired({ renewedAtMs, pollMs }, clock.now())) continue;
      followers.delete(leader);
      followers.add(leader);
      void elect(feed);
    }
  }

  /** Undefined where another leads, or the same member by a later election. */
  function feedLedBy(
    member: ConnectedWorker,
    { term, ...name }: FeedName & { term: number },
  ): Feed | undefined {
    const feed = feeds.get(toKey(name));
    return feed?.leader === member && feed.leaderVersion === term ? feed : undefined;
  }

  function renew(member: ConnectedWorker, version: FeedName & { term: number }): void {
    const feed = feedLedBy(member, version);
    if (feed) feed.renewedAtMs = clock.now();
  }

  function begin(feed: Feed, position: TailPosition): void {
    feed.position ??= position;
    for (const { resolve } of feed.waiting.splice(0)) resolve();
  }

  /** What could not begin is for its followers to try again; what had begun goes on with another. */
  function giveUp(feed: Feed, leader: ConnectedWorker, error: unknown): void {
    if (feed.position === undefined) feed.followers.clear();
    else feed.followers.delete(leader);
    for (const { reject } of feed.waiting.splice(0)) reject(error);
    void elect(feed);
  }

  function follow(member: ConnectedWorker, name: FeedName): Promise<void> | undefined {
    const feed = feedOf(name);
    feed.followers.add(member);
    if (feed.leader === undefined) void elect(feed);
    if (feed.position !== undefined) return undefined;
    return new Promise((resolve, reject) => feed.waiting.push({ resolve, reject }));
  }

  function unfollow(member: ConnectedWorker, feed: Feed): void {
    feed.followers.delete(member);
    if (feed.leader === member) void elect(feed);
  }

  /** Whether the samples were the next ones, and have been handed out: the leader's own then follow. */
  function handOut(
    member: ConnectedWorker,
    { leaderVersion: term, samples, position, ...name }: LeaderStep,
  ): boolean {
    const feed = feedLedBy(member, { ...name, term });
    if (feed === undefined) return false;
    feed.renewedAtMs = clock.now();
    feed.position = position;
    if (samples.length === 0) return true;
    for (const follower of feed.followers) {
      if (follower !== member) follower.channel.notify('samples', { ...name, samples });
    }
    return true;
  }

  return {
    addWorker(member) {
      const { channel } = member;
      channel.handle('follow', (name) => follow(member, name));
      channel.handle('unfollow', (name) => {
        const feed = feeds.get(toKey(name));
        if (feed) unfollow(member, feed);
      });
      channel.handle('publishStep', (step) => handOut(member, step));
      channel.handle('leading', (version) => renew(member, version));
    },
    removeWorker(member) {
      for (const feed of feeds.values()) if (feed.followers.has(member)) unfollow(member, feed);
    },
  };
}

function createFeed(name: FeedName): Feed {
  return {
    name,
    followers: new Set(),
    leader: undefined,
    leaderVersion: 0,
    renewedAtMs: 0,
    position: undefined,
    waiting: [],
  };
}

function toKey({ feed, kind }: FeedName): string {
  return JSON.stringify([feed, kind]);
}
