/** Connects to the platform: the REST client with its token, its patience and its cache, and Redis where there is one. */
import { type Cache, createCache } from './cache/cache.js';
import { createCredentialScope, createKeyBuilder, type KeyBuilder } from './cache/cacheKey.js';
import { createRedisConnection, type RedisConnection } from './cache/redisConnection.js';
import { createRedisTokenStore } from './cache/redisTokenStore.js';
import type { Clock } from './lib/clock.js';
import { createEndpointStats, type EndpointStats } from './lib/endpointStats.js';
import type { Logger } from './lib/logger.js';
import { defaultPatienceLimits } from './rest/patience/patienceLimits.js';
import { createPatientTransport, type PlatformTransport } from './rest/patience/patientTransport.js';
import { createRestCaller } from './rest/restCaller.js';
import { createRestClient, type RestClient } from './rest/restClient.js';
import { createRestWrites, type RestWrites } from './rest/restWrites.js';
import { type Credential, requestToken } from './rest/token/requestToken.js';
import { createTokenManager, type TokenManager } from './rest/token/tokenManager.js';
import { createTransport } from './rest/transport.js';

export interface PlatformOptions {
  platform: Credential & { url: string };
  redisUrl: string | undefined;
  clock: Clock;
  logger: Logger;
}

export interface ConnectedPlatform {
  rest: RestClient;
  writes: RestWrites;
  cache: Cache;
  /** Builds keys in the scope of the credential. */
  keys: KeyBuilder;
  stats: EndpointStats;
  /** Resolves when the platform lets us in; rejects with the reason when it does not. */
  checkReady(): Promise<void>;
  /** For explanations. */
  status(): object;
  close(): Promise<void>;
}

/** The most bytes read of one REST answer: 10,000 rows of the longest texts stay below. */
const LARGEST_ANSWER = 64 * 1024 * 1024;
/** Redis is a help, never a need: what it does not answer in so many milliseconds is done without it. */
const REDIS_DEADLINE_MS = 50;
const REDIS_CONNECT_TIMEOUT_MS = 2000;

export function connectPlatform(options: PlatformOptions): ConnectedPlatform {
  const { platform, clock, logger } = options;
  const scope = createCredentialScope(platform.url, platform.key);
  const redis = connectRedis(options);
  const transport = createPlatformTransport(options);
  const tokens = createTokenManager({
    requestToken: () => requestToken(transport, platform, clock),
    clock,
    logger,
    store: redis && createRedisTokenStore({ redis, scope, secret: platform.secret }),
  });
  const caller = createRestCaller({ transport, tokens, clock, logger });
  return {
    rest: createRestClient(caller),
    writes: createRestWrites(caller),
    cache: createCache({ clock, logger, redis }),
    keys: createKeyBuilder(scope),
    stats: createEndpointStats(),
    async checkReady() {
      await tokens.get();
    },
    status: () => toStatus(tokens, transport),
    async close() {
      transport.close();
      await redis?.close();
    },
  };
}

function connectRedis({ redisUrl, clock, logger }: PlatformOptions): RedisConnection | undefined {
  if (redisUrl === undefined) return undefined;
  const commandDeadlineMs = REDIS_DEADLINE_MS;
  const connectTimeoutMs = REDIS_CONNECT_TIMEOUT_MS;
  return createRedisConnection({ url: redisUrl, commandDeadlineMs, connectTimeoutMs, logger, clock });
}

function createPlatformTransport({ platform, clock, logger }: PlatformOptions): PlatformTransport {
  const transport = createTransport({
    baseUrl: platform.url,
    timeoutMs: defaultPatienceLimits.tryTimeoutMs,
    maxBodyBytes: LARGEST_ANSWER,
    maxSockets: defaultPatienceLimits.mostConcurrent + defaultPatienceLimits.mostConcurrentAuth,
  });
  return createPatientTransport({ transport, clock, random: Math.random, logger });
}

function toStatus(tokens: TokenManager, transport: PlatformTransport) {
  const { remainingMs, attemptsLeft } = tokens.status();
  return {
    token: { remainingMilliseconds: remainingMs, requestsLeft: attemptsLeft },
    breakers: transport.breakerStates(),
  };
}
