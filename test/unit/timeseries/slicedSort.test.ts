/** Long columns are sorted in slices, with the same result as at once. */
import { expect, it } from 'vitest';
import { ROWS_PER_SLICE, runToCompletion } from '../../../src/lib/slicedComputation.js';
import { sortedCopyOf, sortParts } from '../../../src/timeseries/intervalDetails.js';
import { createRandom } from '../../support/random.js';

function makeNumbers(count: number): Float64Array {
  const random = createRandom(count);
  // Some numbers are equal.
  return Float64Array.from({ length: count }, () => random.below(count) - count / 2);
}

it.each([
  ...[0, 1, 2, ROWS_PER_SLICE - 1, ROWS_PER_SLICE, ROWS_PER_SLICE + 1],
  ...[2 * ROWS_PER_SLICE, 3 * ROWS_PER_SLICE + 7, 12 * ROWS_PER_SLICE],
])('%i numbers are sorted, and the originals stay', (count) => {
  const numbers = makeNumbers(count);
  expect(runToCompletion(sortedCopyOf(numbers))).toEqual(makeNumbers(count).sort());
  expect(numbers).toEqual(makeNumbers(count));
});

it('no slice sorts or merges more than its rows', () => {
  const sliced = sortedCopyOf(makeNumbers(20 * ROWS_PER_SLICE));
  let slices = 1;
  while (!sliced.next().done) slices += 1;
  // Twenty slices are sorted, and then merged five times: to pairs, fours, eights, sixteens and all.
  expect(slices).toBe(20 + 5 * 20);
});

it('many short parts are sorted one by one, in as many slices as one long part', () => {
  const numbers = makeNumbers(20 * ROWS_PER_SLICE);
  const length = ROWS_PER_SLICE / 8;
  const parts = Array.from({ length: 160 }, (_, index) => ({
    from: index * length,
    to: (index + 1) * length,
  }));
  expect(runToCompletion(sortParts(numbers, parts))).toEqual(
    parts.map(({ from, to }) => numbers.slice(from, to).sort()),
  );
  const sliced = sortParts(numbers, parts);
  let slices = 1;
  while (!sliced.next().done) slices += 1;
  expect(slices).toBeGreaterThanOrEqual(20);
});
