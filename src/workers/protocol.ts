/** The requests between the primary and its workers. */
import type { FailedLogin, RateCounts } from '../gateway/coordinator.js';
import type { GatewayOptions } from '../gateway/gatewayOptions.js';
import type { MetricFamily } from '../gateway/metricTable.js';
import type { LogLevel } from '../lib/logger.js';
import type { PolledSamples } from '../live/samplePoll.js';
import type { SampleKind, TailPosition } from '../live/sampleTail.js';
import type { StoredText } from '../rest/auth/tokenStateStore.js';
import type { IpcChannel } from './ipcChannel.js';

/** The configuration of a worker. The primary reads the environment once for all workers. */
export interface WorkerAssignment {
  gateway: Omit<GatewayOptions, 'logger' | 'clock' | 'coordinator'>;
  gatewayId: string;
  workerId: number;
  /** Authenticates requests that workers forward to each other. */
  secret: string;
  workerCount: number;
  logLevel: LogLevel;
}

/** Ports of the loopback address. */
type WorkerPorts = readonly (readonly [workerId: number, port: number])[];

/** Samples that workers follow together. */
export interface FeedName {
  /** Unique per credential. */
  feed: string;
  kind: SampleKind;
}

export function toFeedKey({ feed, kind }: FeedName): string {
  return JSON.stringify([feed, kind]);
}

/** A feed, and the version of the leader that the primary elected for it. */
export interface FeedLeadership extends FeedName {
  leaderVersion: number;
}

/** A step of the leader's poll. */
export interface LeaderStep extends FeedLeadership, PolledSamples {}

/** Requests of a worker to the primary. */
export type PrimaryHandlers = {
  /** The first request of a worker. Afterwards the worker takes part in everything that workers share. */
  begin(): WorkerAssignment;
  /** The worker serves requests at this address. */
  ready(url: string): void;
  /** The worker takes requests that other workers forward at this port of the loopback address. */
  announcePort(port: number): void;
  /** The worker can't start; the text is for the operator. */
  failed(text: string): void;
  readToken(token: { name: string }): StoredText;
  replaceToken(token: {
    name: string;
    version: string;
    text: string;
    lifeMs: number;
  }): StoredText & { isReplaced: boolean };
  /** Responds when the other workers have invalidated these tags too. */
  invalidate(tags: readonly string[]): void;
  /** Responds when the worker receives all samples that arrive from now on, with the position after which they begin. */
  follow(name: FeedName): TailPosition;
  unfollow(name: FeedName): void;
  /** Somebody has subscribed: the leader polls at once, see `PollSubscription`. */
  wakePoll(name: FeedName): void;
  /** Responds with false if another worker is now the leader; the step is then discarded. */
  publishStep(step: LeaderStep): boolean;
  /** The heartbeat of a leader whose poll does not hang. */
  leading(leadership: FeedLeadership): void;
  /** Operations of callers since the last report. */
  reportCounts(counts: RateCounts): void;
  reportFailedLogin(login: FailedLogin): void;
  /** The sum over all processes. */
  collectMetrics(): readonly MetricFamily[];
};

/** Requests of the primary to a worker. */
export type WorkerHandlers = {
  /** Drain and exit. */
  stop(): void;
  /** The ports at which the running workers take requests from each other. */
  workerPorts(ports: WorkerPorts): void;
  /** Another worker invalidated these tags. */
  invalidated(tags: readonly string[]): void;
  /** Poll for all followers, from a position or from now on. Responds with the position at which the poll begins. */
  lead(leadership: FeedLeadership & { from: TailPosition | undefined }): TailPosition;
  /** Another worker polled. */
  polled(step: FeedName & PolledSamples): void;
  /** Poll at once, because another worker has a new subscriber. */
  wakePoll(name: FeedName): void;
  /** Operations that another worker counted. */
  remoteCounts(counts: RateCounts): void;
  remoteFailedLogin(login: FailedLogin): void;
  readMetrics(): MetricFamily[];
};

export type ChannelToPrimary = IpcChannel<PrimaryHandlers, WorkerHandlers>;
type ChannelToWorker = IpcChannel<WorkerHandlers, PrimaryHandlers>;

/** A worker, as the primary sees it. */
export interface ConnectedWorker {
  id: number;
  channel: ChannelToWorker;
}

/** A part of the primary that holds or forwards one kind of shared state. */
export interface PrimaryService {
  /** Called before the worker serves requests. */
  addWorker(worker: ConnectedWorker): void;
  /** Called after the last message of the worker. */
  removeWorker?(worker: ConnectedWorker): void;
}
