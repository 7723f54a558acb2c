/** Intervals of any number of minutes begin at the right wall-clock time, also on days with a clock change. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runToCompletion } from '../../../src/lib/slicedComputation.js';
import { intervalStarts } from '../../../src/timeseries/calendarIntervals.js';
import { getTimeZone } from '../../../src/timeseries/timeZone.js';
import { required } from '../../support/gateway.js';
import { intervalOf, ZONES } from '../../support/samples/wallClock.js';

const HOUR = 3600;

/** Nights of 2025 in which one zone or another changes its clocks, and one in which none does. */
const NIGHTS = ['03-09', '03-30', '04-06', '10-05', '10-26', '11-02', '07-01'].map(
  (day) => Date.parse(`2025-${day}T00:00:00Z`) / 1000,
);

describe('intervals of minutes', () => {
  it.each(ZONES)('in %s begin at the right wall-clock time', (name) => {
    const zone = required(getTimeZone(name));
    const span = fc.record({ night: fc.constantFrom(...NIGHTS), from: fc.integer({ min: -20, max: 20 }) });
    fc.assert(
      fc.property(span, fc.integer({ min: 1, max: 1440 }), fc.boolean(), ({ night, from }, most, isShort) => {
        const minutes = isShort ? ((most - 1) % 60) + 1 : most;
        const [start, end] = [night + from * HOUR, night + (from + 30) * HOUR];
        const interval = intervalOf({ minutes }, name);
        const all = Array.from({ length: (end - start) / 60 }, (_, index) => start + index * 60);
        const names = all.map(interval);
        const changes = all.filter((_, index) => index > 0 && names[index] !== names[index - 1]);
        const every = { unit: 'minutes', count: minutes } as const;
        const found = runToCompletion(intervalStarts(start * 1000, end * 1000, every, zone));
        expect(found.map((ms) => ms / 1000).filter((at) => at > start && at < end)).toEqual(changes);
      }),
      { numRuns: 30 },
    );
  });
});
