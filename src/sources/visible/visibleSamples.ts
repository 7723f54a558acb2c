/** Samples for callers who are held to organizations: those of streams and sites that are seen. */
import { PiecedList } from '../../lib/piecedList.js';
import type { RangeWalk } from '../rangeWalk.js';
import { type SamplePage, type SampleSource, type TimedSample, walkSamples } from '../samplePages.js';
import type { Samples } from '../sampleSources.js';
import type { ScalarSample } from '../samples.js';
import type { Series, SeriesLoader, SeriesMethod } from '../series.js';
import type { Sources } from '../sources.js';
import type { Visibility } from './visibility.js';

export function restrictSamples({ samples, streams }: Sources, visibility: Visibility): Samples {
  const { seesSite, seesStream } = visibility;
  return {
    expectLast: samples.expectLast,
    last: async (stream) => ((await seesStream(stream.id)) ? samples.last(stream) : null),
    lastImage: async (id) => ((await seesStream(id)) ? samples.lastImage(id) : null),
    lastRfidRead: async (id) => ((await seesStream(id)) ? samples.lastRfidRead(id) : null),
    async image(id) {
      const [image] = await Promise.all([samples.image(id), streams.all(), visibility.sites()]);
      return image && (await seesStream(image.streamId)) ? image : null;
    },

    scalarById: async (key) => ((await seesStream(key.streamId)) ? samples.scalarById(key) : null),
    rfidReadById: async (key) => ((await seesStream(key.streamId)) ? samples.rfidReadById(key) : null),

    ofStreamAfter: async (id, afterId) => ((await seesStream(id)) ? samples.ofStreamAfter(id, afterId) : []),
    ofSiteAfter: async (id, afterId) => ((await seesSite(id)) ? samples.ofSiteAfter(id, afterId) : []),
    rfidReadsOfStreamAfter: async (id, afterId) =>
      (await seesStream(id)) ? samples.rfidReadsOfStreamAfter(id, afterId) : [],

    inRange: (stream) => walkWhereSeen(samples.inRange(stream), () => seesStream(stream.id)),
    inTurn: samples.inTurn,
    ofStreamSince: (id) => whereSeen(samples.ofStreamSince(id), () => seesStream(id)),
    ofSiteSince: (id) => whereSeen(samples.ofSiteSince(id), () => seesSite(id)),
    imagesOfStreamSince: (id) => whereSeen(samples.imagesOfStreamSince(id), () => seesStream(id)),
    rfidReadsOfSiteSince: (id) => whereSeen(samples.rfidReadsOfSiteSince(id), () => seesSite(id)),
    rfidReadsOfStreamSince: (id) => whereSeen(samples.rfidReadsOfStreamSince(id), () => seesStream(id)),
    imagesOfStreamsSince: (ids) => async (fromMs, limit) => {
      const isSeen = await Promise.all(ids.map(seesStream));
      return samples.imagesOfStreamsSince(ids.filter((_, index) => isSeen[index]))(fromMs, limit);
    },
    imagesSince: () =>
      filterSource(samples.imagesSince(), async (page) => {
        await streams.all();
        const isSeen = await Promise.all(page.map(({ streamId }) => seesStream(streamId)));
        return page.filter((_, index) => isSeen[index]);
      }),
  };
}

export function restrictSeries({ series }: Sources, { seesStream }: Visibility): SeriesLoader {
  return {
    ofStream: async (request) =>
      (await seesStream(request.streamId)) ? series.ofStream(request) : emptySeries(request.method),
    async ofStreams({ streamIds, ...request }) {
      const isSeen = await Promise.all(streamIds.map(seesStream));
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
function walkWhereSeen(walk: RangeWalk, isSeen: () => Promise<boolean>): RangeWalk {
  const nothing = { samples: new PiecedList<ScalarSample>([]), hasMore: false };
  return {
    oldestFirst: async (request) => ((await isSeen()) ? walk.oldestFirst(request) : nothing),
    newestFirst: async (request) => ((await isSeen()) ? walk.newestFirst(request) : nothing),
    count: async (span) => ((await isSeen()) ? walk.count(span) : 0),
  };
}

/** All of a source, or as if it had nothing. */
function whereSeen<Sample>(
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
export function filterSource<Sample extends TimedSample>(
  source: SampleSource<Sample>,
  filter: (samples: Sample[]) => Promise<Sample[]>,
): SampleSource<Sample> {
  return async (fromMs, limit) => {
    const taken: Sample[] = [];
    for await (const page of walkSamples(source, fromMs)) {
      for (const sample of await filter(page)) taken.push(sample);
      if (taken.length >= limit) return { samples: taken, hasMore: true };
    }
    return { samples: taken, hasMore: false };
  };
}
