/**
 * Reduces a time series to fewer points for a chart. Pure. Times ascend, and values are numbers. Each point
 * carries the minimum and maximum of its samples. Computations over every row run in slices: see
 * `slicedComputation.ts`.
 */
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../lib/clock.js';
import { ROWS_PER_SLICE, type SlicedComputation } from '../lib/slicedComputation.js';

/**
 * The input of a series: samples, or aggregates of frames. A sample has the same start and end and a count of 1; its
 * minimum, maximum and sum are its value.
 */
export interface Buckets {
  /** Unix milliseconds in ascending order. */
  starts: Float64Array;
  /** The end of each bucket; for a sample, its start. */
  ends: Float64Array;
  counts: Float64Array;
  lows: Float64Array;
  highs: Float64Array;
  sums: Float64Array;
}

export interface Point {
  /** Unix milliseconds; rises from point to point. */
  time: number;
  value: number;
  /** The extremes of its samples. */
  min: number;
  max: number;
  /** The indexes of its first and its last bucket. */
  first: number;
  last: number;
}

export function toPoints({ starts, sums }: Buckets): Point[] {
  return Array.from(starts, (time, index) => {
    const value = sums[index] ?? 0;
    return { time, value, min: value, max: value, first: index, last: index };
  });
}

/**
 * Largest triangle three buckets (Steinarsson, 2013) over samples: selects the first and the last sample, and from each
 * bucket between them the sample that makes the largest triangle with its neighbours. `count` is at least 2 and less
 * than the number of samples. A new sample at the end changes only a few of the last points.
 */
export function* downsampleLttb(buckets: Buckets, count: number): SlicedComputation<Point[]> {
  const end = buckets.starts.length - 1;
  const points: Point[] = [];
  // With two points, the first has all samples but the last.
  addSample(points, buckets, 0, [0, count === 2 ? Math.max(1, end) : 1]);
  const bounds = count === 2 ? [] : stableBounds(end - 1, count - 2);
  let chosen = 0;
  let rows = 0;
  for (let bucket = 0; bucket + 1 < bounds.length; bucket++) {
    const [from, to, nextTo] = [bounds[bucket] ?? 1, bounds[bucket + 1] ?? end, bounds[bucket + 2]];
    const next = nextTo === undefined ? meanPoint(buckets, end, end + 1) : meanPoint(buckets, to, nextTo);
    chosen = largestTriangle(buckets, chosen, from, to, next);
    addSample(points, buckets, chosen, [from, to]);
    rows += (nextTo ?? end + 1) - from;
    if (rows >= ROWS_PER_SLICE) {
      rows = 0;
      yield;
    }
  }
  addSample(points, buckets, end, [end, end + 1]);
  return points;
}

/** The lowest and the highest value of each bucket, in the order of time, so that no spike is lost. */
export function* downsampleMinMax(buckets: Buckets, widthMs: number): SlicedComputation<Point[]> {
  const points: Point[] = [];
  for (const [from, to] of yield* splitByWidth(buckets, widthMs)) {
    const extremes = listExtremes(buckets, from, to);
    const isOneFrame = extremes.length === 2 && extremes[0]?.at === extremes[1]?.at;
    for (const [index, { at, value }] of extremes.entries()) {
      const time = timeWithin(buckets, at, isOneFrame ? (index + 1) / 3 : 0.5);
      // Together, the two points cover the bucket: a gap is shown before the first or after the second of them.
      const [first, last] = [index === 0 ? from : at, index === extremes.length - 1 ? to - 1 : at];
      points.push({ time, value, min: value, max: value, first, last });
    }
  }
  return points;
}

