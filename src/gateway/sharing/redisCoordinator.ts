/** The coordinator of replicas: shares state through Redis, and within this gateway through another coordinator. */
import { createCredentialScope } from '../../cache/cacheKey.js';
import { COMMAND_DEADLINE_MS, RedisConnection } from '../../cache/redis/redisConnection.js';
import { createRedisTokenStore } from '../../cache/redis/redisTokenStore.js';
import type { RateCounts } from '../../http/rateLimits/callerRateLimiter.js';
import { type Clock, toMonotonicClock } from '../../lib/clock.js';
import type { Logger } from '../../lib/logger.js';
import { parseIfJson, toRecord } from '../../lib/records.js';
import type { Credential } from '../../rest/auth/tokenRenewal.js';
import type { Coordinator, SharedReports, VerifiedLogin } from '../coordinator.js';
import { toLeaseMs } from './pollLease.js';
import { createPollBus, RedisPollLease } from './redisPollLease.js';
import { createSharedPollStarter } from './sharedPoll.js';

interface RedisCoordinatorOptions {
  redis: RedisConnection;
  clock: Clock;
  /** Shares within this gateway, whether it is one process or several workers. */
  local: Coordinator;
  /** Replicas of the same scope count callers together. */
  scope: string;
  pollMs: number;
}

interface RedisOptions extends Pick<RedisCoordinatorOptions, 'local' | 'pollMs'> {
  url: string;
  /** Replicas of one platform and one key share caller rates. */
  platform: Credential & { url: string };
  redisDeadlineMs?: number | undefined;
  clock: Clock;
  logger: Logger;
}

/** A message to the other gateways. Workers of the sender ignore it, since they share within their gateway. */
interface GatewayMessage {
  gatewayId: string;
  payload: unknown;
}

/**
 * Maximum callers, or feeds, in one message: far more feeds than a process has connections. A receiver ignores longer
 * lists.
 */
const MAX_ITEMS = 10_000;

const CONNECT_TIMEOUT_MS = 2000;

export function connectRedisCoordinator(options: RedisOptions): Coordinator {
  const { url, platform, local, pollMs, redisDeadlineMs = COMMAND_DEADLINE_MS, clock, logger } = options;
  const limits = { commandDeadlineMs: redisDeadlineMs, connectTimeoutMs: CONNECT_TIMEOUT_MS };
  const redis = new RedisConnection({ url, ...limits, clock, logger });
  const scope = createCredentialScope(platform.url, platform.key);
  return createRedisCoordinator({ redis, local, scope, pollMs, clock });
}

/** Closing it closes `local` and the connection too. */
export function createRedisCoordinator(options: RedisCoordinatorOptions): Coordinator {
  const { redis, local, scope, pollMs } = options;
  const leaseMs = toLeaseMs(pollMs);
  const clock = toMonotonicClock(options.clock);
  const broadcast = createBroadcast(redis, local.gatewayId);
  const rates = broadcast(`fieldgraph:1:rates:${scope}`, parseListOf(isCount));
  const logins = broadcast(`fieldgraph:1:logins:${scope}`, parseLogin);
  const pollNeeds = broadcast(`fieldgraph:1:pollNeeds:${scope}`, parseListOf(isString));
  const bus = createPollBus(redis);

  return {
    ...local,
    tokenStore: (credentialScope, secret) => ({
      ...createRedisTokenStore({ redis, scope: credentialScope, secret }),
      // Without it, each worker would request a token while Redis is unavailable.
      fallback: local.tokenStore(credentialScope, secret),
    }),
    cacheSharing: { ...local.cacheSharing, redis },
    sharesPolls: true,
    /** The process that leads the poll within this gateway also takes part in the poll shared by all gateways. */
    sharePoll: ({ name, entryKey }, start) =>
      local.sharePoll(
        { name, entryKey },
        createSharedPollStarter({
          start,
          followersPollNow: true,
          leaseMs,
          clock,
          createLease: (kind, listener) =>
            new RedisPollLease({ redis, bus, name: `${name}:${kind}`, entryKey, leaseMs }, listener),
        }),
      ),
    pollNeeds: withReplicas(local.pollNeeds, pollNeeds),
    rateCounts: withReplicas(local.rateCounts, {
      ...rates,
      add(counts) {
        for (let from = 0; from < counts.length; from += MAX_ITEMS) {
          rates.add(counts.slice(from, from + MAX_ITEMS));
        }
      },
    }),
    logins: withReplicas(local.logins, logins),
    async close() {
      await local.close();
      await redis.close();
    },
  };
}

/** Sends reports to the other workers of this gateway, if there are any, and to the replicas. */
function withReplicas<Report>(
  local: SharedReports<Report> | undefined,
  replicas: SharedReports<Report>,
): SharedReports<Report> {
  return {
    add(report) {
      local?.add(report);
      replicas.add(report);
    },
    onRemote(listener) {
      local?.onRemote(listener);
      replicas.onRemote(listener);
    },
  };
}

/** Reports are lost while Redis is unavailable: each gateway then applies its limits on its own. */
function createBroadcast(redis: RedisConnection, gatewayId: string) {
  return <Payload>(
    channel: string,
    parse: (payload: unknown) => Payload | undefined,
  ): SharedReports<Payload> => ({
    add(payload) {
      const message: GatewayMessage = { gatewayId, payload };
      if (redis.isConnected()) void redis.command(['PUBLISH', channel, JSON.stringify(message)]);
    },
    onRemote(listener) {
      redis.subscribe({
        channel,
        onMessage(text) {
          const message = parseMessage(text);
          if (message === undefined || message.gatewayId === gatewayId) return;
          const payload = parse(message.payload);
          if (payload !== undefined) listener(payload);
        },
      });
    },
  });
}

function parseMessage(text: string): GatewayMessage | undefined {
  const { gatewayId, payload } = toRecord(parseIfJson(text));
  return typeof gatewayId === 'string' ? { gatewayId, payload } : undefined;
}

function parseListOf<Item>(isItem: (item: unknown) => item is Item) {
  return (payload: unknown): readonly Item[] | undefined =>
    Array.isArray(payload) && payload.length <= MAX_ITEMS && payload.every(isItem) ? payload : undefined;
}

function isCount(item: unknown): item is RateCounts[number] {
  if (!Array.isArray(item)) return false;
  const [caller, operations] = item;
  return typeof caller === 'string' && Number.isFinite(operations) && operations > 0;
}

function isString(value: unknown): value is string {
  return typeof value === 'string';
}

function parseLogin(payload: unknown): VerifiedLogin | undefined {
  const { isAccepted, credentialId, accountId, addressGroup } = toRecord(payload);
  if (typeof isAccepted !== 'boolean' || !isString(credentialId)) return undefined;
  if (!isString(accountId) || !isString(addressGroup)) return undefined;
  return { isAccepted, credentialId, accountId, addressGroup };
}
