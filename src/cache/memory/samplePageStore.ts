/**
 * Stores pages of samples in this process. They have a separate bound, so that a chart over years does not evict
 * all other entries. Pages are not shared through Redis: each call adds samples to a page, and two replicas can't
 * do that to the same page concurrently.
 */
import type { Clock } from '../../lib/clock.js';
import type { CacheKey } from '../cacheKey.js';
import { type Freshness, lifetimeMs, toFreshness } from '../freshness.js';
import { POLICIES, type ResourceKind } from '../policies.js';
import { MEMORY_PER_WIRE_BYTE, MemoryStore } from './memoryStore.js';

export interface CachedPage<Page> {
  page: Page;
  /** Time of the load, milliseconds since the Unix epoch. */
  storedAtMs: number;
  freshness: Exclude<Freshness, 'expired'>;
  /** Milliseconds for which the page is still fresh; 0 if it is stale. */
  freshForMs: number;
}

export type SamplePageStore = ReturnType<typeof createSamplePageStore>;

interface PageToStore {
  /** Shared by all callers: never modify it. */
  page: unknown;
  /** Size in memory. */
  bytes: number;
  storedAtMs: number;
}

/** Room for a million samples: ten years of a stream that sends every five minutes. */
const MAX_PAGE_STORE_BYTES = 32 * 1024 * 1024;

export function createSamplePageStore({ clock }: { clock: Clock }) {
  const memory = new MemoryStore({ clock, maxBytes: MAX_PAGE_STORE_BYTES });
  const toPageKey = ({ text, tags }: CacheKey, name: string): CacheKey => ({ text: `${text} ${name}`, tags });
  return {
    /** A usable page; `name` is unique among the pages of one key. */
    get<Page>(key: CacheKey, name: string, kind: ResourceKind) {
      const entry = memory.get(toPageKey(key, name))?.entry;
      const nowMs = clock.now();
      const freshness = entry && toFreshness(entry.storedAtMs, POLICIES[kind], nowMs);
      if (!entry || !freshness || freshness === 'expired') return undefined;
      const { storedAtMs } = entry;
      const freshForMs = Math.max(0, storedAtMs + POLICIES[kind].timeToLiveMs - nowMs);
      // Each key is built for one type of page, so the stored page has the type of the request.
      return { page: entry.value as Page, storedAtMs, freshness, freshForMs };
    },
    set(key: CacheKey, name: string, kind: ResourceKind, { page, bytes, storedAtMs }: PageToStore): void {
      const pageKey = toPageKey(key, name);
      // The memory store expects bytes on the wire.
      const entry = { value: page, storedAtMs, bytes: bytes / MEMORY_PER_WIRE_BYTE };
      memory.set(pageKey, entry, lifetimeMs(POLICIES[kind]), memory.version());
    },
  };
}
