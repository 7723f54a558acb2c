/** Loads the RFID reads of the account since a time, in one walk through the account's batch. */
import { createBadInputError } from '../../errors.js';
import { HOUR_MS } from '../../lib/clock.js';
import type { RowOf } from '../../rest/decode/rowDecoder.js';
import type { rfidSampleRow } from '../../rest/decode/rows.js';
import type { RestClient } from '../../rest/restClient.js';
import { readPages } from '../core/paginator.js';
import type { Reader } from '../core/reader.js';
import { remainingPages } from './recentSamples.js';
import { readAllSamples, type SampleSource } from './samplePages.js';
import { queuePages } from './sampleQueues.js';
import { convert, type RfidSample, toRfidSample } from './samples.js';

/** Reads of one result, in about 20 MB. */
const MAX_READS = 50_000;

/** Thrown inside a load where calls for each site are cheaper than the rest of the batch. */
class ReadsTooLongError extends Error {
  override readonly name = 'ReadsTooLongError';
}

interface AccountRfidOptions {
  rest: RestClient;
  reader: Reader;
  nowMs: () => number;
  ofSiteSince(siteId: number): SampleSource<RfidSample>;
}

/**
 * Returns a function that loads the reads taken at or after a time, oldest first. `siteIds`: the sites that can have
 * reads, called only if the batch has further pages. Rejects with BAD_USER_INPUT for more than `MAX_READS` reads.
 */
export function createAccountRfidReads({ rest, reader, nowMs, ofSiteSince }: AccountRfidOptions) {
  /** Whole hours, so that equal requests a few seconds apart share a batch. */
  function readBatch(sinceHour: number, siteIds: () => Promise<readonly number[]>) {
    const startMs = sinceHour * HOUR_MS;
    const { template } = rest.queuedRfidReads;
    return reader.read<RfidSample[]>({
      kind: 'samplesOpen',
      template,
      parameter: `account since ${sinceHour}`,
      async load(options) {
        const backfillHours = Math.max(1, Math.ceil((nowMs() - startMs) / HOUR_MS));
        const readPage = queuePages(async (afterId) => {
          const position = afterId === 0 ? { backfillHours } : { afterId };
          const toReads = (rows: readonly RowOf<typeof rfidSampleRow>[]) => convert(rows, toRfidSample);
          const { chunks, hasMore } = await rest.queuedRfidReads(position, toReads, options);
          return { samples: chunks.flat(), hasMore };
        });
        const reads: RfidSample[] = [];
        let pages = 0;
        for await (const { items, hasMore } of readPages(readPage, 0)) {
          pages += 1;
          append(reads, items);
          if (!hasMore || pages > 1) continue;
          const left = remainingPages(items, pages, { fromMs: startMs, toMs: nowMs() });
          if (left > (await siteIds()).length) throw new ReadsTooLongError();
        }
        return reads;
      },
    });
  }

  async function readSites(sinceMs: number, siteIds: readonly number[]): Promise<RfidSample[]> {
    const reads: RfidSample[] = [];
    await Promise.all(
      siteIds.map(async (siteId) => {
        for await (const page of readAllSamples(ofSiteSince(siteId), sinceMs)) append(reads, page);
      }),
    );
    return reads;
  }

  return async (sinceMs: number, siteIds: () => Promise<readonly number[]>): Promise<RfidSample[]> => {
    const reads = await readBatch(Math.floor(sinceMs / HOUR_MS), siteIds).catch(async (error: unknown) => {
      if (!(error instanceof ReadsTooLongError)) throw error;
      return readSites(sinceMs, await siteIds());
    });
    return reads
      .map((read) => ({ read, ms: Date.parse(read.sampledAt) }))
      .filter(({ ms }) => ms >= sinceMs)
      .sort((one, other) => one.ms - other.ms || one.read.id - other.read.id)
      .map(({ read }) => read);
  };
}

/** Throws before the list is longer than its bound. */
function append(reads: RfidSample[], page: readonly RfidSample[]): void {
  if (reads.length + page.length > MAX_READS) {
    throw createBadInputError('since', `the account has more than ${MAX_READS} RFID reads since then.`);
  }
  for (const read of page) reads.push(read);
}
