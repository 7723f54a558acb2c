/** The pages of one endpoint in the page store. */
import type { CacheKey } from '../../cache/cacheKey.js';
import type { CachedPage, SamplePageStore } from '../../cache/memory/samplePageStore.js';
import { MINUTE_MS } from '../../lib/clock.js';
import { bytesOf } from '../../timeseries/columnTable.js';
import type { Reader } from '../core/reader.js';
import {
  areApart,
  blockAt,
  floorTo,
  mergeSegments,
  type PageSlot,
  pageAt,
  secondPageOf,
  splitIntoPages,
  type TableSegment,
} from './dayPages.js';

export type PageUpdate = (cached: CachedPage<TableSegment>) => CachedPage<TableSegment>;

/** A gap that ends this close to now extends into the future: the next query likely ends at a later now. */
const NEARLY_NOW_MS = 300_000;
/** The maximum by which a gap is extended into the future. Reading there returns nothing and costs nothing. */
const FUTURE_LIMIT_MS = 86_400_000;

/** The end of a read that extends into the future. */
export function endOfRead(nowMs: number): number {
  return floorTo(nowMs + FUTURE_LIMIT_MS, MINUTE_MS);
}

/** About 2 MB. The pages beyond are read again by each field that needs them. */
export const MAX_OWN_PAGES = 10_000;

interface TimelinePagesOptions {
  /** With `no-cache`: the pages that the operation has loaded itself, which are the only ones it uses. */
  ownPages?: Reader['ownPages'];
  stepMs: number;
  nowMs: () => number;
  withArrivals?: PageUpdate | undefined;
}

/** The pages of one endpoint in the page store. Needs no network. */
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
    return this.#find(ms, { acceptsStale: false });
  }

  /** The fresh or stale page with the rows from an instant on. */
  getStale(ms: number): CachedPage<TableSegment> | undefined {
    return this.#find(ms, { acceptsStale: true });
  }

  /** Stores a segment by day, and merges it with the fresh rows of each day if they adjoin. */
  set(segment: TableSegment, loadedAtMs: number): void {
    for (const { slot: first, part } of splitIntoPages(segment, loadedAtMs)) {
      const usable = this.#readUsable(first);
      const slot = usable && areApart(usable.page, part) ? secondPageOf(first) : first;
      const stored = slot === first ? usable : this.#readUsable(slot);
      const page = stored ? mergeSegments(stored.page, part) : part;
      const isMerged = stored && (page.fromMs < part.fromMs || page.toMs > part.toMs);
      const storedAtMs = isMerged ? Math.min(stored.storedAtMs, loadedAtMs) : loadedAtMs;
      this.#store.set(this.#key, slot.name, slot.kind, { page, bytes: bytesOf(page.table), storedAtMs });
      this.#markOwn(slot, storedAtMs);
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
    return isNearlyNow ? Math.max(toMs, endOfRead(now)) : end;
  }

  #find(ms: number, { acceptsStale }: { acceptsStale: boolean }): CachedPage<TableSegment> | undefined {
    const now = this.#options.nowMs();
    const slot = pageAt(ms, now);
    return (
      this.#findIn(slot, ms, acceptsStale) ??
      this.#findIn(secondPageOf(slot), ms, acceptsStale) ??
      this.#findIn(blockAt(ms, now), ms, acceptsStale)
    );
  }

  #findIn(slot: PageSlot | undefined, ms: number, acceptsStale: boolean) {
    if (slot === undefined) return undefined;
    const cached = this.#read(slot);
    if (cached === undefined || ms < cached.page.fromMs || ms >= cached.page.toMs) return undefined;
    if (!this.#isOwn(slot, cached)) return undefined;
    return cached.freshness === 'fresh' || acceptsStale ? cached : undefined;
  }

  #readUsable(slot: PageSlot): CachedPage<TableSegment> | undefined {
    const stored = this.#read(slot);
    return stored?.freshness === 'fresh' && this.#isOwn(slot, stored) ? stored : undefined;
  }

  #isOwn(slot: PageSlot, { storedAtMs }: CachedPage<TableSegment>): boolean {
    const { ownPages } = this.#options;
    return (
      ownPages === undefined || storedAtMs >= (ownPages.get(this.#ownName(slot)) ?? Number.POSITIVE_INFINITY)
    );
  }

  #markOwn(slot: PageSlot, storedAtMs: number): void {
    const { ownPages } = this.#options;
    if (ownPages && ownPages.size < MAX_OWN_PAGES) ownPages.set(this.#ownName(slot), storedAtMs);
  }

  #ownName({ name }: PageSlot): string {
    return `${this.#key.text} ${name}`;
  }

  /** Stores the page again if rows were added. A block of empty days must stay empty, so its days are read again. */
  #read(slot: PageSlot): CachedPage<TableSegment> | undefined {
    const cached = this.#store.get<TableSegment>(this.#key, slot.name, slot.kind);
    const current = cached && (this.#options.withArrivals?.(cached) ?? cached);
    if (current === undefined || current.page === cached?.page) return current;
    const { page, storedAtMs } = current;
    if (slot.isBlock && page.table.times.length > 0) return undefined;
    this.#store.set(this.#key, slot.name, slot.kind, { page, bytes: bytesOf(page.table), storedAtMs });
    return current;
  }
}
