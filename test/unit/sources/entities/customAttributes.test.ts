/** Attributes of streams: truncated lists of a site serve no stream. */
import { describe, expect, it } from 'vitest';
import { createStreamAttributes } from '../../../../src/sources/entities/customAttributes.js';
import { createComputedRest, createReaders } from '../../../support/rest/readerParts.js';

const MAX_LIST_LENGTH = 10;
const ATTRIBUTES_PER_STREAM = 4;

/** A site with streams 1 to `streamCount`; site 2 has stream 100 alone. Lists end at their maximum length. */
function createAccount(streamCount: number) {
  const rowsOf = (streamId: number) =>
    Array.from({ length: ATTRIBUTES_PER_STREAM }, (_, index) => ({
      id: index + 1,
      display_name: `attribute ${index + 1}`,
      parent_id: streamId,
      value: `${streamId}`,
    }));
  const ofFirstSite = Array.from({ length: streamCount }, (_, index) => rowsOf(index + 1)).flat();
  const { rest, paths } = createComputedRest((path) => {
    const streamId = /^\/v2\.0\/stream\/(\d+)\//.exec(path)?.[1];
    if (streamId !== undefined) return rowsOf(Number(streamId));
    if (path.startsWith('/v2.0/site/2/')) return rowsOf(100);
    const all = path.startsWith('/v2.0/site/1/') ? ofFirstSite : [...ofFirstSite, ...rowsOf(100)];
    return all.slice(0, MAX_LIST_LENGTH);
  });
  const { createReader } = createReaders({ maxListLength: MAX_LIST_LENGTH });
  return {
    /**
     * The calls of one operation that reads the attributes of these streams, and how many attributes each stream has.
     */
    async read(...streamIds: number[]) {
      paths.length = 0;
      const { ofStream } = createStreamAttributes(rest, createReader());
      const siteOf = (id: number) => (id === 100 ? 2 : 1);
      const lists = await Promise.all(streamIds.map((id) => ofStream({ id, siteId: siteOf(id) })));
      return { lengths: lists.map(({ length }) => length), calls: [...paths] };
    },
  };
}

describe('attributes of the streams of a site', () => {
  it('come from one list', async () => {
    const { read } = createAccount(2);
    expect(await read(1, 2)).toEqual({
      lengths: [4, 4],
      calls: ['/v2.0/site/1/streams/customAttributes'],
    });
    expect(await read(2)).toEqual({ lengths: [4], calls: [] });
  });

  it('are complete where their list is truncated', async () => {
    const { read } = createAccount(3);
    const { lengths, calls } = await read(1, 2, 3);
    expect(lengths).toEqual([4, 4, 4]);
    expect(calls[0]).toBe('/v2.0/site/1/streams/customAttributes');
  });

  it('come from a call for each stream as soon as the list is known to be truncated', async () => {
    const { read } = createAccount(5);
    await read(1, 2);
    const { lengths, calls } = await read(3);
    expect(lengths).toEqual([4]);
    // The list of the account is also tried, once.
    expect(calls).toEqual(['/v2.0/stream/customAttributes', '/v2.0/stream/3/customAttributes']);
    expect(await read(4, 5)).toEqual({
      lengths: [4, 4],
      calls: ['/v2.0/stream/4/customAttributes', '/v2.0/stream/5/customAttributes'],
    });
  });

  it('come from the list of their site although that of another site is truncated', async () => {
    const { read } = createAccount(4);
    await read(1, 2);
    const { lengths, calls } = await read(3, 4, 100);
    expect(lengths).toEqual([4, 4, 4]);
    expect(calls).not.toContain('/v2.0/site/1/streams/customAttributes');
  });
});
