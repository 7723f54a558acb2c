/** A replay after a sample that the platform does not have. */
import { expect, it } from 'vitest';
import { unlimitedBytes } from '../../../src/lib/byteBudget.js';
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
  expect(await readBehind(95, { newestId: 97, polledId: 90 })).toEqual({ calls: [95], ids: [96, 97] });
});

it('costs no call if the poll has reached it', async () => {
  expect(await readBehind(100, { newestId: 100, polledId: 100 })).toEqual({ calls: [100], ids: [] });
  expect(await readBehind(0, { newestId: 0, polledId: 0 })).toEqual({ calls: [0], ids: [] });
});
