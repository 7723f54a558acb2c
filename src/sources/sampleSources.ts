/** Samples of all three kinds: the newest of a stream, those behind an id, and those of a span of time. */
import DataLoader from 'dataloader';
import { settleEach } from '../lib/settleEach.js';
import type { Batch, CallOptions } from '../rest/restCaller.js';
import type { RestClient } from '../rest/restClient.js';
import { LARGEST_PAGE, type SamplePage, type SampleSource } from './samplePages.js';
import {
  type ImageSample,
  type RfidSample,
  type ScalarSample,
  toImageSample,
  toRfidSample,
  toScalarSample,
} from './samples.js';

export type Samples = ReturnType<typeof createSamples>;

export function createSamples(rest: RestClient, options: CallOptions) {
  const last = createLastLoader((streamId) => rest.lastSample(streamId, options), toScalarSample);
  const lastImage = createLastLoader((streamId) => rest.lastImage(streamId, options), toImageSample);
  const lastRfid = createLastLoader((streamId) => rest.lastRfidRead(streamId, options), toRfidSample);

  return {
    last: (streamId: number) => last.load(streamId),
    lastImage: (streamId: number) => lastImage.load(streamId),
    lastRfidRead: (streamId: number) => lastRfid.load(streamId),

    ofStreamAfter: async (streamId: number, afterId: number | undefined) =>
      convert(await rest.streamSamplesAfter(streamId, afterId, options), toScalarSample),
    ofSiteAfter: async (siteId: number, afterId: number | undefined) =>
      convert(await rest.siteSamplesAfter(siteId, afterId, options), toScalarSample),
    rfidReadsOfStreamAfter: async (streamId: number, afterId: number | undefined) =>
      convert(await rest.streamRfidReadsAfter(streamId, afterId, options), toRfidSample),

    inRange:
      (streamId: number, toMs: number): SampleSource<ScalarSample> =>
      async (fromMs, limit) =>
        upTo(
          toMs,
          convertBatch(
            await rest.streamSampleRange(
              streamId,
              { fromMs, toMs: ceilToSecond(toMs), limit: Math.min(limit, LARGEST_PAGE) },
              options,
            ),
            toScalarSample,
          ),
        ),
    ofStreamSince:
      (streamId: number): SampleSource<ScalarSample> =>
      async (fromMs) =>
        convertBatch(await rest.streamSamplesSince(streamId, fromMs, options), toScalarSample),
    ofSiteSince:
      (siteId: number): SampleSource<ScalarSample> =>
      async (fromMs) =>
        convertBatch(await rest.siteSamplesSince(siteId, fromMs, options), toScalarSample),
    imagesSince: (): SampleSource<ImageSample> => async (fromMs) =>
      convertBatch(await rest.imagesSince(fromMs, options), toImageSample),
    imagesOfStreamSince:
      (streamId: number): SampleSource<ImageSample> =>
      async (fromMs) =>
        convertBatch(await rest.streamImagesSince(streamId, fromMs, options), toImageSample),
    rfidReadsOfSiteSince:
      (siteId: number): SampleSource<RfidSample> =>
      async (fromMs) =>
        convertBatch(await rest.siteRfidReadsSince(siteId, fromMs, options), toRfidSample),
    rfidReadsOfStreamSince:
      (streamId: number): SampleSource<RfidSample> =>
      async (fromMs) =>
        convertBatch(await rest.streamRfidReadsSince(streamId, fromMs, options), toRfidSample),

    async image(id: number): Promise<ImageSample | null> {
      const row = await rest.image(id, options);
      return row && toImageSample(row);
    },
  };
}

/** The newest sample of each stream; null where a stream has none of this kind. */
function createLastLoader<Row, Sample>(
  fetchLast: (streamId: number) => Promise<Row | null>,
  toSample: (row: Row) => Sample | null,
): DataLoader<number, Sample | null> {
  return new DataLoader((streamIds) =>
    settleEach(streamIds, async (streamId) => {
      const row = await fetchLast(streamId);
      return row && toSample(row);
    }),
  );
}

export function convert<Row, Sample>(rows: readonly Row[], toSample: (row: Row) => Sample | null): Sample[] {
  return rows.map(toSample).filter((sample) => sample !== null);
}

export function convertBatch<Row, Sample>(
  batch: Batch<Row>,
  toSample: (row: Row) => Sample | null,
): SamplePage<Sample> {
  return { samples: convert(batch.samples, toSample), hasMore: batch.hasMore };
}

/** The platform's ranges hold both ends; ours end before `toMs`. */
function upTo(toMs: number, page: SamplePage<ScalarSample>): SamplePage<ScalarSample> {
  const samples = page.samples.filter((sample) => Date.parse(sample.sampledAt) < toMs);
  return { samples, hasMore: page.hasMore && samples.length === page.samples.length };
}

function ceilToSecond(ms: number): number {
  return Math.ceil(ms / 1000) * 1000;
}
