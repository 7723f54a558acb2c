/** The account's batch is read page by page while that is cheaper than other calls, and continued after its last id. */
import { expect, it } from 'vitest';
import { Cache } from '../../../../src/cache/cache.js';
import { createCredentialScope, createKeyBuilder } from '../../../../src/cache/cacheKey.js';
import { createSamplePageStore } from '../../../../src/cache/memory/samplePageStore.js';
import { silentLogger as logger } from '../../../../src/lib/logger.js';
import type { QueuePosition } from '../../../../src/rest/endpointKinds.js';
import type { RestClient } from '../../../../src/rest/restClient.js';
import { createEndpointStats } from '../../../../src/sources/core/endpointStats.js';
import { Reader } from '../../../../src/sources/core/reader.js';
import { createResponseFreshness } from '../../../../src/sources/core/responseFreshness.js';
import {
  BatchTooLongError,
  MAX_ACCOUNT_PAGES,
  recentOfAccount,
  remainingPages,
  type ShouldReadPages,
} from '../../../../src/sources/samples/recentSamples.js';

const START_MS = Date.UTC(2026, 2, 14, 9);
const HOUR_MS = 3_600_000;
const TEMPLATE = '/v2.0/sample/batch';

/** An account whose batch of one hour has this many pages of one sample each. */
function createAccount(pageCount: number) {
  let nowMs = START_MS;
  const positions: QueuePosition[] = [];
  const samples = Array.from({ length: pageCount }, (_, index) =>
    toRow(index + 1, START_MS - HOUR_MS + (HOUR_MS * (index + 1)) / pageCount),
  );
  const queuedSamples = async <Chunk>(position: QueuePosition, convert: (rows: object[]) => Chunk) => {
    positions.push(position);
    const rest = samples.filter(({ id }) => id > (position.afterId ?? 0));
    return { chunks: [convert(rest.slice(0, 1))], hasMore: rest.length > 1 };
  };
  const rest = {
    queuedSamples: Object.assign(queuedSamples, { template: TEMPLATE }),
  } as unknown as RestClient;
  const clock = { now: () => nowMs };
  const endpointStats = createEndpointStats({ nowMs: clock.now });
  const cache = new Cache({ clock, logger });
  const keys = createKeyBuilder(createCredentialScope('http://platform.example', 'key'));
  return {
    positions,
    expectedPages: () => endpointStats.expectedPages(TEMPLATE),
    add: (streamId: number) => samples.push({ ...toRow(samples.length + 1, nowMs), stream_id: streamId }),
    advance: (ms: number) => {
      nowMs += ms;
    },
    read(shouldRead?: ShouldReadPages) {
      const freshness = createResponseFreshness(clock.now);
      const samplePages = createSamplePageStore({ clock });
      const parts = { cache, keys, samplePages, endpointStats, freshness };
      const reader = new Reader({ ...parts, options: {}, monotonicClock: clock });
      return reader.read(recentOfAccount(rest, reader, clock.now, shouldRead));
    },
  };
}

function toRow(id: number, ms: number) {
  return { id, stream_id: id, sample_date: `${new Date(ms).toISOString().slice(0, 19)}Z`, value: '1' };
}

it('reads every page after the highest id', async () => {
  const account = createAccount(40);
  const { newest } = await account.read();
  expect([...newest.keys()]).toContain(40);
  expect(account.positions[0]).toEqual({ backfillHours: 1 });
  expect(account.positions.slice(1)).toEqual(
    Array.from({ length: 39 }, (_, index) => ({ afterId: index + 1 })),
  );
  expect(account.expectedPages()).toBe(40);
});

it('stops as soon as the pages that are left cost more than they are worth, and records how many there are', async () => {
  const account = createAccount(40);
  await expect(account.read((remaining) => remaining <= 5)).rejects.toThrow(BatchTooLongError);
  expect(account.positions).toHaveLength(1);
  expect(account.expectedPages()).toBe(40);
});

it('reads no batch of more pages than the bound, whatever it is worth', async () => {
  const account = createAccount(MAX_ACCOUNT_PAGES + 1);
  await expect(account.read()).rejects.toThrow(BatchTooLongError);
  expect(account.positions).toHaveLength(1);
});

it('continues a stale batch after its last id, and reads it from the start after hours', async () => {
  const account = createAccount(4);
  await account.read();
  account.advance(60_000);
  account.add(99);
  account.positions.length = 0;
  const { newest } = await account.read();
  expect(account.positions).toEqual([{ afterId: 4 }]);
  expect([...newest.keys()].sort((one, other) => one - other)).toEqual([1, 2, 3, 4, 99]);
  account.advance(3 * HOUR_MS);
  account.positions.length = 0;
  await account.read();
  expect(account.positions[0]).toEqual({ backfillHours: 1 });
});

it('estimates the pages that follow by the newest date that is not ahead of now', () => {
  const span = { fromMs: START_MS - HOUR_MS, toMs: START_MS };
  const page = [{ id: 1, sampledAt: new Date(START_MS - 0.9 * HOUR_MS).toISOString() }];
  const ahead = { id: 2, sampledAt: new Date(START_MS + HOUR_MS).toISOString() };
  expect(remainingPages(page, 1, span)).toBe(9);
  expect(remainingPages([...page, ahead], 1, span)).toBe(9);
  expect(remainingPages([ahead], 1, span)).toBe(1);
});
