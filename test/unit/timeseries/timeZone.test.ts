/** Time zones are cached by name, and the starts of many intervals are computed in slices. */
import { expect, it } from 'vitest';
import { intervalStarts } from '../../../src/timeseries/calendarIntervals.js';
import { getTimeZone } from '../../../src/timeseries/timeZone.js';
import { required } from '../../support/gateway.js';

it('a zone is the same for each caller', () => {
  const zone = required(getTimeZone('Europe/Zurich'));
  expect(getTimeZone('Europe/Zurich')).toBe(zone);
  expect(getTimeZone('Europe/Nowhere')).toBeUndefined();
});

it('zones that were not used for a while are created again', () => {
  const zone = getTimeZone('Europe/Zurich');
  for (const name of Intl.supportedValuesOf('timeZone').slice(0, 20)) getTimeZone(name);
  expect(getTimeZone('Europe/Zurich')).not.toBe(zone);
});

it('offsets are right for more days than are cached', () => {
  const zone = required(getTimeZone('Europe/Zurich'));
  const [winterMs, summerMs] = [Date.UTC(2025, 0, 1), Date.UTC(2025, 6, 1)];
  const read = () => [zone.toWall(winterMs) - winterMs, zone.toWall(summerMs) - summerMs];
  const offsets = [3_600_000, 7_200_000];
  expect(read()).toEqual(offsets);
  for (let day = 0; day < 23_000; day++) zone.toWall(day * 86_400_000);
  expect(read()).toEqual(offsets);
});

it.each([
  ['days', { unit: 'days', count: 1 }],
  ['hours', { unit: 'minutes', count: 60 }],
] as const)('%s of 25 years take many slices, and those of a year one', (_name, interval) => {
  const zone = required(getTimeZone('Europe/Zurich'));
  const countSlices = (years: number) => {
    const sliced = intervalStarts(Date.UTC(2000, 0, 1), Date.UTC(2000 + years, 0, 1), interval, zone);
    let slices = 1;
    while (!sliced.next().done) slices += 1;
    return slices;
  };
  expect(countSlices(25)).toBeGreaterThan(15);
  expect(countSlices(1)).toBeLessThanOrEqual(2);
});
