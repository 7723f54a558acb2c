/**
 * Keeps a connection to the platform for each caller who brings its own credential: verified before it takes
 * anybody's place, shared by all requests that show the same credential, closed when it is idle.
 */
import { GatewayError } from './errors.js';
import type { CallerCredential } from './http/callers/caller.js';
import type { Clock } from './lib/clock.js';
import { toMonotonicClock } from './lib/monotonicClock.js';
import type { SampleFeed } from './live/sampleFeed.js';
import type { ConnectedPlatform, PlatformReadings } from './platform.js';
import { createRefusalLog, toCredentialId } from './refusalLog.js';

/** The platform as one credential sees it. */
export interface Connection {
  platform: ConnectedPlatform;
  feed: SampleFeed;
  close(): Promise<void>;
}

/** The use of a connection; it stays open until the last one ends. */
export interface Lease extends Pick<Connection, 'platform' | 'feed'> {
  end(): void;
}

export interface CallerConnections {
  /** Rejects with UNAUTHENTICATED, or with why it can't be told whether the credential is good. */
  lease(credential: CallerCredential, address: string): Promise<Lease>;
  /** Ends every subscription. */
  stopFeeds(): void;
  /** The worst state of each family's breakers, and the subscriptions of all. */
  read(): Pick<PlatformReadings, 'breakers' | 'subscriptions'>;
  close(): Promise<void>;
}

export interface CallerConnectionsOptions {
  connect(credential: CallerCredential, onRefused: () => void): Connection;
  clock: Clock;
  mostConnections?: number;
  /** Milliseconds after which a connection that nobody uses is closed. */
  idleMs?: number;
  /** Milliseconds between two looks for idle ones. */
  sweepMs?: number;
}

interface Held {
  connection: Connection;
  leases: number;
  usedAtMs: number;
  /** No longer found by its credential: closed by whoever leaves last. */
  isRetired: boolean;
}

const MOST_CONNECTIONS = 500;
/** Credentials that the platform is being asked about: a flood of wrong ones waits in nobody's place. */
const MOST_PENDING = 20;
/** Longer than most pauses: a caller that comes back has its token still. */
const IDLE_MS = 15 * 60_000;
const SWEEP_MS = 30_000;

export function createCallerConnections(options: CallerConnectionsOptions): CallerConnections {
  const { connect, mostConnections = MOST_CONNECTIONS } = options;
  const clock = toMonotonicClock(options.clock);
  const { idleMs = IDLE_MS, sweepMs = SWEEP_MS } = options;
  /** By credential, the least recently used first. */
  const held = new Map<string, Held>();
  const pending = new Map<string, Promise<Held>>();
  const refusals = createRefusalLog(clock);

  function retire(id: string, one: Held): void {
    if (held.get(id) === one) held.delete(id);
    one.isRetired = true;
    if (one.leases === 0) void one.connection.close();
  }

  const findIdle = () => [...held].find(([, { leases }]) => leases === 0);
  const hasRoom = () => held.size < mostConnections || findIdle() !== undefined;

  function makeRoom(): void {
    if (held.size < mostConnections) return;
    const idle = findIdle();
    if (idle === undefined) throw noRoom();
    retire(...idle);
  }

  async function verify(id: string, credential: CallerCredential, address: string): Promise<Held> {
    const connection = connect(credential, () => retire(id, one));
    const one: Held = { connection, leases: 0, usedAtMs: clock.now(), isRetired: false };
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
  function begin(id: string, credential: CallerCredential, address: string): Promise<Held> {
    const refusal = refusals.whyNot(credential, address);
    if (refusal) throw refusal;
    // Asked first, so that nobody spends token requests on a place that is not there.
    if (pending.size >= MOST_PENDING || !hasRoom()) throw noRoom();
    const verified = verify(id, credential, address).finally(() => pending.delete(id));
    pending.set(id, verified);
    return verified;
  }

  function use(id: string, one: Held): Lease {
    one.leases += 1;
    if (held.delete(id)) held.set(id, one);
    let isOver = false;
    return {
      platform: one.connection.platform,
      feed: one.connection.feed,
      end() {
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
  const timer = setInterval(sweep, sweepMs).unref();

  return {
    async lease(credential, address) {
      const id = toCredentialId(credential);
      return use(id, held.get(id) ?? (await (pending.get(id) ?? begin(id, credential, address))));
    },
    stopFeeds() {
      for (const { connection } of held.values()) connection.feed.stop();
    },
    read() {
      const open = [...held.values()].map(({ connection }) => connection);
      return {
        breakers: open.flatMap(({ platform }) => platform.breakers()),
        subscriptions: open.reduce((sum, { feed }) => sum + feed.size(), 0),
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

function noRoom(): GatewayError {
  return new GatewayError('AUTHENTICATION_UNAVAILABLE', 'There is no room for another caller just now.', {
    retryable: true,
    retryAfterMs: 1000,
  });
}
