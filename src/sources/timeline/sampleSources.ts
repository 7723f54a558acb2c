/** Samples of all three kinds: the newest of a stream, samples after an id, and samples in a span of time. */
import { DAY_MS, HOUR_MS, SECOND_MS } from '../../lib/clock.js';
import type { CallOptions } from '../../rest/callRecord.js';
import type { RowBatch, TypedEndpoint } from '../../rest/endpointKinds.js';
import type { PathValue } from '../../rest/path.js';
import type { RestClient } from '../../rest/restClient.js';
import { type ColumnTable, joinSorted } from '../../timeseries/columnTable.js';
import { readOne } from '../core/keyedSource.js';
import { inOrderOfArrival } from '../core/paginator.js';
import type { Reader } from '../core/reader.js';
import { convert, createDateParser } from '../core/wireValues.js';
import type { StreamReference } from '../entities/streams.js';
import { createAccountRfidReads, createLastOfKind, readQueuedReads } from '../samples/accountBatches.js';
import { LastSamples } from '../samples/lastSamples.js';
import { mergeSources, type SampleSource, type TimedSample } from '../samples/samplePages.js';
import {
  convertBatch,
  type ImageSample,
  type ScalarSample,
  toImageSample,
  toRfidSample,
  toScalarSample,
} from '../samples/samples.js';
import { createSampleByIdLoader } from '../samples/samplesById.js';
import { markStaleBefore } from './arrivedRows.js';
import { createRangePaginator, type RangePaginator } from './rangePaginator.js';
import { lastSecond, rowsBefore } from './sampleTable.js';
import { checkAscending, Timeline, type TimelineSource } from './timeline.js';
import type { Timelines } from './timelines.js';

/** Cameras send a few images a day. */
const IMAGE_WINDOW_HOURS = 24;
/** Readers send every few minutes. */
const RFID_WINDOW_HOURS = 6;

export type Samples = ReturnType<typeof createSamples>;

export function createSamples(rest: RestClient, reader: Reader, timelines: Timelines, nowMs: () => number) {
  const { arrivedSamples } = timelines;
  const newest = new LastSamples(rest, reader, nowMs, timelines);
  const last = (stream: StreamReference) => newest.load(stream);
  /** Responses from before these times are used only if the platform fails: polls have returned samples that they lack. */
  const streamChangedAtMs = (streamId: number) => arrivedSamples?.changedAtMs(streamId);
  const anyChangedAtMs = () => arrivedSamples?.changedAtMs();
  const lastImages = createLastOfKind(reader, nowMs, {
    name: 'last images of streams',
    single: readOne(reader, 'lastSample', rest.lastImage, toImageSample),
    template: rest.imagesSince.template,
    windowHours: IMAGE_WINDOW_HOURS,
    readSince: (fromMs, options) => readImages(rest, fromMs, options),
  });
  const image = readOne(reader, 'image', rest.image, toImageSample);
  const imagesOfStreamSince = since(reader, nowMs, rest.streamImagesSince, toImageSample);
  const imagesOfAccount = {
    template: rest.imagesSince.template,
    parameter: 'account',
    read: (fromMs: number, options: CallOptions) => readImages(rest, fromMs, options),
  };
  const lastReads = createLastOfKind(reader, nowMs, {
    name: 'last RFID reads of streams',
    single: readOne(reader, 'lastSample', rest.lastRfidRead, toRfidSample),
    template: rest.queuedRfidReads.template,
    windowHours: RFID_WINDOW_HOURS,
    readSince: (_fromMs, options) => readQueuedReads(rest, { backfillHours: RFID_WINDOW_HOURS }, options),
  });
  const rfidReadsOfSiteSince = since(reader, nowMs, rest.siteRfidReadsSince, toRfidSample);
  const rfidReadsOfStreamAfter = arrivals(reader, rest.streamRfidReadsAfter, toRfidSample);
  return {
    /** Limits the streams that are read at once. */
    runLimited: timelines.runLimited,
    prefetchLast: (siteCount: number) => newest.prefetch(siteCount),
    prefetchLastAtSite: (siteId: number, streams: readonly StreamReference[]) =>
      newest.prefetchAtSite(siteId, streams),
    last,
    /** The newest numeric samples in batches, without a call for each stream. */
    recent: (streams: readonly StreamReference[]) => newest.recent(streams),
    scalarById: createSampleByIdLoader(arrivals(reader, rest.streamSamplesAfter, toScalarSample)),
    ofStreamAfter: arrivals(reader, rest.streamSamplesAfter, toScalarSample, streamChangedAtMs),
    arrivedBefore: createEarlierArrivals(rest, reader),
    ofSiteAfter: arrivals(reader, rest.siteSamplesAfter, toScalarSample, anyChangedAtMs),
    ofStreamSince: since(reader, nowMs, rest.streamSamplesSince, toScalarSample, streamChangedAtMs),
    ofSiteSince: since(reader, nowMs, rest.siteSamplesSince, toScalarSample, anyChangedAtMs),
    /** Pages of a stream over any span of time. */
    inRange: (stream: StreamReference): RangePaginator =>
      createRangePaginator({
        timeline: timelines.samples(stream.id),
        streamId: stream.id,
        nowMs,
        readsAhead: !reader.options.noCache,
        prefetch: (span, maxRows) => timelines.prefetch({ stream, span, maxRows }),
        async newestMs() {
          const sample = await last(stream);
          return sample && Date.parse(sample.sampledAt);
        },
      }),
    lastImage: (streamId: number) => lastImages.load(streamId),
    image: (id: number) => reader.load(image.lookup(id)),
    imagesOfStreamSince,
    imagesSince: () => cacheByDay(imagesOfAccount, reader, nowMs),
    /** The platform cannot list the images of a site, so the images of its streams are merged. */
    imagesOfStreamsSince: (streamIds: readonly number[]) => mergeSources(streamIds.map(imagesOfStreamSince)),
    lastRfidRead: (streamId: number) => lastReads.load(streamId),
    rfidReadById: createSampleByIdLoader(rfidReadsOfStreamAfter),
    rfidReadsOfStreamAfter,
    rfidReadsOfStreamSince: since(reader, nowMs, rest.streamRfidReadsSince, toRfidSample),
    rfidReadsOfSiteSince,
    /** All reads since a time, and at most 50,000. */
    rfidReadsOfAccount: createAccountRfidReads({ rest, reader, nowMs, ofSiteSince: rfidReadsOfSiteSince }),
  };
}

