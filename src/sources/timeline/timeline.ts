/**
 * Reads a stream's rows over any span of time, day by day from what is kept, and with as few calls as can be where
 * it is not. What a call brings is kept by day, so that spans that overlap share what they have in common.
 */
import { isPlatformFault } from '../../cache/isPlatformFault.js';
import type { CachedPage } from '../../cache/memory/samplePageStore.js';
import { GatewayError } from '../../errors.js';
import { nextTurn } from '../../lib/slicedComputation.js';
import type { PathValue } from '../../rest/path.js';
import type { CallOptions, CallRecord } from '../../rest/restCaller.js';
import { bytesOf, viewOf } from '../../timeseries/columnTable.js';
import type { Reader } from '../core/reader.js';
import {
  blockAt,
  mergeSegments,
  type PageSlot,
  pageAt,
  splitIntoPages,
  type TableSegment,
  type TimeSpan,
} from './dayPages.js';

/** One endpoint as rows in time. */
export interface TimelineSource {
  template: string;
  parameter: PathValue;
  /** Spans begin and end on multiples of this, in milliseconds: what one row stands for, or a second. */
  stepMs: number;
  /**
   * The rows of the span, at most about `limit`: all of them up to the end of the stretch that is answered, which
   * lies behind its beginning.
   */
  fetch(span: TimeSpan, limit: number, options: CallOptions): Promise<TableSegment>;
}

/** What is at hand of a span. */
export interface CachedCoverage {
  missingMs: number;
  cachedMs: number;
  cachedRows: number;
}

export interface Timeline {
  /**
   * Stretches one behind the other, from the span's beginning to its end. `limit` is how many rows are worth asking
   * for at once: whoever wants few stops after a few.
   */
  readSegments(span: TimeSpan, limit: number): AsyncGenerator<TableSegment>;
  cachedCoverage(span: TimeSpan): CachedCoverage;
}

/** The least date that the platform takes in a query. */
const MIN_DATE_MS = 946_688_461_000;
/** Whoever asks up to now is likely to ask again, up to a later now: what lies ahead is nothing, and costs nothing. */
const NEARLY_NOW_MS = 300_000;
const FUTURE_LIMIT_MS = 86_400_000;
/** Pages that are taken from what is kept between two turns of the event loop. */
const PAGES_PER_SLICE = 100;

