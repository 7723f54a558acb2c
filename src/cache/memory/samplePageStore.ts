/**
 * Keeps pages of samples in this process, within a bound of their own: a chart over years must not drive out what
 * all other questions live from. They are not shared through Redis: pages grow by what each call adds, which two
 * replicas can't do to one page at once.
 */
import type { Clock } from '../../lib/clock.js';
import type { CacheKey } from '../cacheKey.js';
import { type Freshness, lifetimeMs, toFreshness } from '../freshness.js';
import { POLICIES, type PolicyTable, type ResourceKind } from '../policies.js';
import { createMemoryStore } from './memoryStore.js';

export interface CachedPage<Page> {
  page: Page;
  /** When it was loaded, milliseconds since the Unix epoch. */
  storedAtMs: number;
  freshness: Exclude<Freshness, 'dead'>;
  /** For so many milliseconds it stays fresh; 0 where it is not. */
  freshForMs: number;
}

export interface SamplePageStore {
  /** A page that is good for something; `name` tells the pages of one key apart. */
  get<Page>(key: CacheKey, name: string, kind: ResourceKind): CachedPage<Page> | undefined;
  set(key: CacheKey, name: string, kind: ResourceKind, page: PageToStore): void;
  /** `bytes` is the estimate that the bound is kept by. */
  usage(): { entries: number; bytes: number };
}

export interface PageToStore {
  /** Shared by all who get it: never to be changed. */
  page: unknown;
  /** Its size in memory. */
  bytes: number;
  storedAtMs: number;
}

export interface SamplePageStoreOptions {
  clock: Clock;
  /** The most memory for pages, in bytes. */
  maxBytes?: number | undefined;
  policies?: PolicyTable;
}

/** A million samples: ten years of one stream that sends every five minutes. */
export const MAX_PAGE_STORE_BYTES = 32 * 1024 * 1024;
/** The store reckons from bytes on the wire, of which it takes two for each. */
const MEMORY_PER_REPORTED_BYTE = 2;

export function createSamplePageStore(options: SamplePageStoreOptions): SamplePageStore {
  const { clock, maxBytes = MAX_PAGE_STORE_BYTES, policies = POLICIES } = options;
  const memory = createMemoryStore({ clock, maxBytes });
  const nameIn = ({ text, tags }: CacheKey, name: string): CacheKey => ({ text: `${text} ${name}`, tags });
  return {
    get<Page>(key: CacheKey, name: string, kind: ResourceKind) {
      const { entry } = memory.get(nameIn(key, name));
      const nowMs = clock.now();
      const freshness = entry && toFreshness(entry.storedAtMs, policies[kind], nowMs);
      if (!entry || !freshness || freshness === 'dead') return undefined;
      const { storedAtMs } = entry;
      const freshForMs = Math.max(0, storedAtMs + policies[kind].timeToLiveMs - nowMs);
      // What a key holds is what was kept under it: a key is made for one type.
      return { page: entry.value as Page, storedAtMs, freshness, freshForMs };
    },
    set(key, name, kind, { page, bytes, storedAtMs }) {
      const pageKey = nameIn(key, name);
      const entry = { value: page, storedAtMs, bytes: bytes / MEMORY_PER_REPORTED_BYTE };
      memory.set(pageKey, entry, lifetimeMs(policies[kind]), memory.version(pageKey));
    },
    usage: memory.usage,
  };
}
