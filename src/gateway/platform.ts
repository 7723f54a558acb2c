/** Connects to the platform: the REST client with its token, its patience and its cache, and Redis where there is one. */
import { type Cache, createCache } from '../cache/cache.js';
import {
  type CredentialScope,
  createCredentialScope,
  createEntryKey,
  createKeyBuilder,
  type KeyBuilder,
} from '../cache/cacheKey.js';
import { createSamplePageStore, type SamplePageStore } from '../cache/memory/samplePageStore.js';
import { createRedisConnection, type RedisConnection } from '../cache/redis/redisConnection.js';
import { createRedisTokenStore } from '../cache/redis/redisTokenStore.js';
import type { CallerCredential } from '../http/auth/caller.js';
import type { Clock } from '../lib/clock.js';
import type { Logger } from '../lib/logger.js';
import {
  createCallerTokenManager,
  createFixedTokenManager,
  type OnRefused,
} from '../rest/auth/callerTokens.js';
import { type Credential, requestToken } from '../rest/auth/requestToken.js';
import { createTokenManager, type TokenManager } from '../rest/auth/tokenManager.js';
import { type CallMetrics, createCallMetrics } from '../rest/callMetrics.js';
import type { BreakerState } from '../rest/resilience/circuitBreaker.js';
import type { EndpointQuotaLimits } from '../rest/resilience/endpointQuota.js';
import { defaultResilienceLimits, type ResilienceLimits } from '../rest/resilience/resilienceLimits.js';
import { createResilientTransport, type PlatformTransport } from '../rest/resilience/resilientTransport.js';
import { createRestCaller } from '../rest/restCaller.js';
import { createRestClient, type RestClient } from '../rest/restClient.js';
import { createRestWrites, type RestWrites } from '../rest/restWrites.js';
import { createTransport } from '../rest/transport/transport.js';
import { createEndpointStats, type EndpointStats } from '../sources/core/endpointStats.js';
import type { Peers } from './peers.js';

export interface PlatformOptions {
  platform: Credential & { url: string };
  redisUrl: string | undefined;
  /** Where other numbers than the usual ones are wanted. */
  resilience?: Partial<ResilienceLimits> | undefined;
  /** Other processes that serve the same; absent: there are none. */
  peers?: Peers | undefined;
  clock: Clock;
  logger: Logger;
}

/** What all connections of the process share: what is kept in it is kept apart by credential. */
export interface SharedResources {
  resilience: Partial<ResilienceLimits> | undefined;
  cache: Cache;
  samplePages: SamplePageStore;
  redis: RedisConnection | undefined;
  callMetrics: CallMetrics;
  peers: Peers | undefined;
  clock: Clock;
  logger: Logger;
}

export interface ConnectedPlatform {
  /** Tells this connection's answers from those of others. */
  scope: CredentialScope;
  rest: RestClient;
  writes: RestWrites;
  cache: Cache;
  /** Builds keys in the scope of the credential. */
  keys: KeyBuilder;
  /** Of samples and aggregates. */
  samplePages: SamplePageStore;
  endpointStats: EndpointStats;
  /** Resolves when the platform lets us in; rejects with the reason when it does not. */
  checkReady(): Promise<void>;
  /** For explanations. */
  status(): object;
  remainingTokenRequests(): number;
  breakerStates(): [family: string, state: BreakerState][];
  /** Of all connections that share their parts. */
  sharedMetricValues(): SharedMetricValues;
  close(): Promise<void>;
}

/** What is counted of all connections together. */
export interface SharedMetricValues {
  callMetrics: CallMetrics;
  cache: ReturnType<Cache['originCounts']>;
  cacheUsage: ReturnType<Cache['usage']>;
}

/** What is known of the way to the platform, for the metrics. */
export interface PlatformMetricValues extends SharedMetricValues {
  /** Undefined where callers bring their own credentials. */
  remainingTokenRequests: number | undefined;
  breakerStates: [family: string, state: BreakerState][];
  subscriptions: number;
}

/** The most bytes read of one REST answer: 10,000 rows of the longest texts stay below. */
const MAX_RESPONSE_BYTES = 64 * 1024 * 1024;
/** Redis is a help, never a need: what it does not answer in so many milliseconds is done without it. */
const REDIS_DEADLINE_MS = 50;
const REDIS_CONNECT_TIMEOUT_MS = 2000;

/** With the gateway's own credential. */
export function connectPlatform(options: PlatformOptions): ConnectedPlatform {
  const { platform } = options;
  const shared = createSharedResources(options);
  const scope = createCredentialScope(platform.url, platform.key);
  const keys = createKeyBuilder(scope, createEntryKey(scope, platform.secret));
  const connected = createConnectedPlatform(platform.url, { scope, keys }, shared, (transport) =>
    createClientTokenManager(platform, scope, transport, shared),
  );
  return {
    ...connected,
    async close() {
      await connected.close();
      await shared.redis?.close();
    },
  };
}

