/** Estimates of the number of intervals, and intervals in early years. */
import { describe, expect, it } from 'vitest';
import { runToCompletion } from '../../../src/lib/slicedComputation.js';
import {
  type CalendarInterval,
  countIntervals,
  intervalStarts,
} from '../../../src/timeseries/calendarIntervals.js';
import { getTimeZone } from '../../../src/timeseries/timeZone.js';
import { required } from '../../support/gateway.js';

const utc = required(getTimeZone('UTC'));
const startsIn = (fromMs: number, toMs: number, interval: CalendarInterval, zone = utc) =>
  runToCompletion(intervalStarts(fromMs, toMs, interval, zone));

describe('the estimate of the intervals of a year', () => {
  const [fromMs, toMs] = [Date.UTC(2023, 0, 1), Date.UTC(2024, 0, 1)];

  it.each([1, 7, 60, 420, 720, 721, 1380, 1439, 1440])('of %i minutes is right', (count) => {
    const interval = { unit: 'minutes', count } as const;
    expect(countIntervals(fromMs, toMs, interval)).toBe(startsIn(fromMs, toMs, interval).length - 1);
  });

  it.each([
    ['days', 1],
    ['days', 50],
    ['weeks', 3],
    ['months', 1],
    ['months', 12],
  ] as const)('of %s (%i) is no more than two too low, or two too high', (unit, count) => {
    const found = startsIn(fromMs, toMs, { unit, count }).length - 1;
    expect(Math.abs(countIntervals(fromMs, toMs, { unit, count }) - found)).toBeLessThanOrEqual(2);
  });
});

it.each(['UTC', 'Europe/Zurich', 'America/New_York'])(
  'months of the years 0 to 99 follow each other in %s',
  (name) => {
    const zone = required(getTimeZone(name));
    const text = (ms: number) => new Date(zone.toWall(ms)).toISOString().slice(0, 16);
    const [fromMs, toMs] = ['0050-01-10T00:00:00Z', '0050-04-10T00:00:00Z'].map(Date.parse);
    const starts = startsIn(fromMs ?? 0, toMs ?? 0, { unit: 'months', count: 1 }, zone);
    expect(starts.map(text)).toEqual(
      ['0050-01', '0050-02', '0050-03', '0050-04', '0050-05'].map((month) => `${month}-01T00:00`),
    );
  },
);

it('intervals after a change that leads back to the day before begin at their usual local times', () => {
  const zone = required(getTimeZone('America/St_Johns'));
  const time = (ms: number) => new Date(zone.toWall(ms)).toISOString().slice(11, 16);
  // At 00:01 the clock goes back to 23:01.
  const [fromMs, toMs] = ['2009-11-01T02:10:00Z', '2009-11-01T03:30:00Z'].map(Date.parse);
  const starts = startsIn(fromMs ?? 0, toMs ?? 0, { unit: 'minutes', count: 20 }, zone);
  expect(starts.map(time)).toEqual(['23:40', '00:00', '23:01', '23:20', '23:40', '00:00']);
});