/** The images of the account. Bypasses the cache. */
export function imagesSince(rest: RestClient): SampleSource<ImageSample> {
  return async (fromMs) => {
    const { samples, hasMore } = await readImages(rest, fromMs, {});
    return { items: samples, hasMore };
  };
}

async function readImages(rest: RestClient, fromMs: number, options: CallOptions) {
  return convertBatch(await rest.imagesSince(fromMs, options), toImageSample);
}

/** When a poll last returned a sample of the parent, in Unix milliseconds. Undefined if that is not known. */
type ChangedAt = (parentId: number) => number | undefined;

/** Samples of a parent since a date. */
function since<Row, Sample extends TimedSample>(
  reader: Reader,
  nowMs: () => number,
  endpoint: TypedEndpoint<[number, number], RowBatch<Row>>,
  toSample: (row: Row) => Sample | null,
  toChangedAtMs?: ChangedAt,
) {
  return (parentId: number): SampleSource<Sample> => {
    const read = async (fromMs: number, options: CallOptions) =>
      convertBatch(await endpoint(parentId, fromMs, options), toSample);
    const changedAtMs = () => toChangedAtMs?.(parentId);
    return cacheByDay({ template: endpoint.template, parameter: parentId, read, changedAtMs }, reader, nowMs);
  };
}

/** The level of a sample depends on those from this long before it on, and from its false alarm filter before that. */
const LOOK_BACK_MS = 2 * HOUR_MS;
/** Longer filters are cut off, so that one call returns the span. */
const MAX_LOOK_BACK_MS = 7 * DAY_MS;
/** Maximum samples before another one. */
const MAX_EARLIER = 1000;

/**
 * Loads samples of a stream that arrived before the sample `before`, by rising id: the newest by date of those that were
 * measured from two hours and `filterMs` before it on. The last arrivals may all be late, so they do not have to contain
 * the newest sample. They are added only if the span has no number, or more samples than one response. All
 * subscriptions share the calls.
 */
function createEarlierArrivals(rest: RestClient, reader: Reader) {
  return (
    streamId: number,
    before: Pick<ScalarSample, 'id' | 'sampledAt'>,
    filterMs = 0,
  ): Promise<readonly ScalarSample[]> => {
    const lookBackMs = Math.min(LOOK_BACK_MS + filterMs, MAX_LOOK_BACK_MS);
    return reader.read({
      kind: 'samplesOpen',
      template: rest.streamSamplesSince.template,
      parameter: `${streamId} before ${before.id} ${lookBackMs}`,
      async load(options) {
        const toEarlier = (rows: readonly Parameters<typeof toScalarSample>[0][]) =>
          convert(rows, toScalarSample).filter(({ id }) => id < before.id);
        const beforeMs = Date.parse(before.sampledAt);
        const around = await readSamplesAround(rest, streamId, beforeMs, lookBackMs, options);
        const earlier = toEarlier(around.samples).slice(-MAX_EARLIER);
        const isComplete = !around.hasMore && earlier.some(({ value }) => value !== null);
        const arrivals = isComplete ? [] : await rest.streamSamplesAfter(streamId, undefined, options);
        return inOrderOfArrival([...earlier, ...toEarlier(arrivals)]);
      },
    });
  };
}

