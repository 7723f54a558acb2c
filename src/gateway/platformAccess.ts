/**
 * Gives each operation a connection to the platform: with the gateway's credential, or with its caller's. Checks
 * the gateway's credential at the start.
 */
import { GatewayError } from '../errors.js';
import type { Authenticator, CallerCredential, OnKeys } from '../http/auth/caller.js';
import { createUnauthenticatedError } from '../http/responses/sendError.js';
import { toMonotonicClock } from '../lib/clock.js';
import type { Logger } from '../lib/logger.js';
import { SampleFeed } from '../live/sampleFeed.js';
import { createPollStarter, PollMetrics } from '../live/samplePoll.js';
import { readWindow, type SampleKind, sampleKinds } from '../live/sampleTail.js';
import { PolledLastSamples, replaceLastSamples } from '../sources/samples/polledSamples.js';
import { ACCOUNT_PARAMETER } from '../sources/samples/recentSamples.js';
import { type CallerConnection, CallerConnections, type ConnectionLease } from './callerConnections.js';
import {
  type ConnectedPlatform,
  connectPlatform,
  connectWithCallerCredential,
  createSharedResources,
  type PlatformMetricValues,
  type SharedResourceOptions,
  type SharedResources,
} from './platform.js';
import { sharePollNeeds } from './sharing/sharedPoll.js';

export interface PlatformAccess {
  /** `address` is the caller's. Rejects with a `GatewayError` if the platform refuses the credential. */
  lease(
    credential: CallerCredential | undefined,
    address: string,
  ): ConnectionLease | Promise<ConnectionLease>;
  /** Resolves when requests can be served. Rejects with the reason otherwise. */
  checkReady(): Promise<void>;
  /** All organizations of the account, by one REST call. Absent if callers use their own credentials. */
  organizationIds?(): Promise<ReadonlySet<number>>;
  /** Polls from now on, if the gateway is to poll without subscribers. */
  startPolling(): void;
  /** See `SampleFeed.finish`. */
  finishFeeds(graceMs: number): Promise<void>;
  metricValues(): PlatformMetricValues;
  close(): Promise<void>;
}

export interface PollSettings {
  /** Milliseconds between two polls for new samples while there are subscribers. */
  livePollMs: number;
  /** Milliseconds between two polls of a platform that has been idle for long. `livePollMs` by default. */
  liveMaxPollMs?: number | undefined;
  /** Polls for numeric samples with the gateway's credential, with and without subscribers. */
  pollsAlways?: boolean | undefined;
}

interface PlatformAccessOptions extends Omit<SharedResourceOptions, 'maxPollSilenceMs'>, PollSettings {
  usesCallerCredentials: boolean;
}

/** A poll that has failed this many times in a row no longer provides last samples. */
const MISSED_POLLS = 3;
/** The kind whose last samples most operations select. */
const numbers: readonly SampleKind[] = ['SCALAR'];

/** The part of the access that depends on whose credential is used. */
interface CredentialAccess extends Omit<PlatformAccess, 'startPolling' | 'finishFeeds' | 'metricValues'> {
  connections(): readonly CallerConnection[];
}

