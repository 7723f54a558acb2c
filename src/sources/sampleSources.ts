/** Samples of all three kinds: the newest of a stream, those behind an id, and those of a span of time. */
import type { Endpoint } from '../rest/endpointKinds.js';
import type { Batch, CallOptions } from '../rest/restCaller.js';
import type { RestClient } from '../rest/restClient.js';
import type { RowOf } from '../rest/rowDecoder.js';
import type { imageSampleRow, rfidSampleRow } from '../rest/rows.js';
import { readOne } from './answers.js';
import type { StreamPlace } from './customAttributes.js';
import { createLastSampleLoader } from './lastSamples.js';
import { createKeyedLoader } from './loaders.js';
import { mergeSources } from './mergedSamples.js';
import { createRangeWalk, type RangeWalk } from './rangeWalk.js';
import type { Reader } from './reader.js';
import type { SampleSource } from './samplePages.js';
import {
  convert,
  convertBatch,
  type ImageSample,
  type RfidSample,
  toImageSample,
  toRfidSample,
  toScalarSample,
} from './samples.js';
import type { Timelines } from './timelines.js';

type ImageRow = RowOf<typeof imageSampleRow>;
type RfidRow = RowOf<typeof rfidSampleRow>;

export type Samples = ReturnType<typeof createSamples>;

export function createSamples(rest: RestClient, reader: Reader, timelines: Timelines, nowMs: () => number) {
  const { options } = reader;
  const last = createLastSampleLoader(rest, reader, nowMs);
  const lastImage = createKeyedLoader(
    readOne<number, ImageRow, ImageSample>(reader, 'lastSample', rest.lastImage, toImageSample),
  );
  const lastRfidRead = createKeyedLoader(
    readOne<number, RfidRow, RfidSample>(reader, 'lastSample', rest.lastRfidRead, toRfidSample),
  );
  const image = readOne<number, ImageRow, ImageSample>(reader, 'image', rest.image, toImageSample);

  return {
    expectLast: last.expect,
    last: ({ id, siteId }: StreamPlace) => last.load({ id, siteId }),
    lastImage: (streamId: number) => lastImage.load(streamId),
    lastRfidRead: (streamId: number) => lastRfidRead.load(streamId),
    image: (id: number) => image.load(id),

    ofStreamAfter: arrivals(rest.streamSamplesAfter, toScalarSample, options),
    ofSiteAfter: arrivals(rest.siteSamplesAfter, toScalarSample, options),
    rfidReadsOfStreamAfter: arrivals(rest.streamRfidReadsAfter, toRfidSample, options),

    /** Of a stream over any span of time, in pages. */
    inRange({ id, siteId }: StreamPlace): RangeWalk {
      const newestMs = async () => toMs(await last.load({ id, siteId }));
      const readsAhead = !options.noCache;
      return createRangeWalk({ timeline: timelines.samples(id), streamId: id, nowMs, readsAhead, newestMs });
    },
    /** For whoever asks for many streams. */
    inTurn: timelines.inTurn,
    ofStreamSince: since(rest.streamSamplesSince, toScalarSample, options),
    ofSiteSince: since(rest.siteSamplesSince, toScalarSample, options),
    imagesOfStreamSince: since(rest.streamImagesSince, toImageSample, options),
    rfidReadsOfSiteSince: since(rest.siteRfidReadsSince, toRfidSample, options),
    rfidReadsOfStreamSince: since(rest.streamRfidReadsSince, toRfidSample, options),
    imagesSince: () => imagesSince(rest, options),
    /** The platform has no images of a site: those of its streams are put together. */
    imagesOfStreamsSince: (streamIds: readonly number[]) =>
      mergeSources(streamIds.map(since(rest.streamImagesSince, toImageSample, options))),
  };
}

/** The whole account's images. */
export function imagesSince(rest: RestClient, options: CallOptions): SampleSource<ImageSample> {
  return async (fromMs) => convertBatch(await rest.imagesSince(fromMs, options), toImageSample);
}

/** Up to 100 of a parent's samples behind an id, or its newest. */
function arrivals<Row, Sample>(
  endpoint: Endpoint<[number, number | undefined], readonly Row[]>,
  toSample: (row: Row) => Sample | null,
  options: CallOptions,
) {
  return async (parentId: number, afterId: number | undefined): Promise<Sample[]> =>
    convert(await endpoint(parentId, afterId, options), toSample);
}

/** A parent's samples from a date on. */
function since<Row, Sample>(
  endpoint: Endpoint<[number, number], Batch<Row>>,
  toSample: (row: Row) => Sample | null,
  options: CallOptions,
) {
  return (parentId: number): SampleSource<Sample> =>
    async (fromMs) =>
      convertBatch(await endpoint(parentId, fromMs, options), toSample);
}

function toMs(sample: { sampledAt: string } | null): number | null {
  return sample && Date.parse(sample.sampledAt);
}
