/** Answers from what is known, as long as its kind allows, and otherwise loads once for all who ask. */
import { createClientDisconnectedError } from '../errors.js';
import type { Clock } from '../lib/clock.js';
import type { Logger } from '../lib/logger.js';
import { createSingleFlight, type SingleFlight } from '../lib/singleFlight.js';
import type { CacheKey } from './cacheKey.js';
import type { CachedValue, CacheLookup, CacheRequest } from './cacheRequest.js';
import type { StoredEntry } from './cacheStore.js';
import { type LoadOutcome, type LoadPurpose, loadEntry } from './loadEntry.js';
import type { PeerCaches } from './peerCaches.js';
import { POLICIES, type PolicyTable, type ResourceKind } from './policies.js';
import type { RedisConnection } from './redis/redisConnection.js';
import { createTieredStore } from './tieredStore.js';

export interface Cache {
  /**
   * Fresh: from memory. Within stale-while-revalidate: the stale value, and one load behind the caller's back.
   * Else from Redis or by one load for all who ask; where that fails by a fault of the platform and within
   * stale-if-error, the stale value. Errors are never stored. Rejects as `load` does, or with CANCELLED.
   */
  fetch<Value>(request: CacheRequest<Value>): Promise<CachedValue<Value>>;
  /** State of the entry in memory and among the loads in flight, without a promise. With `noCache`, of such loads only. */
  lookup<Value>(key: CacheKey, kind: ResourceKind, noCache?: boolean): CacheLookup<Value>;
  /** The fresh value in memory, counted as an answer; undefined where there is none. */
  get<Value>(key: CacheKey, kind: ResourceKind): CachedValue<Value> | undefined;
  /**
   * Forgets all that bears one of the tags, here, in Redis, in other replicas and processes, and lets nothing be
   * stored that was being loaded meanwhile. Here it holds at once; resolves when the other processes have done
   * so and Redis was told, or is away: then it is told when it is back.
   */
  invalidate(tags: readonly string[]): Promise<void>;
  /** Rises whenever something is dropped or may have been: what was made of answers before is not to be given again. */
  version(): number;
  /** Answers to `fetch` and `take` so far, by where they came from. */
  originCounts(): Readonly<Record<CachedValue<unknown>['origin'], number>>;
  /** Of memory; `bytes` is an estimate. */
  usage(): { entries: number; bytes: number };
  /** Forgets everything in this process. */
  clear(): void;
}

export interface CacheOptions {
  clock: Clock;
  logger: Logger;
  /** The most memory for answers, in bytes; 64 MB where absent. */
  maxBytes?: number | undefined;
  /** Shares answers between replicas. Absent: this process alone. */
  redis?: RedisConnection | undefined;
  /** Of the other processes of this gateway. Absent: there are none. */
  peers?: PeerCaches | undefined;
  policies?: PolicyTable;
}

interface InFlightLoad {
  flight: SingleFlight<LoadOutcome>;
  tags: readonly string[];
  noCache: boolean;
}

