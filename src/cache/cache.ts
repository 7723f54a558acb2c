/** Serves values from memory or Redis while their policy allows, and otherwise loads each key once for all callers. */
import { createClientDisconnectedError, hasCode } from '../errors.js';
import { type CancellationController, createCancellation } from '../lib/cancellation.js';
import type { Clock } from '../lib/clock.js';
import type { Logger } from '../lib/logger.js';
import { createSingleFlight, type SingleFlight } from '../lib/singleFlight.js';
import { type CacheKey, type CredentialScope, toTagScope } from './cacheKey.js';
import type { CachedValue, CacheLookup, CacheRequest, ReadOrigin, StoredEntry } from './cacheRequest.js';
import { type LoadOutcome, loadEntry } from './loadEntry.js';
import { createInvalidationLog } from './memory/invalidationLog.js';
import { POLICIES, type ResourceKind } from './policies.js';
import type { RedisConnection } from './redis/redisConnection.js';
import { RevalidationQueue } from './revalidationQueue.js';
import { type Overlay, type PeerCaches, TieredStore, type UsableEntry } from './tieredStore.js';

export interface CacheOptions {
  clock: Clock;
  logger: Logger;
  /** Maximum memory of all entries in bytes; 64 MB by default. */
  maxBytes?: number | undefined;
  /** Shares entries between replicas. Without it, entries stay in this process. */
  redis?: RedisConnection | undefined;
  /** The other processes of this gateway, if any. */
  peers?: PeerCaches | undefined;
  /**
   * Maximum number of background revalidations per minute, for kinds that may be stale for a minute or longer. 0,
   * the default, means no limit.
   */
  revalidationsPerMinute?: number | undefined;
}

interface InFlightLoad {
  flight: SingleFlight<LoadOutcome>;
  controller: CancellationController;
  tags: readonly string[];
  noCache: boolean;
  startedAtMs: number;
}

type MemoryRequest = Pick<CacheRequest<unknown>, 'key' | 'kind' | 'noCache' | 'missingSince' | 'changedAtMs'>;

interface ServedEntry {
  entry: StoredEntry;
  origin: ReadOrigin;
  isPartial?: boolean | undefined;
}

const MISSING = { state: 'missing' } as const;
const IN_FLIGHT = { state: 'inFlight' } as const;

export class Cache {
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #store: TieredStore;
  readonly #revalidations: RevalidationQueue;
  /** The loads that callers may share, by the text of their key. */
  readonly #inFlight = new Map<string, InFlightLoad>();
  readonly #origins = { memory: 0, redis: 0, network: 0, stale: 0, overdue: 0, shared: 0 };
  /** Invalidations by credential scope. */
  readonly #versions = createInvalidationLog();

