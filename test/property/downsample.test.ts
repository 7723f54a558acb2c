/** Reduced series stay true to their source, whatever its length and values. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Columns,
  keepAll,
  largestTriangles,
  lowestAndHighest,
  means,
} from '../../src/lib/downsample.js';

const source = fc
  .array(fc.tuple(fc.integer({ min: 1, max: 600_000 }), fc.double({ min: -1e9, max: 1e9, noNaN: true })), {
    minLength: 4,
    maxLength: 400,
  })
  .map((steps) => {
    let time = 1_770_000_000_000;
    const times = steps.map(([step]) => {
      time += step;
      return time;
    });
    return { times, values: steps.map(([, value]) => value) };
  });

/** A source, and a number of points that is smaller. */
const reduction = source.chain((columns) =>
  fc.record({ columns: fc.constant(columns), count: fc.integer({ min: 3, max: columns.times.length - 1 }) }),
);

function expectSound({ times, values, min, max }: Columns): void {
  expect([values.length, min.length, max.length]).toEqual([times.length, times.length, times.length]);
  expect(times.every((time, index) => index === 0 || time > (times[index - 1] ?? 0))).toBe(true);
  const slack = 1e-6;
  expect(
    values.every((value, at) => (min[at] ?? 0) - slack <= value && value <= (max[at] ?? 0) + slack),
  ).toBe(true);
}

const extent = (values: readonly number[]) => [Math.min(...values), Math.max(...values)];

describe('reducing a series', () => {
  it('to largest triangles answers exactly so many of its points, its ends among them', () => {
    fc.assert(
      fc.property(reduction, ({ columns, count }) => {
        const reduced = largestTriangles(columns, count);
        expectSound(reduced);
        expect(reduced.times).toHaveLength(count);
        expect([reduced.times[0], reduced.times.at(-1)]).toEqual([columns.times[0], columns.times.at(-1)]);
        reduced.times.forEach((time, at) => {
          expect(columns.values[columns.times.indexOf(time)]).toBe(reduced.values[at]);
        });
        expect(extent([...reduced.min, ...reduced.max])).toEqual(extent(columns.values));
      }),
    );
  });

  it('to lowest and highest loses no extreme and keeps to the count', () => {
    fc.assert(
      fc.property(reduction, ({ columns, count }) => {
        const reduced = lowestAndHighest(columns, count);
        expectSound(reduced);
        expect(reduced.times.length).toBeLessThanOrEqual(count);
        expect(extent(reduced.values)).toEqual(extent(columns.values));
      }),
    );
  });

  it('to means stays within the extremes and answers exactly so many', () => {
    fc.assert(
      fc.property(reduction, ({ columns, count }) => {
        const reduced = means(columns, count);
        expectSound(reduced);
        expect(reduced.times).toHaveLength(count);
        expect(extent([...reduced.min, ...reduced.max])).toEqual(extent(columns.values));
      }),
    );
  });

  it('to all of it changes nothing and shares nothing', () => {
    fc.assert(
      fc.property(source, (columns) => {
        const kept = keepAll(columns);
        expectSound(kept);
        expect({ times: kept.times, values: kept.values }).toEqual(columns);
        kept.values.length = 0;
        expect(columns.values.length).toBeGreaterThan(0);
      }),
    );
  });
});
