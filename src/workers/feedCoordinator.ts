/**
 * Elects, in the primary, one worker that polls the platform for all workers that follow the same samples, and forwards
 * its samples to the others. When the leader exits or hangs, another worker continues from the same position, so that each
 * sample is delivered exactly once.
 */
import { HEARTBEAT_MS, MAX_STEP_MS, toLeaseMs } from '../gateway/sharing/pollLease.js';
import type { Clock } from '../lib/clock.js';
import type { Logger } from '../lib/logger.js';
import type { TailPosition } from '../live/sampleTail.js';
import {
  type ConnectedWorker,
  type FeedLeadership,
  type FeedName,
  type LeaderStep,
  type PrimaryService,
  toFeedKey,
} from './protocol.js';

interface FeedCoordinatorOptions {
  /** Monotonic. */
  clock: Clock;
  pollMs: number;
  logger: Logger;
  /** Milliseconds between two checks for leaders that hang. */
  checkMs?: number;
}

interface FollowRequest {
  resolve(position: TailPosition): void;
  reject(error: unknown): void;
}

export class FeedCoordinator implements PrimaryService {
  readonly #feeds = new Map<string, SharedFeed>();
  readonly #options: FeedCoordinatorOptions;

  constructor(options: FeedCoordinatorOptions) {
    this.#options = options;
    const replaceHungLeaders = () => {
      for (const feed of this.#feeds.values()) feed.replaceHungLeader();
    };
    setInterval(replaceHungLeaders, options.checkMs ?? HEARTBEAT_MS).unref();
  }

  addWorker(worker: ConnectedWorker): void {
    const { channel } = worker;
    channel.handle('follow', (name) => this.#getOrCreate(name).follow(worker));
    channel.handle('unfollow', (name) => this.#feeds.get(toFeedKey(name))?.unfollow(worker));
    channel.handle('wakePoll', (name) => this.#feeds.get(toFeedKey(name))?.wake(worker));
    channel.handle('publishStep', (step) => this.#feeds.get(toFeedKey(step))?.publish(worker, step) ?? false);
    channel.handle('leading', (leadership) =>
      this.#feeds.get(toFeedKey(leadership))?.renew(worker, leadership),
    );
  }

  removeWorker(worker: ConnectedWorker): void {
    for (const feed of this.#feeds.values()) feed.unfollow(worker);
  }

  #getOrCreate(name: FeedName): SharedFeed {
    const key = toFeedKey(name);
    const onEmpty = () => void this.#feeds.delete(key);
    const { feed, kind } = name;
    const shared = this.#feeds.get(key) ?? new SharedFeed({ feed, kind }, this.#options, onEmpty);
    this.#feeds.set(key, shared);
    return shared;
  }
}

class SharedFeed {
  readonly #name: FeedName;
  readonly #clock: Clock;
  readonly #leaseMs: number;
  readonly #logger: Logger;
  readonly #onEmpty: () => void;
  /** In the order in which they would become leader. */
  readonly #followers = new Set<ConnectedWorker>();
  #leader: ConnectedWorker | undefined;
  /** Counts elections: messages of an earlier leader are ignored. */
  #leaderVersion = 0;
  /** Time of the election or of the leader's last message. */
  #renewedAtMs = 0;
  /** All samples up to this position are delivered. Undefined until a leader has begun. */
  #position: TailPosition | undefined;
  /** The time of the last step that had reached the present. */
  #asOfMs: number | undefined;
  #waiting: FollowRequest[] = [];

  constructor(name: FeedName, { clock, pollMs, logger }: FeedCoordinatorOptions, onEmpty: () => void) {
    this.#name = name;
    this.#clock = clock;
    this.#leaseMs = toLeaseMs(pollMs);
    this.#logger = logger;
    this.#onEmpty = onEmpty;
  }

  /** The position after which the worker receives everything, when the poll has begun. */
  follow(worker: ConnectedWorker): Promise<TailPosition> | TailPosition {
    this.#followers.add(worker);
    if (this.#leader === undefined) void this.#elect();
    if (this.#position !== undefined) return this.#position;
    return new Promise((resolve, reject) => this.#waiting.push({ resolve, reject }));
  }

  unfollow(worker: ConnectedWorker): void {
    if (!this.#followers.delete(worker)) return;
    if (this.#leader === worker) void this.#elect();
  }

  /** Returns whether the worker still leads. Only then are the samples forwarded, and the leader delivers its own. */
  publish(
    worker: ConnectedWorker,
    { leaderVersion, samples, position, asOfMs, isPartial, refusal }: LeaderStep,
  ): boolean {
    if (!this.#isLedBy(worker, leaderVersion)) return false;
    this.#renewedAtMs = this.#clock.now();
    this.#position = position;
    this.#asOfMs = asOfMs ?? this.#asOfMs;
    for (const follower of this.#followers) {
      if (follower !== worker)
        follower.channel.notify('polled', { ...this.#name, samples, position, asOfMs, isPartial, refusal });
    }
    return true;
  }

  renew(worker: ConnectedWorker, { leaderVersion }: FeedLeadership): void {
    if (this.#isLedBy(worker, leaderVersion)) this.#renewedAtMs = this.#clock.now();
  }

  /** The leader wakes its own poll. */
  wake(worker: ConnectedWorker): void {
    if (this.#leader !== worker) this.#leader?.channel.notify('wakePoll', this.#name);
  }

  /** The next follower leads. The worker that hangs stays a follower and leads again only after all others. */
  replaceHungLeader(): void {
    const leader = this.#leader;
    if (leader === undefined || this.#followers.size < 2) return;
    const silentMs = this.#clock.now() - this.#renewedAtMs;
    if (silentMs <= this.#leaseMs) return;
    const { kind } = this.#name;
    this.#logger.warn(
      { kind, silentMs: Math.round(silentMs) },
      'The polling worker does not respond; another worker takes over',
    );
    this.#followers.delete(leader);
    this.#followers.add(leader);
    void this.#elect();
  }

  #isLedBy(worker: ConnectedWorker, leaderVersion: number): boolean {
    return this.#leader === worker && this.#leaderVersion === leaderVersion;
  }

  /** Elects the worker that has followed for longest. */
  async #elect(): Promise<void> {
    const [leader] = this.#followers;
    this.#leader = leader;
    this.#renewedAtMs = this.#clock.now();
    const leaderVersion = ++this.#leaderVersion;
    if (leader === undefined) return this.#onEmpty();
    try {
      const from = this.#position && { ...this.#position, asOfMs: this.#asOfMs };
      const request = { ...this.#name, leaderVersion, from };
      const position = await leader.channel.request('lead', request, MAX_STEP_MS);
      if (this.#leaderVersion === leaderVersion) this.#begin(position);
    } catch (error) {
      if (this.#leaderVersion === leaderVersion) this.#giveUp(leader, error);
    }
  }

  #begin(position: TailPosition): void {
    this.#position ??= position;
    for (const { resolve } of this.#waiting.splice(0)) resolve(this.#position);
  }

  /** If no poll has started yet, all followers fail and may try again. Otherwise another follower becomes leader. */
  #giveUp(leader: ConnectedWorker, error: unknown): void {
    if (this.#position === undefined) this.#followers.clear();
    else this.#followers.delete(leader);
    for (const { reject } of this.#waiting.splice(0)) reject(error);
    void this.#elect();
  }
}