export function createCache(options: CacheOptions): Cache {
  const { clock, logger, maxBytes, redis, peers, policies = POLICIES } = options;
  const onMissedInvalidations = () => {
    epoch += 1;
  };
  const store = createTieredStore({
    clock,
    logger,
    maxBytes,
    redis,
    policies,
    onInvalidated: dropHere,
    onMissedInvalidations,
  });
  /** By the key's text, the flights that others may join. */
  const flights = new Map<string, InFlightLoad>();
  let epoch = 0;
  const counts = { memory: 0, redis: 0, network: 0, stale: 0, joined: 0 };

  /** Flights begun before a drop go on for those who wait, and are found by nobody else. */
  function dropHere(tags: readonly string[]): void {
    epoch += 1;
    store.invalidateLocally(tags);
    for (const [text, active] of flights) {
      if (active.tags.some((tag) => tags.includes(tag))) flights.delete(text);
    }
  }

  /** Only the flight that is found under its key stores: not one that was dropped, left or overtaken. */
  function begin(request: CacheRequest<unknown>, purpose: LoadPurpose): InFlightLoad {
    const { text, tags } = request.key;
    const isFound = () => flights.get(text) === active;
    const flight = createSingleFlight(
      ({ signal }) => loadEntry({ store, clock, request, purpose, signal, canStore: isFound }),
      () => {
        if (isFound()) flights.delete(text);
      },
      createClientDisconnectedError,
    );
    const active: InFlightLoad = { flight, tags, noCache: request.noCache === true };
    flights.set(text, active);
    return active;
  }

  /** Its flight is joined by nobody in particular: a caller who comes and leaves does not end it. */
  function renew(request: CacheRequest<unknown>): void {
    if (flights.has(request.key.text)) return;
    const { flight } = begin(request, 'renewal');
    flight.wait().catch((cause: unknown) => logger.debug({ cause, kind: request.kind }, 'A renewal failed'));
  }

  async function join<Value>(request: CacheRequest<Value>): Promise<CachedValue<Value>> {
    const active = flights.get(request.key.text);
    const joined = active && (active.noCache || !request.noCache) ? active : undefined;
    const outcome = await (joined ?? begin(request, 'answer')).flight.wait(request.cancellation);
    if (outcome.failure && request.noCache) throw outcome.failure.error;
    if (outcome.isRevalidationDue) renew(request);
    const origin = joined && outcome.origin !== 'stale' ? 'joined' : outcome.origin;
    const cached = toCached<Value>(outcome.entry, origin, request.kind);
    return outcome.isPartial ? { ...cached, freshForMs: 0 } : cached;
  }

  function toCached<Value>(
    { value, storedAtMs }: StoredEntry,
    origin: CachedValue<Value>['origin'],
    kind: ResourceKind,
  ): CachedValue<Value> {
    const ageMs = Math.max(0, clock.now() - storedAtMs);
    const freshForMs = origin === 'stale' ? 0 : Math.max(0, policies[kind].timeToLiveMs - ageMs);
    // What a key holds is what its requests load: a key is made for one type.
    return { value: value as Value, origin, ageMs, freshForMs };
  }

  function find<Value>(request: CacheRequest<Value>): CachedValue<Value> | Promise<CachedValue<Value>> {
    const entry = request.noCache ? undefined : store.getFromMemory(request.key, request.kind);
    if (entry?.freshness === 'fresh') return toCached(entry.entry, 'memory', request.kind);
    if (entry?.freshness !== 'revalidate') return join(request);
    renew(request);
    return toCached(entry.entry, 'stale', request.kind);
  }

  function lookup<Value>(key: CacheKey, kind: ResourceKind, noCache = false): CacheLookup<Value> {
    const found = noCache ? undefined : store.getFromMemory(key, kind);
    if (found?.freshness === 'fresh')
      return { state: 'fresh', cached: toCached(found.entry, 'memory', kind) };
    const cached = found && toCached<Value>(found.entry, 'stale', kind);
    const active = flights.get(key.text);
    if (active && (active.noCache || !noCache)) return { state: 'inFlight', cached };
    return cached ? { state: 'stale', cached } : { state: 'missing', cached };
  }

  peers?.onInvalidated(dropHere);

  return {
    async fetch(request) {
      const cached = await find(request);
      counts[cached.origin] += 1;
      return cached;
    },
    lookup,
    get<Value>(key: CacheKey, kind: ResourceKind) {
      const { state, cached } = lookup<Value>(key, kind);
      if (state !== 'fresh') return undefined;
      counts.memory += 1;
      return cached;
    },
    async invalidate(tags) {
      dropHere(tags);
      // Redis first: whoever forgot before it would find there again what is to be forgotten.
      await store.invalidateInRedis(tags);
      await peers?.invalidate(tags);
    },
    version: () => epoch,
    originCounts: () => counts,
    usage: store.usage,
    clear() {
      epoch += 1;
      store.clear();
      flights.clear();
    },
  };
}
