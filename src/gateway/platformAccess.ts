/** How operations reach the platform: all with the gateway's own credential, or each with its caller's. */

import { createUnauthenticatedError } from '../http/auth/authErrors.js';
import type { CallerCredential } from '../http/auth/caller.js';
import type { Clock } from '../lib/clock.js';
import type { Logger } from '../lib/logger.js';
import { createSampleFeed } from '../live/sampleFeed.js';
import { createLocalPolls, createPollStarter } from '../live/samplePoll.js';
import type { Credential } from '../rest/auth/requestToken.js';
import type { ResilienceLimits } from '../rest/resilience/resilienceLimits.js';
import {
  type CallerConnection,
  type CallerConnections,
  type ConnectionLease,
  createCallerConnections,
} from './callerConnections.js';
import type { Peers } from './peers.js';
import {
  type ConnectedPlatform,
  connectPlatform,
  connectWithCallerCredential,
  createSharedResources,
  type PlatformMetricValues,
  readSharedMetricValues,
  type SharedResources,
} from './platform.js';

export type PlatformLease = ConnectionLease;

export interface PlatformAccess {
  /**
   * Takes the address that the caller comes from. Rejects with a `GatewayError` where the platform does not let the
   * caller in.
   */
  lease(credential: CallerCredential | undefined, address: string): PlatformLease | Promise<PlatformLease>;
  /** Resolves when callers can be served; rejects with the reason when they can't. */
  checkReady(): Promise<void>;
  /** The ids of all organizations of the account, by one REST call; absent where callers bring their own credentials. */
  organizationIds?(): Promise<ReadonlySet<number>>;
  /** Ends every subscription. */
  stopFeeds(): void;
  metricValues(): PlatformMetricValues;
  close(): Promise<void>;
}

export interface PlatformAccessOptions {
  platform: Credential & { url: string };
  /** Whether callers bring their own credentials. */
  usesCallerCredentials: boolean;
  redisUrl?: string | undefined;
  /** Where other numbers than the usual ones are wanted. */
  resilience?: Partial<ResilienceLimits> | undefined;
  livePollMs: number;
  peers?: Peers | undefined;
  clock: Clock;
  logger: Logger;
}

export function createPlatformAccess(options: PlatformAccessOptions): PlatformAccess {
  return options.usesCallerCredentials
    ? createCallerCredentialAccess(options)
    : createGatewayCredentialAccess(options);
}

function createGatewayCredentialAccess(options: PlatformAccessOptions): PlatformAccess {
  const { redisUrl, ...parts } = options;
  const { platform, feed, close } = toCallerConnection(connectPlatform({ ...parts, redisUrl }), options);
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

/** There is no credential to try: it is ready when it runs. */
function createCallerCredentialAccess(options: PlatformAccessOptions): PlatformAccess {
  const { redisUrl, resilience, peers, clock, logger } = options;
  const shared = createSharedResources({ redisUrl, resilience, peers, clock, logger });
  const connections = createConnectionPoolForCallers(options, shared);
  return {
    lease(credential, address) {
      if (credential === undefined) throw createUnauthenticatedError('Show your platform credential.');
      return connections.lease(credential, address);
    },
    async checkReady() {},
    stopFeeds: connections.stopFeeds,
    metricValues: () => ({
      ...readSharedMetricValues(shared),
      remainingTokenRequests: undefined,
      ...connections.metricValues(),
    }),
    async close() {
      await connections.close();
      await shared.redis?.close();
    },
  };
}

function createConnectionPoolForCallers(
  options: PlatformAccessOptions,
  shared: SharedResources,
): CallerConnections {
  const { platform, clock } = options;
  return createCallerConnections({
    clock,
    connect: (credential, onRefused) =>
      toCallerConnection(connectWithCallerCredential(platform.url, credential, shared, onRefused), options),
  });
}

function toCallerConnection(
  platform: ConnectedPlatform,
  { clock, logger, livePollMs, peers }: PlatformAccessOptions,
): CallerConnection {
  const { rest, keys } = platform;
  const startPoll = createPollStarter({ rest, clock, logger, pollMs: livePollMs });
  const polls = peers?.polls(keys.tag('samples'), startPoll) ?? createLocalPolls(startPoll);
  const feed = createSampleFeed(polls);
  return {
    platform,
    feed,
    async close() {
      feed.stop();
      await platform.close();
    },
  };
}
