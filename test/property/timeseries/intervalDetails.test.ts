/** Statistics of intervals, compared with definitions that look at one interval at a time. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createDayWindows, detailIntervals, percentileOf } from '../../../src/timeseries/intervalDetails.js';
import { getTimeZone } from '../../../src/timeseries/timeZone.js';
import { required } from '../../support/gateway.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

const anyNumbers = fc
  .array(fc.record({ pause: fc.integer({ min: 1, max: 40 }), value: fc.integer({ min: 0, max: 50 }) }), {
    maxLength: 60,
  })
  .map((items) => {
    let ms = Date.UTC(2026, 2, 28, 20);
    return items.map(({ pause, value }) => {
      ms += pause * MINUTE_MS;
      return { ms, value };
    });
  });

function detailsOf(
  numbers: readonly { ms: number; value: number }[],
  bounds: readonly number[],
  options: { gapMs: number; windowOf?: (ms: number) => number | null },
) {
  const columns = {
    times: Float64Array.from(numbers, ({ ms }) => ms),
    values: Float64Array.from(numbers, ({ value }) => value),
  };
  const slices = detailIntervals(columns, bounds, options);
  let step = slices.next();
  while (!step.done) step = slices.next();
  return step.value;
}

const fromMs = Date.UTC(2026, 2, 28, 20);
const hourly = Array.from({ length: 48 }, (_, hour) => fromMs + hour * HOUR_MS);

describe('details of intervals', () => {
  it('have the first and last number, the deviation and the numbers of each interval', () => {
    fc.assert(
      fc.property(anyNumbers, (numbers) => {
        const details = detailsOf(numbers, hourly, { gapMs: HOUR_MS });
        expect(details).toHaveLength(hourly.length - 1);
        for (const [index, one] of details.entries()) {
          const [start, end] = [required(hourly[index]), required(hourly[index + 1])];
          const own = numbers.filter(({ ms }) => ms >= start && ms < end).map(({ value }) => value);
          expect([one.first, one.last]).toEqual([own[0] ?? null, own.at(-1) ?? null]);
          expect(numbers.slice(one.from, one.to).map(({ value }) => value)).toEqual(own);
          const mean = own.reduce((sum, value) => sum + value, 0) / own.length;
          const variance = own.reduce((sum, value) => sum + (value - mean) ** 2, 0) / own.length;
          if (own.length === 0) expect(one.stdDev).toBeNull();
          else expect(one.stdDev).toBeCloseTo(Math.sqrt(variance), 6);
        }
      }),
      { numRuns: 100 },
    );
  });

  it('have deltas and integrals that add up to those of the range', () => {
    fc.assert(
      fc.property(anyNumbers, fc.integer({ min: 1, max: 40 }), (numbers, gapMinutes) => {
        const gapMs = gapMinutes * MINUTE_MS;
        const pairs = numbers.slice(1).map((later, index) => ({ later, earlier: required(numbers[index]) }));
        const delta = pairs.reduce(
          (sum, { earlier, later }) =>
            sum + (later.value < earlier.value ? later.value : later.value - earlier.value),
          0,
        );
        const joined = pairs.filter(({ earlier, later }) => later.ms - earlier.ms <= gapMs);
        const integral = joined.reduce(
          (sum, { earlier, later }) => sum + ((earlier.value + later.value) / 2) * (later.ms - earlier.ms),
          0,
        );
        const resets = pairs.filter(({ earlier, later }) => later.value < earlier.value).length;
        const [total] = detailsOf(numbers, [fromMs, fromMs + 48 * HOUR_MS], { gapMs });
        const parts = detailsOf(numbers, hourly, { gapMs });
        const sum = (read: (one: (typeof parts)[number]) => number | null) =>
          parts.reduce((all, one) => all + (read(one) ?? 0), 0);
        for (const read of [sum, (of: Parameters<typeof sum>[0]) => of(required(total)) ?? 0]) {
          expect(read((one) => one.delta)).toBe(delta);
          expect(read((one) => one.resets)).toBe(resets);
          expect(read((one) => one.integral) / MINUTE_MS).toBeCloseTo(integral / MINUTE_MS, 3);
        }
      }),
      { numRuns: 100 },
    );
  });

  it('ignore the numbers outside, apart from the neighbours of those inside', () => {
    const anyHour = fc.integer({ min: 0, max: hourly.length - 1 });
    fc.assert(
      fc.property(anyNumbers, anyHour, anyHour, (numbers, one, other) => {
        const [from, to] = [Math.min(one, other), Math.max(one, other)];
        const all = detailsOf(numbers, hourly, { gapMs: HOUR_MS });
        const inside = detailsOf(numbers, hourly.slice(from, to + 1), { gapMs: HOUR_MS });
        expect(inside).toEqual(all.slice(from, to));
      }),
      { numRuns: 300 },
    );
  });

  it('interpolate between two numbers at the bound of an interval', () => {
    const numbers = [
      { ms: fromMs + 50 * MINUTE_MS, value: 0 },
      { ms: fromMs + 70 * MINUTE_MS, value: 20 },
    ];
    const [first, second] = detailsOf(numbers, hourly, { gapMs: HOUR_MS });
    expect([first?.integral, second?.integral]).toEqual([50 * MINUTE_MS, 150 * MINUTE_MS]);
  });
});

describe('windows of the day', () => {
  it('go over midnight, and follow the clock of the zone', () => {
    const zone = required(getTimeZone('Europe/Zurich'));
    const windowOf = createDayWindows({ from: 22, to: 4 }, zone);
    const at = (text: string) => windowOf(Date.parse(text));
    // The clock goes from 2:00 to 3:00 on March 29th.
    const night = required(at('2026-03-28T21:00:00Z'));
    expect(at('2026-03-28T20:59:59Z')).toBeNull();
    expect(at('2026-03-29T01:59:59Z')).toBe(night);
    expect(at('2026-03-29T02:00:00Z')).toBeNull();
    expect(at('2026-03-29T20:00:00Z')).toBe(night + 1);
  });

  it('separate the neighbours of two nights', () => {
    const windowOf = createDayWindows({ from: 2, to: 3 }, required(getTimeZone('UTC')));
    const numbers = [10, 12, 30, 33].map((value, index) => ({
      ms: Date.UTC(2026, 2, 29 + Math.floor(index / 2), 2, (index % 2) * 30),
      value,
    }));
    const [total] = detailsOf(numbers, [fromMs, fromMs + 96 * HOUR_MS], { gapMs: 96 * HOUR_MS, windowOf });
    expect([total?.delta, total?.coveredMs]).toEqual([5, HOUR_MS]);
  });
});

describe('percentiles', () => {
  it('lie between the closest numbers', () => {
    const sorted = Float64Array.of(1, 2, 3, 4, 10);
    expect([0, 25, 50, 75, 87.5, 100].map((percent) => percentileOf(sorted, percent))).toEqual([
      1, 2, 3, 4, 7, 10,
    ]);
    expect(percentileOf(new Float64Array(0), 50)).toBeNull();
  });
});
