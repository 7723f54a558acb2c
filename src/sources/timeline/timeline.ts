/**
 * Reads the rows of a stream over any span of time: from the page store if it has them, else with as few REST calls
 * as possible. The rows of a call are stored by day, so that overlapping spans share them.
 */
import type { CacheKey } from '../../cache/cacheKey.js';
import { isPlatformFault } from '../../cache/loadEntry.js';
import type { CachedPage, SamplePageStore } from '../../cache/memory/samplePageStore.js';
import { GatewayError } from '../../errors.js';
import { MINUTE_MS } from '../../lib/clock.js';
import { nextTurn } from '../../lib/slicedComputation.js';
import { type CallOptions, countSkippedRows } from '../../rest/callRecord.js';
import type { PathValue } from '../../rest/path.js';
import { bytesOf, viewOf } from '../../timeseries/columnTable.js';
import type { Reader } from '../core/reader.js';
import { MIN_DATE_MS } from '../core/wireValues.js';
import { MAX_PAGE_LENGTH } from '../samples/samplePages.js';
import {
  blockAt,
  floorTo,
  mergeSegments,
  type PageSlot,
  pageAt,
  splitIntoPages,
  type TableSegment,
  type TimeSpan,
} from './dayPages.js';

type PageUpdate = (cached: CachedPage<TableSegment>) => CachedPage<TableSegment>;

/** One endpoint as rows in time. */
export interface TimelineSource {
  template: string;
  parameter: PathValue;
  /** The length of one row in milliseconds, or a second. Spans begin and end on multiples of it. */
  stepMs: number;
  /** A page with the samples that polls have returned since it was loaded; the same page if there are none. */
  withArrivals?: PageUpdate;
  /**
   * Reads the rows of the span, at most about `limit` of them. The segment has all rows up to its end, which is later than
   * its beginning.
   */
  fetch(span: TimeSpan, limit: number, options: CallOptions): Promise<TableSegment>;
}

/** The parts of a span that fresh pages lack, and that any pages have: stale rows still show the density of the samples. */
export interface CachedCoverage {
  missingMs: number;
  cachedMs: number;
  cachedRows: number;
}

export class Timeline {
  readonly #source: TimelineSource;
  readonly #reader: Reader;
  readonly #pages: TimelinePages;
  readonly #nowMs: () => number;

  constructor(source: TimelineSource, reader: Reader, nowMs: () => number) {
    const { template, parameter, stepMs, withArrivals } = source;
    this.#source = source;
    this.#reader = reader;
    this.#nowMs = nowMs;
    const key = reader.pageKey(template, parameter);
    const { ownPages } = reader;
    this.#pages = new TimelinePages(reader.samplePages, key, { ownPages, stepMs, nowMs, withArrivals });
  }

