/**
 * Reads a stream's rows over any span of time, day by day from what is kept, and with as few calls as can be where
 * it is not. What a call brings is kept by day, so that spans that overlap share what they have in common.
 */
import { isFault } from '../cache/isFault.js';
import type { HeldPage } from '../cache/pageStore.js';
import { GatewayError } from '../errors.js';
import { nextTurn } from '../lib/inSlices.js';
import { bytesOf, viewOf } from '../lib/timeTable.js';
import type { PathValue } from '../rest/path.js';
import type { CallOptions, CallRecord } from '../rest/restCaller.js';
import {
  blockAt,
  cutIntoPages,
  merge,
  type PagePlace,
  pageAt,
  type Stretch,
  type TimeSpan,
} from './dayPages.js';
import type { Reader } from './reader.js';

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
  fetch(span: TimeSpan, limit: number, options: CallOptions): Promise<Stretch>;
}

/** What is at hand of a span. */
export interface Survey {
  missingMs: number;
  heldMs: number;
  heldRows: number;
}

export interface Timeline {
  /**
   * Stretches one behind the other, from the span's beginning to its end. `limit` is how many rows are worth asking
   * for at once: whoever wants few stops after a few.
   */
  walk(span: TimeSpan, limit: number): AsyncGenerator<Stretch>;
  survey(span: TimeSpan): Survey;
}

/** The least date that the platform takes in a query. */
const LEAST_MS = 946_688_461_000;
/** Whoever asks up to now is likely to ask again, up to a later now: what lies ahead is nothing, and costs nothing. */
const NEARLY_NOW_MS = 300_000;
const AHEAD_MS = 86_400_000;
/** Pages that are taken from what is kept between two turns of the event loop. */
const PAGES_PER_SLICE = 100;

export function createTimeline(source: TimelineSource, reader: Reader, nowMs: () => number): Timeline {
  const { template, parameter, stepMs } = source;
  const { pages, options, explanation, freshness } = reader;
  const key = reader.pageKey(template, parameter);

  function look(place: PagePlace | undefined, ms: number, isStaleWelcome: boolean) {
    const held: HeldPage<Stretch> | undefined = place && pages.get<Stretch>(key, place.name, place.kind);
    if (held === undefined || ms < held.page.fromMs || ms >= held.page.toMs) return undefined;
    return held.freshness === 'fresh' || isStaleWelcome ? held : undefined;
  }

  /** What is kept of the time from an instant on. */
  function heldAt(ms: number, isStaleWelcome = false): HeldPage<Stretch> | undefined {
    if (options.noCache && !isStaleWelcome) return undefined;
    const now = nowMs();
    return look(pageAt(ms, now), ms, isStaleWelcome) ?? look(blockAt(ms, now), ms, isStaleWelcome);
  }

  function keep(stretch: Stretch, loadedAtMs: number): void {
    for (const { place, piece } of cutIntoPages(stretch, loadedAtMs)) {
      const known = pages.get<Stretch>(key, place.name, place.kind);
      const isUsable = known?.freshness === 'fresh' && !options.noCache;
      const page = isUsable ? merge(known.page, piece) : piece;
      const isMerged = isUsable && (page.fromMs < piece.fromMs || page.toMs > piece.toMs);
      const storedAtMs = isMerged ? Math.min(known.storedAtMs, loadedAtMs) : loadedAtMs;
      pages.keep(key, place.name, place.kind, { page, bytes: bytesOf(page.table), storedAtMs });
    }
  }

  /** Where something is kept again, behind an instant. */
  function endOfMissing(ms: number, toMs: number): number {
    const now = nowMs();
    let end = ms;
    do end = Math.min(pageAt(end, now).toMs, toMs);
    while (end < toMs && heldAt(end) === undefined);
    const isNearlyNow = end === toMs && toMs > now - NEARLY_NOW_MS && stepMs < NEARLY_NOW_MS;
    return isNearlyNow ? Math.max(toMs, floorTo(now + AHEAD_MS, 60_000)) : end;
  }

  function load(span: TimeSpan, limit: number): Promise<Stretch> {
    return reader.read({
      kind: 'samplesOpen',
      template,
      parameter: `${parameter} ${span.fromMs}-${span.toMs} ${limit}`,
      isPassing: true,
      async load(callOptions) {
        let isPartial = false;
        const onCall = (call: CallRecord) => {
          isPartial ||= call.rowsLeftOut > 0;
          callOptions.onCall?.(call);
        };
        const loadedAtMs = nowMs();
        const stretch = await source.fetch(span, limit, { ...callOptions, onCall });
        await nextTurn();
        if (stretch.toMs <= span.fromMs) throw noProgress(template);
        if (!isPartial) keep(stretch, loadedAtMs);
        return stretch;
      },
    });
  }

  async function loadOrStale(missing: TimeSpan, limit: number): Promise<Stretch> {
    try {
      return await load(missing, limit);
    } catch (error) {
      const stale = isFault(error) && !options.noCache ? heldAt(missing.fromMs, true) : undefined;
      if (stale === undefined) throw error;
      explanation?.addSpared({ template, origin: 'stale', ageMs: nowMs() - stale.storedAtMs });
      freshness.limitTo(0);
      return stale.page;
    }
  }

  async function* walk(span: TimeSpan, limit: number): AsyncGenerator<Stretch> {
    const { fromMs, toMs } = onGrid(span, stepMs);
    let at = fromMs;
    let isTold = false;
    let missingTo = at;
    for (let pages = 1; at < toMs; pages++) {
      if (pages % PAGES_PER_SLICE === 0) await nextTurn();
      const held = heldAt(at);
      if (held) freshness.limitTo(held.freshForMs);
      if (held && !isTold) {
        isTold = true;
        explanation?.addSpared({ template, origin: 'memory', ageMs: nowMs() - held.storedAtMs });
      }
      // To look for what is missing takes a look at each day: what a call has left of it is missing still.
      if (!held && at >= missingTo) missingTo = endOfMissing(at, toMs);
      const stretch = held?.page ?? (await loadOrStale({ fromMs: at, toMs: missingTo }, limit));
      const end = Math.min(stretch.toMs, toMs);
      yield { table: viewOf(stretch.table, at, end), fromMs: at, toMs: end };
      at = end;
    }
  }

  function survey(span: TimeSpan): Survey {
    const { fromMs, toMs } = onGrid(span, stepMs);
    const found = { missingMs: 0, heldMs: 0, heldRows: 0 };
    for (let at = fromMs; at < toMs; ) {
      const held = heldAt(at);
      const end = Math.min(held?.page.toMs ?? pageAt(at, nowMs()).toMs, toMs);
      if (held) {
        found.heldMs += end - at;
        found.heldRows += viewOf(held.page.table, at, end).times.length;
      } else found.missingMs += end - at;
      at = end;
    }
    return found;
  }

  return { walk, survey };

  function noProgress(of: string): GatewayError {
    return new GatewayError(
      'PLATFORM_BAD_RESPONSE',
      `The platform answered ${of} with pages that do not go on.`,
    );
  }
}

/** Rows lie on the grid: what begins or ends between two of its points might as well do so at the next. */
function onGrid({ fromMs, toMs }: TimeSpan, stepMs: number): TimeSpan {
  const ceil = (ms: number) => Math.ceil(ms / stepMs) * stepMs;
  return { fromMs: Math.max(ceil(fromMs), ceil(LEAST_MS)), toMs: ceil(toMs) };
}

function floorTo(ms: number, stepMs: number): number {
  return Math.floor(ms / stepMs) * stepMs;
}