export function createTimeline(source: TimelineSource, reader: Reader, nowMs: () => number): Timeline {
  const { template, parameter, stepMs } = source;
  const { samplePages, options, explanation, freshness } = reader;
  const key = reader.pageKey(template, parameter);

  function look(slot: PageSlot | undefined, ms: number, isStaleWelcome: boolean) {
    const held: CachedPage<TableSegment> | undefined =
      slot && samplePages.get<TableSegment>(key, slot.name, slot.kind);
    if (held === undefined || ms < held.page.fromMs || ms >= held.page.toMs) return undefined;
    return held.freshness === 'fresh' || isStaleWelcome ? held : undefined;
  }

  /** What is kept of the time from an instant on. */
  function heldAt(ms: number, isStaleWelcome = false): CachedPage<TableSegment> | undefined {
    if (options.noCache && !isStaleWelcome) return undefined;
    const now = nowMs();
    return look(pageAt(ms, now), ms, isStaleWelcome) ?? look(blockAt(ms, now), ms, isStaleWelcome);
  }

  function keep(segment: TableSegment, loadedAtMs: number): void {
    for (const { place, piece } of splitIntoPages(segment, loadedAtMs)) {
      const known = samplePages.get<TableSegment>(key, place.name, place.kind);
      const isUsable = known?.freshness === 'fresh' && !options.noCache;
      const page = isUsable ? mergeSegments(known.page, piece) : piece;
      const isMerged = isUsable && (page.fromMs < piece.fromMs || page.toMs > piece.toMs);
      const storedAtMs = isMerged ? Math.min(known.storedAtMs, loadedAtMs) : loadedAtMs;
      samplePages.set(key, place.name, place.kind, { page, bytes: bytesOf(page.table), storedAtMs });
    }
  }

  /** Where something is kept again, behind an instant. */
  function endOfMissing(ms: number, toMs: number): number {
    const now = nowMs();
    let end = ms;
    do end = Math.min(pageAt(end, now).toMs, toMs);
    while (end < toMs && heldAt(end) === undefined);
    const isNearlyNow = end === toMs && toMs > now - NEARLY_NOW_MS && stepMs < NEARLY_NOW_MS;
    return isNearlyNow ? Math.max(toMs, floorTo(now + FUTURE_LIMIT_MS, 60_000)) : end;
  }

  function load(span: TimeSpan, limit: number): Promise<TableSegment> {
    return reader.read({
      kind: 'samplesOpen',
      template,
      parameter: `${parameter} ${span.fromMs}-${span.toMs} ${limit}`,
      isUncached: true,
      async load(callOptions) {
        let isPartial = false;
        const onCall = (call: CallRecord) => {
          isPartial ||= call.skippedRows > 0;
          callOptions.onCall?.(call);
        };
        const loadedAtMs = nowMs();
        const segment = await source.fetch(span, limit, { ...callOptions, onCall });
        await nextTurn();
        if (segment.toMs <= span.fromMs) throw noProgress(template);
        if (!isPartial) keep(segment, loadedAtMs);
        return segment;
      },
    });
  }

  async function loadOrStale(missing: TimeSpan, limit: number): Promise<TableSegment> {
    try {
      return await load(missing, limit);
    } catch (error) {
      const stale = isPlatformFault(error) && !options.noCache ? heldAt(missing.fromMs, true) : undefined;
      if (stale === undefined) throw error;
      explanation?.addAvoided({ template, origin: 'stale', ageMs: nowMs() - stale.storedAtMs });
      freshness.limitTo(0);
      return stale.page;
    }
  }

  /** The explanation names the first page only. */
  function recordHit({ freshForMs, storedAtMs }: CachedPage<TableSegment>, isExplained: boolean): void {
    freshness.limitTo(freshForMs);
    if (isExplained) return;
    explanation?.addAvoided({ template, origin: 'memory', ageMs: nowMs() - storedAtMs });
  }

  async function* readSegments(span: TimeSpan, limit: number): AsyncGenerator<TableSegment> {
    const { fromMs, toMs } = alignToStep(span, stepMs);
    let at = fromMs;
    let isTold = false;
    let missingTo = at;
    for (let pages = 1; at < toMs; pages++) {
      if (pages % PAGES_PER_SLICE === 0) await nextTurn();
      const held = heldAt(at);
      if (held) {
        recordHit(held, isTold);
        isTold = true;
      }
      // To look for what is missing takes a look at each day: what a call has left of it is missing still.
      if (!held && at >= missingTo) missingTo = endOfMissing(at, toMs);
      const segment = held?.page ?? (await loadOrStale({ fromMs: at, toMs: missingTo }, limit));
      const end = Math.min(segment.toMs, toMs);
      yield { table: viewOf(segment.table, at, end), fromMs: at, toMs: end };
      at = end;
    }
  }

  function cachedCoverage(span: TimeSpan): CachedCoverage {
    const { fromMs, toMs } = alignToStep(span, stepMs);
    const found = { missingMs: 0, cachedMs: 0, cachedRows: 0 };
    for (let at = fromMs; at < toMs; ) {
      const held = heldAt(at);
      const end = Math.min(held?.page.toMs ?? pageAt(at, nowMs()).toMs, toMs);
      if (held) {
        found.cachedMs += end - at;
        found.cachedRows += viewOf(held.page.table, at, end).times.length;
      } else found.missingMs += end - at;
      at = end;
    }
    return found;
  }

  return { readSegments, cachedCoverage };

  function noProgress(of: string): GatewayError {
    return new GatewayError(
      'PLATFORM_BAD_RESPONSE',
      `The platform answered ${of} with pages that do not go on.`,
    );
  }
}

/** Rows lie on the grid: what begins or ends between two of its points might as well do so at the next. */
function alignToStep({ fromMs, toMs }: TimeSpan, stepMs: number): TimeSpan {
  const ceil = (ms: number) => Math.ceil(ms / stepMs) * stepMs;
  return { fromMs: Math.max(ceil(fromMs), ceil(MIN_DATE_MS)), toMs: ceil(toMs) };
}

function floorTo(ms: number, stepMs: number): number {
  return Math.floor(ms / stepMs) * stepMs;
}
