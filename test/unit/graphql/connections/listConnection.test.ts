/** Pages of whole lists, and cursors that survive a change of the list between two pages. */
import { describe, expect, it } from 'vitest';
import { decodeCursor, encodeCursor } from '../../../../src/graphql/connections/connection.js';
import {
  NO_EXTRAS,
  type PageArguments,
  toConnection,
  toRecordConnection,
} from '../../../../src/graphql/connections/listConnection.js';

const items = (...ids: number[]) => ids.map((id) => ({ id }));
const pageOf = (list: { id: number }[], page: PageArguments) =>
  toConnection('Site', { items: list, isComplete: true }, page, NO_EXTRAS);
const idsOf = (nodes: readonly { id: number }[]) => nodes.map(({ id }) => id);

describe('toConnection', () => {
  it('continues after the cursor', () => {
    const list = items(5, 3, 8, 1);
    const one = pageOf(list, { first: 2 });
    expect(idsOf(one.nodes)).toEqual([5, 3]);
    expect(one.pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: false });
    const two = pageOf(list, { first: 2, after: one.pageInfo.endCursor });
    expect(idsOf(two.nodes)).toEqual([8, 1]);
    expect(two.pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: true });
    expect(two.totalCount).toBe(4);
  });

  it('finds the item of the cursor again in a longer or reordered list', () => {
    const { pageInfo } = pageOf(items(1, 2, 3, 4), { first: 2 });
    expect(idsOf(pageOf(items(9, 1, 2, 3), { after: pageInfo.endCursor }).nodes)).toEqual([3]);
    expect(idsOf(pageOf(items(4, 3, 2, 1), { after: pageInfo.endCursor }).nodes)).toEqual([1]);
  });

  it('reaches the end of a list that has an item twice', () => {
    const list = items(1, 2, 3, 1, 2, 3);
    const second = pageOf(list, { first: 2, after: pageOf(list, { first: 2 }).pageInfo.endCursor });
    const third = pageOf(list, { first: 2, after: second.pageInfo.endCursor });
    expect(idsOf([...second.nodes, ...third.nodes])).toEqual([3, 1, 2, 3]);
    expect(third.pageInfo.hasNextPage).toBe(false);
  });

  it('continues at the item’s former position if it is gone', () => {
    const { pageInfo } = pageOf(items(1, 2, 3, 4), { first: 2 });
    expect(idsOf(pageOf(items(1, 3, 4), { after: pageInfo.endCursor }).nodes)).toEqual([3, 4]);
    expect(idsOf(pageOf(items(), { after: pageInfo.endCursor }).nodes)).toEqual([]);
    const other = pageOf(items(8, 2, 9, 4), { first: 2 });
    expect(idsOf(pageOf(items(8, 9, 4), { after: other.pageInfo.endCursor }).nodes)).toEqual([9, 4]);
  });

  it('loses and repeats nothing if the item is gone from a list in the order of ids, and others with it', () => {
    const { pageInfo } = pageOf(items(1, 2, 3, 4, 5, 6), { first: 4 });
    const after = pageInfo.endCursor;
    expect(idsOf(pageOf(items(3, 5, 6), { after }).nodes)).toEqual([5, 6]);
    expect(idsOf(pageOf(items(0, 1, 2, 3, 5, 6), { after }).nodes)).toEqual([5, 6]);
    expect(idsOf(pageOf(items(1, 2), { after }).nodes)).toEqual([]);
  });
});

describe('toRecordConnection', () => {
  it.each(['x', '', 'Device:7', '0'])('refuses the cursor %j', async (after) => {
    const load = () => Promise.reject(new Error('Not called.'));
    await expect(toRecordConnection('DeviceLog', { after }, load)).rejects.toThrow(
      `after: "${after}" is neither a cursor of this list nor the platform's number of a record.`,
    );
  });
});

describe('cursors', () => {
  it.each([
    [0, 0],
    [1_700_000_000_123, 9_007_199_254_740_991],
  ] as [number, number][])('encode %i and %i', (...pair) => {
    expect(decodeCursor('Site', encodeCursor('Site', pair))).toEqual(pair);
  });

  it.each([
    '',
    'x',
    encodeCursor('Site', [1, 2]).slice(1),
    encodeCursor('Device', [1, 2]),
    btoa('1.2'),
    btoa('Site.1'),
    btoa('Site.1.2.3'),
    btoa('Site.-1.2'),
    btoa('Site.1.9999999999999999'),
  ])('refuse %j', (text) => {
    expect(() => decodeCursor('Site', text)).toThrow(expect.objectContaining({ code: 'BAD_USER_INPUT' }));
  });
});
