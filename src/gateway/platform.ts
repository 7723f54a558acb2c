/** Connects to the platform: the REST client with its token manager, resilience and cache. */
import { setTimeout as wait } from 'node:timers/promises';
import { Cache } from '../cache/cache.js';
import {
  type CredentialScope,
  createCredentialScope,
  createEntryKey,
  createKeyBuilder,
} from '../cache/cacheKey.js';
import { isPlatformFault } from '../cache/loadEntry.js';
import { createSamplePageStore, type SamplePageStore } from '../cache/memory/samplePageStore.js';
import { GatewayError } from '../errors.js';
import type { CallerCredential } from '../http/auth/caller.js';
import { type Clock, toMonotonicClock } from '../lib/clock.js';
import type { Logger } from '../lib/logger.js';
import type { PollCount } from '../live/samplePoll.js';
import {
  CallerTokenManager,
  createFixedTokenManager,
  createTokenManager,
  type OnRefused,
  type TokenManager,
} from '../rest/auth/tokenManager.js';
import { type Credential, requestToken } from '../rest/auth/tokenRenewal.js';
import { type CallMetrics, createCallMetrics } from '../rest/callRecord.js';
import { toEndpointFamily } from '../rest/path.js';
import type { BreakerState } from '../rest/resilience/circuitBreaker.js';
import { defaultResilienceLimits, type ResilienceLimits } from '../rest/resilience/resilienceLimits.js';
import { ResilientTransport } from '../rest/resilience/resilientTransport.js';
import { createRestCaller } from '../rest/restCaller.js';
import { createRestClient, type RestClient } from '../rest/restClient.js';
import { createRestWrites } from '../rest/restWrites.js';
import { createTransport } from '../rest/transport/transport.js';
import { createEndpointStats } from '../sources/core/endpointStats.js';
import { ArrivedSamples } from '../sources/samples/arrivedSamples.js';
import type { Coordinator } from './coordinator.js';
import { type CredentialFiles, followSecret, watchSecret } from './platformSecret.js';

export interface PlatformSettings {
  /** Key and secret are unused with CALLER_AUTH=platform. `files` contain the credential if it is read from files. */
  platform: Credential & { url: string; files?: CredentialFiles };
  /** Overrides of the default limits. */
  resilience?: Partial<ResilienceLimits> | undefined;
  /** Loads per minute that renew stale entities in the background, of all processes together; no limit by default. */
  revalidationsPerMinute?: number | undefined;
  /** Number of items at which the platform ends a list; 10,000 by default. */
  maxListLength?: number | undefined;
}

export interface SharedResourceOptions extends PlatformSettings {
  coordinator: Coordinator;
  clock: Clock;
  logger: Logger;
  /** Polled samples replace REST calls while the last poll is at most this old, in milliseconds. */
  maxPollSilenceMs?: number | undefined;
}

/** Shared by all connections of the process; cached data is separated by credential. */
export interface SharedResources extends SharedResourceOptions {
  cache: Cache;
  samplePages: SamplePageStore;
  callMetrics: CallMetrics;
}

export type ConnectedPlatform = ReturnType<typeof createConnectedPlatform>;

/** Measurements of all connections to the platform, for `/metrics`. */
export interface PlatformMetricValues {
  callMetrics: CallMetrics;
  cache: ReturnType<Cache['originCounts']>;
  cacheUsage: ReturnType<Cache['usage']>;
  /** Undefined if callers use their own credentials. */
  remainingTokenRequests: number | undefined;
  breakerStates: [family: string, state: BreakerState][];
  polls: readonly PollCount[];
  /**
   * Seconds since the last successful poll of this process, or of the process that polls for it; the longest of all
   * credentials.
   */
  pollLagSeconds: [kind: string, seconds: number][];
}

/**
 * Connects with the gateway's credential. When the secret's file changes, the next token is requested with the new
 * secret.
 */
export function connectPlatform(shared: SharedResources): ConnectedPlatform {
  const { platform, logger } = shared;
  const { key, secret, files } = platform;
  const credential = { key, secret };
  const scope = createCredentialScope(platform.url, key);
  const connected = createConnectedPlatform(scope, secret, shared, (transport) =>
    createTokenManager(toTokenOptions(credential, scope, transport, shared)),
  );
  if (files === undefined) return connected;
  const watched = watchSecret(credential, files, logger, (replaced) => {
    credential.secret = replaced;
    // Replaced in place, because all cache keys refer to it. Replicas with the new secret can then read each other's
    // entries.
    createEntryKey(scope, replaced).copy(connected.entryKey);
  });
  return {
    ...connected,
    async close() {
      watched.close();
      await connected.close();
    },
  };
}

