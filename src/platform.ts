/** Connects to the platform: the REST client with its token, its patience and its cache, and Redis where there is one. */
import { type Cache, createCache } from './cache/cache.js';
import {
  type CredentialScope,
  createCredentialScope,
  createEntryKey,
  createKeyBuilder,
  type KeyBuilder,
} from './cache/cacheKey.js';
import { createPageStore, type PageStore } from './cache/pageStore.js';
import { createRedisConnection, type RedisConnection } from './cache/redisConnection.js';
import { createRedisTokenStore } from './cache/redisTokenStore.js';
import type { CallerCredential } from './http/callers/caller.js';
import type { Clock } from './lib/clock.js';
import { createEndpointStats, type EndpointStats } from './lib/endpointStats.js';
import type { Logger } from './lib/logger.js';
import { type CallTally, createCallTally } from './rest/callTally.js';
import type { CallBudgetLimits } from './rest/patience/callBudget.js';
import type { BreakerState } from './rest/patience/circuitBreaker.js';
import { defaultPatienceLimits, type PatienceLimits } from './rest/patience/patienceLimits.js';
import { createPatientTransport, type PlatformTransport } from './rest/patience/patientTransport.js';
import { createRestCaller } from './rest/restCaller.js';
import { createRestClient, type RestClient } from './rest/restClient.js';
import { createRestWrites, type RestWrites } from './rest/restWrites.js';
import { createFixedToken, forCaller, type OnRefused } from './rest/token/callerTokens.js';
import { type Credential, requestToken } from './rest/token/requestToken.js';
import { createTokenManager, type TokenManager } from './rest/token/tokenManager.js';
import { createTransport } from './rest/transport.js';
import type { Siblings } from './siblings.js';

export interface PlatformOptions {
  platform: Credential & { url: string };
  redisUrl: string | undefined;
  /** Where other numbers than the usual ones are wanted. */
  patience?: Partial<PatienceLimits> | undefined;
  /** Other processes that serve the same; absent: there are none. */
  siblings?: Siblings | undefined;
  clock: Clock;
  logger: Logger;
}

/** What all connections of the process share: what is kept in it is kept apart by credential. */
export interface SharedParts {
  patience: Partial<PatienceLimits> | undefined;
  cache: Cache;
  pages: PageStore;
  redis: RedisConnection | undefined;
  calls: CallTally;
  siblings: Siblings | undefined;
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
  pages: PageStore;
  stats: EndpointStats;
  /** Resolves when the platform lets us in; rejects with the reason when it does not. */
  checkReady(): Promise<void>;
  /** For explanations. */
  status(): object;
  tokenRequestsLeft(): number;
  breakers(): [family: string, state: BreakerState][];
  /** Of all connections that share their parts. */
  readShared(): SharedReadings;
  close(): Promise<void>;
}

/** What is counted of all connections together. */
export interface SharedReadings {
  calls: CallTally;
  cache: ReturnType<Cache['counts']>;
  cacheUsage: ReturnType<Cache['usage']>;
}

/** What is known of the way to the platform, for the metrics. */
export interface PlatformReadings extends SharedReadings {
  /** Undefined where callers bring their own credentials. */
  tokenRequestsLeft: number | undefined;
  breakers: [family: string, state: BreakerState][];
  subscriptions: number;
}

/** The most bytes read of one REST answer: 10,000 rows of the longest texts stay below. */
const LARGEST_ANSWER = 64 * 1024 * 1024;
/** Redis is a help, never a need: what it does not answer in so many milliseconds is done without it. */
const REDIS_DEADLINE_MS = 50;
const REDIS_CONNECT_TIMEOUT_MS = 2000;

