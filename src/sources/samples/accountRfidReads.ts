/** Loads the RFID reads of the account since a time, from the account's batch or from the batches of its sites. */
import { createBadInputError } from '../../errors.js';
import { HOUR_MS } from '../../lib/clock.js';
import type { CallOptions } from '../../rest/callRecord.js';
import type { RowOf } from '../../rest/decode/rowDecoder.js';
import type { rfidSampleRow } from '../../rest/decode/rows.js';
import type { QueuePosition, RowBatch } from '../../rest/endpointKinds.js';
import type { RestClient } from '../../rest/restClient.js';
import { readPages, withoutRepeats } from '../core/paginator.js';
import type { Reader } from '../core/reader.js';
import { convert } from '../core/wireValues.js';
import { CLOCK_DIFFERENCE_MS } from './newestSamples.js';
import { remainingPages } from './recentSamples.js';
import { readAllSamples, type SampleSource } from './samplePages.js';
import { newestId, queuePages } from './sampleQueues.js';
import { type RfidSample, toRfidSample } from './samples.js';

/** Reads of one result, in about 20 MB. */
const MAX_READS = 50_000;

/** The first page of the account's batch. */
interface FirstReads {
  reads: RfidSample[];
  /** The id after which the next pages begin. */
  lastId: number;
  /** An estimate; 0 if the batch has no further page. */
  pagesLeft: number;
}

/** Resolves to the sites that can have reads; to undefined if some of them are unknown. */
export type FindReaderSites = () => Promise<readonly number[] | undefined>;

/**
 * `caller`: only reads of the caller's sites matter. Those of other organizations must not count towards its maximum.
 */
type ReadsScope = 'account' | 'caller';

interface AccountRfidOptions {
  rest: RestClient;
  reader: Reader;
  nowMs: () => number;
  ofSiteSince(siteId: number): SampleSource<RfidSample>;
}

/**
 * Returns a function that loads the reads taken at or after a time, oldest first. `siteIds` is called only
 * if the batch has further pages; for the scope `caller`, only the sites are then read. Rejects with BAD_USER_INPUT for
 * more than `MAX_READS` reads.
 */
export function createAccountRfidReads({ rest, reader, nowMs, ofSiteSince }: AccountRfidOptions) {
  const { template } = rest.queuedRfidReads;

  const readPage = (position: QueuePosition, options: CallOptions) =>
    readQueuedReads(rest, position, options);

  /** Whole hours, so that equal requests a few seconds apart share a batch. */
  function readFirst(sinceHour: number): Promise<FirstReads> {
    return reader.read<FirstReads>({
      kind: 'samplesOpen',
      template,
      parameter: `first of account since ${sinceHour}`,
      async load(options) {
        const span = { fromMs: sinceHour * HOUR_MS, toMs: nowMs() };
        // The platform's clock may be ahead of the gateway's, so that its window begins later.
        const windowMs = span.toMs - span.fromMs + CLOCK_DIFFERENCE_MS;
        const backfillHours = Math.max(1, Math.ceil(windowMs / HOUR_MS));
        const { samples, hasMore } = await readPage({ backfillHours }, options);
        const reads: RfidSample[] = [];
        append(reads, samples);
        const lastId = newestId(reads);
        return { reads, lastId, pagesLeft: hasMore && lastId > 0 ? remainingPages(reads, 1, span) : 0 };
      },
    });
  }

  function readRest(lastId: number): Promise<RfidSample[]> {
    return reader.read<RfidSample[]>({
      kind: 'samplesOpen',
      template,
      parameter: `rest of account behind ${lastId}`,
      async load(options) {
        const pages = queuePages((afterId) => readPage({ afterId }, options));
        const reads: RfidSample[] = [];
        for await (const { items } of readPages(pages, lastId)) append(reads, items);
        return reads;
      },
    });
  }

  /** Decides outside the loads, because callers share the loads but each of them loads the sites separately. */
  async function readAccount(sinceMs: number, siteIds: FindReaderSites, scope: ReadsScope) {
    // No sample is older than Unix time, and the platform refuses windows of more than a hundred years.
    const { reads, lastId, pagesLeft } = await readFirst(Math.floor(Math.max(sinceMs, 0) / HOUR_MS));
    if (pagesLeft === 0) return reads;
    const sites = await siteIds();
    if (sites !== undefined && (scope === 'caller' || pagesLeft > sites.length))
      return readSites(sinceMs, sites);
    const all = [...reads];
    append(all, await readRest(lastId));
    return all;
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

  return async (
    sinceMs: number,
    siteIds: FindReaderSites,
    scope: ReadsScope = 'account',
  ): Promise<RfidSample[]> => {
    const reads = await readAccount(sinceMs, siteIds, scope);
    return reads
      .map((read) => ({ read, ms: Date.parse(read.sampledAt) }))
      .filter(({ ms }) => ms >= sinceMs)
      .sort((one, other) => one.ms - other.ms || one.read.id - other.read.id)
      .map(({ read }) => read);
  };
}

/** One page of the account's batch, by rising id. */
export async function readQueuedReads(
  rest: RestClient,
  position: QueuePosition,
  options: CallOptions,
): Promise<RowBatch<RfidSample>> {
  const toReads = (rows: readonly RowOf<typeof rfidSampleRow>[]) => convert(rows, toRfidSample);
  const { chunks, hasMore } = await rest.queuedRfidReads(position, toReads, options);
  return { samples: withoutRepeats(chunks.flat()), hasMore };
}

/** Throws before the list is longer than its bound. */
function append(reads: RfidSample[], page: readonly RfidSample[]): void {
  if (reads.length + page.length > MAX_READS) {
    throw createBadInputError('since', `the account has more than ${MAX_READS} RFID reads since then.`);
  }
  for (const read of page) reads.push(read);
}
