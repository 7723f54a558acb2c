/** Joined tables contain each row once, ordered by time, for any order of the input. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ColumnTable, joinSorted } from '../../../src/timeseries/columnTable.js';

interface Row {
  ms: number;
  id: number;
  value: number;
}

const row = fc.record({
  ms: fc.oneof(fc.integer({ min: 0, max: 20 }), fc.constant(Number.NaN)),
  id: fc.nat(10_000),
  value: fc.integer(),
});
const rows = fc.uniqueArray(row, { selector: ({ id }) => id });
const inOrder = rows.map((some) => some.filter(({ ms }) => !Number.isNaN(ms)).sort(byTime));

function byTime(one: Row, other: Row): number {
  return one.ms - other.ms || one.id - other.id;
}

function tableOf(some: readonly Row[]): ColumnTable {
  const column = (name: keyof Row) => Float64Array.from(some, (one) => one[name]);
  return { times: column('ms'), columns: [column('id'), column('value')], texts: new Map() };
}

describe('joined tables', () => {
  it('are ordered, without the rows that have no valid time', () => {
    fc.assert(
      fc.property(fc.oneof(rows, inOrder), fc.array(fc.nat()), (all, cuts) => {
        const places = [0, ...cuts.map((cut) => cut % (all.length + 1)), all.length].sort(
          (one, other) => one - other,
        );
        const tables = places.slice(1).map((end, index) => tableOf(all.slice(places[index], end)));
        const { times, columns } = joinSorted(tables, 2);
        const found = [...times].map((ms, at) => ({ ms, id: columns[0]?.[at], value: columns[1]?.[at] }));
        expect(found).toEqual(all.filter(({ ms }) => !Number.isNaN(ms)).sort(byTime));
      }),
    );
  });

  it('contain a repeated row once, with the values of its last occurrence', () => {
    fc.assert(
      fc.property(inOrder, fc.array(fc.nat(), { minLength: 1 }), (all, picks) => {
        const repeated = picks.flatMap((pick) => all.slice(pick % (all.length + 1)).slice(0, 1));
        const tables = [all.map((one) => ({ ...one, value: 0.5 })), repeated, all].map(tableOf);
        const { times, columns } = joinSorted(tables, 2);
        const found = [...times].map((ms, at) => ({ ms, id: columns[0]?.[at], value: columns[1]?.[at] }));
        expect(found).toEqual(all);
      }),
    );
  });
});
