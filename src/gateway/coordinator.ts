/**
 * The port through which processes share state: tokens, invalidations, polls, caller rates and logins. Workers of
 * one gateway share through their primary (`workers/`), replicas through Redis (`sharing/`).
 */
import { randomUUID } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { CacheOptions } from '../cache/cache.js';
import type { CredentialScope, EntryKey } from '../cache/cacheKey.js';
import type { RateCounts, SharedRateCounts } from '../http/rateLimits/callerRateLimiter.js';
import type { WorkerDirectory } from '../http/server/forwarding.js';
import type { Clock } from '../lib/clock.js';
import type { StartPoll } from '../live/samplePoll.js';
import type { SharedTokenStore, StoredText } from '../rest/auth/tokenStateStore.js';
import type { MetricFamily } from './metricTable.js';

interface FeedIdentity {
  /** Unique per credential. */
  name: string;
  /** Authenticates samples that pass through Redis. */
  entryKey: EntryKey;
}

/** A login that the platform accepted or refused. The strings are hashes and an address prefix, never the credential. */
export interface VerifiedLogin {
  isAccepted: boolean;
  credentialId: string;
  /** The same for all secrets that were tried with one key. */
  accountId: string;
  addressGroup: string;
}

/** Reports that each process sends to the others. */
export interface SharedReports<Report> {
  add(report: Report): void;
  /** Calls the listener with the reports of other processes. */
  onRemote(listener: (report: Report) => void): void;
}

interface SharedMetrics {
  /** Sets the function that reads the metrics of this process. */
  onRead(read: () => MetricFamily[]): void;
  /** The sum over all processes of this gateway. */
  collect(): Promise<readonly MetricFamily[]>;
}

/** If another process or Redis fails, no method rejects: this process continues without it. */
export interface Coordinator {
  /** The same in all workers of one gateway, different in every replica. */
  gatewayId: string;
  /** Workers of this gateway, including this one. */
  processCount: number;
  tokenStore(scope: CredentialScope, secret: string): SharedTokenStore;
  /** The cache invalidates through `peers` and through `redis`, which also holds entries. */
  cacheSharing: Pick<CacheOptions, 'redis' | 'peers'>;
  /** Whether other processes may receive the samples that this one polls. */
  sharesPolls: boolean;
  /** Returns polls of which one process polls the platform, and the others receive its samples. */
  sharePoll(feed: FeedIdentity, start: StartPoll): StartPoll;
  /** Feeds that have subscribers to numeric samples, by `FeedIdentity.name`. */
  pollNeeds?: SharedReports<readonly string[]>;
  rateCounts?: SharedReports<RateCounts>;
  logins?: SharedReports<VerifiedLogin>;
  /** Absent if `/metrics` covers this process only. */
  metrics?: SharedMetrics;
  /** The workers of this gateway. Absent if it has one process. */
  workers?: WorkerDirectory;
  close(): Promise<void>;
}

/** Far more credentials than are used at once. Bounds the memory under a flood of wrong credentials. */
export const MAX_TOKEN_TEXTS = 10_000;
/** The version of a missing text. */
const ABSENT = '';

/** Stores the token state of each credential as a text: token, token budget and renewal lease. */
export function createTokenTexts(clock: Clock) {
  const texts = new LRUCache<string, { text: string; version: string }>({ max: MAX_TOKEN_TEXTS });
  let versions = 0;

  function read(name: string): StoredText {
    const entry = texts.get(name);
    return { text: entry?.text, version: entry?.version ?? ABSENT, nowMs: clock.now() };
  }

  return {
    read,
    /** See `SharedTokenStore.replace`. */
    replace(name: string, version: string, text: string, lifeMs: number) {
      const isReplaced = read(name).version === version;
      if (isReplaced) texts.set(name, { text, version: String(++versions) }, { ttl: Math.ceil(lifeMs) });
      return { ...read(name), isReplaced };
    },
  };
}

/**
 * For a gateway of one process, which shares nothing with others. Successive connections of one caller share their
 * token state: after a failed token request, the next connection must wait too.
 */
export function createLocalCoordinator(clock: Clock): Coordinator {
  const texts = createTokenTexts(clock);
  return {
    gatewayId: randomUUID(),
    processCount: 1,
    tokenStore: (scope) => ({
      read: async () => texts.read(scope),
      replace: async (...change) => texts.replace(scope, ...change),
    }),
    cacheSharing: {},
    sharesPolls: false,
    sharePoll: (_, start) => start,
    async close() {},
  };
}

/** With many connections, a caller can exceed its rate by at most the operations of one interval in each process. */
const REPORT_INTERVAL_MS = 100;

/** Collects the operations of each caller and sends them a few times a second, instead of one message per operation. */
export function batchRateCounts({ add, onRemote }: SharedReports<RateCounts>): SharedRateCounts {
  const counts = new Map<string, number>();
  const report = () => {
    add([...counts]);
    counts.clear();
  };
  return {
    add(caller, operations) {
      if (counts.size === 0) setTimeout(report, REPORT_INTERVAL_MS).unref();
      counts.set(caller, (counts.get(caller) ?? 0) + operations);
    },
    onRemote,
  };
}
