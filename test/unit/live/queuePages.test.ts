/** Pages of a queue that several replays read at the same time. */
import { describe, expect, it } from 'vitest';
import { createClientDisconnectedError, GatewayError } from '../../../src/errors.js';
import { QueuePages } from '../../../src/live/queuePages.js';
import type { Sample } from '../../../src/sources/samples/samples.js';

type Page = { items: readonly Sample[]; hasMore: boolean; next: number };
const page = (hasMore: boolean): Page => ({ items: [], hasMore, next: hasMore ? 2 : 1 });

/** A queue whose reads end when the test says so. */
function createQueue() {
  const pages = new QueuePages();
  const reads: { resolve(page: Page): void; reject(error: Error): void }[] = [];
  const read = () => new Promise<Page>((resolve, reject) => reads.push({ resolve, reject }));
  const request = (afterId = 1, polledId?: number) => pages.read({ kind: 'SCALAR', afterId, polledId, read });
  return { reads, request };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('pages of a queue', () => {
  it('that are full are read once for all that request them meanwhile', async () => {
    const { reads, request } = createQueue();
    const first = request();
    await settle();
    const others = [request(), request()];
    await settle();
    reads[0]?.resolve(page(true));
    expect(new Set(await Promise.all([first, ...others])).size).toBe(1);
    expect(reads).toHaveLength(1);
  });

  it('that are full are not read again while a replay keeps them', async () => {
    const { reads, request } = createQueue();
    const first = request();
    await settle();
    reads[0]?.resolve(page(true));
    const kept = await first;
    await settle();
    expect(await request()).toBe(kept);
    expect(reads).toHaveLength(1);
    void request(2);
    await settle();
    expect(reads).toHaveLength(2);
  });

  it('that may have grown are read again, once for all that came meanwhile', async () => {
    const { reads, request } = createQueue();
    const first = request();
    await settle();
    const others = [request(), request()];
    reads[0]?.resolve(page(false));
    await first;
    await settle();
    expect(reads).toHaveLength(2);
    reads[1]?.resolve(page(false));
    const [one, other] = await Promise.all(others);
    expect(one).toBe(other);
    expect(one).not.toBe(await first);
  });

  it('that may have grown are read again by a replay that comes later', async () => {
    const { reads, request } = createQueue();
    const first = request();
    await settle();
    reads[0]?.resolve(page(false));
    const kept = await first;
    const later = request();
    await settle();
    reads[1]?.resolve(page(false));
    expect(await later).not.toBe(kept);
  });

  it('that end where the platform was polled are not read again, also for replays that begin later in them', async () => {
    const { reads, request } = createQueue();
    const items = [4, 5, 6].map((id) => ({ id }) as Sample);
    const first = request(3, 6);
    await settle();
    reads[0]?.resolve({ items, hasMore: false, next: 6 });
    const kept = await first;
    expect(await request(3, 6)).toBe(kept);
    expect((await request(4, 5)).items).toEqual(items.slice(1));
    expect((await request(6, 6)).items).toEqual([]);
    expect(reads).toHaveLength(1);
    // The first and the last may need samples after 6, which the page lacks. The other two begin outside of the page.
    for (const [afterId, polledId] of [
      [3, 7],
      [2, 6],
      [7, 6],
      [3, undefined],
    ] as const)
      void request(afterId, polledId);
    await settle();
    expect(reads).toHaveLength(4);
    expect(kept.items).toBe(items);
  });

  it('that are full serve replays that begin in them, but not at their end', async () => {
    const { reads, request } = createQueue();
    const items = [4, 5, 6].map((id) => ({ id }) as Sample);
    const first = request(3);
    await settle();
    reads[0]?.resolve({ items, hasMore: true, next: 6 });
    const kept = await first;
    expect(await request(5)).toMatchObject({ items: items.slice(2), hasMore: true, next: 6 });
    void request(6);
    await settle();
    expect(reads).toHaveLength(2);
    expect(kept.items).toBe(items);
  });

  it('that cannot be read, or that a client has left, do not fail the others', async () => {
    const { reads, request } = createQueue();
    const first = request();
    await settle();
    const second = request();
    reads[0]?.reject(new Error('The client has left.'));
    await expect(first).rejects.toThrow('left');
    await settle();
    reads[1]?.resolve(page(false));
    expect(await second).toEqual(page(false));
  });

  describe('that 1,000 replays wait for', () => {
    const request1000 = async () => {
      const queue = createQueue();
      const all = Promise.allSettled(Array.from({ length: 1000 }, () => queue.request()));
      await settle();
      return { ...queue, all };
    };
    const unavailable = new GatewayError('PLATFORM_UNAVAILABLE', 'The platform is down.');

    it('are read once while the platform is down', async () => {
      const { reads, all } = await request1000();
      for (let read = 0; read < reads.length; read++) {
        reads[read]?.reject(unavailable);
        await settle();
      }
      expect(reads).toHaveLength(1);
      for (const result of await all) expect(result).toEqual({ status: 'rejected', reason: unavailable });
    });

    it('are read once more for each client that disconnects while its replay reads', async () => {
      const { reads, all } = await request1000();
      for (let read = 0; read < 3; read++) {
        reads[read]?.reject(createClientDisconnectedError());
        await settle();
      }
      expect(reads).toHaveLength(4);
      reads[3]?.resolve(page(false));
      const results = await all;
      expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(3);
    });
  });

  it('after different samples are read in parallel', async () => {
    const { reads, request } = createQueue();
    const both = Promise.all([request(1), request(2)]);
    await settle();
    for (const { resolve } of reads) resolve(page(true));
    const [one, other] = await both;
    expect(one).not.toBe(other);
  });
});
