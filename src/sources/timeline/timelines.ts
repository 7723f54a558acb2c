/** The timelines of all streams, with the limits of one operation. */
import { openPeriodStart } from '../../cache/policies.js';
import { createBadInputError, GatewayError } from '../../errors.js';
import { CallGate } from '../../lib/callGate.js';
import type { RestClient } from '../../rest/restClient.js';
import type { Buckets } from '../../timeseries/downsample.js';
import type { Reader } from '../core/reader.js';
import type { ArrivedSamples } from '../samples/arrivedSamples.js';
import { createFrameSource } from './frameSource.js';
import { createRangeSource } from './rangeSource.js';
import { type SampleDemand, SiteSamples } from './siteSamples.js';
import { GapJoiner, Timeline } from './timeline.js';

/** Streams whose samples over time one operation reads concurrently; it may select hundreds. */
const MAX_CONCURRENT_STREAMS = 4;
/**
 * Maximum rows that one operation may read for aggregates and charts. All of them are in memory at once, with up
 * to 90 bytes each.
 */
const MAX_ROWS = 2_000_000;

/** The rows of one read, which count for the limit of the operation. */
export interface RowCount {
  /**
   * Call it before the rows are stored. Throws BAD_USER_INPUT, and discards the read, if the operation has too many; also
   * throws after `discard`.
   */
  add(count: number): void;
  /** The rows of the read are not used. Its other parts end with their next rows. */
  discard(): void;
}

export type Timelines = ReturnType<typeof createTimelines>;

/** `countStreams`: see `SiteSamples`; by default, batches of sites are not used. */
export function createTimelines(
  rest: RestClient,
  reader: Reader,
  nowMs: () => number,
  arrivedSamples?: ArrivedSamples | undefined,
  countStreams: (siteId: number) => number | undefined = () => undefined,
) {
  const gate = new CallGate(() => MAX_CONCURRENT_STREAMS);
  const { endpointStats } = reader;
  const frameTemplate = () => rest.streamAggregation.template;
  const gaps = new GapJoiner(reader.turns);
  const samples = (streamId: number) =>
    new Timeline(createRangeSource(rest, streamId, arrivedSamples), reader, nowMs, gaps);
  const frames = (streamId: number, minutes: number) =>
    new Timeline(createFrameSource(rest, streamId, minutes, arrivedSamples), reader, nowMs, gaps);
  const siteSamples = new SiteSamples({
    rest,
    reader,
    nowMs,
    samplesOf: samples,
    framesOf: frames,
    countStreams,
  });
  /** See `SiteSamples`. */
  const prefetch = (demand: SampleDemand) => siteSamples.prefetch(demand);
  let rows = 0;
  return {
    samples,
    /** `minutes` is one of PLATFORM_FRAMES. */
    frames,
    prefetch,
    /** See `SiteSamples`. */
    newestOfSite: (siteId: number) => siteSamples.newestOf(siteId),
    /** Like `runLimited`, for work that reads the samples of the demand. */
    async runPrefetched<Value>(demand: SampleDemand, work: () => Promise<Value>): Promise<Value> {
      await prefetch(demand);
      return gate.run(work);
    },
    /**
     * Frames are used up to this time; later times are read as samples. While the platform is polled, the samples
     * of days that are still open need no call, whereas frames would.
     */
    framesEndMs: () =>
      arrivedSamples?.coverage === undefined ? Number.POSITIVE_INFINITY : openPeriodStart(nowMs()),
    arrivedSamples,
    /** Reads of samples in progress, by stream and span: fields with the same range share them. */
    sampleReads: new Map<string, Promise<Buckets>>(),
    /** Whether the endpoint of frames has recently failed while that of samples worked, or has timed out. */
    areFramesFailing: () =>
      endpointStats.isFailing(frameTemplate()) || endpointStats.hasTimedOut(frameTemplate()),
    /**
     * `error`: why frames could not be used. An error of the samples that fill partial frames says nothing about frames.
     */
    markFramesFailing(error: unknown): void {
      const endpoint = error instanceof GatewayError ? error.endpoint : undefined;
      if (endpoint === `GET ${rest.streamSampleRange.template}`) return;
      endpointStats.markFailing(frameTemplate(), false);
    },
    startRead(): RowCount {
      let counted = 0;
      let isDiscarded = false;
      const discard = () => {
        rows -= counted;
        counted = 0;
        isDiscarded = true;
      };
      const add = (count: number) => {
        if (!isDiscarded && rows + count <= MAX_ROWS) {
          rows += count;
          counted += count;
          return;
        }
        // At once, so that the other fields of the operation can use the rest of the limit.
        discard();
        const problem = `takes more than ${MAX_ROWS} samples together with the other fields of the operation`;
        throw createBadInputError('range', `${problem}; use shorter ranges or longer intervals.`);
      };
      return { add, discard };
    },
    /** Runs the work when fewer than MAX_CONCURRENT_STREAMS others run. */
    runLimited: <Value>(work: () => Promise<Value>) => gate.run(work),
  };
}
