/** The pages of a timeline over a page store in memory. */
import { describe, expect, it } from 'vitest';
import { createSamplePageStore } from '../../../../src/cache/memory/samplePageStore.js';
import { MAX_OWN_PAGES, TimelinePages } from '../../../../src/sources/timeline/timelinePages.js';
import type { ColumnTable } from '../../../../src/timeseries/columnTable.js';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const NOW = Date.UTC(2024, 5, 15, 12);
const CLOSED_DAY = Date.UTC(2024, 5, 1);

function createPages({ stepMs = 1000 } = {}) {
  const clock = { nowMs: NOW };
  const nowMs = () => clock.nowMs;
  const store = createSamplePageStore({ clock: { now: nowMs } });
  const key = { text: 'samples', tags: [] };
  const createBypassing = () => new TimelinePages(store, key, { ownPages: new Map(), stepMs, nowMs });
  return { clock, createBypassing, pages: new TimelinePages(store, key, { stepMs, nowMs }) };
}

function tableAt(...times: readonly number[]): ColumnTable {
  return { times: Float64Array.from(times), columns: [Float64Array.from(times)], texts: new Map() };
}

describe('the pages of a timeline', () => {
  it('split a segment by day, and find each part', () => {
    const { pages } = createPages();
    const times = [CLOSED_DAY + HOUR_MS, CLOSED_DAY + DAY_MS + HOUR_MS];
    pages.set({ table: tableAt(...times), fromMs: CLOSED_DAY, toMs: CLOSED_DAY + 2 * DAY_MS }, NOW);
    for (const [day, time] of times.entries()) {
      const page = pages.get(CLOSED_DAY + day * DAY_MS)?.page;
      expect([...(page?.table.times ?? [])]).toEqual([time]);
      expect(page?.toMs).toBe(CLOSED_DAY + (day + 1) * DAY_MS);
    }
    expect(pages.get(CLOSED_DAY + 2 * DAY_MS)).toBeUndefined();
    expect(pages.get(CLOSED_DAY - 1)).toBeUndefined();
  });

  it('merge adjacent segments of a day, and store two segments with a gap between them', () => {
    const { pages } = createPages();
    const hour = (index: number) => CLOSED_DAY + index * HOUR_MS;
    pages.set({ table: tableAt(hour(0)), fromMs: hour(0), toMs: hour(1) }, NOW);
    pages.set({ table: tableAt(hour(1)), fromMs: hour(1), toMs: hour(2) }, NOW);
    expect([...(pages.get(hour(0))?.page.table.times ?? [])]).toEqual([hour(0), hour(1)]);
    pages.set({ table: tableAt(hour(5)), fromMs: hour(5), toMs: hour(6) }, NOW);
    expect([...(pages.get(hour(1))?.page.table.times ?? [])]).toEqual([hour(0), hour(1)]);
    expect(pages.get(hour(3))).toBeUndefined();
    expect([...(pages.get(hour(5))?.page.table.times ?? [])]).toEqual([hour(5)]);
    // A third segment replaces the second one, and a segment over the gap is found before it.
    pages.set({ table: tableAt(hour(8)), fromMs: hour(8), toMs: hour(9) }, NOW);
    expect(pages.get(hour(5))).toBeUndefined();
    pages.set({ table: tableAt(hour(2), hour(8) + 1), fromMs: hour(2), toMs: hour(9) }, NOW);
    expect([...(pages.get(hour(8))?.page.table.times ?? [])]).toEqual([
      hour(0),
      hour(1),
      hour(2),
      hour(8) + 1,
    ]);
  });

  it('return a stale page only to getStale', () => {
    const { pages, clock } = createPages();
    pages.set({ table: tableAt(NOW - HOUR_MS), fromMs: NOW - 2 * HOUR_MS, toMs: NOW }, NOW);
    expect(pages.get(NOW - HOUR_MS)?.freshness).toBe('fresh');
    clock.nowMs += 60_000;
    expect(pages.get(NOW - HOUR_MS)).toBeUndefined();
    expect(pages.getStale(NOW - HOUR_MS)?.freshness).toBe('ifError');
  });

  it('are to an operation with no-cache only those that it has loaded itself', () => {
    const { pages, createBypassing } = createPages();
    const [own, other] = [createBypassing(), createBypassing()];
    const day = { table: tableAt(CLOSED_DAY), fromMs: CLOSED_DAY, toMs: CLOSED_DAY + DAY_MS };
    pages.set(day, NOW);
    expect(own.get(CLOSED_DAY)).toBeUndefined();
    own.set(day, NOW);
    expect(own.get(CLOSED_DAY)).toBeDefined();
    expect(own.get(CLOSED_DAY + DAY_MS)).toBeUndefined();
    expect(other.get(CLOSED_DAY)).toBeUndefined();
    expect(pages.get(CLOSED_DAY)).toBeDefined();
    // A load that began earlier ends now.
    pages.set(day, NOW - 1);
    expect(own.get(CLOSED_DAY)).toBeUndefined();
  });

  it('are loaded again beyond a number of them by an operation with no-cache', () => {
    const store = createSamplePageStore({ clock: { now: () => NOW } });
    const options = { ownPages: new Map<string, number>(), stepMs: 1000, nowMs: () => NOW };
    const pagesOf = (name: string) => new TimelinePages(store, { text: name, tags: [] }, options);
    const days = MAX_OWN_PAGES / 2;
    const toMs = Date.UTC(2024, 5, 10);
    const fromMs = toMs - days * DAY_MS;
    const times = Array.from({ length: days }, (_, day) => fromMs + day * DAY_MS);
    for (const name of ['one', 'two', 'three'])
      pagesOf(name).set({ table: tableAt(...times), fromMs, toMs }, NOW);
    expect(options.ownPages.size).toBe(MAX_OWN_PAGES);
    expect(pagesOf('two').get(fromMs)).toBeDefined();
    expect(pagesOf('three').get(fromMs)).toBeUndefined();
    expect(
      new TimelinePages(store, { text: 'three', tags: [] }, { stepMs: 1000, nowMs: () => NOW }).get(fromMs),
    ).toBeDefined();
  });

  it('end a gap at the next stored day, or at the end of the span', () => {
    const { pages } = createPages();
    const stored = CLOSED_DAY + 3 * DAY_MS;
    pages.set({ table: tableAt(stored), fromMs: stored, toMs: stored + DAY_MS }, NOW);
    expect(pages.endOfGap(CLOSED_DAY, NOW - 5 * DAY_MS)).toBe(stored);
    expect(pages.endOfGap(CLOSED_DAY, CLOSED_DAY + DAY_MS / 2)).toBe(CLOSED_DAY + DAY_MS / 2);
  });

  it('extend a gap near now into the future, unless a row is as long', () => {
    expect(createPages().pages.endOfGap(NOW - HOUR_MS, NOW)).toBe(NOW + DAY_MS);
    expect(createPages({ stepMs: HOUR_MS }).pages.endOfGap(NOW - HOUR_MS, NOW)).toBe(NOW);
  });
});