export function createPlatformAccess(provided: PlatformAccessOptions): PlatformAccess {
  const { livePollMs, liveMaxPollMs = livePollMs, usesCallerCredentials } = provided;
  const maxPollSilenceMs = MISSED_POLLS * Math.max(livePollMs, liveMaxPollMs);
  const options = { ...provided, liveMaxPollMs, maxPollSilenceMs };
  const shared = createSharedResources(options);
  const pollMetrics = new PollMetrics();
  const createAccess = usesCallerCredentials ? createCallerCredentialAccess : createGatewayCredentialAccess;
  const { connections, ...access } = createAccess(shared, { ...options, pollMetrics });
  const feeds = () => connections().map(({ feed }) => feed);
  const { pollNeeds } = provided.coordinator;
  const isAlwaysPolling = provided.pollsAlways === true && !usesCallerCredentials;
  const stopSharing =
    pollNeeds && !isAlwaysPolling
      ? sharePollNeeds(pollNeeds, connections, toMonotonicClock(provided.clock))
      : () => {};
  return {
    ...access,
    startPolling() {
      if (isAlwaysPolling) for (const feed of feeds()) feed.pollAlways(numbers);
    },
    close() {
      stopSharing();
      return access.close();
    },
    async finishFeeds(graceMs) {
      await Promise.all(feeds().map((feed) => feed.finish(graceMs)));
    },
    metricValues() {
      const [own] = usesCallerCredentials ? [] : connections();
      return {
        callMetrics: shared.callMetrics,
        cache: shared.cache.originCounts(),
        cacheUsage: shared.cache.usage(),
        remainingTokenRequests: own?.platform.remainingTokenRequests(),
        breakerStates: connections().flatMap(({ platform }) => platform.breakerStates()),
        polls: pollMetrics.counts(),
        pollLagSeconds: toPollLags(feeds()),
      };
    },
  };
}

type ConnectionOptions = PlatformAccessOptions & {
  liveMaxPollMs: number;
  maxPollSilenceMs: number;
  pollMetrics: PollMetrics;
};

function createGatewayCredentialAccess(
  shared: SharedResources,
  options: ConnectionOptions,
): CredentialAccess {
  const connection = toCallerConnection(connectPlatform(shared), options);
  const { platform, feed, close } = connection;
  const lease = { platform, feed, release() {} };
  return {
    lease: () => lease,
    checkReady: platform.checkReady,
    organizationIds: async () => new Set((await platform.rest.organizations({})).map(({ id }) => id)),
    connections: () => [connection],
    close,
  };
}

/** The gateway has no credential to check, so it is always ready. */
function createCallerCredentialAccess(shared: SharedResources, options: ConnectionOptions): CredentialAccess {
  const { coordinator, clock } = options;
  const connections = new CallerConnections({
    clock,
    logins: coordinator.logins,
    connect: (credential, onRefused) =>
      toCallerConnection(connectWithCallerCredential(credential, shared, onRefused), options),
  });
  return {
    lease(credential, address) {
      if (credential === undefined) throw createUnauthenticatedError('Send your platform credential.');
      return connections.lease(credential, address);
    },
    async checkReady() {},
    connections: () => connections.all(),
    close: () => connections.close(),
  };
}

/** Kinds that no feed polls are absent. */
function toPollLags(feeds: readonly SampleFeed[]): [SampleKind, number][] {
  return sampleKinds.flatMap((kind): [SampleKind, number][] => {
    const lagsMs = feeds.map((feed) => feed.lagMs(kind)).filter((lagMs) => lagMs !== undefined);
    return lagsMs.length === 0 ? [] : [[kind, Math.max(...lagsMs) / 1000]];
  });
}