/** The lowest and the highest value in the order of time; a single item if they are the same. */
function listExtremes(buckets: Buckets, from: number, to: number): { at: number; value: number }[] {
  const [low, high] = extremesOf(buckets, from, to);
  const lowest = { at: low, value: buckets.lows[low] ?? 0 };
  const highest = { at: high, value: buckets.highs[high] ?? 0 };
  // The order of two extremes within one frame is unknown.
  if (low === high && lowest.value === highest.value) return [lowest];
  return low <= high ? [lowest, highest] : [highest, lowest];
}

/** The mean of each bucket of time, weighted by count, at the middle of the bucket. */
export function* downsampleMean(buckets: Buckets, widthMs: number): SlicedComputation<Point[]> {
  const points: Point[] = [];
  for (const [from, to] of yield* splitByWidth(buckets, widthMs)) {
    const [low, high] = extremesOf(buckets, from, to);
    const mean = roundToSignificantDigits(sum(buckets.sums, from, to) / sum(buckets.counts, from, to));
    const time = (Math.floor((buckets.starts[from] ?? 0) / widthMs) + 0.5) * widthMs;
    const [min, max] = [buckets.lows[low] ?? 0, buckets.highs[high] ?? 0];
    const value = Math.min(max, Math.max(min, mean));
    points.push({ time, value, min, max, first: from, last: to - 1 });
  }
  return points;
}

const SIGNIFICANT_DIGITS = 12;

/**
 * Removes the rounding error of sums in binary: 4.199999999999999 becomes 4.2. No device measures that precisely. Without
 * it, a mean from aggregates would differ from the mean from samples.
 */
export function roundToSignificantDigits(number: number): number {
  return Number(number.toPrecision(SIGNIFICANT_DIGITS));
}

/**
 * Adds the selected sample of a bucket. Gaps are shown between selected samples, so the point begins and ends at its
 * sample.
 */
function addSample(points: Point[], buckets: Buckets, at: number, [from, to]: [number, number]): void {
  const [low, high] = extremesOf(buckets, from, to);
  const [min, max] = [buckets.lows[low] ?? 0, buckets.highs[high] ?? 0];
  const [time, value] = [buckets.starts[at] ?? 0, buckets.sums[at] ?? 0];
  points.push({ time, value, min, max, first: at, last: at });
}

/** The index ranges of the non-empty time buckets: from inclusive, to exclusive. */
function* splitByWidth({ starts }: Buckets, widthMs: number): SlicedComputation<[number, number][]> {
  const buckets: [number, number][] = [];
  let from = 0;
  for (let index = 1; index <= starts.length; index++) {
    if (index % ROWS_PER_SLICE === 0) yield;
    const isOver =
      Math.floor((starts[index] ?? Infinity) / widthMs) > Math.floor((starts[from] ?? 0) / widthMs);
    if (!isOver) continue;
    buckets.push([from, index]);
    from = index;
  }
  return starts.length === 0 ? [] : buckets;
}

/** Bucket lengths are powers of 2^(1/16), so that the length changes when a series grows by 4 %. */
const LENGTHS_PER_DOUBLING = 16;

/**
 * The bounds of `count` buckets over `total` samples, starting at index 1; `count` is at most `total`. With
 * equal buckets, each new sample would move all bounds. Here the length of a bucket stays while the series grows. It is a
 * little too long, so that there are too few buckets, and the newest ones are split until there are `count`.
 */
function stableBounds(total: number, count: number): number[] {
  const step = Math.ceil(LENGTHS_PER_DOUBLING * Math.log2(total / count) - ROUNDING_SLACK);
  const length = Math.max(1, 2 ** (step / LENGTHS_PER_DOUBLING));
  const bounds: number[] = [];
  for (let bucket = 0; Math.floor(bucket * length) < total; bucket++) {
    bounds.push(Math.floor(bucket * length));
  }
  return splitNewest([...bounds.slice(0, count), total], count).map((bound) => bound + 1);
}

/** Keeps a length that fits exactly from being rounded up to the next one. */
const ROUNDING_SLACK = 1e-9;