  constructor(options: CacheOptions) {
    const { clock, logger, maxBytes, redis, peers, revalidationsPerMinute = 0 } = options;
    this.#clock = clock;
    this.#logger = logger;
    const onInvalidated = (tags: readonly string[]) => this.#invalidateLocally(tags);
    const onMissedInvalidations = () => {
      this.#versions.addAll();
      this.#revalidations.clear();
    };
    this.#revalidations = new RevalidationQueue({
      clock,
      perMinute: revalidationsPerMinute,
      isNeeded: (request) => this.#needsRevalidation(request),
      begin: (request) => this.#beginRevalidation(request),
    });
    this.#store = new TieredStore({
      clock,
      logger,
      maxBytes,
      redis,
      peers,
      onInvalidated,
      onMissedInvalidations,
    });
  }

  /**
   * Returns a fresh value from memory. Within stale-while-revalidate it returns the stale value, while one load in
   * the background replaces it. Otherwise it comes from Redis or from one load for all callers. If that load fails
   * because of the platform, the stale value is returned within stale-if-error. Errors are never stored. Rejects
   * as `load` does, or with CANCELLED.
   */
  async fetch<Value>(request: CacheRequest<Value>): Promise<CachedValue<Value>> {
    let served = this.#getServable(request);
    while (served === undefined) {
      if (request.cancellation?.isCancelled()) throw createClientDisconnectedError();
      const shared = this.#sharableLoad(request.key, request.noCache === true, request.changedAtMs);
      const { flight, controller } = shared ?? this.#beginLoad(request);
      if (shared !== undefined && request.waiter !== undefined) controller.addWaiter(request.waiter);
      const stopListening = request.waiter?.cancellation?.onWaiter?.((waiter) =>
        controller.addWaiter(waiter),
      );
      try {
        const outcome = await flight.wait(request.cancellation);
        served = this.#toServed(request, outcome, shared !== undefined);
      } catch (error) {
        // The operation that began the load has reached its call limit; this operation may have calls left.
        if (shared === undefined || !hasCode(error, 'TOO_MANY_REST_CALLS')) throw error;
      } finally {
        stopListening?.();
      }
    }
    this.#origins[served.origin] += 1;
    const cached = this.#toCachedValue<Value>(served.entry, served.origin, request.kind);
    return served.isPartial ? { ...cached, freshForMs: 0 } : cached;
  }

  /**
   * Returns the state of the key in this process without waiting. With `noCache`, only loads that were also started
   * with `noCache` count. `missingSince`: see `CacheRequest`.
   */
  lookup<Value>(
    key: CacheKey,
    kind: ResourceKind,
    noCache = false,
    missingSince?: number,
  ): CacheLookup<Value> {
    const found = this.#getFromMemory({ key, kind, noCache, missingSince });
    if (found?.freshness === 'fresh') return this.#toLookup('fresh', found, kind);
    const isInFlight = this.#sharableLoad(key, noCache) !== undefined;
    if (found === undefined) return isInFlight ? IN_FLIGHT : MISSING;
    return this.#toLookup(isInFlight ? 'inFlight' : 'stale', found, kind);
  }

  /** Counts a value from `lookup` that is served. */
  countRead(origin: ReadOrigin): void {
    this.#origins[origin] += 1;
  }

  /** Increases with each entry that the memory stores: while it is unchanged, a missing entry is still missing. */
  contentVersion(): number {
    return this.#store.contentVersion();
  }

  /**
   * Removes all entries that have one of the tags from this process, its peers, Redis and other replicas. The results of
   * loads in flight are not stored. In this process it takes effect at once. Resolves when the peers have done the same
   * and Redis has replied. While Redis is unavailable, this process and its peers queue the tags, and send them after
   * reconnecting.
   */
  async invalidate(tags: readonly string[]): Promise<void> {
    this.#invalidateLocally(tags);
    await this.#store.invalidateElsewhere(tags);
  }

  /**
   * Increases when entries of the credential were or may have been invalidated: responses of an older version are
   * stale.
   */
  version(scope: CredentialScope): number {
    return this.#versions.versionOf(scope);
  }

  /**
   * Serves the entries of an overlay for a key before those in memory. An invalidation does not affect them. Returns a
   * function that removes the overlay.
   */
  overlay(key: CacheKey, kind: ResourceKind, overlay: Overlay): () => void {
    return this.#store.overlay(key, kind, overlay);
  }

  /** Copies the entry of a key from Redis to memory, if memory has none. Makes no REST call. */
  async recall(request: CacheRequest<unknown>): Promise<void> {
    const hasEntry = () => this.#store.getFromMemory(request.key, request.kind) !== undefined;
    if (hasEntry()) return;
    const { redisEntry, storeInMemory } = await this.#store.beginLoad(request);
    // A load may have stored a value in the meantime.
    if (redisEntry && !hasEntry()) storeInMemory(redisEntry.entry);
  }

  /**
   * Call this when the value of the key has changed. A load in flight finishes for the callers that already wait for
   * it, but no other caller shares it, and it stores nothing.
   */
  outdateLoad({ text }: CacheKey): void {
    this.#inFlight.delete(text);
  }

  /** Stores an entry that was obtained without a load, unless memory already has a later one. */
  store(key: CacheKey, kind: ResourceKind, entry: StoredEntry): void {
    this.#store.storeInMemory(key, kind, entry);
  }

  /** The number of values served so far, by origin: results of `fetch`, and those that `countRead` counted. */
  originCounts(): Readonly<Record<ReadOrigin, number>> {
    return this.#origins;
  }

  /** Usage of the memory; `bytes` is an estimate. */
  usage(): { entries: number; bytes: number } {
    return this.#store.usage();
  }

  /** Undefined if the value has to be loaded. */
  #getServable(request: CacheRequest<unknown>): ServedEntry | undefined {
    const found = this.#getFromMemory(request);
    if (found?.freshness === 'fresh') return { entry: found.entry, origin: 'memory' };
    if (found === undefined) return undefined;
    const isOverdue = found.freshness !== 'revalidate';
    // While the revalidation of an entry waits for its turn, the entry is served as long as it would be for an error.
    if (isOverdue && !this.#revalidations.isWaiting(request.key.text)) return undefined;
    this.#revalidate(request);
    return { entry: found.entry, origin: isOverdue ? 'overdue' : 'stale' };
  }

  #getFromMemory({ key, kind, noCache, missingSince, changedAtMs }: MemoryRequest): UsableEntry | undefined {
    if (noCache || missingSince === this.#store.contentVersion()) return undefined;
    const found = this.#store.getFromMemory(key, kind);
    const isOutdated = found && changedAtMs !== undefined && found.entry.storedAtMs < changedAtMs;
    return isOutdated ? { entry: found.entry, freshness: 'ifError' } : found;
  }

  /** With `noCache`, throws the failure of the load instead of serving a stale entry. */
  #toServed(request: CacheRequest<unknown>, outcome: LoadOutcome, isShared: boolean): ServedEntry {
    const { entry, origin, isPartial, failure } = outcome;
    if (failure && request.noCache) throw failure;
    if (origin === 'stale') this.#revalidate(request);
    const isStale = origin === 'stale' || origin === 'overdue';
    return { entry, origin: isShared && !isStale ? 'shared' : origin, isPartial };
  }

  #sharableLoad(
    { text }: CacheKey,
    noCache: boolean,
    changedAtMs = Number.NEGATIVE_INFINITY,
  ): InFlightLoad | undefined {
    const active = this.#inFlight.get(text);
    return active && (active.noCache || !noCache) && active.startedAtMs >= changedAtMs ? active : undefined;
  }

  /**
   * The load stores its value only while it is registered under its key: a load that was invalidated, cancelled or replaced
   * stores nothing.
   */
  #beginLoad(request: CacheRequest<unknown>, isRevalidation = false): InFlightLoad {
    const { text, tags } = request.key;
    const isRegistered = () => this.#inFlight.get(text) === active;
    const [store, clock, canStore] = [this.#store, this.#clock, isRegistered];
    const controller = createCancellation();
    const startedAtMs = clock.now();
    const load = loadEntry({ store, clock, request, isRevalidation, cancellation: controller, canStore });
    const onEnd = () => {
      if (isRegistered()) this.#inFlight.delete(text);
    };
    const flight = createSingleFlight(load, {
      controller,
      onEnd,
      toCancelled: createClientDisconnectedError,
    });
    const active: InFlightLoad = { flight, controller, tags, noCache: request.noCache === true, startedAtMs };
    this.#inFlight.set(text, active);
    return active;
  }

  #revalidate(request: CacheRequest<unknown>): void {
    if (!this.#inFlight.has(request.key.text)) this.#revalidations.add(request);
  }

  /** While a revalidation waited, its entry may have been loaded again, replaced or removed. */
  #needsRevalidation({ key, kind }: CacheRequest<unknown>): boolean {
    if (this.#inFlight.has(key.text)) return false;
    const found = this.#store.getFromMemory(key, kind);
    return found !== undefined && found.freshness !== 'fresh';
  }

  /** Waits without a cancellation, so that the load continues when callers that share it disconnect. */
  #beginRevalidation(request: CacheRequest<unknown>): void {
    const { flight } = this.#beginLoad(request, true);
    flight.wait().catch((cause: unknown) => {
      this.#logger.debug({ cause, kind: request.kind }, 'Background revalidation failed');
    });
  }

  /** Loads that started before the invalidation finish for their waiting callers, but no other caller shares them. */
  #invalidateLocally(tags: readonly string[]): void {
    this.#versions.add([...new Set(tags.map(toTagScope))]);
    this.#store.invalidateLocally(tags);
    for (const [text, active] of this.#inFlight) {
      if (active.tags.some((tag) => tags.includes(tag))) this.#inFlight.delete(text);
    }
  }

  /**
   * Does not copy all properties, because copying takes longer than the rest, and an operation looks up hundreds
   * of keys.
   */
  #toLookup<Value>(
    state: 'fresh' | 'inFlight' | 'stale',
    { entry, isSuspect = false }: UsableEntry,
    kind: ResourceKind,
  ): CacheLookup<Value> {
    const cached = this.#toCachedValue<Value>(entry, state === 'fresh' ? 'memory' : 'stale', kind);
    const { value, origin, ageMs, freshForMs } = cached;
    return { state, value, origin, ageMs, freshForMs, isSuspect };
  }

  #toCachedValue<Value>(
    { value, storedAtMs }: StoredEntry,
    readOrigin: ReadOrigin,
    kind: ResourceKind,
  ): CachedValue<Value> {
    const origin = readOrigin === 'overdue' ? 'stale' : readOrigin;
    const ageMs = Math.max(0, this.#clock.now() - storedAtMs);
    const freshForMs = origin === 'stale' ? 0 : Math.max(0, POLICIES[kind].timeToLiveMs - ageMs);
    // Each key is built for one type of value, so the stored value has the type of the request.
    return { value: value as Value, origin, ageMs, freshForMs };
  }
}