/** Connects with a caller's credential. Calls `onRefused` when the platform no longer accepts it. */
export function connectWithCallerCredential(
  credential: CallerCredential,
  shared: SharedResources,
  onRefused: OnRefused,
): ConnectedPlatform {
  // The scope covers key and secret: a wrong secret must not reach data cached under the right one.
  const scope = createCredentialScope(shared.platform.url, JSON.stringify(credential));
  if (credential.kind === 'client') {
    return createConnectedPlatform(
      scope,
      credential.secret,
      shared,
      (transport) => new CallerTokenManager(toTokenOptions(credential, scope, transport, shared), onRefused),
    );
  }
  const connected = createConnectedPlatform(scope, credential.token, shared, () =>
    createFixedTokenManager(credential.token, onRefused, shared.clock),
  );
  return { ...connected, checkReady: () => checkToken(connected.rest) };
}

/** Only a call shows whether the platform accepts a token. Some of these endpoints may be forbidden for the API client. */
async function checkToken({ uiPreferences, organizations, sites }: RestClient): Promise<void> {
  for (const call of [uiPreferences, organizations]) {
    try {
      await call({});
      return;
    } catch (error) {
      if (!(error instanceof GatewayError) || error.platform?.status !== 403) throw error;
    }
  }
  await sites({});
}

export function createSharedResources(options: SharedResourceOptions): SharedResources {
  const { coordinator, clock, logger, revalidationsPerMinute = 0 } = options;
  return {
    ...options,
    cache: new Cache({
      clock,
      logger,
      revalidationsPerMinute: Math.ceil(revalidationsPerMinute / coordinator.processCount),
      ...coordinator.cacheSharing,
    }),
    samplePages: createSamplePageStore({ clock }),
    callMetrics: createCallMetrics(),
  };
}

function createConnectedPlatform(
  scope: CredentialScope,
  secret: string,
  shared: SharedResources,
  createTokens: (transport: ResilientTransport) => TokenManager,
) {
  const { cache, samplePages, clock, logger, maxListLength, maxPollSilenceMs } = shared;
  const nowMs = () => clock.now();
  const entryKey = createEntryKey(scope, secret);
  const transport = createPlatformTransport(shared);
  const tokens = createTokens(transport);
  const caller = createRestCaller({
    ...{ transport, tokens, clock, logger },
    breakerState: (template) => transport.breakerStates()[toEndpointFamily(template)] ?? 'closed',
  });
  return {
    /** Separates the cached data of this credential from that of others. */
    scope,
    /** Authenticates data of this credential outside the process. */
    entryKey,
    rest: createRestClient(caller),
    writes: createRestWrites(caller),
    cache,
    keys: createKeyBuilder(scope, entryKey),
    /** Pages of samples and aggregates. */
    samplePages,
    arrivedSamples: new ArrivedSamples(nowMs, { maxSilenceMs: maxPollSilenceMs }),
    endpointStats: createEndpointStats({ nowMs: toMonotonicClock(clock).now, maxListLength }),
    /** Maximum REST calls that one operation of the caller may currently have in flight or waiting, at least 1. */
    currentCallLimit: (callerId?: string) => transport.currentCallLimit(callerId),
    /**
     * Resolves when the platform accepts the credential, or has accepted it and is unavailable. Rejects with a
     * `GatewayError`.
     */
    async checkReady() {
      if (!tokens.hasHadToken()) await tokens.get();
      // In an outage all replicas would become unready together, although they serve cached data.
      else
        await Promise.race([
          tokens.get().catch(ignorePlatformFault),
          wait(READY_WAIT_MS, undefined, { ref: false }),
        ]);
    },
    /** Token and circuit breakers, for `extensions.explain`. */
    status() {
      const { remainingMs, remainingAttempts } = tokens.status();
      return {
        token: { remainingMilliseconds: remainingMs, requestsLeft: remainingAttempts },
        breakers: transport.breakerStates(),
      };
    },
    remainingTokenRequests: () => tokens.status().remainingAttempts,
    breakerStates: () => Object.entries(transport.breakerStates()),
    close: async () => transport.close(),
  };
}

/** Readiness probes wait this long for a new token. Probes often have a timeout of a few seconds. */
const READY_WAIT_MS = 1000;

function ignorePlatformFault(error: unknown): void {
  if (!isPlatformFault(error)) throw error;
}

function toTokenOptions(
  credential: Credential,
  scope: CredentialScope,
  transport: ResilientTransport,
  { coordinator, clock, logger }: SharedResources,
) {
  return {
    requestToken: () => requestToken(transport, credential, clock),
    clock,
    logger,
    store: followSecret(credential, (secret) => coordinator.tokenStore(scope, secret)),
  };
}

function createPlatformTransport({
  platform,
  resilience = {},
  callMetrics,
  coordinator,
  clock,
  logger,
}: SharedResources): ResilientTransport {
  const transport = createTransport({
    baseUrl: platform.url,
    timeoutMs: defaultResilienceLimits.attemptTimeoutMs,
  });
  const { endpointQuota = defaultResilienceLimits.endpointQuota } = resilience;
  // Each worker counts its own calls, so each gets an equal part of the quota.
  const maxCalls = Math.floor(endpointQuota.maxCalls / coordinator.processCount);
  const limits = { ...resilience, endpointQuota: { ...endpointQuota, maxCalls } };
  const common = { clock, random: Math.random, logger, limits };
  return new ResilientTransport({ ...common, transport, onAttempt: callMetrics.record });
}
