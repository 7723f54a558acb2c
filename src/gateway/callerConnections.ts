/**
 * Keeps a connection to the platform for each caller who brings its own credential: verified before it takes
 * anybody's place, shared by all requests that show the same credential, closed when it is idle.
 */
import { GatewayError } from '../errors.js';
import type { CallerCredential } from '../http/auth/caller.js';
import type { Clock } from '../lib/clock.js';
import { toMonotonicClock } from '../lib/monotonicClock.js';
import type { SampleFeed } from '../live/sampleFeed.js';
import type { ConnectedPlatform, PlatformMetricValues } from './platform.js';
import { createRefusedCredentials, toCredentialId } from './refusedCredentials.js';

/** The platform as one credential sees it. */
export interface CallerConnection {
  platform: ConnectedPlatform;
  feed: SampleFeed;
  close(): Promise<void>;
}

/** The use of a connection; it stays open until the last one ends. */
export interface ConnectionLease extends Pick<CallerConnection, 'platform' | 'feed'> {
  release(): void;
}

export interface CallerConnections {
  /** Rejects with UNAUTHENTICATED, or with why it can't be told whether the credential is good. */
  lease(credential: CallerCredential, address: string): Promise<ConnectionLease>;
  /** Ends every subscription. */
  stopFeeds(): void;
  /** The worst state of each family's breakers, and the subscriptions of all. */
  metricValues(): Pick<PlatformMetricValues, 'breakerStates' | 'subscriptions'>;
  close(): Promise<void>;
}

export interface CallerConnectionsOptions {
  connect(credential: CallerCredential, onRefused: () => void): CallerConnection;
  clock: Clock;
  maxConnections?: number;
  /** Milliseconds after which a connection that nobody uses is closed. */
  idleMs?: number;
  /** Milliseconds between two looks for idle ones. */
  sweepIntervalMs?: number;
}

interface PooledConnection {
  connection: CallerConnection;
  leases: number;
  usedAtMs: number;
  /** No longer found by its credential: closed by whoever leaves last. */
  isRetired: boolean;
}

const MAX_CONNECTIONS = 500;
/** Credentials that the platform is being asked about: a flood of wrong ones waits in nobody's place. */
const MAX_PENDING_VERIFICATIONS = 20;
/** Longer than most pauses: a caller that comes back has its token still. */
const IDLE_TIMEOUT_MS = 15 * 60_000;
const SWEEP_INTERVAL_MS = 30_000;

export function createCallerConnections(options: CallerConnectionsOptions): CallerConnections {
  const { connect, maxConnections = MAX_CONNECTIONS } = options;
  const clock = toMonotonicClock(options.clock);
  const { idleMs = IDLE_TIMEOUT_MS, sweepIntervalMs = SWEEP_INTERVAL_MS } = options;
  /** By credential, the least recently used first. */
  const held = new Map<string, PooledConnection>();
  const pending = new Map<string, Promise<PooledConnection>>();
  const refusals = createRefusedCredentials(clock);

  function retire(id: string, one: PooledConnection): void {
    if (held.get(id) === one) held.delete(id);
    one.isRetired = true;
    if (one.leases === 0) void one.connection.close();
  }

  const findIdle = () => [...held].find(([, { leases }]) => leases === 0);
  const hasRoom = () => held.size < maxConnections || findIdle() !== undefined;

  function makeRoom(): void {
    if (held.size < maxConnections) return;
    const idle = findIdle();
    if (idle === undefined) throw createConnectionLimitError();
    retire(...idle);
  }

  async function verify(
    id: string,
    credential: CallerCredential,
    address: string,
  ): Promise<PooledConnection> {
    const connection = connect(credential, () => retire(id, one));
    const one: PooledConnection = { connection, leases: 0, usedAtMs: clock.now(), isRetired: false };
    try {
      await connection.platform.checkReady();
      refusals.addGood(credential);
      makeRoom();
      held.set(id, one);
      return one;
    } catch (error) {
      if (error instanceof GatewayError && error.code === 'UNAUTHENTICATED')
        refusals.add(credential, address);
      await connection.close();
      throw error;
    }
  }

  /** One question to the platform for however many wait for its answer. */
  function begin(id: string, credential: CallerCredential, address: string): Promise<PooledConnection> {
    const refusal = refusals.getRefusal(credential, address);
    if (refusal) throw refusal;
    // Asked first, so that nobody spends token requests on a place that is not there.
    if (pending.size >= MAX_PENDING_VERIFICATIONS || !hasRoom()) throw createConnectionLimitError();
    const verified = verify(id, credential, address).finally(() => pending.delete(id));
    pending.set(id, verified);
    return verified;
  }

  function use(id: string, one: PooledConnection): ConnectionLease {
    one.leases += 1;
    if (held.delete(id)) held.set(id, one);
    let isOver = false;
    return {
      platform: one.connection.platform,
      feed: one.connection.feed,
      release() {
        if (isOver) return;
        isOver = true;
        one.leases -= 1;
        one.usedAtMs = clock.now();
        if (one.isRetired && one.leases === 0) void one.connection.close();
      },
    };
  }

  function sweep(): void {
    const sinceMs = clock.now() - idleMs;
    for (const [id, one] of held) if (one.leases === 0 && one.usedAtMs <= sinceMs) retire(id, one);
  }
  const timer = setInterval(sweep, sweepIntervalMs).unref();

  return {
    async lease(credential, address) {
      const id = toCredentialId(credential);
      return use(id, held.get(id) ?? (await (pending.get(id) ?? begin(id, credential, address))));
    },
    stopFeeds() {
      for (const { connection } of held.values()) connection.feed.stop();
    },
    metricValues() {
      const open = [...held.values()].map(({ connection }) => connection);
      return {
        breakerStates: open.flatMap(({ platform }) => platform.breakerStates()),
        subscriptions: open.reduce((sum, { feed }) => sum + feed.subscriptionCount(), 0),
      };
    },
    async close() {
      clearInterval(timer);
      const open = [...held.values()];
      held.clear();
      await Promise.all(open.map(({ connection }) => connection.close()));
    },
  };
}

function createConnectionLimitError(): GatewayError {
  return new GatewayError('AUTHENTICATION_UNAVAILABLE', 'There is no room for another caller just now.', {
    retryable: true,
    retryAfterMs: 1000,
  });
}
