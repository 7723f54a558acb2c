/**
 * Reads the account's batches of images and RFID reads: all RFID reads since a time, and the last image or read of each
 * stream.
 */
import { createBadInputError, GatewayError } from '../../errors.js';
import { HOUR_MS } from '../../lib/clock.js';
import { type CallOptions, countSkippedRows } from '../../rest/callRecord.js';
import type { RowOf } from '../../rest/decode/rowDecoder.js';
import type { rfidSampleRow } from '../../rest/decode/rows.js';
import type { QueuePosition, RowBatch } from '../../rest/endpointKinds.js';
import type { RestClient } from '../../rest/restClient.js';
import { Collection, type LoadedCollection, toCollection } from '../core/collections.js';
import type { KeyedSource } from '../core/keyedSource.js';
import { createPlannedLoader, type Loader } from '../core/loaders.js';
import type { ReadRequest } from '../core/lookup.js';
import { readPages, withoutRepeats } from '../core/paginator.js';
import type { Reader } from '../core/reader.js';
import { checkShape, isListOfIdentified } from '../core/storedShape.js';
import { convert } from '../core/wireValues.js';
import { addNewest, CLOCK_DIFFERENCE_MS, isLater, type StreamSample } from './newestSamples.js';
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

/** Bytes of an image or a read on the wire, estimated. */
const ROW_BYTES = 300;

interface LastOfKindOptions<Sample> {
  /** Names the relation in explanations. */
  name: string;
  /** The last sample of one stream; null if it has none. */
  single: KeyedSource<number, Sample | null>;
  /** Path template of the account's batch. */
  template: string;
  windowHours: number;
  /** The first page of the account's samples since a date. */
  readSince(sinceMs: number, options: CallOptions): Promise<RowBatch<Sample>>;
}

/**
 * The last sample of each stream for one operation. A stream without a sample in the batch has the last one that was read
 * alone, for as long as that is in memory: only a sample that arrives later than the window is missing until then.
 */
export function createLastOfKind<Sample extends StreamSample>(
  reader: Reader,
  nowMs: () => number,
  options: LastOfKindOptions<Sample>,
): Loader<number, Sample | null> {
  const { name, single } = options;
  const request = toBatchRequest(reader, nowMs, options);
  const batch = reader.lookup(request);
  return createPlannedLoader<number, Sample | null, Sample>(reader, {
    name,
    strategy: 'singles',
    collection: new Collection(reader, request),
    source: single,
    /** A stale sample never replaces a later one of a stale batch. */
    async loadOne({ key, lookup }) {
      const sample = await reader.load(lookup);
      return later(reader.inspect(batch).value?.byParent(key)[0], sample) ?? null;
    },
    pick(list, streamId) {
      if (!list.isComplete) return undefined;
      const read = reader.inspect(single.lookup(streamId));
      const value = 'origin' in read && !read.isSuspect ? read.value : undefined;
      return later(list.byParent(streamId)[0], value);
    },
  });
}

/** A platform without the batch may still have the samples of each stream. */
function toUnavailable(error: unknown): RowBatch<never> {
  if (error instanceof GatewayError && error.platform?.status === 404) return { samples: [], hasMore: true };
  throw error;
}

/** Undefined only if both are. */
function later<Sample extends StreamSample>(
  listed: Sample | undefined,
  single: Sample | null | undefined,
): Sample | null | undefined {
  if (listed === undefined || single === undefined || single === null) return listed ?? single;
  return isLater(single, listed) ? single : listed;
}

/** The newest sample of each stream, with the stream as parent. Without samples if the platform has more of them. */
function toBatchRequest<Sample extends StreamSample>(
  reader: Reader,
  nowMs: () => number,
  { template, windowHours, readSince }: LastOfKindOptions<Sample>,
): ReadRequest<LoadedCollection<Sample>> {
  const toLast = (samples: readonly Sample[], isComplete: boolean) =>
    toCollection(samples, ({ streamId }) => streamId, { isComplete, isPartial: !isComplete });
  return {
    kind: 'lastSample',
    template,
    parameter: `newest of ${windowHours} h`,
    bytesOf: ({ items }) => items.length * ROW_BYTES,
    async load(options) {
      const sinceMs = nowMs() - windowHours * HOUR_MS;
      const counted = countSkippedRows(options);
      const batch = await readSince(sinceMs, counted.options).catch(toUnavailable);
      const isComplete = !batch.hasMore && counted.skippedRows() === 0;
      reader.endpointStats.recordTruncation(template, !isComplete);
      const newest = new Map<number, Sample>();
      if (isComplete) addNewest(newest, batch.samples, sinceMs);
      return toLast([...newest.values()], isComplete);
    },
    serialize: ({ items, isComplete }) => (isComplete ? items : null),
    deserialize: (stored) => toLast(checkShape<readonly Sample[]>(stored, isListOfIdentified), true),
  };
}
