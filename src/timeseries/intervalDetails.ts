/**
 * Statistics that need the order and the times of the numbers: first, last, consumption, integral, deviation. One pass
 * over all intervals. Pure.
 */
import { DAY_MS, HOUR_MS } from '../lib/clock.js';
import { ROWS_PER_SLICE, type SlicedComputation } from '../lib/slicedComputation.js';
import { rowAt } from './columnTable.js';
import type { TimeZone } from './timeZone.js';

/** Numbers by rising time. */
interface TimedNumbers {
  /** Unix milliseconds. */
  times: Float64Array;
  values: Float64Array;
}

export interface IntervalDetails {
  first: number | null;
  last: number | null;
  /** The sum of the increases up to each number of the interval. A decrease is a reset: it counts from 0. */
  delta: number | null;
  /** The resets in `delta`. */
  resets: number;
  /** Values times milliseconds, by the trapezoidal rule, without gaps. Null without two neighbouring numbers. */
  integral: number | null;
  /** Milliseconds that the integral covers. */
  coveredMs: number;
  /** Standard deviation of the population, not of a sample of it. */
  stdDev: number | null;
  /** The indexes of the interval's numbers: from inclusive, to exclusive. */
  from: number;
  to: number;
}

/** The number of the window that contains an instant; null if none does. */
export type WindowOf = (ms: number) => number | null;

interface DetailOptions {
  /** Longer pauses between two numbers are gaps, which the integral does not bridge. */
  gapMs: number;
  /** Two numbers are neighbours only in the same window. If absent, all numbers are in one window. */
  windowOf?: WindowOf | undefined;
}

/**
 * One item for each interval, from each bound to the next. The last number before the first bound and the first
 * number after the last bound count as neighbours of the numbers between them; all others outside are ignored.
 */
export function* detailIntervals(
  numbers: TimedNumbers,
  bounds: readonly number[],
  options: DetailOptions,
): SlicedComputation<IntervalDetails[]> {
  const folds = bounds.slice(1).map(() => new IntervalFold());
  let interval = 0;
  for (let index = rowAt(numbers.times, bounds[0] ?? 0); index < numbers.times.length; index++) {
    if (index % ROWS_PER_SLICE === 0) yield;
    const [ms, value] = [numbers.times[index] ?? 0, numbers.values[index] ?? 0];
    while (interval < folds.length && (bounds[interval + 1] ?? 0) <= ms) interval += 1;
    if (index > 0) addPair(numbers, index, { folds, bounds, interval }, options);
    const fold = folds[interval];
    if (fold === undefined) break;
    fold.add(index, value);
  }
  return folds.map((fold) => fold.finish());
}

interface Target {
  folds: readonly IntervalFold[];
  bounds: readonly number[];
  /** Index of the interval that holds the later number of the pair; the number of intervals after the last bound. */
  interval: number;
}

/** Adds the change and the area between the numbers at `index - 1` and `index`. */
function addPair(
  { times, values }: TimedNumbers,
  index: number,
  { folds, bounds, interval }: Target,
  { gapMs, windowOf }: DetailOptions,
): void {
  const [fromMs, toMs] = [times[index - 1] ?? 0, times[index] ?? 0];
  const [before, value] = [values[index - 1] ?? 0, values[index] ?? 0];
  if (windowOf !== undefined && windowOf(fromMs) !== windowOf(toMs)) return;
  folds[interval]?.addChange(before, value);
  if (toMs - fromMs > gapMs || toMs <= fromMs) return;
  const valueAt = (ms: number) => before + ((value - before) * (ms - fromMs)) / (toMs - fromMs);
  // A pair that spans several intervals counts for each of them with the part inside it.
  let endMs = toMs;
  for (let at = interval; endMs > fromMs && at >= 0; at--) {
    const startMs = Math.max(fromMs, bounds[at] ?? 0);
    if (startMs < endMs) {
      folds[at]?.addArea(((valueAt(startMs) + valueAt(endMs)) / 2) * (endMs - startMs), endMs - startMs);
    }
    endMs = Math.min(endMs, startMs);
  }
}

/** The mean and the squared deviations are updated number by number (Welford), which stays exact for large values. */
class IntervalFold {
  #count = 0;
  #from = 0;
  #to = 0;
  #first: number | null = null;
  #last: number | null = null;
  #mean = 0;
  #squares = 0;
  #delta: number | null = null;
  #resets = 0;
  #area = 0;
  #coveredMs = 0;

