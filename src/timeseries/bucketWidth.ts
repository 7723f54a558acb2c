/** Round widths for the buckets of a chart, which frames of an hour or less divide where possible. */

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** From ten minutes on, a frame that divides a width divides all longer widths too. */
const SMALL_WIDTHS: readonly number[] = [
  ...[1, 2, 3, 5, 10, 15, 20, 30].map((seconds) => seconds * SECOND_MS),
  ...[1, 2, 3, 5, 10, 20, 40, 60, 120, 180, 240, 300].map((minutes) => minutes * MINUTE_MS),
];

/** The widths from `minMs` on that are multiples of `unitMs`, rising without end. */
function* bucketWidthsFrom(minMs: number, unitMs = SECOND_MS): Generator<number, never> {
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
