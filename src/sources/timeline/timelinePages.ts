/** The pages of one endpoint in the page store. Needs no network. */
import type { CacheKey } from '../../cache/cacheKey.js';
import type { CachedPage, SamplePageStore } from '../../cache/memory/samplePageStore.js';
import { bytesOf } from '../../timeseries/columnTable.js';
import {
  blockAt,
  floorTo,
  mergeSegments,
  type PageSlot,
  pageAt,
  splitIntoPages,
  type TableSegment,
} from './dayPages.js';

/** A gap that ends this close to now extends into the future: the next query likely ends at a later now. */
const NEARLY_NOW_MS = 300_000;
/** Reading into the future finds nothing and costs nothing. */
const FUTURE_LIMIT_MS = 86_400_000;
const MINUTE_MS = 60_000;

export interface TimelinePagesOptions {
  /** Whether the caller bypasses the cache. Pages are stored all the same. */
  noCache: boolean;
  stepMs: number;
  nowMs: () => number;
}

export class TimelinePages {
  readonly #store: SamplePageStore;
  readonly #key: CacheKey;
  readonly #options: TimelinePagesOptions;

  constructor(store: SamplePageStore, key: CacheKey, options: TimelinePagesOptions) {
    this.#store = store;
    this.#key = key;
    this.#options = options;
  }

  /** The fresh page with the rows from an instant on. */
  get(ms: number): CachedPage<TableSegment> | undefined {
    return this.#options.noCache ? undefined : this.#find(ms, false);
  }

  /** The fresh or stale page with the rows from an instant on. */
  getStale(ms: number): CachedPage<TableSegment> | undefined {
    return this.#find(ms, true);
  }

  /** Stores a segment by day, and merges it with the fresh rows of each day. */
  set(segment: TableSegment, loadedAtMs: number): void {
    for (const { slot, part } of splitIntoPages(segment, loadedAtMs)) {
      const stored = this.#store.get<TableSegment>(this.#key, slot.name, slot.kind);
      const isUsable = stored?.freshness === 'fresh' && !this.#options.noCache;
      const page = isUsable ? mergeSegments(stored.page, part) : part;
      const isMerged = isUsable && (page.fromMs < part.fromMs || page.toMs > part.toMs);
      const storedAtMs = isMerged ? Math.min(stored.storedAtMs, loadedAtMs) : loadedAtMs;
      this.#store.set(this.#key, slot.name, slot.kind, { page, bytes: bytesOf(page.table), storedAtMs });
    }
  }

  /** The end of the gap at an instant: the next stored page, or the end of the span. */
  endOfGap(ms: number, toMs: number): number {
    const { nowMs, stepMs } = this.#options;
    const now = nowMs();
    let end = ms;
    do end = Math.min(pageAt(end, now).toMs, toMs);
    while (end < toMs && this.get(end) === undefined);
    const isNearlyNow = end === toMs && toMs > now - NEARLY_NOW_MS && stepMs < NEARLY_NOW_MS;
    return isNearlyNow ? Math.max(toMs, floorTo(now + FUTURE_LIMIT_MS, MINUTE_MS)) : end;
  }

  #find(ms: number, acceptsStale: boolean): CachedPage<TableSegment> | undefined {
    const now = this.#options.nowMs();
    return (
      this.#findIn(pageAt(ms, now), ms, acceptsStale) ?? this.#findIn(blockAt(ms, now), ms, acceptsStale)
    );
  }

  #findIn(slot: PageSlot | undefined, ms: number, acceptsStale: boolean) {
    const cached = slot && this.#store.get<TableSegment>(this.#key, slot.name, slot.kind);
    if (cached === undefined || ms < cached.page.fromMs || ms >= cached.page.toMs) return undefined;
    return cached.freshness === 'fresh' || acceptsStale ? cached : undefined;
  }
}
