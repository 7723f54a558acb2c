/** Widths of time that charts are cut into: round ones, which the frames of an hour or less divide where they can. */

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** From ten minutes on, the frames that divide a width divide all wider ones too. */
const SMALL_WIDTHS: readonly number[] = [
  ...[1, 2, 3, 5, 10, 15, 20, 30].map((seconds) => seconds * SECOND_MS),
  ...[1, 2, 3, 5, 10, 20, 40, 60, 120, 180, 240, 300].map((minutes) => minutes * MINUTE_MS),
];

/** The widths from `minMs` on that are multiples of `unitMs`, rising and without an end. */
export function* bucketWidthsFrom(minMs: number, unitMs = SECOND_MS): Generator<number, never> {
  for (const width of SMALL_WIDTHS) {
    if (width >= minMs && width % unitMs === 0) yield width;
  }
  let hours = Math.max(6, Math.ceil(minMs / HOUR_MS));
  for (; ; hours++) {
    if ((hours * HOUR_MS) % unitMs === 0) yield hours * HOUR_MS;
  }
}

/** The least width by which the instants from `firstMs` to `lastMs` fall into `maxBuckets` at most. */
export function bucketWidthFor(
  { firstMs, lastMs }: { firstMs: number; lastMs: number },
  maxBuckets: number,
  { minWidthMs = SECOND_MS, unitMs = SECOND_MS } = {},
): number {
  const least = Math.max(minWidthMs, (lastMs - firstMs) / (maxBuckets + 1));
  for (const width of bucketWidthsFrom(least, unitMs)) {
    if (Math.floor(lastMs / width) - Math.floor(firstMs / width) < maxBuckets) return width;
    // One bucket can't hold two instants that lie on both sides of a round one: zero is on the edge of every width.
    if (width > 2 * Math.max(Math.abs(lastMs), Math.abs(firstMs))) return width;
  }
  return least;
}
