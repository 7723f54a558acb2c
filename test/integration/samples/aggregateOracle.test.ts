/** Aggregates of generated streams, compared with values from the sandbox's rows by the runtime's own calendar. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { groupBy } from '../../../src/sources/core/collections.js';
import { MIN_DATE_MS } from '../../../src/sources/core/wireValues.js';
import { required } from '../../support/gateway.js';
import { range, samplesOf, startStreamPool, stream, textRange } from '../../support/samples/streamPlans.js';
import { intervalOf, ZONES } from '../../support/samples/wallClock.js';

const { gateway, pool } = await startStreamPool();

describe('aggregates', () => {
  interface Aggregate {
    startAt: string;
    endAt: string;
    count: number;
    min: number | null;
    max: number | null;
    avg: number | null;
    sum: number | null;
  }
  const AGGREGATES = `query ($id: ID!, $range: TimeRange!, $every: AggregateInterval!, $zone: String, $fill: AggregateFill) {
    stream(id: $id) { aggregates(range: $range, every: $every, timeZone: $zone, fill: $fill) {
      startAt endAt count min max avg sum } } }`;

  const every = fc.oneof(
    {
      arbitrary: fc.constantFrom(1, 7, 10, 15, 20, 30, 45, 60, 90, 240).map((minutes) => ({ minutes })),
      weight: 2,
    },
    fc.constantFrom(1, 2, 6, 12, 24).map((hours) => ({ hours })),
    fc.constantFrom(1, 2).map((days) => ({ days })),
    fc.constantFrom(1, 2).map((weeks) => ({ weeks })),
    fc.constantFrom(1, 3).map((months) => ({ months })),
  );

  it('of any interval, zone and range equal the computed values, within the platform’s rounding', async () => {
    const zone = fc.constantFrom(...ZONES);
    const fill = fc.constantFrom('NONE', 'NULL');
    await fc.assert(
      fc.asyncProperty(stream, range, every, zone, fill, async (plan, span, unit, timeZone, filling) => {
        const id = pool.fill(samplesOf(plan));
        const wanted = textRange(plan, span);
        const { stream: response } = await gateway.ask<{ stream: { aggregates: Aggregate[] } }>(AGGREGATES, {
          ...{ id, range: wanted, every: unit, zone: timeZone, fill: filling },
        });
        const interval = intervalOf(unit, timeZone);
        const expected = groupBy(pool.numbersIn(id, wanted), ({ at }) => interval(at));
        const filled = response.aggregates.filter(({ count }) => count > 0);
        const names = filled.map(({ startAt }) => interval(Date.parse(startAt) / 1000));
        expect(names).toEqual([...expected.keys()]);
        for (const [index, group] of [...expected.values()].entries()) {
          const values = group.map(({ value }) => value);
          const found = required(filled[index]);
          const sum = values.reduce((total, value) => total + value, 0);
          expect([found.count, found.min, found.max]).toEqual([
            group.length,
            Math.min(...values),
            Math.max(...values),
          ]);
          expect(Math.abs(required(found.sum) - sum)).toBeLessThan(0.0001 * group.length);
          expect(Math.abs(required(found.avg) - sum / group.length)).toBeLessThan(0.0001);
        }
        expectBounds(response.aggregates, wanted, interval, filling);
      }),
      { numRuns: 120 },
    );
  });

  /** Each interval ends where the next begins, and filled ones leave no gap. */
  function expectBounds(
    aggregates: Aggregate[],
    wanted: { from: string; to: string },
    interval: (seconds: number) => string,
    filling: string,
  ): void {
    for (const { startAt, endAt } of aggregates) {
      const [start, end] = [Date.parse(startAt) / 1000, Date.parse(endAt) / 1000];
      expect(interval(end - 1)).toBe(interval(start));
      expect(interval(end)).not.toBe(interval(start));
      expect(interval(start - 1)).not.toBe(interval(start));
    }
    if (filling === 'NONE') return;
    expect(aggregates.slice(1).map(({ startAt }) => startAt)).toEqual(
      aggregates.slice(0, -1).map(({ endAt }) => endAt),
    );
    expect(Date.parse(required(aggregates[0]).startAt)).toBeLessThanOrEqual(Date.parse(wanted.from));
    expect(Date.parse(required(aggregates.at(-1)).endAt)).toBeGreaterThanOrEqual(Date.parse(wanted.to));
  }

  it.each([{ minutes: 30 }, { days: 1 }])(
    'every %j have the samples after the platform’s first date',
    async (unit) => {
      const start = MIN_DATE_MS / 1000 + 30;
      const id = pool.fill(Array.from({ length: 300 }, (_, index) => ({ at: start + index * 60, value: 1 })));
      const { stream: response } = await gateway.ask<{ stream: { aggregates: Aggregate[] } }>(AGGREGATES, {
        ...{ id, range: { from: '1999-12-31T00:00:00Z', to: '2000-01-08T00:00:00Z' }, every: unit },
      });
      expect(response.aggregates.reduce((sum, { count }) => sum + count, 0)).toBe(300);
    },
  );

  it.each([
    [{}, {}, /"\$every" got invalid value .*Exactly one/s],
    [{ hours: 1, days: 1 }, {}, /"\$every" got invalid value .*Exactly one/s],
    [{ hours: 25 }, {}, /^every\.hours: /],
    [{ days: 0 }, {}, /^every\.days: /],
    [{ days: 1 }, { zone: 'Mars/Olympus' }, /^timeZone: /],
    [
      { minutes: 1 },
      { fill: 'NULL', range: { from: '2025-01-01T00:00:00Z', to: '2025-02-01T00:00:00Z' } },
      /^range: /,
    ],
  ])('of %j with %j are refused by name', async (unit, more, message) => {
    const wanted = { from: '2025-01-01T00:00:00Z', to: '2025-01-02T00:00:00Z' };
    const { body } = await gateway.query(AGGREGATES, { id: 950_000, range: wanted, every: unit, ...more });
    expect(body.errors?.[0]?.extensions.code).toBe('BAD_USER_INPUT');
    expect(body.errors?.[0]?.message).toMatch(message);
  });
});
