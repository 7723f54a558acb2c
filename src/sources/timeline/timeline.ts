/**
 * Reads the rows of a stream over any span of time: from the page store if it has them, else with as few REST calls
 * as possible. The rows of a call are stored by day, so that overlapping spans share them.
 */
import { isPlatformFault } from '../../cache/loadEntry.js';
import type { CachedPage } from '../../cache/memory/samplePageStore.js';
import { GatewayError } from '../../errors.js';
import { MINUTE_MS } from '../../lib/clock.js';
import { nextTurn } from '../../lib/slicedComputation.js';
import { type OperationTurns, scheduleBatch } from '../../lib/turnBudget.js';
import { type CallOptions, countSkippedRows } from '../../rest/callRecord.js';
import type { PathValue } from '../../rest/path.js';
import { viewOf } from '../../timeseries/columnTable.js';
import { DEFAULT_INTERVAL_MS } from '../../timeseries/sampleSpacing.js';
import type { Reader } from '../core/reader.js';
import { MIN_DATE_MS } from '../core/wireValues.js';
import { MAX_PAGE_LENGTH } from '../samples/samplePages.js';
import { floorTo, pageAt, type TableSegment, type TimeSpan } from './dayPages.js';
import { type PageUpdate, TimelinePages } from './timelinePages.js';

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
  /** The first instant that a read would load; undefined if it would take no call. */
  firstMissingMs: number | undefined;
  missingMs: number;
  cachedMs: number;
  cachedRows: number;
}

/** Both measured on responses in the platform's format. */
export const BYTES_PER_SAMPLE = 95;
export const BYTES_PER_FRAME = 175;

/** The expected bytes of the missing samples, by the density of cached samples. */
export function missingSampleBytes(samples: CachedCoverage): number {
  return samples.missingMs * expectedDensity(samples) * BYTES_PER_SAMPLE;
}

/** The expected bytes of the missing frames. The platform does not send frames without samples. */
export function missingFrameBytes(samples: CachedCoverage, frames: CachedCoverage, minutes: number): number {
  return frames.missingMs * Math.min(1 / (minutes * MINUTE_MS), expectedDensity(samples)) * BYTES_PER_FRAME;
}

/** Samples per millisecond. */
export function densityOf({ cachedMs, cachedRows }: CachedCoverage): number {
  return cachedMs > 0 ? cachedRows / cachedMs : 1 / DEFAULT_INTERVAL_MS;
}

/** Seconds without samples at an end of a span do not show that the rest of the span has none. */
function expectedDensity(samples: CachedCoverage): number {
  return densityOf(samples) || 1 / DEFAULT_INTERVAL_MS;
}

/** Joins the gaps that fields of one operation read in the same turn of the event loop, so that a call loads them. */
export class GapJoiner {
  readonly #turns: OperationTurns;
  /** By endpoint and its parameter. */
  readonly #gaps = new Map<string, TimeSpan[]>();

  constructor(turns: OperationTurns) {
    this.#turns = turns;
  }

  /** Resolves to the gap together with the gaps of this turn that overlap it, directly or through others. */
  async join(key: string, gap: TimeSpan): Promise<TimeSpan> {
    const gaps = this.#gaps.get(key) ?? [];
    this.#gaps.set(key, gaps);
    gaps.push(gap);
    await new Promise<void>((resolve) => scheduleBatch(this.#turns, resolve));
    if (this.#gaps.get(key) === gaps) this.#gaps.delete(key);
    const sorted = gaps.toSorted((one, two) => one.fromMs - two.fromMs);
    let joined = sorted[0] ?? gap;
    for (const { fromMs, toMs } of sorted) {
      if (fromMs <= joined.toMs) joined = { fromMs: joined.fromMs, toMs: Math.max(joined.toMs, toMs) };
      else if (gap.fromMs <= joined.toMs) break;
      else joined = { fromMs, toMs };
    }
    return joined;
  }
}

export class Timeline {
  readonly #source: TimelineSource;
  readonly #reader: Reader;
  readonly #pages: TimelinePages;
  readonly #nowMs: () => number;
  readonly #gaps: GapJoiner | undefined;

  /** `gaps`: of the operation. If absent, each gap is read separately. */
  constructor(source: TimelineSource, reader: Reader, nowMs: () => number, gaps?: GapJoiner) {
    const { template, parameter, stepMs, withArrivals } = source;
    this.#source = source;
    this.#reader = reader;
    this.#nowMs = nowMs;
    this.#gaps = gaps;
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
    const coverage: CachedCoverage = { firstMissingMs: undefined, missingMs: 0, cachedMs: 0, cachedRows: 0 };
    for (let at = fromMs; at < toMs; ) {
      const fresh = this.#pages.get(at);
      const cached = fresh ?? this.#pages.getStale(at);
      const end = Math.min(cached?.page.toMs ?? pageAt(at, this.#nowMs()).toMs, toMs);
      if (fresh === undefined) {
        coverage.firstMissingMs ??= at;
        coverage.missingMs += end - at;
      }
      if (cached) {
        // A page can extend beyond the time at which it was read, where it has no rows.
        coverage.cachedMs += Math.max(0, Math.min(end, cached.storedAtMs) - at);
        coverage.cachedRows += viewOf(cached.page.table, at, end).times.length;
      }
      at = end;
    }
    return coverage;
  }

  /** Stores rows of the span that another call has returned. The segment has all rows of its span. */
  store(segment: TableSegment, loadedAtMs: number): void {
    this.#pages.set(segment, loadedAtMs);
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
   * A full call serves the overlapping gaps of other fields. It begins on a whole minute, so that viewers of one chart
   * share it: their ranges begin within seconds of each other. If its rows end before the gap, the gap is read alone.
   */
  async #loadGap(gap: TimeSpan, limit: number): Promise<TableSegment> {
    if (limit < MAX_PAGE_LENGTH) return this.#load(gap, limit);
    const { template, parameter } = this.#source;
    const joined = (await this.#gaps?.join(`${template} ${parameter}`, gap)) ?? gap;
    // Another operation may have loaded the gap in the meantime.
    const loaded = this.#pages.get(gap.fromMs);
    if (loaded) {
      this.#recordHit(loaded, false);
      return loaded.page;
    }
    const dayMs = pageAt(joined.fromMs, this.#nowMs()).fromMs;
    const fromMs = Math.max(floorTo(joined.fromMs, MINUTE_MS), dayMs, MIN_DATE_MS);
    const segment = await this.#load({ fromMs, toMs: joined.toMs }, limit);
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
