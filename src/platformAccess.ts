/** How operations reach the platform: all with the gateway's own credential, or each with its caller's. */
import {
  type CallerConnections,
  type Connection,
  createCallerConnections,
  type Lease,
} from './callerConnections.js';
import type { CallerCredential } from './http/callers/caller.js';
import { unauthenticated } from './http/callers/refusals.js';
import type { Clock } from './lib/clock.js';
import type { Logger } from './lib/logger.js';
import type { MaybePromise } from './lib/maybePromise.js';
import { createSampleFeed } from './live/sampleFeed.js';
import { createOwnPolls, createPollStarter } from './live/samplePoll.js';
import {
  type ConnectedPlatform,
  connectAsCaller,
  connectPlatform,
  createSharedParts,
  type PlatformReadings,
  readSharedParts,
  type SharedParts,
} from './platform.js';
import type { PatienceLimits } from './rest/patience/patienceLimits.js';
import type { Credential } from './rest/token/requestToken.js';
import type { Siblings } from './siblings.js';

export type PlatformLease = Lease;

export interface PlatformAccess {
  /**
   * Takes the address that the caller comes from. Rejects with a `GatewayError` where the platform does not let the
   * caller in.
   */
  lease(credential: CallerCredential | undefined, address: string): MaybePromise<PlatformLease>;
  /** Resolves when callers can be served; rejects with the reason when they can't. */
  checkReady(): Promise<void>;
  /** The ids of all organizations of the account, by one REST call; absent where callers bring their own credentials. */
  organizationIds?(): Promise<ReadonlySet<number>>;
  /** Ends every subscription. */
  stopFeeds(): void;
  read(): PlatformReadings;
  close(): Promise<void>;
}

export interface PlatformAccessOptions {
  platform: Credential & { url: string };
  /** Whether callers bring their own credentials. */
  isCallers: boolean;
  redisUrl?: string | undefined;
  /** Where other numbers than the usual ones are wanted. */
  patience?: Partial<PatienceLimits> | undefined;
  livePollMs: number;
  siblings?: Siblings | undefined;
  clock: Clock;
  logger: Logger;
}

export function createPlatformAccess(options: PlatformAccessOptions): PlatformAccess {
  return options.isCallers ? createCallersAccess(options) : createOwnAccess(options);
}

function createOwnAccess(options: PlatformAccessOptions): PlatformAccess {
  const { redisUrl, ...parts } = options;
  const { platform, feed, close } = toConnection(connectPlatform({ ...parts, redisUrl }), options);
  const lease = { platform, feed, end() {} };
  return {
    lease: () => lease,
    checkReady: platform.checkReady,
    organizationIds: async () => new Set((await platform.rest.organizations({})).map(({ id }) => id)),
    stopFeeds: feed.stop,
    read: () => ({
      ...platform.readShared(),
      tokenRequestsLeft: platform.tokenRequestsLeft(),
      breakers: platform.breakers(),
      subscriptions: feed.size(),
    }),
    close,
  };
}

/** There is no credential to try: it is ready when it runs. */
function createCallersAccess(options: PlatformAccessOptions): PlatformAccess {
  const { redisUrl, patience, siblings, clock, logger } = options;
  const shared = createSharedParts({ redisUrl, patience, siblings, clock, logger });
  const connections = createConnections(options, shared);
  return {
    lease(credential, address) {
      if (credential === undefined) throw unauthenticated('Show your platform credential.');
      return connections.lease(credential, address);
    },
    async checkReady() {},
    stopFeeds: connections.stopFeeds,
    read: () => ({ ...readSharedParts(shared), tokenRequestsLeft: undefined, ...connections.read() }),
    async close() {
      await connections.close();
      await shared.redis?.close();
    },
  };
}

function createConnections(options: PlatformAccessOptions, shared: SharedParts): CallerConnections {
  const { platform, clock } = options;
  return createCallerConnections({
    clock,
    connect: (credential, onRefused) =>
      toConnection(connectAsCaller(platform.url, credential, shared, onRefused), options),
  });
}

function toConnection(
  platform: ConnectedPlatform,
  { clock, logger, livePollMs, siblings }: PlatformAccessOptions,
): Connection {
  const { rest, keys } = platform;
  const startPoll = createPollStarter({ rest, clock, logger, pollMs: livePollMs });
  const polls = siblings?.polls(keys.tag('samples'), startPoll) ?? createOwnPolls(startPoll);
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
