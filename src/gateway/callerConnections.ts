/**
 * Holds one connection to the platform for each caller that sends its own credential. The platform verifies a
 * credential before its connection takes a slot; all requests with the credential share it, and idle ones are closed.
 */
import { GatewayError, hasCode } from '../errors.js';
import type { CallerCredential } from '../http/auth/caller.js';
import { toAddressGroup } from '../http/rateLimits/remoteAddress.js';
import { type Clock, toMonotonicClock } from '../lib/clock.js';
import type { SampleFeed } from '../live/sampleFeed.js';
import type { SharedReports, VerifiedLogin } from './coordinator.js';
import type { ConnectedPlatform } from './platform.js';
import { RefusedCredentials, toAccountId, toCredentialId } from './refusedCredentials.js';

export interface CallerConnection {
  platform: ConnectedPlatform;
  feed: SampleFeed;
  /** The name of the feed, the same in all processes. */
  feedName: string;
  close(): Promise<void>;
}

/** The use of a connection; it stays open until the last lease is released. */
export interface ConnectionLease extends Pick<CallerConnection, 'platform' | 'feed'> {
  release(): void;
}

interface CallerConnectionsOptions {
  connect(credential: CallerCredential, onRefused: () => void): CallerConnection;
  clock: Clock;
  /** Logins of other processes count too. */
  logins?: SharedReports<VerifiedLogin> | undefined;
  maxConnections?: number;
  /** Milliseconds after which an unused connection is closed. */
  idleMs?: number;
  /** Milliseconds between two searches for idle connections. */
  sweepIntervalMs?: number;
}

interface PooledConnection {
  connection: CallerConnection;
  leases: number;
  usedAtMs: number;
  /** Removed from the pool; the last lease closes it. */
  isRetired: boolean;
}

interface Verification {
  accountId: string;
  addressGroup: string;
  verified: Promise<PooledConnection>;
}

const MAX_CONNECTIONS = 500;
/** Bounds concurrent verifications: wrong credentials do not occupy a slot in the pool, but cost platform calls. */
const MAX_PENDING_VERIFICATIONS = 20;
/** Credentials that wait for the verification of others, of all callers. */
const MAX_WAITING_CREDENTIALS = 100;
/** While the platform does not respond, no verification ends as refused, and those that wait would wait for each other. */
const MAX_WAIT_FOR_OTHERS_MS = 10_000;
/** Longer than most pauses of a caller, so that a returning caller finds its token. */
const IDLE_TIMEOUT_MS = 15 * 60_000;
const SWEEP_INTERVAL_MS = 30_000;

export class CallerConnections {
  readonly #connect: CallerConnectionsOptions['connect'];
  readonly #clock: Clock;
  readonly #maxConnections: number;
  readonly #idleMs: number;
  /** By credential, the least recently used first. */
  readonly #connections = new Map<string, PooledConnection>();
  readonly #verifying = new Map<string, Verification>();
  #waitingCount = 0;
  readonly #refused: RefusedCredentials;
  readonly #sweepTimer: NodeJS.Timeout;

  constructor(options: CallerConnectionsOptions) {
    const { connect, maxConnections = MAX_CONNECTIONS, idleMs = IDLE_TIMEOUT_MS } = options;
    this.#connect = connect;
    this.#clock = toMonotonicClock(options.clock);
    this.#maxConnections = maxConnections;
    this.#idleMs = idleMs;
    this.#refused = new RefusedCredentials(this.#clock, options.logins);
    const { sweepIntervalMs = SWEEP_INTERVAL_MS } = options;
    this.#sweepTimer = setInterval(() => this.#closeIdle(), sweepIntervalMs).unref();
  }

