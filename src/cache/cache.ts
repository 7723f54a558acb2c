/** Answers from what is known, as long as its kind allows, and otherwise loads once for all who ask. */
import { callerLeft } from '../errors.js';
import type { Clock } from '../lib/clock.js';
import { createFlight, type Flight } from '../lib/flight.js';
import type { Logger } from '../lib/logger.js';
import type { CacheKey } from './cacheKey.js';
import type { Cached, CacheRequest } from './cacheRequest.js';
import type { StoredEntry } from './cacheStore.js';
import { createLevels } from './levels.js';
import { loadAnswer, type Outcome, type Purpose } from './loadAnswer.js';
import { type Kind, POLICIES, type PolicyTable } from './policies.js';
import type { RedisConnection } from './redisConnection.js';
import type { SiblingCaches } from './siblingCaches.js';

export interface Cache {
  /**
   * Fresh: from memory. Within stale-while-revalidate: the stale value, and one load behind the caller's back.
   * Else from Redis or by one load for all who ask; where that fails by a fault of the platform and within
   * stale-if-error, the stale value. Errors are never stored. Rejects as `load` does, or with CANCELLED.
   */
  fetch<Value>(request: CacheRequest<Value>): Promise<Cached<Value>>;
  /** The value where it is fresh in memory, without a promise. */
  peek<Value>(key: CacheKey, kind: Kind): Cached<Value> | undefined;
  /** The same, for whoever answers with it. */
  take<Value>(key: CacheKey, kind: Kind): Cached<Value> | undefined;
  /** The value in memory that may stand in for one that fails to come, without a promise. */
  peekStale<Value>(key: CacheKey, kind: Kind): Cached<Value> | undefined;
  /** Whether a load is under way that such a request would join. */
  isUnderWay(key: CacheKey, noCache: boolean): boolean;
  /**
   * Forgets all that bears one of the tags, here, in Redis, in other replicas and processes, and lets nothing be
   * stored that was being loaded meanwhile. Here it holds at once; resolves when the other processes have done
   * so and Redis was told, or is away: then it is told when it is back.
   */
  drop(tags: readonly string[]): Promise<void>;
  /** Rises whenever something is dropped or may have been: what was made of answers before is not to be given again. */
  epoch(): number;
  /** Answers to `fetch` and `take` so far, by where they came from. */
  counts(): Readonly<Record<Cached<unknown>['origin'], number>>;
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
  siblings?: SiblingCaches | undefined;
  policies?: PolicyTable;
}

interface ActiveFlight {
  flight: Flight<Outcome>;
  tags: readonly string[];
  noCache: boolean;
}

export function createCache(options: CacheOptions): Cache {
  const { clock, logger, maxBytes, redis, siblings, policies = POLICIES } = options;
  const onMissed = () => {
    epoch += 1;
  };
  const levels = createLevels({ clock, logger, maxBytes, redis, policies, onDropped: dropHere, onMissed });
  /** By the key's text, the flights that others may join. */
  const flights = new Map<string, ActiveFlight>();
  let epoch = 0;
  const counts = { memory: 0, redis: 0, network: 0, stale: 0, joined: 0 };

  /** Flights begun before a drop go on for those who wait, and are found by nobody else. */
  function dropHere(tags: readonly string[]): void {
    epoch += 1;
    levels.dropHere(tags);
    for (const [text, active] of flights) {
      if (active.tags.some((tag) => tags.includes(tag))) flights.delete(text);
    }
  }

  /** Only the flight that is found under its key stores: not one that was dropped, left or overtaken. */
  function begin(request: CacheRequest<unknown>, purpose: Purpose): ActiveFlight {
    const { text, tags } = request.key;
    const isFound = () => flights.get(text) === active;
    const flight = createFlight(
      ({ signal }) => loadAnswer({ levels, clock, request, purpose, signal, mayStore: isFound }),
      () => {
        if (isFound()) flights.delete(text);
      },
      callerLeft,
    );
    const active: ActiveFlight = { flight, tags, noCache: request.noCache === true };
    flights.set(text, active);
    return active;
  }

  /** Its flight is joined by nobody in particular: a caller who comes and leaves does not end it. */
  function renew(request: CacheRequest<unknown>): void {
    if (flights.has(request.key.text)) return;
    const { flight } = begin(request, 'renewal');
    flight.join().catch((cause: unknown) => logger.debug({ cause, kind: request.kind }, 'A renewal failed'));
  }

  async function join<Value>(request: CacheRequest<Value>): Promise<Cached<Value>> {
    const active = flights.get(request.key.text);
    const joined = active && (active.noCache || !request.noCache) ? active : undefined;
    const outcome = await (joined ?? begin(request, 'answer')).flight.join(request.leaving);
    if (outcome.failure && request.noCache) throw outcome.failure.error;
    if (outcome.isRenewalDue) renew(request);
    const origin = joined && outcome.origin !== 'stale' ? 'joined' : outcome.origin;
    const cached = toCached<Value>(outcome.entry, origin, request.kind);
    return outcome.isPartial ? { ...cached, freshForMs: 0 } : cached;
  }

  function toCached<Value>(
    { value, storedAtMs }: StoredEntry,
    origin: Cached<Value>['origin'],
    kind: Kind,
  ): Cached<Value> {
    const ageMs = Math.max(0, clock.now() - storedAtMs);
    const freshForMs = origin === 'stale' ? 0 : Math.max(0, policies[kind].timeToLiveMs - ageMs);
    // What a key holds is what its requests load: a key is made for one type.
    return { value: value as Value, origin, ageMs, freshForMs };
  }

  function find<Value>(request: CacheRequest<Value>): Cached<Value> | Promise<Cached<Value>> {
    const held = request.noCache ? undefined : levels.held(request.key, request.kind);
    if (held?.freshness === 'fresh') return toCached(held.entry, 'memory', request.kind);
    if (held?.freshness !== 'revalidate') return join(request);
    renew(request);
    return toCached(held.entry, 'stale', request.kind);
  }

  function peek<Value>(key: CacheKey, kind: Kind): Cached<Value> | undefined {
    const held = levels.held(key, kind);
    return held?.freshness === 'fresh' ? toCached(held.entry, 'memory', kind) : undefined;
  }

  siblings?.onDropped(dropHere);

  return {
    async fetch(request) {
      const cached = await find(request);
      counts[cached.origin] += 1;
      return cached;
    },
    peek,
    take<Value>(key: CacheKey, kind: Kind) {
      const cached = peek<Value>(key, kind);
      if (cached) counts.memory += 1;
      return cached;
    },
    peekStale(key, kind) {
      const held = levels.held(key, kind);
      return held && toCached(held.entry, 'stale', kind);
    },
    isUnderWay(key, noCache) {
      const active = flights.get(key.text);
      return active !== undefined && (active.noCache || !noCache);
    },
    async drop(tags) {
      dropHere(tags);
      // Redis first: whoever forgot before it would find there again what is to be forgotten.
      await levels.dropElsewhere(tags);
      await siblings?.drop(tags);
    },
    epoch: () => epoch,
    counts: () => counts,
    usage: levels.usage,
    clear() {
      epoch += 1;
      levels.clear();
      flights.clear();
    },
  };
}