  add(index: number, value: number): void {
    if (this.#count === 0) {
      this.#first = value;
      this.#from = index;
    }
    this.#to = index + 1;
    this.#last = value;
    this.#count += 1;
    const deviation = value - this.#mean;
    this.#mean += deviation / this.#count;
    this.#squares += deviation * (value - this.#mean);
  }

  addChange(before: number, value: number): void {
    const isReset = value < before;
    if (isReset) this.#resets += 1;
    this.#delta = (this.#delta ?? 0) + (isReset ? value : value - before);
  }

  addArea(area: number, coveredMs: number): void {
    this.#area += area;
    this.#coveredMs += coveredMs;
  }

  finish(): IntervalDetails {
    return {
      first: this.#first,
      last: this.#last,
      delta: this.#delta,
      resets: this.#resets,
      integral: this.#coveredMs === 0 ? null : this.#area,
      coveredMs: this.#coveredMs,
      stdDev: this.#count === 0 ? null : Math.sqrt(this.#squares / this.#count),
      from: this.#from,
      to: this.#to,
    };
  }
}

/** `percent` is 0 to 100. Interpolates between the two closest ranks. Null without numbers. */
export function percentileOf(sorted: Float64Array, percent: number): number | null {
  if (sorted.length === 0) return null;
  const rank = (percent / 100) * (sorted.length - 1);
  const [low, high] = [sorted[Math.floor(rank)] ?? 0, sorted[Math.ceil(rank)] ?? 0];
  return low + (high - low) * (rank - Math.floor(rank));
}

/** Hours of the day, 0 to 24: from inclusive, to exclusive. If `from` is after `to`, the hours span midnight. */
export interface HoursOfDay {
  from: number;
  to: number;
}

/** A window for each day, by wall time. */
export function createDayWindows({ from, to }: HoursOfDay, zone: TimeZone): WindowOf {
  const lengthMs = ((to - from + 24) % 24 || 24) * HOUR_MS;
  return (ms) => {
    const sinceFirstMs = zone.toWall(ms) - from * HOUR_MS;
    const day = Math.floor(sinceFirstMs / DAY_MS);
    return sinceFirstMs - day * DAY_MS < lengthMs ? day : null;
  };
}

/**
 * A copy in ascending order: slices are sorted, and then merged in pairs, because sorting a year of samples at
 * once takes 70 ms. NaN is not allowed.
 */
export function* sortedCopyOf(numbers: Float64Array): SlicedComputation<Float64Array> {
  let sorted = numbers.slice();
  for (let from = 0; from < sorted.length; from += ROWS_PER_SLICE) {
    if (from > 0) yield;
    sorted.subarray(from, from + ROWS_PER_SLICE).sort();
  }
  if (sorted.length <= ROWS_PER_SLICE) return sorted;
  let merged = new Float64Array(sorted.length);
  for (let length = ROWS_PER_SLICE; length < sorted.length; length *= 2) {
    for (let from = 0; from < sorted.length; from += 2 * length) {
      yield* mergePair(sorted, merged, from, length);
    }
    [sorted, merged] = [merged, sorted];
  }
  return sorted;
}

/** The numbers of each part in ascending order. `to` is exclusive. */
export function* sortParts(
  numbers: Float64Array,
  parts: readonly { from: number; to: number }[],
): SlicedComputation<Float64Array[]> {
  const sorted: Float64Array[] = [];
  let count = 0;
  for (const { from, to } of parts) {
    count += to - from;
    if (count >= ROWS_PER_SLICE) {
      count = to - from;
      yield;
    }
    sorted.push(yield* sortedCopyOf(numbers.subarray(from, to)));
  }
  return sorted;
}

/** Merges the sorted parts of this length at `from` and after it; the last ones may be shorter. */
function* mergePair(
  source: Float64Array,
  target: Float64Array,
  from: number,
  length: number,
): SlicedComputation<void> {
  const middle = Math.min(from + length, source.length);
  const end = Math.min(middle + length, source.length);
  let [left, right] = [from, middle];
  for (let at = from; at < end; at++) {
    if (at % ROWS_PER_SLICE === 0) yield;
    const isLeft = left < middle && (right === end || (source[left] ?? 0) <= (source[right] ?? 0));
    target[at] = source[isLeft ? left++ : right++] ?? 0;
  }
}
