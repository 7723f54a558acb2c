/** Loads the recent samples of a site or the account in one batch. */
import { HOUR_MS } from '../../lib/clock.js';
import { type CallOptions, countSkippedRows } from '../../rest/callRecord.js';
import type { RestClient } from '../../rest/restClient.js';
import type { Lookup, ReadRequest } from '../core/lookup.js';
import { readPages } from '../core/paginator.js';
import type { Reader } from '../core/reader.js';
import { convert, createDateParser } from '../core/wireValues.js';
import { addNewest, emptyBatch, newestByStream, type RecentSamples } from './newestSamples.js';
import type { TimedSample } from './samplePages.js';
import { queuePages } from './sampleQueues.js';
import { convertBatch, type ScalarSample, toScalarSample } from './samples.js';

/** Thrown if reading all pages of a batch costs more than other calls: nothing is cached, and the caller plans again. */
export class BatchTooLongError extends Error {
  override readonly name = 'BatchTooLongError';
}

const parseDate = createDateParser();

/** Devices send every few minutes, so an hour contains a sample of nearly every stream, and few samples of each. */
const ACCOUNT_WINDOW_HOURS = 1;
/** Cache parameter of the account's batch. */
export const ACCOUNT_PARAMETER = `newest of ${ACCOUNT_WINDOW_HOURS} h`;
/** A site has few streams, so a longer window, which includes streams that send rarely, costs little. */
const SITE_WINDOW_HOURS = 6;
/**
 * A batch is continued until it covers this time, and then read from the start: a sample that the platform showed
 * only after one with a higher id is missing until then.
 */
const MAX_CONTINUED_HOURS = 3;
/** Maximum pages of the account's batch, of 10,000 samples each, for any account and any operation. */
export const MAX_ACCOUNT_PAGES = 200;
/** Bytes of a sample on the wire. */
export const SAMPLE_BYTES = 90;

export function recentOfSite(
  rest: RestClient,
  siteId: number,
  nowMs: () => number,
): ReadRequest<RecentSamples> {
  return {
    kind: 'lastSample',
    template: rest.siteSamplesSince.template,
    parameter: siteId,
    ...recentCodec,
    bytesOf: ({ newest }) => newest.size * SAMPLE_BYTES,
    async load(options) {
      const sinceMs = siteWindowStart(nowMs());
      const counted = countSkippedRows(options);
      const batch = await rest.siteSamplesSince(siteId, sinceMs, counted.options);
      const { samples, hasMore } = convertBatch(batch, toScalarSample);
      // Samples come oldest first, so an incomplete batch lacks the newest, and covers no time.
      const isUsable = !hasMore && counted.skippedRows() === 0;
      const usable = newestByStream(isUsable ? samples : [], isUsable ? sinceMs : nowMs(), nowMs());
      return { ...usable, isTruncated: hasMore };
    },
    reuse(previous) {
      // The clock may have been set back: then the earlier samples of the body are lost.
      const sinceMs = Math.max(previous.sinceMs, siteWindowStart(nowMs()));
      const { lastId, isTruncated = false } = previous;
      return { ...newestByStream([...previous.newest.values()], sinceMs, nowMs()), lastId, isTruncated };
    },
  };
}

/** Unix milliseconds since which the batch of a site contains samples. */
export function siteWindowStart(nowMs: number): number {
  return nowMs - SITE_WINDOW_HOURS * HOUR_MS;
}

/** Whether the account's batch is still worth reading, given the number of remaining pages. */
export type ShouldReadPages = (remainingPages: number) => boolean;

/**
 * The account's batch, page by page after the highest id. A batch that is still in memory is continued after its last
 * id, so that a revalidation reads only what has arrived since. Rejects with `BatchTooLongError` as soon as a page shows
 * that more are left than `shouldRead` allows.
 */
export function recentOfAccount(
  rest: RestClient,
  reader: Reader,
  nowMs: () => number,
  shouldRead: ShouldReadPages = () => true,
): ReadRequest<RecentSamples> {
  const request: ReadRequest<RecentSamples> = {
    kind: 'lastSample',
    template: rest.queuedSamples.template,
    parameter: ACCOUNT_PARAMETER,
    ...recentCodec,
    bytesOf: ({ newest }) => newest.size * SAMPLE_BYTES,
    async load(options) {
      const previous = getContinuableBatch(reader, reader.lookup(request), nowMs());
      return readAccountBatch({ rest, reader, shouldRead, startMs: nowMs() }, options, previous);
    },
  };
  return request;
}

