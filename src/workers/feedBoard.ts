/**
 * Has, in the primary, one worker poll the platform for all that follow the same samples, hands what it brings to
 * the others, and lets another go on from the same place when it leaves or dies: nothing is lost, nothing told twice.
 */
import type { Clock } from '../lib/clock.js';
import type { TailPlace } from '../live/sampleTail.js';
import { hasExpired } from './lease.js';
import type { Board, FeedName, LedStep, Member } from './protocol.js';

interface Feed {
  name: FeedName;
  followers: Set<Member>;
  leader: Member | undefined;
  /** Counts leaders: what one says whose time is over is not heard. */
  term: number;
  /** When the leader was elected or last heard of. */
  renewedAtMs: number;
  /** How far the samples have been handed out; undefined until a leader has begun. */
  place: TailPlace | undefined;
  /** Followers who are told when it has begun. */
  waiting: { resolve(): void; reject(error: unknown): void }[];
}

/** To find the start takes a few calls, each with patience. */
export const LONGEST_START_MS = 150_000;

export interface FeedBoardOptions {
  /** May not go back. */
  clock: Clock;
  pollMs: number;
  /** Milliseconds between two looks for leaders that hang. */
  checkMs?: number;
}

const CHECK_MS = 1000;

export function createFeedBoard({ clock, pollMs, checkMs = CHECK_MS }: FeedBoardOptions): Board {
  const feeds = new Map<string, Feed>();
  setInterval(replaceHungLeaders, checkMs).unref();

  function feedOf(name: FeedName): Feed {
    const key = toKey(name);
    const feed = feeds.get(key) ?? newFeed(name);
    feeds.set(key, feed);
    return feed;
  }

  /** The one that has followed for longest leads. */
  async function elect(feed: Feed): Promise<void> {
    const [leader] = feed.followers;
    feed.leader = leader;
    feed.renewedAtMs = clock.now();
    const term = ++feed.term;
    if (leader === undefined) return void feeds.delete(toKey(feed.name));
    try {
      const asked = { ...feed.name, term, from: feed.place };
      const place = await leader.channel.ask('lead', asked, LONGEST_START_MS);
      if (feed.term === term) begin(feed, place);
    } catch (error) {
      if (feed.term === term) giveUp(feed, leader, error);
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
  function feedLedBy(member: Member, { term, ...name }: FeedName & { term: number }): Feed | undefined {
    const feed = feeds.get(toKey(name));
    return feed?.leader === member && feed.term === term ? feed : undefined;
  }

  function renew(member: Member, version: FeedName & { term: number }): void {
    const feed = feedLedBy(member, version);
    if (feed) feed.renewedAtMs = clock.now();
  }

  function begin(feed: Feed, place: TailPlace): void {
    feed.place ??= place;
    for (const { resolve } of feed.waiting.splice(0)) resolve();
  }

  /** What could not begin is for its followers to try again; what had begun goes on with another. */
  function giveUp(feed: Feed, leader: Member, error: unknown): void {
    if (feed.place === undefined) feed.followers.clear();
    else feed.followers.delete(leader);
    for (const { reject } of feed.waiting.splice(0)) reject(error);
    void elect(feed);
  }

  function follow(member: Member, name: FeedName): Promise<void> | undefined {
    const feed = feedOf(name);
    feed.followers.add(member);
    if (feed.leader === undefined) void elect(feed);
    if (feed.place !== undefined) return undefined;
    return new Promise((resolve, reject) => feed.waiting.push({ resolve, reject }));
  }

  function unfollow(member: Member, feed: Feed): void {
    feed.followers.delete(member);
    if (feed.leader === member) void elect(feed);
  }

  /** Whether the samples were the next ones, and have been handed out: the leader's own then follow. */
  function handOut(member: Member, { term, samples, place, ...name }: LedStep): boolean {
    const feed = feedLedBy(member, { ...name, term });
    if (feed === undefined) return false;
    feed.renewedAtMs = clock.now();
    feed.place = place;
    if (samples.length === 0) return true;
    for (const follower of feed.followers) {
      if (follower !== member) follower.channel.tell('samples', { ...name, samples });
    }
    return true;
  }

  return {
    join(member) {
      const { channel } = member;
      channel.answer('follow', (name) => follow(member, name));
      channel.answer('unfollow', (name) => {
        const feed = feeds.get(toKey(name));
        if (feed) unfollow(member, feed);
      });
      channel.answer('led', (step) => handOut(member, step));
      channel.answer('leading', (version) => renew(member, version));
    },
    leave(member) {
      for (const feed of feeds.values()) if (feed.followers.has(member)) unfollow(member, feed);
    },
  };
}

function newFeed(name: FeedName): Feed {
  return {
    name,
    followers: new Set(),
    leader: undefined,
    term: 0,
    renewedAtMs: 0,
    place: undefined,
    waiting: [],
  };
}

function toKey({ feed, kind }: FeedName): string {
  return JSON.stringify([feed, kind]);
}