function toCallerConnection(platform: ConnectedPlatform, options: ConnectionOptions): CallerConnection {
  const { clock, logger, livePollMs, liveMaxPollMs, coordinator, pollMetrics } = options;
  const { rest, keys, entryKey, cache, arrivedSamples } = platform;
  const nowMs = () => clock.now();
  const lastSamples = new PolledLastSamples(nowMs, options.maxPollSilenceMs);
  const accountKey = keys.endpointKey('lastSample', rest.queuedSamples.template, ACCOUNT_PARAMETER);
  const lastSampleKey = (streamId: number) =>
    keys.endpointKey('lastSample', rest.lastSample.template, streamId);
  const removeOverlay = cache.overlay(accountKey, 'lastSample', {
    getEntry: lastSamples.toEntry,
    getOlderEntry: lastSamples.toOlderEntry,
  });
  const startPoll = createPollStarter({
    ...{ rest, clock, logger, lastSamples, metrics: pollMetrics },
    ...{ pollMs: livePollMs, maxPollMs: liveMaxPollMs },
    // Whether subscribers of other processes have room is unknown, so they get the time between two polls for each page.
    hasRoom: (kind) => !coordinator.sharesPolls && feed.hasRoom(kind),
  });
  const feedName = keys.tag('samples');
  const feed = new SampleFeed(coordinator.sharePoll({ name: feedName, entryKey }, startPoll), {
    clock,
    lastSamples: () => lastSamples.newest(),
    onPollBegin(kind, ready) {
      if (kind !== 'SCALAR') return;
      lastSamples.begin(ready, () => readWindow(rest, nowMs));
      arrivedSamples.begin(ready);
      if (feed.hasListeners(kind)) coordinator.pollNeeds?.add([feedName]);
    },
    onPolled(kind, polled) {
      if (kind !== 'SCALAR') return;
      lastSamples.add(polled);
      arrivedSamples.add(polled.samples, polled.asOfMs);
      replaceLastSamples(cache, lastSampleKey, polled.samples, nowMs());
    },
    onPollEnd(kind) {
      if (kind !== 'SCALAR') return;
      const entry = lastSamples.toOlderEntry();
      if (entry) cache.store(accountKey, 'lastSample', entry);
      lastSamples.clear();
      arrivedSamples.clear();
    },
  });
  return {
    platform,
    feed,
    feedName,
    async close() {
      feed.stop();
      removeOverlay();
      await platform.close();
    },
  };
}

interface PlatformCheckOptions {
  access: Pick<PlatformAccess, 'checkReady' | 'organizationIds'>;
  authenticator: Pick<Authenticator, 'watchKeys'>;
  logger: Logger;
}

type WatchedKeys = Parameters<OnKeys>[0];

/** Bounds of one log line: keys, and organization ids of each key. */
const MAX_KEYS = 20;
const MAX_IDS = 20;

/**
 * Checks the credential by requesting the token that the first operation needs anyway. Then checks the
 * organizations of API keys, and checks them again whenever their file changes. Never throws. The gateway serves
 * requests in the meantime.
 */
export function checkCredentialAtStart({ access, authenticator, logger }: PlatformCheckOptions): void {
  const checkKeys = async (keys: WatchedKeys): Promise<void> => {
    try {
      await access.checkReady();
    } catch (error) {
      return logRefusal(error, logger);
    }
    if (!access.organizationIds || keys.every(({ organizations }) => organizations === '*')) return;
    warnAboutUnknownIds(keys, await access.organizationIds(), logger);
  };
  const check = (keys: WatchedKeys): void => {
    checkKeys(keys).catch((cause: unknown) => {
      logger.debug({ cause }, 'The organizations of API keys could not be checked');
    });
  };
  if (authenticator.watchKeys) authenticator.watchKeys(check);
  else check([]);
}

/**
 * Logs why the platform issued no token. Leaves out retryable failures, which are temporary: the token manager logs
 * them.
 */
function logRefusal(error: unknown, logger: Logger): void {
  if (!(error instanceof GatewayError) || error.retryable) return;
  const { code } = error;
  if (code === 'PLATFORM_UNAUTHORIZED')
    logger.error(
      { code },
      'The platform refuses the credential: check PLATFORM_KEY and PLATFORM_SECRET, or run `fieldgraph doctor`',
    );
  else
    logger.error(
      { code },
      'The platform issued no token: check PLATFORM_URL, or run `fieldgraph doctor` for the reason',
    );
}

function warnAboutUnknownIds(keys: WatchedKeys, known: ReadonlySet<number>, logger: Logger): void {
  const wrong = keys.flatMap(({ name, organizations }) => {
    const unknown = organizations === '*' ? [] : organizations.filter((id) => !known.has(id));
    return unknown.length === 0 ? [] : [{ name, organizations: unknown.slice(0, MAX_IDS) }];
  });
  if (wrong.length === 0) return;
  logger.warn(
    { keys: wrong.slice(0, MAX_KEYS), total: wrong.length },
    'API keys are restricted to organizations that the platform does not have',
  );
}
