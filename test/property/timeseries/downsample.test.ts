/** Reduced series represent their source, for any length and values. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runToCompletion } from '../../../src/lib/slicedComputation.js';
import { groupBy } from '../../../src/sources/core/collections.js';
import {
  type Buckets,
  downsampleLttb,
  downsampleMean,
  downsampleMinMax,
  type Point,
  toPoints,
} from '../../../src/timeseries/downsample.js';

/** Without -0: it equals 0, and either of the two is a correct result. */
const value = fc.double({ min: -1e9, max: 1e9, noNaN: true }).map((number) => number + 0);

const source = fc
  .array(fc.tuple(fc.integer({ min: 1, max: 600_000 }), value), { minLength: 4, maxLength: 400 })
  .map((steps) => {
    let time = 1_770_000_000_000;
    const times = steps.map(([step]) => {
      time += step;
      return time;
    });
    return { times, values: steps.map(([, value]) => value) };
  });

/** A source, and a smaller number of points. */
const reduction = source.chain((columns) =>
  fc.record({ columns: fc.constant(columns), count: fc.integer({ min: 2, max: columns.times.length - 1 }) }),
);

function entriesOf({ times, values }: { times: number[]; values: number[] }): Buckets {
  const [starts, sums] = [Float64Array.from(times), Float64Array.from(values)];
  const counts = new Float64Array(times.length).fill(1);
  return { starts, ends: starts, counts, lows: sums, highs: sums, sums };
}

/** A width that cuts the series into a few buckets or into many. */
const width = fc.integer({ min: 1, max: 10_000_000 });

function columnsOf(points: readonly Point[]) {
  const column = (name: keyof Point) => points.map((point) => point[name]);
  return { times: column('time'), values: column('value'), min: column('min'), max: column('max') };
}

function expectConsistent({ times, values, min, max }: ReturnType<typeof columnsOf>): void {
  expect(times.every((time, index) => index === 0 || time > (times[index - 1] ?? 0))).toBe(true);
  const slack = 1e-6;
  expect(
    values.every((value, at) => (min[at] ?? 0) - slack <= value && value <= (max[at] ?? 0) + slack),
  ).toBe(true);
}

const extent = (values: readonly number[]) => [Math.min(...values), Math.max(...values)];

describe('downsampling', () => {
  it('by largest triangles returns exactly that many of its points, with both ends', () => {
    fc.assert(
      fc.property(reduction, ({ columns, count }) => {
        const reduced = columnsOf(runToCompletion(downsampleLttb(entriesOf(columns), count)));
        expectConsistent(reduced);
        expect(reduced.times).toHaveLength(count);
        expect([reduced.times[0], reduced.times.at(-1)]).toEqual([columns.times[0], columns.times.at(-1)]);
        reduced.times.forEach((time, at) => {
          expect(columns.values[columns.times.indexOf(time)]).toBe(reduced.values[at]);
        });
        expect(extent([...reduced.min, ...reduced.max])).toEqual(extent(columns.values));
      }),
    );
  });

  it('by lowest and highest loses no extreme of any bucket and returns at most two points of each', () => {
    fc.assert(
      fc.property(source, width, (columns, widthMs) => {
        const reduced = columnsOf(runToCompletion(downsampleMinMax(entriesOf(columns), widthMs)));
        expectConsistent(reduced);
        const buckets = groupBy([...columns.times.keys()], (at) =>
          Math.floor((columns.times[at] ?? 0) / widthMs),
        );
        for (const [bucket, places] of buckets) {
          const inIt = reduced.times.flatMap((time, at) =>
            Math.floor(time / widthMs) === bucket ? [reduced.values[at] ?? 0] : [],
          );
          expect(inIt.length).toBeLessThanOrEqual(2);
          expect(extent(inIt)).toEqual(extent(places.map((at) => columns.values[at] ?? 0)));
        }
      }),
    );
  });

  it('by means returns one point for each bucket, within its extremes', () => {
    fc.assert(
      fc.property(source, width, (columns, widthMs) => {
        const reduced = columnsOf(runToCompletion(downsampleMean(entriesOf(columns), widthMs)));
        expectConsistent(reduced);
        const buckets = new Set(columns.times.map((time) => Math.floor(time / widthMs)));
        expect(reduced.times.map((time) => Math.floor(time / widthMs))).toEqual([...buckets]);
        expect(extent([...reduced.min, ...reduced.max])).toEqual(extent(columns.values));
      }),
    );
  });

  it('to the full length changes nothing', () => {
    fc.assert(
      fc.property(source, (columns) => {
        const kept = columnsOf(toPoints(entriesOf(columns)));
        expectConsistent(kept);
        expect({ times: kept.times, values: kept.values }).toEqual(columns);
      }),
    );
  });
});
