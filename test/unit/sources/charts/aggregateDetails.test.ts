/** Percentiles of long intervals leave turns of the event loop to others. */
import { expect, it } from 'vitest';
import { ROWS_PER_SLICE } from '../../../../src/lib/slicedComputation.js';
import { createDetailLoader } from '../../../../src/sources/charts/aggregateDetails.js';

const COUNT = 6 * ROWS_PER_SLICE;

it('the numbers of a long interval are sorted in many turns', async () => {
  const starts = Float64Array.from({ length: COUNT }, (_, index) => index * 1000);
  // Every number below the count comes once, because 7 does not divide the count.
  const sums = starts.map((_, index) => (index * 7) % COUNT);
  const counts = new Float64Array(COUNT).fill(1);
  const load = createDetailLoader({
    samples: { starts, ends: starts, counts, lows: sums, highs: sums, sums },
    ...{ starts: [0, COUNT * 1000], windowOf: undefined, units: '' },
  });
  const { percentile } = await load(0);
  let turns = 0;
  let isRunning = true;
  const countTurn = () => {
    turns += 1;
    if (isRunning) setImmediate(countTurn);
  };
  setImmediate(countTurn);
  const percentiles = await Promise.all([0, 50, 100].map((percent) => percentile(percent)));
  isRunning = false;
  expect(percentiles).toEqual([0, (COUNT - 1) / 2, COUNT - 1]);
  // Six slices are sorted, and then merged three times.
  expect(turns).toBeGreaterThanOrEqual(20);
});