/** The batch in memory, fresh or stale, if reading the samples after its last id completes it. */
export function getContinuableBatch(
  reader: Reader,
  lookup: Lookup<RecentSamples>,
  nowMs: number,
): RecentSamples | undefined {
  const batch = reader.inspect(lookup).value;
  if (batch === undefined || batch.lastId === 0) return undefined;
  return nowMs - batch.sinceMs < MAX_CONTINUED_HOURS * HOUR_MS ? batch : undefined;
}

interface AccountBatchParts {
  rest: RestClient;
  reader: Reader;
  shouldRead: ShouldReadPages;
  startMs: number;
}

/**
 * Reads the account's batch. A row without ids may be the newest of any stream: then the batch is empty. A sample without a
 * readable date is ignored, as everywhere.
 */
async function readAccountBatch(
  { rest, reader, shouldRead, startMs }: AccountBatchParts,
  options: CallOptions,
  previous: RecentSamples | undefined,
): Promise<RecentSamples> {
  const sinceMs = previous?.sinceMs ?? startMs - ACCOUNT_WINDOW_HOURS * HOUR_MS;
  const template = rest.queuedSamples.template;
  const newest = new Map(previous?.newest);
  const ignored = new Map(previous?.arrivals?.ignored);
  const counted = countSkippedRows(options);
  let pages = 0;
  let lastId = previous?.lastId ?? 0;
  const readPage = queuePages(async (afterId) => {
    const position = afterId === 0 ? { backfillHours: ACCOUNT_WINDOW_HOURS } : { afterId };
    const { chunks, hasMore } = await rest.queuedSamples(
      position,
      (rows) => {
        const samples = convert(rows, toScalarSample);
        addNewest(newest, samples, sinceMs, ignored);
        return samples;
      },
      counted.options,
    );
    return { samples: chunks.flat(), hasMore };
  });
  for await (const { items, hasMore, next } of readPages(readPage, lastId)) {
    pages += 1;
    lastId = next;
    const span = { fromMs: previous?.readAtMs ?? sinceMs, toMs: startMs };
    const remaining = hasMore ? remainingPages(items, pages, span) : 0;
    if (previous === undefined) reader.endpointStats.recordPages(template, pages + remaining);
    if (remaining > 0 && (pages + remaining > MAX_ACCOUNT_PAGES || !shouldRead(remaining))) {
      throw new BatchTooLongError(`The batch has about ${remaining} more pages.`);
    }
  }
  if (counted.skippedRows() > 0) return emptyBatch(sinceMs, startMs);
  const arrivals = { sinceMs: previous?.arrivals?.sinceMs ?? startMs, ignored };
  return { newest, sinceMs, readAtMs: startMs, lastId, arrivals };
}

/**
 * Estimates how many pages follow this one, at least 1. Samples come in the order of arrival, so the newest date of a
 * page shows which part of the window has been read. Dates ahead of now are ignored. A page of late samples shows
 * nothing, and counts as 1.
 */
export function remainingPages(
  page: readonly TimedSample[],
  pages: number,
  { fromMs, toMs }: { fromMs: number; toMs: number },
): number {
  const reachedMs = page.reduce((newestMs, { sampledAt }) => {
    const ms = parseDate(sampledAt);
    return ms > toMs ? newestMs : Math.max(newestMs, ms);
  }, fromMs);
  const part = Math.min(1, (reachedMs - fromMs) / Math.max(1, toMs - fromMs));
  return part === 0 ? 1 : Math.max(1, Math.ceil(pages / part) - pages);
}

/**
 * Stores the map as a list of samples, because JSON has no maps. The arrivals are left out: another process compares them
 * with entries of another clock.
 */
const recentCodec: Pick<ReadRequest<RecentSamples>, 'serialize' | 'deserialize'> = {
  serialize: ({ newest, arrivals: _, ...rest }) => ({ samples: [...newest.values()], ...rest }),
  deserialize: (stored) => {
    const { samples, ...rest } = stored as Omit<RecentSamples, 'newest'> & { samples: ScalarSample[] };
    return { newest: new Map(samples.map((sample) => [sample.streamId, sample])), ...rest };
  },
};
