/** What the primary and its workers say to each other. */
import type { LogLevel } from '../config/gatewaySettings.js';
import type { GatewayOptions } from '../gateway.js';
import type { MetricFamily } from '../lib/metricFamily.js';
import type { PollStep } from '../live/samplePoll.js';
import type { SampleKind, TailPlace } from '../live/sampleTail.js';
import type { StoredText } from '../rest/token/sharedTokenStore.js';
import type { Sample } from '../sources/samples.js';
import type { Channel } from './channel.js';

/** What a worker serves: read from the environment by the primary, once for all. */
export interface Assignment {
  gateway: Omit<GatewayOptions, 'logger' | 'clock' | 'siblings'>;
  /** How many workers there are. */
  count: number;
  logLevel: LogLevel;
}

/** Samples that are followed together. */
export interface FeedName {
  /** Whose. */
  feed: string;
  kind: SampleKind;
}

/** What a leader's poll has brought. */
export interface LedStep extends FeedName, PollStep {
  term: number;
}

/** What workers ask of the primary. */
export type PrimaryAnswers = {
  /** Asked first: from then on the worker is one of them. */
  begin(): Assignment;
  /** It serves, at this address. */
  ready(url: string): void;
  /** Why it can't start, in words. */
  failed(text: string): void;
  readToken(asked: { name: string }): StoredText;
  replaceToken(asked: {
    name: string;
    version: string;
    text: string;
    lifeMs: number;
  }): StoredText & { isReplaced: boolean };
  /** These tags are dropped; answered when the other workers have done so, too. */
  drop(tags: readonly string[]): void;
  /** Answered when the worker is told of all samples that arrive from now on. */
  follow(name: FeedName): void;
  unfollow(name: FeedName): void;
  /** Whether the primary takes them: not from one who leads no longer. */
  led(step: LedStep): boolean;
  /** The heartbeat of a leader: its process runs, and its poll does not hang. */
  leading(version: FeedName & { term: number }): void;
  /** Operations of callers since the last word. */
  counted(counts: readonly [caller: string, operations: number][]): void;
  /** Those of all processes together. */
  collectMetrics(): readonly MetricFamily[];
};

/** What the primary asks of a worker. */
export type WorkerAnswers = {
  /** Drain, and end. */
  stop(): void;
  /** Another worker dropped these tags. */
  dropped(tags: readonly string[]): void;
  /** Poll for all who follow, from a place or from now on; answers where it begins. */
  lead(asked: FeedName & { term: number; from: TailPlace | undefined }): TailPlace;
  /** What another worker's poll has brought. */
  samples(arrived: FeedName & { samples: readonly Sample[] }): void;
  /** What another worker has counted. */
  countedElsewhere(counts: readonly [caller: string, operations: number][]): void;
  readMetrics(): MetricFamily[];
};

export type ChannelToPrimary = Channel<PrimaryAnswers, WorkerAnswers>;
export type ChannelToWorker = Channel<WorkerAnswers, PrimaryAnswers>;

/** A worker, as the primary knows it. */
export interface Member {
  id: number;
  channel: ChannelToWorker;
}

/** One of the things that the primary keeps for all workers. */
export interface Board {
  /** Before the worker serves. */
  join(member: Member): void;
  /** When all that it said has been heard. */
  leave?(member: Member): void;
}
