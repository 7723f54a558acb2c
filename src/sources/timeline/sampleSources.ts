/** Samples of all three kinds: the newest of a stream, samples behind an id, and samples in a span of time. */
import type { RowOf } from '../../rest/decode/rowDecoder.js';
import type { imageSampleRow, rfidSampleRow } from '../../rest/decode/rows.js';
import type { TypedEndpoint } from '../../rest/endpointKinds.js';
import type { PathValue } from '../../rest/path.js';
import type { Batch, CallOptions } from '../../rest/restCaller.js';
import type { RestClient } from '../../rest/restClient.js';
import { readOne } from '../core/collections.js';
import { createKeyedLoader } from '../core/loaders.js';
import type { Reader } from '../core/reader.js';
import type { StreamReference } from '../entities/customAttributes.js';
import { createLastSampleLoader } from '../samples/lastSamples.js';
import { mergeSources, type SampleSource, type TimedSample, toPage } from '../samples/samplePages.js';
import {
  convert,
  convertBatch,
  type ImageSample,
  type RfidSample,
  toImageSample,
  toRfidSample,
  toScalarSample,
} from '../samples/samples.js';
import { createSampleByIdLoader } from '../samples/samplesById.js';
import { createRangePaginator, type RangePaginator } from './rangePaginator.js';
import { createSinceSource, type SinceRead, toSampleSource } from './sinceSource.js';
import { createTimeline } from './timeline.js';
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

  /** Samples since a date, cached by day. */
  function cacheByDay<Sample extends TimedSample>(
    template: string,
    parameter: PathValue,
    read: SinceRead<Sample>,
  ): SampleSource<Sample> {
    return toSampleSource(createTimeline(createSinceSource({ template, parameter, read }), reader, nowMs));
  }

  /** Samples of a parent since a date. */
  function since<Row, Sample extends TimedSample>(
    endpoint: TypedEndpoint<[number, number], Batch<Row>>,
    toSample: (row: Row) => Sample | null,
  ) {
    return (parentId: number): SampleSource<Sample> =>
      cacheByDay(endpoint.template, parentId, async (fromMs, call) =>
        convertBatch(await endpoint(parentId, fromMs, call), toSample),
      );
  }

  const ofStreamAfter = arrivals(reader, rest.streamSamplesAfter, toScalarSample);
  const rfidReadsOfStreamAfter = arrivals(reader, rest.streamRfidReadsAfter, toRfidSample);
  const imagesOfStreamSince = since(rest.streamImagesSince, toImageSample);

  return {
    prefetchLast: last.prefetch,
    last: ({ id, siteId }: StreamReference) => last.load({ id, siteId }),
    lastImage: (streamId: number) => lastImage.load(streamId),
    lastRfidRead: (streamId: number) => lastRfidRead.load(streamId),
    image: (id: number) => image.load(id),

    scalarById: createSampleByIdLoader(ofStreamAfter),
    rfidReadById: createSampleByIdLoader(rfidReadsOfStreamAfter),

    ofStreamAfter,
    ofSiteAfter: arrivals(reader, rest.siteSamplesAfter, toScalarSample),
    rfidReadsOfStreamAfter,

    /** Pages of a stream over any span of time. */
    inRange({ id, siteId }: StreamReference): RangePaginator {
      const newestMs = async () => toMs(await last.load({ id, siteId }));
      const readsAhead = !options.noCache;
      return createRangePaginator({
        timeline: timelines.samples(id),
        streamId: id,
        nowMs,
        readsAhead,
        newestMs,
      });
    },
    /** Limits the streams that are read at once. */
    runLimited: timelines.runLimited,
    ofStreamSince: since(rest.streamSamplesSince, toScalarSample),
    ofSiteSince: since(rest.siteSamplesSince, toScalarSample),
    imagesOfStreamSince,
    rfidReadsOfSiteSince: since(rest.siteRfidReadsSince, toRfidSample),
    rfidReadsOfStreamSince: since(rest.streamRfidReadsSince, toRfidSample),
    imagesSince: () =>
      cacheByDay(rest.imagesSince.template, WHOLE_ACCOUNT, (fromMs, call) => readImages(rest, fromMs, call)),
    /** The platform cannot list the images of a site, so the images of its streams are merged. */
    imagesOfStreamsSince: (streamIds: readonly number[]) => mergeSources(streamIds.map(imagesOfStreamSince)),
  };
}

const WHOLE_ACCOUNT = 'account';

/** The images of the account, past the cache. */
export function imagesSince(rest: RestClient, options: CallOptions): SampleSource<ImageSample> {
  return async (fromMs) => toPage(await readImages(rest, fromMs, options));
}

async function readImages(rest: RestClient, fromMs: number, options: CallOptions) {
  return convertBatch(await rest.imagesSince(fromMs, options), toImageSample);
}

/** Up to 100 samples of a parent behind an id; without an id, the newest. */
function arrivals<Row, Sample>(
  reader: Reader,
  endpoint: TypedEndpoint<[number, number | undefined], readonly Row[]>,
  toSample: (row: Row) => Sample | null,
) {
  return (parentId: number, afterId: number | undefined): Promise<Sample[]> =>
    reader.read({
      kind: 'samplesOpen',
      template: endpoint.template,
      parameter: `${parentId} ${afterId ?? 'newest'}`,
      load: async (options) => convert(await endpoint(parentId, afterId, options), toSample),
    });
}

function toMs(sample: { sampledAt: string } | null): number | null {
  return sample && Date.parse(sample.sampledAt);
}
