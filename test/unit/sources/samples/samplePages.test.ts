/** Paging through samples by time: the requests to the source, and the resulting pages. */
import { describe, expect, it } from 'vitest';
import {
  MAX_PAGE_LENGTH,
  readAllSamples,
  readSamples,
  toPosition,
} from '../../../../src/sources/samples/samplePages.js';
import { createSampleStore, numbered } from '../../../support/samples/sampleStore.js';

const START = Date.UTC(2024, 0, 1);

describe('readSamples', () => {
  it('requests one more than needed, to know whether there is more', async () => {
    const store = createSampleStore(numbered(10, START));
    const page = await readSamples(store.source, START, undefined, 4);
    expect(page.items.map(({ id }) => id)).toEqual([1, 2, 3, 4]);
    expect(page.hasMore).toBe(true);
    expect(store.requests).toEqual([[START, 5]]);
  });

  it('reports the end when the last one is returned', async () => {
    const store = createSampleStore(numbered(4, START));
    expect(await readSamples(store.source, START, undefined, 4)).toMatchObject({ hasMore: false });
    expect(await readSamples(store.source, START, undefined, 3)).toMatchObject({ hasMore: true });
    expect(await readSamples(createSampleStore([]).source, START, undefined, 3)).toEqual({
      items: [],
      hasMore: false,
    });
  });

  it('continues after a position, in the same second', async () => {
    const store = createSampleStore(numbered(9, START, { perSecond: 3 }));
    const place = { sampledAtMs: START + 1000, id: 5 };
    const page = await readSamples(store.source, START, place, 2);
    expect(page.items.map(({ id }) => id)).toEqual([6, 7]);
    expect(store.requests[0]?.[0]).toBe(START + 1000);
  });

  it('requests a whole second at once where a page contains nothing new', async () => {
    const store = createSampleStore(numbered(500, START, { perSecond: 500 }));
    const place = { sampledAtMs: START, id: 400 };
    const page = await readSamples(store.source, START, place, 10);
    expect(page.items.map(({ id }) => id)).toEqual([401, 402, 403, 404, 405, 406, 407, 408, 409, 410]);
    expect(store.requests.at(-1)).toEqual([START, MAX_PAGE_LENGTH]);
  });

  it('fails where one second has more samples than a page can contain', async () => {
    const store = createSampleStore(numbered(MAX_PAGE_LENGTH + 1, START, { perSecond: MAX_PAGE_LENGTH + 1 }));
    const place = { sampledAtMs: START, id: MAX_PAGE_LENGTH };
    await expect(readSamples(store.source, START, place, 10)).rejects.toMatchObject({
      code: 'PLATFORM_BAD_RESPONSE',
    });
  });

  it('skips samples before the date, which a source that rounds it down returns', async () => {
    const store = createSampleStore(numbered(3, START), { roundsDown: true });
    const page = await readSamples(store.source, START + 500, undefined, 10);
    expect(page.items.map(({ id }) => id)).toEqual([2, 3]);
  });

  it('passes on errors of the source', async () => {
    const failing = () => Promise.reject(new Error('gone'));
    await expect(readSamples(failing, START, undefined, 1)).rejects.toThrow('gone');
  });
});

describe('readAllSamples', () => {
  it('goes through more than the largest page', async () => {
    const store = createSampleStore(numbered(2 * MAX_PAGE_LENGTH + 5, START));
    const ids: number[] = [];
    for await (const samples of readAllSamples(store.source, START)) ids.push(...samples.map(({ id }) => id));
    expect(ids).toHaveLength(2 * MAX_PAGE_LENGTH + 5);
    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe('toPosition', () => {
  it('is where a sample stands, and nowhere for none', () => {
    expect(toPosition({ id: 7, sampledAt: '2024-01-01T00:00:00Z' })).toEqual({ sampledAtMs: START, id: 7 });
    expect(toPosition(undefined)).toBeUndefined();
  });
});
