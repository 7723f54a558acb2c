/**
 * Reduces a time series to fewer points for a chart. Pure; times rise, values are numbers.
 * Each point knows the extremes of what it stands for.
 */

export interface Columns {
  /** Unix milliseconds, rising. */
  times: number[];
  values: number[];
  /** The extremes of the source points that each point stands for. */
  min: number[];
  max: number[];
}

export interface SourceColumns {
  times: readonly number[];
  values: readonly number[];
}

/** Every point as it is. */
export function keepAll({ times, values }: SourceColumns): Columns {
  return { times: [...times], values: [...values], min: [...values], max: [...values] };
}

/**
 * Largest triangle three buckets (Steinarsson, 2013): keeps the first and the last point, and of each bucket
 * between them the one that makes the largest triangle with its neighbours. `count` is at least 3.
 */
export function largestTriangles(source: SourceColumns, count: number): Columns {
  const { times, values } = source;
  const last = times.length - 1;
  const chosen = [0];
  for (let bucket = 1; bucket < count - 1; bucket++) {
    const [from, to] = innerBucket(bucket, count, last);
    const [nextFrom, nextTo] = bucket === count - 2 ? [last, last + 1] : innerBucket(bucket + 1, count, last);
    const next = meanPoint(source, nextFrom, nextTo);
    chosen.push(largestTriangle(source, chosen[chosen.length - 1] ?? 0, from, to, next));
  }
  chosen.push(last);
  const bounds = chosen.map((_, bucket): [number, number] => {
    if (bucket === 0) return [0, 1];
    return bucket === count - 1 ? [last, last + 1] : innerBucket(bucket, count, last);
  });
  return {
    times: chosen.map((index) => times[index] ?? 0),
    values: chosen.map((index) => values[index] ?? 0),
    ...extremes(values, bounds),
  };
}

/** The lowest and the highest point of each of `count / 2` buckets, in their order in time: no spike is lost. */
export function lowestAndHighest({ times, values }: SourceColumns, count: number): Columns {
  const bounds = equalBuckets(times.length, Math.max(1, Math.floor(count / 2)));
  const chosen = bounds.flatMap(([from, to]) => {
    const low = indexOfBest(values, from, to, (one, other) => one < other);
    const high = indexOfBest(values, from, to, (one, other) => one > other);
    return low === high ? [low] : [Math.min(low, high), Math.max(low, high)];
  });
  return keepAll({
    times: chosen.map((index) => times[index] ?? 0),
    values: chosen.map((index) => values[index] ?? 0),
  });
}

/** The mean of each of `count` buckets, at the middle of the bucket's time. */
export function means({ times, values }: SourceColumns, count: number): Columns {
  const bounds = equalBuckets(times.length, count);
  const points = bounds.map(([from, to]) => ({
    time: Math.round(((times[from] ?? 0) + (times[to - 1] ?? 0)) / 2),
    value: sum(values, from, to) / (to - from),
  }));
  return {
    times: points.map(({ time }) => time),
    values: points.map(({ value }) => value),
    ...extremes(values, bounds),
  };
}

/** The source points between the first and the last that bucket 1 to `count - 2` holds: from, and to behind it. */
function innerBucket(bucket: number, count: number, last: number): [number, number] {
  const size = (last - 1) / (count - 2);
  return [Math.floor((bucket - 1) * size) + 1, Math.floor(bucket * size) + 1];
}

function equalBuckets(length: number, count: number): [number, number][] {
  return Array.from({ length: count }, (_, bucket): [number, number] => [
    Math.floor((bucket * length) / count),
    Math.floor(((bucket + 1) * length) / count),
  ]);
}

function meanPoint({ times, values }: SourceColumns, from: number, to: number) {
  const count = to - from;
  return { time: sum(times, from, to) / count, value: sum(values, from, to) / count };
}

function largestTriangle(
  { times, values }: SourceColumns,
  previous: number,
  from: number,
  to: number,
  next: { time: number; value: number },
): number {
  const previousTime = times[previous] ?? 0;
  const previousValue = values[previous] ?? 0;
  let best = from;
  let largest = -1;
  for (let index = from; index < to; index++) {
    const area = Math.abs(
      (previousTime - next.time) * ((values[index] ?? 0) - previousValue) -
        (previousTime - (times[index] ?? 0)) * (next.value - previousValue),
    );
    if (area > largest) [largest, best] = [area, index];
  }
  return best;
}

function indexOfBest(
  values: readonly number[],
  from: number,
  to: number,
  isBetter: (one: number, other: number) => boolean,
): number {
  let best = from;
  for (let index = from + 1; index < to; index++) {
    if (isBetter(values[index] ?? 0, values[best] ?? 0)) best = index;
  }
  return best;
}

function extremes(values: readonly number[], bounds: readonly [number, number][]) {
  const at = (isBetter: (one: number, other: number) => boolean) =>
    bounds.map(([from, to]) => values[indexOfBest(values, from, to, isBetter)] ?? 0);
  return { min: at((one, other) => one < other), max: at((one, other) => one > other) };
}

function sum(numbers: readonly number[], from: number, to: number): number {
  let total = 0;
  for (let index = from; index < to; index++) total += numbers[index] ?? 0;
  return total;
}
