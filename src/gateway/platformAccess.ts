/** Gives each operation a connection to the platform: with the gateway's credential, or with its caller's. */
import type { CallerCredential } from '../http/auth/caller.js';
import { createUnauthenticatedError } from '../http/responses/sendError.js';
import type { Clock } from '../lib/clock.js';
import type { Logger } from '../lib/logger.js';
import { createSampleFeed } from '../live/sampleFeed.js';
import { createPollStarter } from '../live/samplePoll.js';
import type { SampleKind } from '../live/sampleTail.js';
import type { Credential } from '../rest/auth/requestToken.js';
import type { ResilienceLimits } from '../rest/resilience/resilienceLimits.js';
import { type CallerConnection, type ConnectionLease, createCallerConnections } from './callerConnections.js';
import type { Coordinator } from './coordinator.js';
import {
  type ConnectedPlatform,
  connectPlatform,
  connectWithCallerCredential,
  createSharedResources,
  type PlatformMetricValues,
  readSharedMetricValues,
} from './platform.js';

export type PlatformLease = ConnectionLease;

export interface PlatformAccess {
  /** `address` is the caller's. Rejects with a `GatewayError` if the platform refuses the credential. */
  lease(credential: CallerCredential | undefined, address: string): PlatformLease | Promise<PlatformLease>;
  /** Resolves when requests can be served. Rejects with the reason otherwise. */
  checkReady(): Promise<void>;
  /** All organizations of the account, by one REST call. Absent if callers use their own credentials. */
  organizationIds?(): Promise<ReadonlySet<number>>;
  /** Ends every subscription. */
  stopFeeds(): void;
  metricValues(): PlatformMetricValues;
  close(): Promise<void>;
}

export interface PlatformAccessOptions {
  platform: Credential & { url: string };
  /** Whether callers use their own credentials. */
  usesCallerCredentials: boolean;
  /** Overrides of the default limits. */
  resilience?: Partial<ResilienceLimits> | undefined;
  /** Number of items at which the platform ends a list. */
  maxListLength?: number | undefined;
  livePollMs: number;
  /** `livePollMs` by default. */
  liveMaxPollMs?: number | undefined;
  /** Polls for numbers without subscriptions too. */
  keepsPolling?: boolean | undefined;
  coordinator: Coordinator;
  clock: Clock;
  logger: Logger;
}

/** The kind whose last samples most operations ask for. */
const numbers: readonly SampleKind[] = ['SCALAR'];

export function createPlatformAccess(options: PlatformAccessOptions): PlatformAccess {
  return options.usesCallerCredentials
    ? createCallerCredentialAccess(options)
    : createGatewayCredentialAccess(options);
}

function createGatewayCredentialAccess(options: PlatformAccessOptions): PlatformAccess {
  const alwaysPolled = options.keepsPolling ? numbers : [];
  const { platform, feed, close } = toCallerConnection(connectPlatform(options), options, alwaysPolled);
  const lease = { platform, feed, release() {} };
  return {
    lease: () => lease,
    checkReady: platform.checkReady,
    organizationIds: async () => new Set((await platform.rest.organizations({})).map(({ id }) => id)),
    stopFeeds: feed.stop,
    metricValues: () => ({
      ...platform.sharedMetricValues(),
      remainingTokenRequests: platform.remainingTokenRequests(),
      breakerStates: platform.breakerStates(),
      subscriptions: feed.subscriptionCount(),
    }),
    close,
  };
}

/** The gateway has no credential to check, so it is always ready. */
function createCallerCredentialAccess(options: PlatformAccessOptions): PlatformAccess {
  const { platform, coordinator, clock } = options;
  const shared = createSharedResources(options);
  const connections = createCallerConnections({
    clock,
    failedLogins: coordinator.failedLogins,
    connect: (credential, onRefused) =>
      toCallerConnection(connectWithCallerCredential(platform.url, credential, shared, onRefused), options),
  });
  return {
    lease(credential, address) {
      if (credential === undefined) throw createUnauthenticatedError('Show your platform credential.');
      return connections.lease(credential, address);
    },
    async checkReady() {},
    stopFeeds: () => connections.stopFeeds(),
    metricValues: () => ({
      ...readSharedMetricValues(shared),
      remainingTokenRequests: undefined,
      ...connections.metricValues(),
    }),
    close: () => connections.close(),
  };
}

function toCallerConnection(
  platform: ConnectedPlatform,
  { clock, logger, livePollMs, liveMaxPollMs = livePollMs, coordinator }: PlatformAccessOptions,
  alwaysPolled: readonly SampleKind[] = [],
): CallerConnection {
  const { rest, keys, entryKey } = platform;
  const intervals = { pollMs: livePollMs, maxPollMs: liveMaxPollMs };
  const startPoll = createPollStarter({ rest, clock, logger, ...intervals });
  const polls = coordinator.polls({ name: keys.tag('samples'), entryKey }, startPoll);
  const feed = createSampleFeed(polls, { alwaysPolled });
  return {
    platform,
    feed,
    async close() {
      feed.stop();
      await platform.close();
    },
  };
}
