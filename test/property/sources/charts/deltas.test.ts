/** Folding the rows since a cursor gives all rows, for any change between two results. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ChartRows, parseDeltaCursor, toDelta } from '../../../../src/sources/charts/deltas.js';

interface Row {
  time: number;
  value: number | null;
}

const row = fc.record({ time: fc.nat(60), value: fc.option(fc.nat(3)) });
const rows = fc.array(row, { maxLength: 90 }).map((all) => all.sort((one, other) => one.time - other.time));

/** Rows, and the same after rows were added, removed and changed. */
const change = fc
  .tuple(
    rows,
    fc.array(row, { maxLength: 4 }),
    fc.array(fc.nat(89), { maxLength: 2 }),
    fc.array(row, { maxLength: 3 }),
  )
  .map(([before, added, removed, appended]) => {
    const kept = before.filter((_, index) => !removed.includes(index));
    const late = appended.map(({ time, value }) => ({ time: time + 60, value }));
    return { before, after: [...kept, ...added, ...late].sort((one, other) => one.time - other.time) };
  });

function toRows(all: readonly Row[]): ChartRows {
  return { times: all.map(({ time }) => time), columns: [all.map(({ value }) => value)] };
}

const request = { fromMs: 0, identity: ['series', 1, 500] };

function refresh(before: readonly Row[], after: readonly Row[], later = request) {
  const { cursor } = toDelta(toRows(before), request, undefined);
  const { firstRow, replaceFrom } = toDelta(toRows(after), later, parseDeltaCursor(cursor));
  return {
    sent: after.slice(firstRow),
    folded: [...before.filter(({ time }) => time < replaceFrom), ...after.slice(firstRow)],
  };
}

describe('the rows since a cursor', () => {
  it('replace exactly what differs', () => {
    fc.assert(
      fc.property(change, ({ before, after }) => {
        expect(refresh(before, after).folded).toEqual(after);
      }),
      { numRuns: 500 },
    );
  });

  it('are none where nothing has changed, and only new ones where rows were appended', () => {
    fc.assert(
      fc.property(rows, fc.array(row, { maxLength: 9 }), (before, more) => {
        const appended = more.map(({ value }, index) => ({ time: 61 + index, value }));
        expect(refresh(before, before).sent).toEqual([]);
        expect(refresh(before, [...before, ...appended]).sent).toEqual(appended);
      }),
    );
  });

  it('are all of them for another request, and replace all earlier ones', () => {
    fc.assert(
      fc.property(change, fc.integer({ min: -50, max: 50 }), ({ before, after }, fromMs) => {
        const others = [
          { ...request, fromMs },
          { ...request, identity: ['series', 2, 500] },
        ];
        for (const other of others.filter((one) => one.fromMs !== 0 || one.identity !== request.identity)) {
          expect(refresh(before, after, other)).toEqual({ sent: after, folded: after });
        }
      }),
    );
  });
});

describe('a cursor', () => {
  it('has at most 72 characters for 10,000 rows', () => {
    const many = Array.from({ length: 10_000 }, (_, time) => ({ time, value: 1 }));
    expect(toDelta(toRows(many), request, undefined).cursor.length).toBeLessThanOrEqual(72);
  });

  it('is refused where a character was changed in its length, or it is no cursor', () => {
    const { cursor } = toDelta(toRows([{ time: 1, value: 2 }]), request, undefined);
    for (const text of ['', 'x', '!', cursor.slice(1), `${cursor}A`, `${cursor} `, 'A'.repeat(10_000)]) {
      expect(parseDeltaCursor(text)).toBeUndefined();
    }
  });

  it('is never read to an error', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 80 }), rows, (bytes, now) => {
        const earlier = parseDeltaCursor(Buffer.from(bytes).toString('base64url'));
        const { firstRow } = toDelta(toRows(now), request, earlier);
        expect(firstRow).toBeLessThanOrEqual(now.length);
      }),
    );
  });
});
