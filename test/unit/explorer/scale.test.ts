/** The ticks of the explorer's charts are round, few, and always end. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { labelTicks, listDegrees, listTicks, listTimeTicks } from '../../../explorer/views/scale.js';

it.each([
  [0, 10, [0, 2, 4, 6, 8, 10]],
  [0.1, 0.32, [0.1, 0.15, 0.2, 0.25, 0.3]],
  [-3, 3, [-2, 0, 2]],
  [5, 5, [5]],
])('between %d and %d there are round ticks', (from, to, ticks) => {
  expect(listTicks(from, to, 5)).toEqual(ticks);
});

it.each([
  [0.14999999999999997, 0.15],
  [0.3, 0.1 + 0.2],
  [1e15, 1e15 + 0.125],
  [-0.15, -0.14999999999999997],
])('between %d and %d, which are almost equal, there is one tick', (from, to) => {
  expect(listTicks(from, to, 5)).toEqual([from]);
});

it('a range of any size has few ticks, each once', () => {
  for (let exponent = -9; exponent < 15; exponent++) {
    for (const from of [0, 1, -7.3, 12345.678]) {
      const ticks = listTicks(from, from + 10 ** exponent, 4);
      expect(ticks.length).toBeLessThan(8);
      expect(new Set(ticks).size).toBe(ticks.length);
    }
  }
});

it.each([
  [0, 10, ['0', '2', '4', '6', '8', '10']],
  [0.1, 0.32, ['0.10', '0.15', '0.20', '0.25', '0.30']],
  [1e-7, 3e-7, ['1.0E-7', '1.5E-7', '2.0E-7', '2.5E-7', '3.0E-7']],
  [0, 1e-300, ['0', '2E-301', '4E-301', '6E-301', '8E-301', '1.0E-300']],
  [1e18, 3e18, ['1.0E18', '1.5E18', '2.0E18', '2.5E18', '3.0E18']],
  [1_000_000, 3_000_000, ['1,000,000', '1,500,000', '2,000,000', '2,500,000', '3,000,000']],
  [
    1000.00001,
    1000.00002,
    ['1,000.000010', '1,000.000012', '1,000.000014', '1,000.000016', '1,000.000018', '1,000.000020'],
  ],
  [0.15, 0.15, ['0.1500']],
])('the ticks between %d and %d have short labels', (from, to, labels) => {
  expect(labelTicks(listTicks(from, to, 5))).toEqual(labels);
});

it('labels of a range of any size are short, and each occurs once', () => {
  for (let exponent = -30; exponent < 30; exponent++) {
    for (const share of [0, 0.5, -0.5, 1e3, -1e6]) {
      const from = share * 10 ** exponent;
      const labels = labelTicks(listTicks(from, from + 10 ** exponent, 5));
      expect(new Set(labels).size).toBe(labels.length);
      expect(Math.max(...labels.map(({ length }) => length))).toBeLessThan(15);
    }
  }
});

describe('in New York, where clocks go back on 1 November 2026 and forward on 8 March 2026,', () => {
  beforeEach(() => void vi.stubEnv('TZ', 'America/New_York'));
  afterEach(() => void vi.unstubAllEnvs());

  const list = (from: string, to: string, count: number) =>
    listTimeTicks(Date.parse(from), Date.parse(to), count).map(({ time, label }) => ({
      at: new Date(time).toISOString(),
      label,
    }));

  it('each day has one tick, at midnight', () => {
    const ticks = list('2026-10-30T12:00:00Z', '2026-11-06T12:00:00Z', 8);
    const midnights = ['10-31T04', '11-01T04', '11-02T05', '11-03T05', '11-04T05', '11-05T05', '11-06T05'];
    expect(ticks.map(({ at }) => at)).toEqual(midnights.map((hour) => `2026-${hour}:00:00.000Z`));
    expect(new Set(ticks.map(({ label }) => label)).size).toBe(ticks.length);
  });

  it.each([
    ['2026-10-31T12:00:00Z', '2026-11-02T12:00:00Z'],
    ['2026-03-07T12:00:00Z', '2026-03-09T12:00:00Z'],
  ])('steps of six hours begin at 0, 6, 12 and 18 o’clock between %s and %s', (from, to) => {
    const hours = list(from, to, 10).map(({ at }) => new Date(at).getHours());
    expect(hours).toHaveLength(8);
    expect(hours.filter((hour) => hour % 6 !== 0)).toEqual([]);
  });

  it('the hour that is repeated has ticks twice', () => {
    const ticks = list('2026-11-01T04:30:00Z', '2026-11-01T07:30:00Z', 4);
    expect(ticks.map(({ at }) => at.slice(11, 16))).toEqual(['05:00', '06:00', '07:00']);
  });
});

describe('ticks of times', () => {
  it.each([
    [10, 'seconds'],
    [50 * 60, 'minutes'],
    [5 * 365.25 * 86_400, 'years'],
    [56 * 365.25 * 86_400, 'years since 1970'],
    [1000 * 365.25 * 86_400, 'centuries'],
  ])('are few over %d seconds, each with a label of its own, for %s', (seconds) => {
    const from = Date.UTC(2026, 5, 1, 10, 0, 0, 500);
    for (const count of [2, 5, 9]) {
      const ticks = listTimeTicks(from, from + seconds * 1000, count);
      expect(ticks.length).toBeGreaterThan(0);
      expect(ticks.length).toBeLessThanOrEqual(count + 1);
      expect(new Set(ticks.map(({ label }) => label)).size).toBe(ticks.length);
    }
  });
});

describe('ticks of a map', () => {
  it('end at the poles and at the 180th meridian, although the margin of the map reaches beyond', () => {
    expect(listDegrees(-130, 200, 3, 180)).toEqual([0]);
    expect(listDegrees(-130, 200, 6, 180)).toEqual([-100, 0, 100]);
    expect(listDegrees(-90, 200, 6, 180)).toEqual([-50, 0, 50, 100, 150]);
    expect(listDegrees(-98, 98, 5, 90)).toEqual([-50, 0, 50]);
    expect(listDegrees(40, 98, 5, 90)).toEqual([40, 60, 80]);
  });
});
