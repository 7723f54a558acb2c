/** Reading pages after a cursor: back-pressure, limits, and the joined page. */
import { describe, expect, it } from 'vitest';
import { drain, type ReadPage, readPages } from '../../../../src/sources/core/paginator.js';

/** Pages of two of the numbers 1 to `count`; the cursor is the last number. `requests` has the arguments of each read. */
function createNumbers(count: number) {
  const requests: [cursor: number, missing: number][] = [];
  const read: ReadPage<number, number> = async (cursor, missing) => {
    requests.push([cursor, missing]);
    const items = [cursor + 1, cursor + 2].filter((number) => number <= count);
    return { items, hasMore: cursor + 2 < count, next: cursor + items.length };
  };
  return { read, requests };
}

describe('readPages', () => {
  it('reads a page only when the consumer requests it', async () => {
    const { read, requests } = createNumbers(6);
    const pages = readPages(read, 0);
    expect(requests).toEqual([]);
    expect((await pages.next()).value).toMatchObject({ items: [1, 2], next: 2 });
    expect(requests).toHaveLength(1);
    await pages.return(undefined);
    expect(requests).toHaveLength(1);
  });

  it('passes on the number of missing items, and stops when none are missing', async () => {
    const { read, requests } = createNumbers(9);
    for await (const page of readPages(read, 0, 3)) expect(page.items).toHaveLength(2);
    expect(requests).toEqual([
      [0, 3],
      [2, 1],
    ]);
  });

  it('continues after an empty page that has a next page', async () => {
    const read: ReadPage<string, number> = async (cursor) => ({
      items: cursor === 2 ? ['found'] : [],
      hasMore: cursor < 2,
      next: cursor + 1,
    });
    expect(await drain(read, 0)).toEqual({ items: ['found'], hasMore: false, next: 3 });
  });

  it('rejects with the error of a read', async () => {
    await expect(drain(() => Promise.reject(new Error('gone')), 0)).rejects.toThrow('gone');
  });
});

describe('drain', () => {
  it('joins all pages', async () => {
    expect(await drain(createNumbers(5).read, 0)).toEqual({
      items: [1, 2, 3, 4, 5],
      hasMore: false,
      next: 5,
    });
    expect(await drain(createNumbers(0).read, 0)).toEqual({ items: [], hasMore: false, next: 0 });
  });

  it('stops at the page that reaches the limit', async () => {
    expect(await drain(createNumbers(9).read, 0, { limit: 3 })).toEqual({
      items: [1, 2, 3, 4],
      hasMore: true,
      next: 4,
    });
  });

  it('stops after the maximum number of pages', async () => {
    expect(await drain(createNumbers(9).read, 2, { maxPages: 1 })).toEqual({
      items: [3, 4],
      hasMore: true,
      next: 4,
    });
    expect(await drain(createNumbers(4).read, 0, { maxPages: 2 })).toMatchObject({ hasMore: false });
  });
});
