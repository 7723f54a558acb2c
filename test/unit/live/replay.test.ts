/** A replay after a sample that the platform does not have; its batches, its memory, and kinds that are refused. */
import { expect, it } from 'vitest';
import { GatewayError } from '../../../src/errors.js';
import { type ByteBudget, unlimitedBytes } from '../../../src/lib/byteBudget.js';
import { QueuePages } from '../../../src/live/queuePages.js';
import { SampleReplay } from '../../../src/live/replay.js';
import type { Sample } from '../../../src/sources/samples/samples.js';

/**
 * A platform with samples up to `newestId`, which is polled up to `polledId`. Resolves to the ids after which
 * pages are read.
 */
async function readBehind(id: number, { newestId, polledId }: { newestId: number; polledId?: number }) {
  const calls: number[] = [];
  const read = async (afterId: number) => {
    calls.push(afterId);
    const length = Math.max(0, newestId - afterId);
    const items = Array.from({ length }, (_, index) => ({ id: afterId + 1 + index }) as Sample);
    return { items, hasMore: false, next: Math.max(afterId, newestId) };
  };
  const cursor = `ScalarSample:${id}`;
  const replay = new SampleReplay({
    ...{ from: [{ kind: 'SCALAR', id, cursor, read }], streamIds: undefined, budget: unlimitedBytes },
    pages: new QueuePages(),
    polledPositions: () => (polledId === undefined ? [] : [{ kind: 'SCALAR', id: polledId, cursor: '' }]),
  });
  const { events } = await replay.read();
  return { calls, ids: events.map((event) => event.id) };
}

it('is refused', async () => {
  const refusal = { code: 'BAD_USER_INPUT', message: expect.stringContaining('ScalarSample:1100 names') };
  await expect(readBehind(1100, { newestId: 100, polledId: 100 })).rejects.toMatchObject(refusal);
  await expect(readBehind(1100, { newestId: 0 })).rejects.toMatchObject(refusal);
});

it('is accepted if only the poll has not reached it yet', async () => {
  expect(await readBehind(100, { newestId: 100, polledId: 90 })).toEqual({ calls: [100, 99], ids: [] });
  expect(await readBehind(95, { newestId: 97, polledId: 90 })).toEqual({ calls: [95], ids: [] });
});

it('returns no sample that the poll has not returned yet, because queries do not have it', async () => {
  expect(await readBehind(95, { newestId: 99, polledId: 97 })).toEqual({ calls: [95], ids: [96, 97] });
  expect(await readBehind(95, { newestId: 97 })).toEqual({ calls: [95], ids: [96, 97] });
});

it('costs no call if the poll has reached it', async () => {
  expect(await readBehind(100, { newestId: 100, polledId: 100 })).toEqual({ calls: [100], ids: [] });
  expect(await readBehind(0, { newestId: 0, polledId: 0 })).toEqual({ calls: [0], ids: [] });
});

const samples = (...ids: readonly number[]) => ids.map((id) => ({ id, streamId: 1 }) as Sample);

function createReplay(
  reads: Partial<Record<'SCALAR' | 'RFID', (afterId: number) => Promise<Page>>>,
  options: { budget?: ByteBudget; maxBatch?: number } = {},
) {
  const from = (['SCALAR', 'RFID'] as const).flatMap((kind) => {
    const read = reads[kind];
    return read ? [{ kind, id: 0, cursor: '', read }] : [];
  });
  const parts = { from, streamIds: undefined, budget: unlimitedBytes, pages: new QueuePages() };
  return new SampleReplay({ ...parts, polledPositions: () => [], ...options });
}

type Page = { items: readonly Sample[]; hasMore: boolean; next: number };

it('a replay divides a page into batches, and ends with the last one', async () => {
  const replay = createReplay(
    { SCALAR: async () => ({ items: samples(1, 2, 3), hasMore: false, next: 3 }) },
    { maxBatch: 2 },
  );
  expect(await replay.read()).toEqual({ events: samples(1, 2), isLast: false, hasPendingEvents: true });
  expect(await replay.read()).toEqual({ events: samples(3), isLast: true, hasPendingEvents: false });
});

it('a replay reserves the memory of one page at a time', async () => {
  const log: string[] = [];
  const reserve = () => {
    log.push('reserve');
    return { granted: Promise.resolve(true), release: () => void log.push('release') };
  };
  const replay = createReplay(
    { SCALAR: async (id) => ({ items: samples(id + 1), hasMore: true, next: id + 1 }) },
    { budget: { ...unlimitedBytes, reserve } },
  );
  for (const id of [1, 2]) expect((await replay.read()).events).toEqual(samples(id));
  replay.close();
  expect(log).toEqual(['reserve', 'release', 'reserve', 'release']);
});

it('a replay continues without a kind that the platform refuses, and fails if it refuses every kind', async () => {
  const refuse = () =>
    Promise.reject(new GatewayError('PLATFORM_REFUSED', 'No.', { platform: { status: 403 } }));
  const accept = async () => ({ items: samples(1), hasMore: false, next: 1 });
  const partial = createReplay({ SCALAR: accept, RFID: refuse });
  expect([(await partial.read()).events, [...partial.refused]]).toEqual([samples(1), ['RFID']]);
  const refused = createReplay({ SCALAR: refuse, RFID: refuse });
  await expect(refused.read()).rejects.toMatchObject({ code: 'PLATFORM_REFUSED' });
});
