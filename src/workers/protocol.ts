/** What the primary and its workers say to each other. */
import type { LogLevel } from '../config/gatewaySettings.js';
import type { GatewayOptions } from '../gateway/gateway.js';
import type { MetricFamily } from '../lib/metricFamily.js';
import type { PollStep } from '../live/samplePoll.js';
import type { SampleKind, TailPosition } from '../live/sampleTail.js';
import type { StoredText } from '../rest/auth/sharedTokenStore.js';
import type { Sample } from '../sources/samples/samples.js';
import type { IpcChannel } from './ipcChannel.js';

/** What a worker serves: read from the environment by the primary, once for all. */
export interface WorkerAssignment {
  gateway: Omit<GatewayOptions, 'logger' | 'clock' | 'peers'>;
  /** How many workers there are. */
  workerCount: number;
  logLevel: LogLevel;
}

/** Samples that are followed together. */
export interface FeedName {
  /** Whose. */
  feed: string;
  kind: SampleKind;
}

/** What a leader's poll has brought. */
export interface LeaderStep extends FeedName, PollStep {
  leaderVersion: number;
}

/** What workers ask of the primary. */
export type PrimaryHandlers = {
  /** Asked first: from then on the worker is one of them. */
  begin(): WorkerAssignment;
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
  invalidate(tags: readonly string[]): void;
  /** Answered when the worker is told of all samples that arrive from now on. */
  follow(name: FeedName): void;
  unfollow(name: FeedName): void;
  /** Whether the primary takes them: not from one who leads no longer. */
  publishStep(step: LeaderStep): boolean;
  /** The heartbeat of a leader: its process runs, and its poll does not hang. */
  leading(version: FeedName & { term: number }): void;
  /** Operations of callers since the last word. */
  reportCounts(counts: readonly [caller: string, operations: number][]): void;
  /** Those of all processes together. */
  collectMetrics(): readonly MetricFamily[];
};

/** What the primary asks of a worker. */
export type WorkerHandlers = {
  /** Drain, and end. */
  stop(): void;
  /** Another worker dropped these tags. */
  invalidated(tags: readonly string[]): void;
  /** Poll for all who follow, from a place or from now on; answers where it begins. */
  lead(asked: FeedName & { term: number; from: TailPosition | undefined }): TailPosition;
  /** What another worker's poll has brought. */
  samples(arrived: FeedName & { samples: readonly Sample[] }): void;
  /** What another worker has counted. */
  remoteCounts(counts: readonly [caller: string, operations: number][]): void;
  readMetrics(): MetricFamily[];
};

export type ChannelToPrimary = IpcChannel<PrimaryHandlers, WorkerHandlers>;
export type ChannelToWorker = IpcChannel<WorkerHandlers, PrimaryHandlers>;

/** A worker, as the primary knows it. */
export interface ConnectedWorker {
  id: number;
  channel: ChannelToWorker;
}

/** One of the things that the primary keeps for all workers. */
export interface Coordinator {
  /** Before the worker serves. */
  addWorker(member: ConnectedWorker): void;
  /** When all that it said has been heard. */
  removeWorker?(member: ConnectedWorker): void;
}