/**
 * The samples of a stream from `lookBackMs` before a date up to the date and beyond. A response contains the oldest
 * samples of its span, so if it ends before the date, half the span is read instead.
 */
async function readSamplesAround(
  rest: RestClient,
  streamId: number,
  dateMs: number,
  lookBackMs: number,
  options: CallOptions,
) {
  for (let spanMs = lookBackMs; ; spanMs /= 2) {
    const batch = await rest.streamSamplesSince(streamId, dateMs - spanMs, options);
    const reachedMs = createDateParser()(batch.samples.at(-1)?.sample_date ?? '');
    if (!batch.hasMore || reachedMs > dateMs || spanMs < SECOND_MS) return batch;
  }
}

/** Up to 100 samples of a parent after an id, by rising id; without an id, the newest. */
function arrivals<Row, Sample extends { id: number }>(
  reader: Reader,
  endpoint: TypedEndpoint<[number, number | undefined], readonly Row[]>,
  toSample: (row: Row) => Sample | null,
  toChangedAtMs?: ChangedAt,
) {
  return (parentId: number, afterId: number | undefined): Promise<readonly Sample[]> =>
    reader.read({
      kind: 'samplesOpen',
      template: endpoint.template,
      parameter: `${parentId} ${afterId ?? 'newest'}`,
      changedAtMs: toChangedAtMs && (toChangedAtMs(parentId) ?? Number.NEGATIVE_INFINITY),
      async load(options) {
        const samples = convert(await endpoint(parentId, afterId, options), toSample);
        return inOrderOfArrival(samples);
      },
    });
}

/** Number of columns of a table that stores samples as text: only the id. */
const TEXT_COLUMNS = 1;

interface SinceEndpoint<Sample> {
  template: string;
  parameter: PathValue;
  /** Reads the samples since a date, up to the platform's maximum. */
  read(fromMs: number, options: CallOptions): Promise<RowBatch<Sample>>;
  /** Pages that were loaded before this time are read again. */
  changedAtMs?(): number | undefined;
}

/**
 * A source of samples since a date, which are cached by day. Images and RFID reads have no columns of numbers, so each is
 * stored as JSON text. The endpoints have no end and no limit: one call loads all samples up to the platform's maximum,
 * and the following small pages come from the page store.
 */
function cacheByDay<Sample extends TimedSample>(
  endpoint: SinceEndpoint<Sample>,
  reader: Reader,
  nowMs: () => number,
): SampleSource<Sample> {
  const timeline = new Timeline(createSinceSource(endpoint), reader, nowMs);
  return async (fromMs, limit) => {
    const items: Sample[] = [];
    const span = { fromMs, toMs: Number.POSITIVE_INFINITY };
    for await (const { table } of timeline.readSegments(span)) {
      for (const id of table.columns[0] ?? []) {
        if (items.length === limit) return { items, hasMore: true };
        items.push(JSON.parse(table.texts.get(id) ?? 'null') as Sample);
      }
    }
    return { items, hasMore: false };
  };
}

function createSinceSource<Sample extends TimedSample>(endpoint: SinceEndpoint<Sample>): TimelineSource {
  const { template, parameter } = endpoint;
  return {
    template,
    parameter,
    stepMs: SECOND_MS,
    withArrivals: (page) => markStaleBefore(page, endpoint.changedAtMs?.()),
    /** The last second of an incomplete response may lack samples, so it is left to the next call. */
    async fetch({ fromMs }, _limit, options) {
      const { samples, hasMore } = await endpoint.read(fromMs, options);
      const times = Float64Array.from(samples, ({ sampledAt }) => Date.parse(sampledAt));
      if (hasMore) checkAscending(template, times);
      const table = toTextTable(samples, times);
      const toMs = lastSecond(table);
      return hasMore
        ? { table: rowsBefore(table, toMs), fromMs, toMs }
        : { table, fromMs, toMs: Number.POSITIVE_INFINITY };
    },
  };
}

function toTextTable(samples: readonly TimedSample[], times: Float64Array): ColumnTable {
  const table = {
    times,
    columns: [Float64Array.from(samples, ({ id }) => id)],
    texts: new Map(samples.map((sample) => [sample.id, JSON.stringify(sample)])),
  };
  return joinSorted([table], TEXT_COLUMNS);
}