/** With a caller's own; `onRefused` is told when the platform no longer lets that caller in. */
export function connectWithCallerCredential(
  url: string,
  credential: CallerCredential,
  shared: SharedResources,
  onRefused: OnRefused,
): ConnectedPlatform {
  // The whole of it: a right key with a wrong secret is somebody else.
  const scope = createCredentialScope(url, JSON.stringify(credential));
  const secret = credential.kind === 'client' ? credential.secret : credential.token;
  const keys = createKeyBuilder(scope, createEntryKey(scope, secret));
  if (credential.kind === 'client') {
    return createConnectedPlatform(url, { scope, keys }, shared, (transport) =>
      createCallerTokenManager(createClientTokenManager(credential, scope, transport, shared), onRefused),
    );
  }
  const connected = createConnectedPlatform(url, { scope, keys }, shared, () =>
    createFixedTokenManager(credential.token, onRefused, shared.clock),
  );
  // Nothing but a call tells whether a token is good; every API client may make this one.
  return { ...connected, checkReady: async () => void (await connected.rest.uiPreferences({})) };
}

export function createSharedResources(options: Omit<PlatformOptions, 'platform'>): SharedResources {
  const { resilience, peers, clock, logger } = options;
  const redis = connectRedis(options);
  const cache = createCache({ clock, logger, redis, peers: peers?.caches });
  const samplePages = createSamplePageStore({ clock });
  return { cache, samplePages, redis, callMetrics: createCallMetrics(), peers, resilience, clock, logger };
}

export function readSharedMetricValues({ callMetrics, cache }: SharedResources): SharedMetricValues {
  return { callMetrics, cache: cache.originCounts(), cacheUsage: cache.usage() };
}

function createConnectedPlatform(
  url: string,
  { scope, keys }: Pick<ConnectedPlatform, 'scope' | 'keys'>,
  shared: SharedResources,
  createTokens: (transport: PlatformTransport) => TokenManager,
): ConnectedPlatform {
  const { cache, samplePages, clock, logger } = shared;
  const transport = createPlatformTransport(url, shared);
  const tokens = createTokens(transport);
  const caller = createRestCaller({ transport, tokens, clock, logger });
  return {
    scope,
    rest: createRestClient(caller),
    writes: createRestWrites(caller),
    cache,
    keys,
    samplePages,
    endpointStats: createEndpointStats(),
    async checkReady() {
      await tokens.get();
    },
    status: () => toStatus(tokens, transport),
    remainingTokenRequests: () => tokens.status().remainingAttempts,
    breakerStates: () => Object.entries(transport.breakerStates()),
    sharedMetricValues: () => readSharedMetricValues(shared),
    close: async () => transport.close(),
  };
}

function createClientTokenManager(
  credential: Credential,
  scope: CredentialScope,
  transport: PlatformTransport,
  { redis, peers, clock, logger }: SharedResources,
): TokenManager {
  return createTokenManager({
    requestToken: () => requestToken(transport, credential, clock),
    clock,
    logger,
    store: redis
      ? createRedisTokenStore({ redis, scope, secret: credential.secret })
      : peers?.tokenStore(scope),
  });
}

function connectRedis({
  redisUrl,
  clock,
  logger,
}: Omit<PlatformOptions, 'platform'>): RedisConnection | undefined {
  if (redisUrl === undefined) return undefined;
  const commandDeadlineMs = REDIS_DEADLINE_MS;
  const connectTimeoutMs = REDIS_CONNECT_TIMEOUT_MS;
  return createRedisConnection({ url: redisUrl, commandDeadlineMs, connectTimeoutMs, logger, clock });
}

function createPlatformTransport(
  baseUrl: string,
  { resilience = {}, callMetrics, peers, clock, logger }: SharedResources,
): PlatformTransport {
  const transport = createTransport({
    baseUrl,
    timeoutMs: defaultResilienceLimits.attemptTimeoutMs,
    maxBodyBytes: MAX_RESPONSE_BYTES,
  });
  const limits = { ...resilience, endpointQuota: divideQuota(resilience.endpointQuota, peers?.processCount) };
  const common = { clock, random: Math.random, logger, limits };
  return createResilientTransport({ ...common, transport, onAttempt: callMetrics.record });
}

/** Processes that serve together count apart: none may take more than its part. */
function divideQuota(budget = defaultResilienceLimits.endpointQuota, processes = 1): EndpointQuotaLimits {
  return { ...budget, maxCalls: Math.floor(budget.maxCalls / processes) };
}

function toStatus(tokens: TokenManager, transport: PlatformTransport) {
  const { remainingMs, remainingAttempts } = tokens.status();
  return {
    token: { remainingMilliseconds: remainingMs, requestsLeft: remainingAttempts },
    breakers: transport.breakerStates(),
  };
}
