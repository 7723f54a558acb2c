/** A list that does not respond in time is replaced by other calls. It takes the time of one operation, not of each. */
import { describe, expect, it } from 'vitest';
import { createTimeoutError } from '../../../../src/rest/transport/waitLimits.js';
import { createStreams } from '../../../../src/sources/entities/streams.js';
import { createManualClock } from '../../../support/cache/cacheParts.js';
import { createComputedRest, createReaders } from '../../../support/rest/readerParts.js';

const LIST = '/v2.0/stream';
const TIMEOUT_MS = 30_000;

const listOf = (siteId: number) => `/v2.0/site/${siteId}/streams`;

/** Each site has one stream. Paths in `hanging` time out. */
function createAccount(operationTimeoutMs?: number) {
  const clock = createManualClock();
  const hanging = new Set([LIST]);
  const { rest, paths } = createComputedRest((path) => {
    if (hanging.has(path)) {
      clock.pass(TIMEOUT_MS);
      throw createTimeoutError();
    }
    const siteIds = path === LIST ? [1, 2, 3] : [Number(/\d+(?=\/streams$)/.exec(path)?.[0])];
    const texts = { display_name: '', creation_date: '', type_display_name: '', units: '', value_scale: '' };
    return siteIds.map((siteId) => ({ id: siteId * 10, site_id: siteId, ...texts }));
  }, clock);
  const { createReader } = createReaders({
    clock,
    ...(operationTimeoutMs !== undefined && { operationTimeoutMs }),
  });
  return {
    clock,
    hanging,
    /** The calls of one operation that reads the streams of these sites, and the ids or the code of each site. */
    async read(...siteIds: number[]) {
      paths.length = 0;
      const { ofSite } = createStreams(rest, createReader());
      const results = await Promise.all(
        siteIds.map(async (siteId) => {
          try {
            return (await ofSite(siteId)).map(({ id }) => id);
          } catch (error) {
            return (error as { code: string }).code;
          }
        }),
      );
      return { results, calls: [...paths] };
    },
    prefetch: (count: number) => createStreams(rest, createReader()).prefetch(count),
  };
}

describe('a list that times out', () => {
  it('is replaced in the same operation, if there is time left', async () => {
    const { read } = createAccount();
    expect(await read(1, 2, 3)).toEqual({
      results: [[10], [20], [30]],
      calls: [LIST, listOf(1), listOf(2), listOf(3)],
    });
  });

  it('is replaced in the next operations, and requested again after ten minutes', async () => {
    const { clock, read, prefetch } = createAccount(TIMEOUT_MS);
    const code = 'PLATFORM_TIMEOUT';
    expect(await read(1, 2, 3)).toEqual({ results: [code, code, code], calls: [LIST] });
    expect(prefetch(100)).toBeUndefined();
    expect((await read(1, 2, 3)).calls).toEqual([listOf(1), listOf(2), listOf(3)]);
    clock.pass(61_000);
    expect(await read(4, 5, 6)).toEqual({
      results: [[40], [50], [60]],
      calls: [listOf(4), listOf(5), listOf(6)],
    });
    clock.pass(9 * 60_000);
    expect((await read(7, 8, 9)).calls).toEqual([LIST]);
  });

  it('is served stale without a call of its own while revalidations time out', async () => {
    const { clock, hanging, read } = createAccount();
    hanging.delete(LIST);
    const results = [[10], [20], [30]];
    expect(await read(1, 2, 3)).toEqual({ results, calls: [LIST] });
    clock.pass(61_000);
    hanging.add(LIST);
    for (let operation = 0; operation < 3; operation++) {
      const stale = await read(1, 2, 3);
      expect(stale.results).toEqual(results);
      expect(stale.calls.filter((path) => path !== LIST)).toEqual([]);
    }
  });

  it('is not replaced while other calls also time out', async () => {
    const { hanging, read } = createAccount(TIMEOUT_MS);
    hanging.add(listOf(1));
    await read(1, 2, 3);
    const { results, calls } = await read(1, 2, 3);
    expect(new Set(results)).toEqual(new Set(['PLATFORM_TIMEOUT']));
    expect(calls).toEqual([listOf(1)]);
  });
});
