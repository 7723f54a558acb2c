/** RFID reads of the account: loads that several operations share, and the beginning of the platform's window. */
import { expect, it } from 'vitest';
import { Cache } from '../../../../src/cache/cache.js';
import { createSamplePageStore } from '../../../../src/cache/memory/samplePageStore.js';
import { type Cancellation, createCancellation } from '../../../../src/lib/cancellation.js';
import { HOUR_MS, SECOND_MS } from '../../../../src/lib/clock.js';
import { silentLogger as logger } from '../../../../src/lib/logger.js';
import type { QueuePosition } from '../../../../src/rest/endpointKinds.js';
import type { RestClient } from '../../../../src/rest/restClient.js';
import { createEndpointStats } from '../../../../src/sources/core/endpointStats.js';
import { Reader } from '../../../../src/sources/core/reader.js';
import { createResponseFreshness } from '../../../../src/sources/core/responseFreshness.js';
import { formatDateTime } from '../../../../src/sources/core/wireValues.js';
import {
  createAccountRfidReads,
  type FindReaderSites,
} from '../../../../src/sources/samples/accountBatches.js';
import { keys } from '../../../support/cache/siteCache.js';

const NINE = Date.UTC(2026, 2, 14, 9);

interface Arrival {
  id: number;
  ms: number;
}

/** An account with these reads; pages of the platform have `pageLength` of them and wait for `release`. */
function createAccount(
  arrivals: readonly Arrival[],
  { nowMs, aheadMs = 0, pageLength = 100 }: { nowMs: number; aheadMs?: number; pageLength?: number },
) {
  const clock = { now: () => nowMs };
  const positions: QueuePosition[] = [];
  const waiting: (() => void)[] = [];
  const queuedRfidReads = async <Chunk>(position: QueuePosition, convert: (rows: object[]) => Chunk) => {
    positions.push(position);
    await new Promise<void>((resolve) => waiting.push(resolve));
    const { afterId = 0, backfillHours } = position;
    const sinceMs = backfillHours === undefined ? 0 : nowMs + aheadMs - backfillHours * HOUR_MS;
    const found = arrivals.filter(({ id, ms }) => id > afterId && ms >= sinceMs);
    return { chunks: [convert(found.slice(0, pageLength).map(toRow))], hasMore: found.length > pageLength };
  };
  const template = '/v2.0/sample/rfid/batch';
  const rest = { queuedRfidReads: Object.assign(queuedRfidReads, { template }) } as unknown as RestClient;
  const parts = {
    ...{ cache: new Cache({ clock, logger }), keys, samplePages: createSamplePageStore({ clock }) },
    ...{ endpointStats: createEndpointStats({ nowMs: clock.now }), monotonicClock: clock },
  };
  return {
    positions,
    release: () => {
      for (const resolve of waiting.splice(0)) resolve();
    },
    /** Reads of one operation. `siteIds` resolves the sites that its caller may see. */
    read(siteIds: FindReaderSites, cancellation?: Cancellation): Promise<number[]> {
      const freshness = createResponseFreshness(clock.now);
      const reader = new Reader({ ...parts, freshness, options: { cancellation } });
      const ofSiteSince = () => async () => ({ items: [], hasMore: false });
      const readSince = createAccountRfidReads({ rest, reader, nowMs: clock.now, ofSiteSince });
      return readSince(NINE, siteIds).then((reads) => reads.map(({ id }) => id));
    },
  };
}

function toRow({ id, ms }: Arrival) {
  return { id, stream_id: 7, sample_date: formatDateTime(ms), tag_ids: 'A1' };
}

const untilNextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

it('a caller that waits for the first page does not depend on the sites of the one that has begun it', async () => {
  const arrivals = [1, 2, 3, 4].map((id) => ({ id, ms: NINE + id * 10 * 60 * SECOND_MS }));
  const account = createAccount(arrivals, { nowMs: NINE + HOUR_MS, pageLength: 2 });
  const cancellation = createCancellation();
  const first = account.read(() => Promise.reject(new Error('The client disconnected.')), cancellation);
  const second = account.read(async () => [1, 2, 3, 4]);
  const settled = Promise.allSettled([first, second]);
  while (account.positions.length === 0) await untilNextTurn();
  cancellation.abort();
  let isSettled = false;
  void settled.then(() => {
    isSettled = true;
  });
  while (!isSettled) {
    account.release();
    await untilNextTurn();
  }
  expect(await settled).toMatchObject([
    { status: 'rejected', reason: { code: 'CANCELLED' } },
    { status: 'fulfilled', value: [1, 2, 3, 4] },
  ]);
  // No page is read twice.
  expect(account.positions).toEqual([{ backfillHours: 2 }, { afterId: 2 }]);
});

it('the reads of the first second are there where the clock of the platform is ahead', async () => {
  const account = createAccount([{ id: 1, ms: NINE }], {
    nowMs: NINE + 2 * HOUR_MS - SECOND_MS,
    aheadMs: 2 * SECOND_MS,
  });
  const reads = account.read(async () => []);
  while (account.positions.length === 0) await untilNextTurn();
  account.release();
  expect(await reads).toEqual([1]);
});

it('all pages are read where some sites with readers are unknown', async () => {
  const arrivals = Array.from({ length: 12 }, (_, index) => ({
    id: index + 1,
    ms: NINE + (index + 1) * 60 * SECOND_MS,
  }));
  const account = createAccount(arrivals, { nowMs: NINE + HOUR_MS, pageLength: 2 });
  let reads: number[] | undefined;
  const reading = account
    .read(async () => undefined)
    .then((found) => {
      reads = found;
    });
  while (reads === undefined) {
    account.release();
    await untilNextTurn();
  }
  await reading;
  expect(reads).toEqual(arrivals.map(({ id }) => id));
});
