/** The requests between the primary and its workers. */
import type { Invalidation } from '../cache/tieredStore.js';
import type { VerifiedLogin } from '../gateway/coordinator.js';
import type { GatewayOptions } from '../gateway/gatewayOptions.js';
import type { OpenWork } from '../gateway/logging.js';
import type { MetricFamily } from '../gateway/metricTable.js';
import type { LeaseMessage, LeaseState, PublishedStep } from '../gateway/sharing/pollLease.js';
import type { RateCounts } from '../http/rateLimits/callerRateLimiter.js';
import type { LogLevel } from '../lib/logger.js';
import type { TailPosition } from '../live/sampleTail.js';
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

/** A poll of a worker that takes part in the poll of all workers. */
export interface PollParticipant {
  /** Names the samples of one credential and kind. */
  feed: string;
  /** Unique among the polls of all workers. */
  id: string;
}

/** Reports of a worker, which the primary passes on to the others under the same names. */
type ReportHandlers = {
  /** Operations of callers since the last report. */
  rateCounts(counts: RateCounts): void;
  logins(login: VerifiedLogin): void;
  /** Feeds that have subscribers in the worker. */
  pollNeeds(feeds: readonly string[]): void;
};

export const reportKinds = ['rateCounts', 'logins', 'pollNeeds'] as const;

/** Requests of a worker to the primary. */
export type PrimaryHandlers = ReportHandlers & {
  /** The first request of a worker. Afterwards the worker takes part in everything that workers share. */
  begin(): WorkerAssignment;
  /** The worker serves requests at this address. */
  ready(url: string): void;
  /** The worker takes requests that other workers forward at this port of the loopback address. */
  announcePort(port: number): void;
  /** The worker has drained and exits. It has cut off this number of responses. */
  stopped(cutOff: number): void;
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
  invalidate(invalidation: Invalidation): void;
  /** The methods of `PollLease`. */
  claimPoll(claim: { participant: PollParticipant; position: TailPosition | undefined }): LeaseState;
  publishStep(published: { participant: PollParticipant; step: PublishedStep }): boolean;
  wakePoll(participant: PollParticipant): void;
  releasePoll(participant: PollParticipant): void;
  /** The sum over all processes. */
  collectMetrics(): readonly MetricFamily[];
};

/** Requests of the primary to a worker. */
export type WorkerHandlers = ReportHandlers & {
  /** Drain and exit. Responds when the drain begins. */
  stop(): OpenWork;
  /** Responds at once if the event loop runs. */
  ping(): void;
  /** The ports at which the running workers take requests from each other. */
  workerPorts(ports: WorkerPorts): void;
  invalidated(invalidation: Invalidation): void;
  pollMessage(addressed: { id: string; message: LeaseMessage }): void;
  readMetrics(): MetricFamily[];
};

export type ChannelToPrimary = IpcChannel<PrimaryHandlers, WorkerHandlers>;
/** A worker, as the primary sees it. */
export interface ConnectedWorker {
  id: number;
  channel: IpcChannel<WorkerHandlers, PrimaryHandlers>;
}

/** A part of the primary that holds or forwards one kind of shared state. */
export interface PrimaryService {
  /** Called before the worker serves requests. */
  addWorker(worker: ConnectedWorker): void;
  /** Called after the last message of the worker. */
  removeWorker?(worker: ConnectedWorker): void;
}