/** With the gateway's own credential. */
export function connectPlatform(options: PlatformOptions): ConnectedPlatform {
  const { platform } = options;
  const shared = createSharedParts(options);
  const scope = createCredentialScope(platform.url, platform.key);
  const keys = createKeyBuilder(scope, createEntryKey(scope, platform.secret));
  const connected = connect(platform.url, { scope, keys }, shared, (transport) =>
    createClientTokens(platform, scope, transport, shared),
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
export function connectAsCaller(
  url: string,
  credential: CallerCredential,
  shared: SharedParts,
  onRefused: OnRefused,
): ConnectedPlatform {
  // The whole of it: a right key with a wrong secret is somebody else.
  const scope = createCredentialScope(url, JSON.stringify(credential));
  const secret = credential.kind === 'client' ? credential.secret : credential.token;
  const keys = createKeyBuilder(scope, createEntryKey(scope, secret));
  if (credential.kind === 'client') {
    return connect(url, { scope, keys }, shared, (transport) =>
      forCaller(createClientTokens(credential, scope, transport, shared), onRefused),
    );
  }
  const connected = connect(url, { scope, keys }, shared, () =>
    createFixedToken(credential.token, onRefused, shared.clock),
  );
  // Nothing but a call tells whether a token is good; every API client may make this one.
  return { ...connected, checkReady: async () => void (await connected.rest.uiPreferences({})) };
}

export function createSharedParts(options: Omit<PlatformOptions, 'platform'>): SharedParts {
  const { patience, siblings, clock, logger } = options;
  const redis = connectRedis(options);
  const cache = createCache({ clock, logger, redis, siblings: siblings?.caches });
  const pages = createPageStore({ clock });
  return { cache, pages, redis, calls: createCallTally(), siblings, patience, clock, logger };
}

export function readSharedParts({ calls, cache }: SharedParts): SharedReadings {
  return { calls, cache: cache.counts(), cacheUsage: cache.usage() };
}

function connect(
  url: string,
  { scope, keys }: Pick<ConnectedPlatform, 'scope' | 'keys'>,
  shared: SharedParts,
  createTokens: (transport: PlatformTransport) => TokenManager,
): ConnectedPlatform {
  const { cache, pages, clock, logger } = shared;
  const transport = createPlatformTransport(url, shared);
  const tokens = createTokens(transport);
  const caller = createRestCaller({ transport, tokens, clock, logger });
  return {
    scope,
    rest: createRestClient(caller),
    writes: createRestWrites(caller),
    cache,
    keys,
    pages,
    stats: createEndpointStats(),
    async checkReady() {
      await tokens.get();
    },
    status: () => toStatus(tokens, transport),
    tokenRequestsLeft: () => tokens.status().attemptsLeft,
    breakers: () => Object.entries(transport.breakerStates()),
    readShared: () => readSharedParts(shared),
    close: async () => transport.close(),
  };
}

function createClientTokens(
  credential: Credential,
  scope: CredentialScope,
  transport: PlatformTransport,
  { redis, siblings, clock, logger }: SharedParts,
): TokenManager {
  return createTokenManager({
    requestToken: () => requestToken(transport, credential, clock),
    clock,
    logger,
    store: redis
      ? createRedisTokenStore({ redis, scope, secret: credential.secret })
      : siblings?.tokenStore(scope),
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
  { patience = {}, calls, siblings, clock, logger }: SharedParts,
): PlatformTransport {
  const transport = createTransport({
    baseUrl,
    timeoutMs: defaultPatienceLimits.tryTimeoutMs,
    maxBodyBytes: LARGEST_ANSWER,
  });
  const limits = { ...patience, callBudget: shareOfBudget(patience.callBudget, siblings?.count) };
  const common = { clock, random: Math.random, logger, limits };
  return createPatientTransport({ ...common, transport, onTry: calls.note });
}

/** Processes that serve together count apart: none may take more than its part. */
function shareOfBudget(budget = defaultPatienceLimits.callBudget, processes = 1): CallBudgetLimits {
  return { ...budget, calls: Math.floor(budget.calls / processes) };
}

function toStatus(tokens: TokenManager, transport: PlatformTransport) {
  const { remainingMs, attemptsLeft } = tokens.status();
  return {
    token: { remainingMilliseconds: remainingMs, requestsLeft: attemptsLeft },
    breakers: transport.breakerStates(),
  };
}