  /**
   * Yields adjacent segments from the beginning to the end of the span, and reads each on request. `limit` is the number
   * of rows that one call loads at most.
   */
  async *readSegments(span: TimeSpan, limit = MAX_PAGE_LENGTH): AsyncGenerator<TableSegment> {
    const { fromMs, toMs } = alignToStep(span, this.#source.stepMs);
    let at = fromMs;
    let isExplained = false;
    let gapEnd = at;
    const { turns } = this.#reader;
    while (at < toMs) {
      if (turns.measure()) await turns.later(() => undefined);
      const cached = this.#pages.get(at);
      if (cached) {
        this.#recordHit(cached, isExplained);
        isExplained = true;
      }
      // Finding the end of a gap takes a lookup for each day, so it is found once for a gap of several calls.
      if (!cached && at >= gapEnd) gapEnd = this.#pages.endOfGap(at, toMs);
      const segment = cached?.page ?? (await this.#loadOrStale({ fromMs: at, toMs: gapEnd }, limit));
      const end = Math.min(segment.toMs, toMs);
      const table = viewOf(segment.table, Math.max(at, span.fromMs), Math.min(end, span.toMs));
      yield { table, fromMs: at, toMs: end };
      at = end;
    }
  }

  cachedCoverage(span: TimeSpan): CachedCoverage {
    const { fromMs, toMs } = alignToStep(span, this.#source.stepMs);
    const coverage = { missingMs: 0, cachedMs: 0, cachedRows: 0 };
    for (let at = fromMs; at < toMs; ) {
      const fresh = this.#pages.get(at);
      const cached = fresh ?? this.#pages.getStale(at);
      const end = Math.min(cached?.page.toMs ?? pageAt(at, this.#nowMs()).toMs, toMs);
      if (fresh === undefined) coverage.missingMs += end - at;
      if (cached) {
        // A page can extend beyond the time at which it was read, where it has no rows.
        coverage.cachedMs += Math.max(0, Math.min(end, cached.storedAtMs) - at);
        coverage.cachedRows += viewOf(cached.page.table, at, end).times.length;
      }
      at = end;
    }
    return coverage;
  }

  #load(span: TimeSpan, limit: number): Promise<TableSegment> {
    const { template, parameter } = this.#source;
    return this.#reader.read({
      kind: 'samplesOpen',
      template,
      parameter: `${parameter} ${span.fromMs}-${span.toMs} ${limit}`,
      isUncached: true,
      load: (options) => this.#fetch(span, limit, options),
    });
  }

  async #fetch(span: TimeSpan, limit: number, options: CallOptions): Promise<TableSegment> {
    const counted = countSkippedRows(options);
    const loadedAtMs = this.#nowMs();
    const segment = await this.#source.fetch(span, limit, counted.options);
    await nextTurn();
    if (segment.toMs <= span.fromMs) {
      const message = `The pages of ${this.#source.template} on the platform do not advance.`;
      throw new GatewayError('PLATFORM_BAD_RESPONSE', message);
    }
    if (counted.skippedRows() === 0) this.#pages.set(segment, loadedAtMs);
    return segment;
  }

  /**
   * A full call begins on a whole minute, so that viewers of one chart share it: their ranges begin within seconds of each
   * other. This does not apply to a minute with more samples than one call returns.
   */
  async #loadGap(gap: TimeSpan, limit: number): Promise<TableSegment> {
    const dayMs = pageAt(gap.fromMs, this.#nowMs()).fromMs;
    const fromMs = Math.max(floorTo(gap.fromMs, MINUTE_MS), dayMs, MIN_DATE_MS);
    const isFull = limit >= MAX_PAGE_LENGTH && this.#source.stepMs < MINUTE_MS && fromMs < gap.fromMs;
    if (!isFull) return this.#load(gap, limit);
    const segment = await this.#load({ fromMs, toMs: gap.toMs }, limit);
    return segment.toMs > gap.fromMs ? segment : this.#load(gap, limit);
  }

  /** While the platform fails, a stale page is used if there is one. */
  async #loadOrStale(gap: TimeSpan, limit: number): Promise<TableSegment> {
    try {
      return await this.#loadGap(gap, limit);
    } catch (error) {
      const { options, records, freshness } = this.#reader;
      const stale = isPlatformFault(error) && !options.noCache ? this.#pages.getStale(gap.fromMs) : undefined;
      if (stale === undefined) throw error;
      const ageMs = this.#nowMs() - stale.storedAtMs;
      records.addAvoided({ template: this.#source.template, origin: 'stale', ageMs });
      freshness.limitTo(0, 'samplesOpen');
      return stale.page;
    }
  }

  /** The explanation names only the first page. */
  #recordHit({ freshForMs, storedAtMs }: CachedPage<TableSegment>, isRepeated: boolean): void {
    const { records, freshness } = this.#reader;
    freshness.limitTo(freshForMs, 'samplesOpen');
    if (isRepeated) return;
    const ageMs = this.#nowMs() - storedAtMs;
    records.addAvoided({ template: this.#source.template, origin: 'memory', ageMs });
  }
}

/** Fewer rows may descend by chance, if some are late. */
const MIN_DESCENDING_ROWS = 3;

/**
 * Throws PLATFORM_BAD_RESPONSE for rows from new to old: an incomplete response then lacks the older rows, which the next
 * call would not return. `times`: in the order of the platform.
 */
export function checkAscending(template: string, times: Float64Array): void {
  const [newest = 0, oldest = 0] = [times[0], times.at(-1)];
  if (times.length < MIN_DESCENDING_ROWS || newest <= oldest) return;
  if (!times.every((ms, row) => row === 0 || ms <= (times[row - 1] ?? 0))) return;
  throw new GatewayError('PLATFORM_BAD_RESPONSE', `The platform pages ${template} from new to old.`);
}

/** The shortest span of whole steps that contains the span. */
function alignToStep({ fromMs, toMs }: TimeSpan, stepMs: number): TimeSpan {
  const ceil = (ms: number) => Math.ceil(ms / stepMs) * stepMs;
  return { fromMs: Math.max(floorTo(fromMs, stepMs), ceil(MIN_DATE_MS)), toMs: ceil(toMs) };
}

/** A gap that ends this close to now extends into the future: the next query likely ends at a later now. */
const NEARLY_NOW_MS = 300_000;
/** The maximum by which a gap is extended into the future. Reading there returns nothing and costs nothing. */
const FUTURE_LIMIT_MS = 86_400_000;

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

  /** Stores a segment by day, and merges it with the fresh rows of each day. */
  set(segment: TableSegment, loadedAtMs: number): void {
    for (const { slot, part } of splitIntoPages(segment, loadedAtMs)) {
      const stored = this.#read(slot);
      const isUsable = stored?.freshness === 'fresh' && this.#isOwn(slot, stored);
      const page = isUsable ? mergeSegments(stored.page, part) : part;
      const isMerged = isUsable && (page.fromMs < part.fromMs || page.toMs > part.toMs);
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
    return isNearlyNow ? Math.max(toMs, floorTo(now + FUTURE_LIMIT_MS, MINUTE_MS)) : end;
  }

  #find(ms: number, { acceptsStale }: { acceptsStale: boolean }): CachedPage<TableSegment> | undefined {
    const now = this.#options.nowMs();
    return (
      this.#findIn(pageAt(ms, now), ms, acceptsStale) ?? this.#findIn(blockAt(ms, now), ms, acceptsStale)
    );
  }

  #findIn(slot: PageSlot | undefined, ms: number, acceptsStale: boolean) {
    if (slot === undefined) return undefined;
    const cached = this.#read(slot);
    if (cached === undefined || ms < cached.page.fromMs || ms >= cached.page.toMs) return undefined;
    if (!this.#isOwn(slot, cached)) return undefined;
    return cached.freshness === 'fresh' || acceptsStale ? cached : undefined;
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
