/** A poll of a queue begins at its newest sample, for few calls, and returns samples in the order of arrival. */
import { expect, it } from 'vitest';
import { createSampleTail, MAX_START_PAGES } from '../../../src/live/sampleTail.js';
import type { QueuePosition } from '../../../src/rest/endpointKinds.js';
import type { RestClient } from '../../../src/rest/restClient.js';

const nowMs = () => Date.UTC(2026, 0, 2);

it('an account without samples of the last hour is searched for the newest one of a longer time', async () => {
  const positions: QueuePosition[] = [];
  const queuedSamples = async <Chunk>(position: QueuePosition, convert: (rows: object[]) => Chunk) => {
    positions.push(position);
    const sample = { id: 7, stream_id: 1, sample_date: '2026-01-01T00:00:00Z', value: '1' };
    const isFound = (position.backfillHours ?? 0) > 1;
    return { chunks: [convert(isFound ? [sample] : [])], hasMore: false };
  };
  const tail = createSampleTail('SCALAR', { queuedSamples } as unknown as RestClient, nowMs);
  await tail.start();
  expect(tail.position()).toEqual({ id: 7 });
  expect(positions).toEqual([{ backfillHours: 1 }, { backfillHours: 24 }, { afterId: 7 }]);
});

it('a start ends although the platform announces more samples with each new one', async () => {
  let newest = 0;
  const queuedSamples = async <Chunk>(_: QueuePosition, convert: (rows: object[]) => Chunk) => {
    newest += 1;
    const sample = { id: newest, stream_id: 1, sample_date: '2026-01-01T23:59:00Z', value: '1' };
    return { chunks: [convert([sample])], hasMore: newest < 10 * MAX_START_PAGES };
  };
  const tail = createSampleTail('SCALAR', { queuedSamples } as unknown as RestClient, nowMs);
  await tail.start();
  expect(tail.position()).toEqual({ id: 1 + MAX_START_PAGES });
  expect((await tail.step()).samples.map(({ id }) => id)).toEqual([2 + MAX_START_PAGES]);
});

it('samples are in the order of arrival, although their batch is not', async () => {
  const queuedSamples = async <Chunk>(_: QueuePosition, convert: (rows: object[]) => Chunk) => {
    const rows = [9, 11, 8, 10, 9].map((id) => ({ id, stream_id: 1, sample_date: '2026-01-01T00:00:00Z' }));
    return { chunks: [convert(rows)], hasMore: false };
  };
  const rest = { queuedSamples } as unknown as RestClient;
  const { samples } = await createSampleTail('SCALAR', rest, nowMs, { id: 7 }).step();
  expect(samples.map(({ id }) => id)).toEqual([8, 9, 10, 11]);
});