/** Splits buckets of more than one sample into halves, from the end backwards, until there are `count` buckets. */
function splitNewest(bounds: readonly number[], count: number): number[] {
  let missing = count + 1 - bounds.length;
  const reversed: number[] = [];
  for (let index = bounds.length - 1; index >= 0; index--) {
    const [from, to] = [bounds[index] ?? 0, bounds[index + 1]];
    if (to !== undefined && missing > 0 && to - from > 1) {
      reversed.push((from + to) >> 1);
      missing -= 1;
    }
    reversed.push(from);
  }
  return reversed.reverse();
}

function meanPoint({ starts, sums }: Buckets, from: number, to: number) {
  const count = to - from;
  return { time: sum(starts, from, to) / count, value: sum(sums, from, to) / count };
}

function largestTriangle(
  { starts, sums }: Buckets,
  previous: number,
  from: number,
  to: number,
  next: { time: number; value: number },
): number {
  const previousTime = starts[previous] ?? 0;
  const previousValue = sums[previous] ?? 0;
  let best = from;
  let largest = -1;
  for (let index = from; index < to; index++) {
    const area = Math.abs(
      (previousTime - next.time) * ((sums[index] ?? 0) - previousValue) -
        (previousTime - (starts[index] ?? 0)) * (next.value - previousValue),
    );
    if (area > largest) [largest, best] = [area, index];
  }
  return best;
}

/** The indexes of the lowest and the highest value; the first of equal ones. */
function extremesOf({ lows, highs }: Buckets, from: number, to: number): [number, number] {
  let low = from;
  let high = from;
  for (let index = from + 1; index < to; index++) {
    if ((lows[index] ?? 0) < (lows[low] ?? 0)) low = index;
    if ((highs[index] ?? 0) > (highs[high] ?? 0)) high = index;
  }
  return [low, high];
}

function timeWithin({ starts, ends }: Buckets, at: number, share: number): number {
  const start = starts[at] ?? 0;
  return start + ((ends[at] ?? start) - start) * share;
}

function sum(numbers: Float64Array, from: number, to: number): number {
  let total = 0;
  for (let index = from; index < to; index++) total += numbers[index] ?? 0;
  return total;
}

/** For widths of ten minutes or more, a frame that divides one width also divides all longer ones. */
const SMALL_WIDTHS: readonly number[] = [
  ...[1, 2, 3, 5, 10, 15, 20, 30].map((seconds) => seconds * SECOND_MS),
  ...[1, 2, 3, 5, 10, 20, 40, 60, 120, 180, 240, 300].map((minutes) => minutes * MINUTE_MS),
];

/** The widths from `minMs` on that are multiples of `unitMs`, rising without end. */
function* bucketWidthsFrom(minMs: number, unitMs: number): Generator<number, never> {
  for (const width of SMALL_WIDTHS) {
    if (width >= minMs && width % unitMs === 0) yield width;
  }
  let hours = Math.max(6, Math.ceil(minMs / HOUR_MS));
  for (; ; hours++) {
    if ((hours * HOUR_MS) % unitMs === 0) yield hours * HOUR_MS;
  }
}

/** The shortest width that puts the instants from `firstMs` to `lastMs` into at most `maxBuckets` buckets. */
export function bucketWidthFor(
  { firstMs, lastMs }: { firstMs: number; lastMs: number },
  maxBuckets: number,
  { minWidthMs = SECOND_MS, unitMs = SECOND_MS } = {},
): number {
  const shortestMs = Math.max(minWidthMs, (lastMs - firstMs) / (maxBuckets + 1));
  for (const width of bucketWidthsFrom(shortestMs, unitMs)) {
    if (Math.floor(lastMs / width) - Math.floor(firstMs / width) < maxBuckets) return width;
    // One bucket cannot have instants on both sides of zero, which is a bound of every width.
    if (width > 2 * Math.max(Math.abs(lastMs), Math.abs(firstMs))) return width;
  }
  return shortestMs;
}
