/** Objects for the rows of a table: the same ones for repeated reads of the same rows. */
import { describe, expect, it } from 'vitest';
import { toSampleChunk } from '../../../../src/sources/timeline/rangePaginator.js';
import { toSampleTable } from '../../../../src/sources/timeline/sampleTable.js';
import { viewOf } from '../../../../src/timeseries/columnTable.js';

const rowAt = (minute: number) => ({
  id: minute + 1,
  value: `${minute}.50`,
  sample_date: new Date(minute * 60_000).toISOString(),
});
const makeTable = () => toSampleTable(Array.from({ length: 50 }, (_, minute) => rowAt(minute) as never));
const idsOf = (piece: readonly { id: number }[]) => piece.map(({ id }) => id);

describe('samples of a table', () => {
  it('are the same objects from the second read on', () => {
    const table = makeTable();
    const [first, second, third] = [1, 2, 3].map(() => toSampleChunk(table, 7, 10, 13));
    expect(idsOf(first ?? [])).toEqual([11, 12, 13]);
    expect(second).toEqual(first);
    expect(third).toBe(second);
    expect(third?.[0]).toMatchObject({ streamId: 7, value: 10.5, rawValue: '10.50' });
  });

  it('are the same where another view contains the same rows', () => {
    const table = makeTable();
    toSampleChunk(table, 7, 10, 13);
    const kept = toSampleChunk(table, 7, 10, 13);
    const view = viewOf(table, 5 * 60_000, 40 * 60_000);
    expect(toSampleChunk(view, 7, 5, 8)).toBe(kept);
  });

  it.each([
    [9, 12],
    [10, 14],
    [11, 13],
    [13, 13],
  ])('differ for the rows from %i to %i', (fromRow, toRow) => {
    const table = makeTable();
    for (const _ of [1, 2, 3]) toSampleChunk(table, 7, 10, 13);
    const ids = Array.from({ length: toRow - fromRow }, (_, at) => fromRow + at + 1);
    for (const _ of [1, 2, 3]) expect(idsOf(toSampleChunk(table, 7, fromRow, toRow))).toEqual(ids);
  });

  it('differ for another table', () => {
    const [one, other] = [makeTable(), makeTable()];
    const pieces = [one, one, one, other, other, other].map((table) => toSampleChunk(table, 7, 0, 5));
    expect(pieces[5]).not.toBe(pieces[2]);
  });
});
