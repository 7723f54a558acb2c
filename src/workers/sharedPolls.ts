/** A worker's part in the one poll of the platform for all: it follows, and leads when the primary says so. */
import type { SamplePoll, SamplePolls, StartPoll } from '../live/samplePoll.js';
import type { SampleKind } from '../live/sampleTail.js';
import type { Sample } from '../sources/samples/samples.js';
import { MAX_START_MS } from './feedCoordinator.js';
import { HEARTBEAT_MS } from './lease.js';
import type { ChannelToPrimary, FeedName } from './protocol.js';

interface FollowedFeed {
  name: FeedName;
  start: StartPoll;
  onSamples(samples: readonly Sample[]): void;
  /** Undefined while another worker polls. */
  leading: SamplePoll | undefined;
}

/** The primary's word on how the start ended comes before this. */
const FOLLOW_TIMEOUT_MS = MAX_START_MS + 10_000;
/** A step that takes longer hangs: another worker leads then. */
const MAX_STEP_MS = MAX_START_MS;
/** A worker that was stopped hears the primary's word late; without it, its subscribers would miss samples. */
const LED_DEADLINE_MS = 86_400_000;

/** Polls by the name of what is followed: for each of a worker's connections to the platform. */
export function createSharedPolls(channel: ChannelToPrimary) {
  const followed = new Map<string, FollowedFeed>();

  channel.handle('lead', ({ term, from, ...name }) => {
    const one = followed.get(toKey(name));
    if (one === undefined) throw new Error('It is not followed here any more.');
    one.leading?.stop();
    const poll = one.start(name.kind, from, async (step) => {
      // Asked first: once another leads, these samples are that one's to hand out.
      if (await channel.request('publishStep', { ...name, leaderVersion: term, ...step }, LED_DEADLINE_MS))
        one.onSamples(step.samples);
      else poll.stop();
    });
    one.leading = poll;
    sendHeartbeats(one, poll, { ...name, term });
    return poll.ready;
  });
  channel.handle('samples', ({ samples, ...name }) => followed.get(toKey(name))?.onSamples(samples));

  /** For as long as the poll leads and does not hang. */
  function sendHeartbeats(one: FollowedFeed, poll: SamplePoll, version: FeedName & { term: number }): void {
    const timer = setInterval(() => {
      if (one.leading !== poll || poll.isStopped()) clearInterval(timer);
      else if (poll.busyMs() < MAX_STEP_MS) channel.notify('leading', version);
    }, HEARTBEAT_MS).unref();
  }

  /** Two connections of one credential may follow the same for a while: one that ends, and the next. */
  function freeName(feed: string, kind: SampleKind): FeedName {
    for (let turn = 0; ; turn++) {
      const name = { feed: `${feed} ${turn}`, kind };
      if (!followed.has(toKey(name))) return name;
    }
  }

  return (feed: string, start: StartPoll): SamplePolls => ({
    follow(kind, onSamples) {
      const one: FollowedFeed = { name: freeName(feed, kind), start, onSamples, leading: undefined };
      const key = toKey(one.name);
      followed.set(key, one);
      return {
        ready: channel.request('follow', one.name, FOLLOW_TIMEOUT_MS),
        stop() {
          if (followed.get(key) !== one) return;
          followed.delete(key);
          one.leading?.stop();
          channel.notify('unfollow', one.name);
        },
      };
    },
  });
}

function toKey({ feed, kind }: FeedName): string {
  return JSON.stringify([feed, kind]);
}
