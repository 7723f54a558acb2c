/** Scales and tick labels of charts and maps. Pure. */

/** Items that have no identity but their position in one response. */
export function numbered<Item>(items: readonly Item[]): { item: Item; number: number }[] {
  return items.map((item, number) => ({ item, number }));
}

export type Scale = (value: number) => number;

export function createScale(
  [from, to]: readonly [number, number],
  [start, end]: readonly [number, number],
): Scale {
  const span = to - from || 1;
  return (value) => start + ((value - from) / span) * (end - start);
}

/** The smallest span that gets ticks, as a fraction of the larger end of the range. Ticks have 12 digits. */
const SMALLEST_SPAN = 1e-10;

/** Round numbers in a range, about `count` of them. */
export function listTicks(from: number, to: number, count: number): number[] {
  // Below this, a step may be too small to change a tick.
  if (!(to - from > Math.max(Math.abs(from), Math.abs(to)) * SMALLEST_SPAN)) return [from];
  const rough = (to - from) / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough) ?? 10 * power;
  const first = Math.ceil(from / step);
  const last = Math.floor(to / step + 1e-6);
  return Array.from({ length: last - first + 1 }, (_, index) =>
    Number(((first + index) * step).toPrecision(12)),
  );
}

/** Ticks of latitudes or longitudes. The range can reach beyond `max` degrees, where no place is. */
export function listDegrees(from: number, to: number, count: number, max: number): number[] {
  return listTicks(from, to, count).filter((tick) => Math.abs(tick) <= max);
}

/** In pixels. An upper bound of the average, because the width of a text is known only when it is drawn. */
export const CHARACTER_WIDTH = 7;
const MIN_MARGIN = 56;
/** Between the labels and the axis, and around them. */
const LABEL_SPACE = 12;

/** The space in pixels for labels at the left of a drawing. */
export function leftMargin(labels: readonly string[]): number {
  return Math.max(MIN_MARGIN, lengthOf(labels) * CHARACTER_WIDTH + LABEL_SPACE);
}

const lengthOf = (labels: readonly string[]) => Math.max(0, ...labels.map(({ length }) => length));

/** Longer numbers are written with an exponent, if that is shorter. */
const MAX_PLAIN_LENGTH = 9;
/** More digits after the point than a chart can need. Every browser accepts this many in `toLocaleString`. */
const MAX_DECIMALS = 20;

const exponentOf = (value: number) => (value === 0 ? 0 : Math.floor(Math.log10(Math.abs(value))));

/** The labels of ticks, with as many digits as distinguish neighbours. */
export function labelTicks(ticks: readonly number[]): string[] {
  const [first = 0, second] = ticks;
  // A single tick has four digits.
  const smallest =
    second === undefined ? exponentOf(first) - 3 : exponentOf(Number((second - first).toPrecision(3)));
  const write = (value: number, decimals: number, notation: 'standard' | 'scientific') => {
    const fractionDigits = Math.min(Math.max(0, decimals), MAX_DECIMALS);
    return value.toLocaleString(undefined, {
      notation,
      minimumFractionDigits: fractionDigits,
      maximumFractionDigits: fractionDigits,
    });
  };
  const plain = ticks.map((tick) => write(tick, -smallest, 'standard'));
  const scientific = ticks.map((tick) =>
    tick === 0 ? '0' : write(tick, exponentOf(tick) - smallest, 'scientific'),
  );
  const isPlain =
    -smallest <= MAX_DECIMALS && lengthOf(plain) <= Math.max(MAX_PLAIN_LENGTH, lengthOf(scientific));
  return isPlain ? plain : scientific;
}

const SECOND_MS = 1000;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const YEAR_MS = 365 * DAY_MS;
/** More days between two ticks than any month has. */
const QUARTER_MS = 90 * DAY_MS;
const steps = [
  ...[1, 5, 15, 30].map((seconds) => seconds * SECOND_MS),
  ...[1, 5, 15, 30].map((minutes) => minutes * MINUTE_MS),
  ...[1, 3, 6, 12].map((hours) => hours * HOUR_MS),
  ...[1, 2, 7, 30].map((days) => days * DAY_MS),
  QUARTER_MS,
];

/** The instant at which local clocks show a time. The argument is that time as if it were UTC. */
function fromLocal(localMs: number): number {
  const parts = new Date(localMs);
  const [year, month, day] = [parts.getUTCFullYear(), parts.getUTCMonth(), parts.getUTCDate()];
  return new Date(year, month, day, parts.getUTCHours(), parts.getUTCMinutes()).getTime();
}

/** The parts of a time in which neighbouring ticks differ. */
function timeFormat(stepMs: number): Intl.DateTimeFormatOptions {
  if (stepMs < MINUTE_MS) return { hour: '2-digit', minute: '2-digit', second: '2-digit' };
  if (stepMs < DAY_MS) return { hour: '2-digit', minute: '2-digit' };
  return stepMs < QUARTER_MS ? { month: 'short', day: 'numeric' } : { year: 'numeric', month: 'short' };
}

/** Points in time in local time, about `count` of them, with their labels. */
export function listTimeTicks(from: number, to: number, count: number): { time: number; label: string }[] {
  const span = to - from;
  const stepMs = steps.find((step) => span / step <= count) ?? Math.ceil(span / count / YEAR_MS) * YEAR_MS;
  const offsetMs = new Date(from).getTimezoneOffset() * MINUTE_MS;
  // Longer steps follow the local clock across clock changes. Shorter ones have equal length, even in a repeated hour.
  const toTime = stepMs > HOUR_MS ? fromLocal : (localMs: number) => localMs + offsetMs;
  const format = timeFormat(stepMs);
  const ticks = [];
  for (let local = Math.ceil((from - offsetMs) / stepMs) * stepMs; toTime(local) <= to; local += stepMs) {
    const time = toTime(local);
    ticks.push({ time, label: new Date(time).toLocaleString(undefined, format) });
  }
  return ticks;
}