  /** Rejects with UNAUTHENTICATED, or with the reason why the credential can't be verified. */
  async lease(credential: CallerCredential, address: string): Promise<ConnectionLease> {
    const id = toCredentialId(credential);
    const open = this.#connections.get(id);
    if (open !== undefined) this.#refused.renewAccepted(id);
    const pooled = open ?? (await this.#verifyInTurn(id, credential, address));
    return this.#createLease(id, pooled);
  }

  all(): CallerConnection[] {
    return [...this.#connections.values()].map(({ connection }) => connection);
  }

  async close(): Promise<void> {
    clearInterval(this.#sweepTimer);
    const open = this.all();
    this.#connections.clear();
    await Promise.all(open.map((connection) => connection.close()));
  }

  /**
   * Concurrent requests with one credential share its verification. Other credentials with the same Key or from the
   * same address are verified first: guesses that were verified together would use up the token requests before the
   * first one counts as refused.
   */
  async #verifyInTurn(id: string, credential: CallerCredential, address: string): Promise<PooledConnection> {
    const waitsUntilMs = this.#clock.now() + MAX_WAIT_FOR_OTHERS_MS;
    for (;;) {
      const found = this.#connections.get(id) ?? this.#verifying.get(id)?.verified;
      if (found !== undefined) return found;
      const refusal = this.#refused.getRefusal(credential, address);
      if (refusal) throw refusal;
      const earlier = this.#refused.isAccepted(id) ? [] : this.#findEarlier(credential, address);
      if (earlier.length === 0) return this.#beginVerification(id, credential, address);
      const mayWait = this.#waitingCount < MAX_WAITING_CREDENTIALS && this.#clock.now() < waitsUntilMs;
      if (!mayWait) throw createConnectionLimitError();
      this.#waitingCount += 1;
      await Promise.race(earlier.map(({ verified }) => verified.catch(() => undefined)));
      this.#waitingCount -= 1;
    }
  }

  /** Verifications of the Key, or as many of the address as may still be refused. One of them has to end first. */
  #findEarlier(credential: CallerCredential, address: string): Verification[] {
    const accountId = toAccountId(credential);
    const addressGroup = toAddressGroup(address);
    const running = [...this.#verifying.values()];
    const ofAddress = running.filter((one) => one.addressGroup === addressGroup);
    if (ofAddress.length >= this.#refused.failuresLeft(addressGroup)) return ofAddress;
    return running.filter((one) => one.accountId === accountId);
  }

  #beginVerification(id: string, credential: CallerCredential, address: string): Promise<PooledConnection> {
    // Checked before the platform is called, so that a full pool costs no token requests.
    if (this.#verifying.size >= MAX_PENDING_VERIFICATIONS || !this.#hasRoom()) {
      throw createConnectionLimitError();
    }
    const verified = this.#verify(id, credential, address).finally(() => this.#verifying.delete(id));
    const addressGroup = toAddressGroup(address);
    this.#verifying.set(id, { accountId: toAccountId(credential), addressGroup, verified });
    return verified;
  }

  async #verify(id: string, credential: CallerCredential, address: string): Promise<PooledConnection> {
    const connection = this.#connect(credential, () => this.#retire(id, pooled));
    const pooled = { connection, leases: 0, usedAtMs: this.#clock.now(), isRetired: false };
    try {
      await connection.platform.checkReady();
      this.#refused.addAccepted(credential, address);
      this.#makeRoom();
      this.#connections.set(id, pooled);
      return pooled;
    } catch (error) {
      if (hasCode(error, 'UNAUTHENTICATED')) this.#refused.add(credential, address);
      if (hasCode(error, 'PLATFORM_RATE_LIMITED')) this.#refused.addLimit(credential, error);
      await connection.close();
      throw error;
    }
  }

  #createLease(id: string, pooled: PooledConnection): ConnectionLease {
    pooled.leases += 1;
    if (this.#connections.delete(id)) this.#connections.set(id, pooled);
    let isReleased = false;
    return {
      platform: pooled.connection.platform,
      feed: pooled.connection.feed,
      release: () => {
        if (isReleased) return;
        isReleased = true;
        pooled.leases -= 1;
        pooled.usedAtMs = this.#clock.now();
        if (pooled.isRetired && pooled.leases === 0) void pooled.connection.close();
      },
    };
  }

  /** Also called for a connection that is not in the pool yet, while its credential is verified. */
  #retire(id: string, pooled: PooledConnection): void {
    if (this.#connections.get(id) === pooled) this.#connections.delete(id);
    pooled.isRetired = true;
    if (pooled.leases === 0) void pooled.connection.close();
  }

  #findIdle(): [string, PooledConnection] | undefined {
    return [...this.#connections].find(([, { leases }]) => leases === 0);
  }

  #hasRoom(): boolean {
    return this.#connections.size < this.#maxConnections || this.#findIdle() !== undefined;
  }

  #makeRoom(): void {
    if (this.#connections.size < this.#maxConnections) return;
    const idle = this.#findIdle();
    if (idle === undefined) throw createConnectionLimitError();
    this.#retire(...idle);
  }

  #closeIdle(): void {
    const sinceMs = this.#clock.now() - this.#idleMs;
    for (const [id, pooled] of this.#connections) {
      if (pooled.leases === 0 && pooled.usedAtMs <= sinceMs) this.#retire(id, pooled);
    }
  }
}

function createConnectionLimitError(): GatewayError {
  return new GatewayError(
    'AUTHENTICATION_UNAVAILABLE',
    'The gateway cannot accept another caller at the moment.',
    { retryable: true, retryAfterMs: 1000 },
  );
}
