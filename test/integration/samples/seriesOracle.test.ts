/** Charts of generated streams, compared with the sandbox's rows. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { required, toText } from '../../support/gateway.js';
import {
  DAY,
  type Row,
  range,
  samplesOf,
  startStreamPool,
  stream,
  textRange,
} from '../../support/samples/streamPlans.js';

const { gateway, pool } = await startStreamPool();

describe('series', () => {
  interface Series {
    times: number[];
    values: (number | null)[];
    min: (number | null)[];
    max: (number | null)[];
    sourceCount: number;
    coverage: number;
    reduced: boolean;
    source: string;
  }
  const SERIES = `query ($id: ID!, $range: TimeRange!, $maxPoints: Int, $method: SeriesMethod) {
    stream(id: $id) { series(range: $range, maxPoints: $maxPoints, method: $method) {
      times values min max sourceCount coverage reduced source } } }`;

  async function ask(variables: object): Promise<Series> {
    return (await gateway.ask<{ stream: { series: Series } }>(SERIES, { ...variables })).stream.series;
  }

  /** More than two and a half times the median interval. */
  function gapsOf(rows: Row[]) {
    const spacings = rows.slice(1).map(({ at }, index) => at - required(rows[index]).at);
    const sorted = spacings.filter((spacing) => spacing > 0).sort((one, other) => one - other);
    const usual = sorted[Math.floor((sorted.length - 1) / 2)] ?? 300;
    const gaps = spacings.flatMap((length, index) =>
      length > 2.5 * usual ? [{ from: required(rows[index]).at, length }] : [],
    );
    return { usual, gaps };
  }

  it('respect the maximum of points, contain all extremes and bridge no gap', async () => {
    const maxPoints = fc.integer({ min: 3, max: 400 });
    const method = fc.constantFrom('LTTB', 'MIN_MAX', 'MEAN');
    await fc.assert(
      fc.asyncProperty(stream, range, maxPoints, method, async (plan, span, most, way) => {
        const id = pool.fill(samplesOf(plan));
        const wanted = textRange(plan, span);
        const rows = pool.numbersIn(id, wanted);
        const found = await ask({ id, range: wanted, maxPoints: most, method: way });
        expect(found.sourceCount).toBe(rows.length);
        expect(found.times.length).toBeLessThanOrEqual(most);
        expect(found.times).toEqual([...found.times].sort((one, other) => one - other));
        const [low, high] = [found.min, found.max].map((column) => column.filter((value) => value !== null));
        if (rows.length > 0) {
          const values = rows.map(({ value }) => value);
          expect([Math.min(...required(low)), Math.max(...required(high))]).toEqual([
            Math.min(...values),
            Math.max(...values),
          ]);
        }
        const { gaps, usual } = gapsOf(rows);
        expect(found.reduced).toBe(rows.length + gaps.length > most);
        expectCoverage(found, rows, wanted, usual, gaps);
        if (found.source === 'SAMPLES' && way !== 'MEAN') expectRealPoints(found, rows, gaps, way, most);
      }),
      { numRuns: 120 },
    );
  });

  function expectCoverage(
    { coverage, source }: Series,
    rows: Row[],
    { from, to }: { from: string; to: string },
    usual: number,
    gaps: { length: number }[],
  ): void {
    if (source !== 'SAMPLES') return;
    const [start, end] = [Date.parse(from) / 1000, Date.parse(to) / 1000];
    const ends = rows.length === 0 ? [] : [required(rows[0]).at - start, end - required(rows.at(-1)).at];
    const missing = [...gaps.map(({ length }) => length), ...ends]
      .filter((length) => length > 2.5 * usual)
      .reduce((total, length) => total + length - usual, 0);
    expect(coverage).toBeCloseTo(rows.length === 0 ? 0 : 1 - missing / (end - start), 9);
  }

  function expectRealPoints(
    { times, values, reduced }: Series,
    rows: (Row & { value: number })[],
    gaps: { from: number }[],
    way: string,
    most: number,
  ): void {
    const real = new Set(rows.map(({ at, value }) => `${at * 1000} ${value}`));
    const points = times.map((time, index) => ({ time, value: values[index] }));
    const kept = points.filter(({ value }) => value !== null);
    for (const { time, value } of kept) expect(real).toContain(`${time} ${value}`);
    if (!reduced) expect(kept).toHaveLength(rows.length);
    if (way === 'LTTB' && reduced) {
      expect([kept[0]?.time, kept.at(-1)?.time]).toEqual([
        required(rows[0]).at * 1000,
        required(rows.at(-1)).at * 1000,
      ]);
      expect(kept.length).toBeGreaterThanOrEqual(Math.ceil(most / 2));
    }
    for (const [index, { time }] of points.entries()) {
      const next = points[index + 1];
      if (next === undefined || points[index]?.value === null || next.value === null) continue;
      expect(gaps.filter((gap) => gap.from * 1000 >= time && gap.from * 1000 < next.time)).toEqual([]);
    }
  }

  it.each(['MEAN', 'MIN_MAX'])('by %s are the same from aggregates as from samples', async (method) => {
    const start = Date.UTC(2025, 4, 1) / 1000 + 17;
    const plan = { start, step: 60 as const, jitter: 0, gaps: [{ from: 50_000, length: 30_000 }] };
    const made = [0, 2, 4, 6, 8].flatMap((day) =>
      samplesOf({ ...plan, start: start + day * DAY, lateShare: 0.1, wordEvery: 7 as const, seed: 5 + day }),
    );
    const id = pool.fill(made);
    const wanted = { from: toText(start + 500), to: toText(start + 9.7 * DAY) };
    const fromFrames = await ask({ id, range: wanted, maxPoints: 60, method });
    await ask({ id, range: wanted, maxPoints: 60, method: 'LTTB' });
    const fromSamples = await ask({ id, range: wanted, maxPoints: 60, method });
    expect([fromFrames.source, fromSamples.source]).toEqual(['AGGREGATES', 'SAMPLES']);
    const { min, max, sourceCount } = fromSamples;
    const extremes = (columns: (number | null)[]) => [...columns].sort();
    expect(fromFrames.sourceCount).toBe(sourceCount);
    expect([extremes(fromFrames.min), extremes(fromFrames.max)]).toEqual([extremes(min), extremes(max)]);
    expect(fromFrames.coverage).toBeCloseTo(fromSamples.coverage, 1);
    if (method === 'MIN_MAX') return;
    expect(fromFrames.values).toEqual(fromSamples.values);
  });
});
