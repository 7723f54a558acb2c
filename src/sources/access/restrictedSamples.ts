/** Samples for callers who are held to organizations: those of streams and sites that are seen. */
import { ChunkedList } from '../../lib/chunkedList.js';
import type { Series, SeriesLoader, SeriesMethod } from '../charts/series.js';
import {
  readAllSamples,
  type SamplePage,
  type SampleSource,
  type TimedSample,
} from '../samples/samplePages.js';
import type { ScalarSample } from '../samples/samples.js';
import type { Sources } from '../sources.js';
import type { RangePaginator } from '../timeline/rangePaginator.js';
import type { Samples } from '../timeline/sampleSources.js';
import type { Visibility } from './visibility.js';

export function restrictSamples({ samples, streams }: Sources, visibility: Visibility): Samples {
  const { seesSite, canSeeStream } = visibility;
  return {
    prefetchLast: samples.prefetchLast,
    last: async (stream) => ((await canSeeStream(stream.id)) ? samples.last(stream) : null),
    lastImage: async (id) => ((await canSeeStream(id)) ? samples.lastImage(id) : null),
    lastRfidRead: async (id) => ((await canSeeStream(id)) ? samples.lastRfidRead(id) : null),
    async image(id) {
      const [image] = await Promise.all([samples.image(id), streams.all(), visibility.visibleSites()]);
      return image && (await canSeeStream(image.streamId)) ? image : null;
    },

    scalarById: async (key) => ((await canSeeStream(key.streamId)) ? samples.scalarById(key) : null),
    rfidReadById: async (key) => ((await canSeeStream(key.streamId)) ? samples.rfidReadById(key) : null),

    ofStreamAfter: async (id, afterId) =>
      (await canSeeStream(id)) ? samples.ofStreamAfter(id, afterId) : [],
    ofSiteAfter: async (id, afterId) => ((await seesSite(id)) ? samples.ofSiteAfter(id, afterId) : []),
    rfidReadsOfStreamAfter: async (id, afterId) =>
      (await canSeeStream(id)) ? samples.rfidReadsOfStreamAfter(id, afterId) : [],

    inRange: (stream) => restrictPaginator(samples.inRange(stream), () => canSeeStream(stream.id)),
    inTurn: samples.inTurn,
    ofStreamSince: (id) => restrictSource(samples.ofStreamSince(id), () => canSeeStream(id)),
    ofSiteSince: (id) => restrictSource(samples.ofSiteSince(id), () => seesSite(id)),
    imagesOfStreamSince: (id) => restrictSource(samples.imagesOfStreamSince(id), () => canSeeStream(id)),
    rfidReadsOfSiteSince: (id) => restrictSource(samples.rfidReadsOfSiteSince(id), () => seesSite(id)),
    rfidReadsOfStreamSince: (id) =>
      restrictSource(samples.rfidReadsOfStreamSince(id), () => canSeeStream(id)),
    imagesOfStreamsSince: (ids) => async (fromMs, limit) => {
      const isSeen = await Promise.all(ids.map(canSeeStream));
      return samples.imagesOfStreamsSince(ids.filter((_, index) => isSeen[index]))(fromMs, limit);
    },
    imagesSince: () =>
      filterSourceAsync(samples.imagesSince(), async (page) => {
        await streams.all();
        const isSeen = await Promise.all(page.map(({ streamId }) => canSeeStream(streamId)));
        return page.filter((_, index) => isSeen[index]);
      }),
  };
}

export function restrictSeries({ series }: Sources, { canSeeStream }: Visibility): SeriesLoader {
  return {
    ofStream: async (request) =>
      (await canSeeStream(request.streamId)) ? series.ofStream(request) : emptySeries(request.method),
    async ofStreams({ streamIds, ...request }) {
      const isSeen = await Promise.all(streamIds.map(canSeeStream));
      return series.ofStreams({ ...request, streamIds: streamIds.filter((_, index) => isSeen[index]) });
    },
  };
}

/** What a stream without a sample has. */
function emptySeries(method: SeriesMethod): Series {
  const nothing = { times: [], values: [], min: [], max: [], sourceCount: 0, coverage: 0 };
  return { ...nothing, reduced: false, method, source: 'SAMPLES' };
}

/** All of a walk, or as if there were nothing to walk over. */
function restrictPaginator(paginator: RangePaginator, isSeen: () => Promise<boolean>): RangePaginator {
  const nothing = { samples: new ChunkedList<ScalarSample>([]), hasMore: false };
  return {
    oldestFirst: async (request) => ((await isSeen()) ? paginator.oldestFirst(request) : nothing),
    newestFirst: async (request) => ((await isSeen()) ? paginator.newestFirst(request) : nothing),
    count: async (span) => ((await isSeen()) ? paginator.count(span) : 0),
  };
}

/** All of a source, or as if it had nothing. */
function restrictSource<Sample>(
  source: SampleSource<Sample>,
  isSeen: () => Promise<boolean>,
): SampleSource<Sample> {
  return async (fromMs, limit) => {
    const nothing: SamplePage<Sample> = { samples: [], hasMore: false };
    return (await isSeen()) ? source(fromMs, limit) : nothing;
  };
}

/**
 * A part of a source. It reads on until there is as much as was asked for, or no more: a page that the filter
 * leaves nothing of would otherwise look like a second with more samples than can be paged through.
 */
export function filterSourceAsync<Sample extends TimedSample>(
  source: SampleSource<Sample>,
  filter: (samples: Sample[]) => Promise<Sample[]>,
): SampleSource<Sample> {
  return async (fromMs, limit) => {
    const taken: Sample[] = [];
    for await (const page of readAllSamples(source, fromMs)) {
      for (const sample of await filter(page)) taken.push(sample);
      if (taken.length >= limit) return { samples: taken, hasMore: true };
    }
    return { samples: taken, hasMore: false };
  };
}
