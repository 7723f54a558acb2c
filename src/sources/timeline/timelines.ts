/** The timelines of all streams, with the limits of one operation. */
import { openPeriodStart } from '../../cache/policies.js';
import { createBadInputError, type GatewayError } from '../../errors.js';
import { CallGate } from '../../lib/callGate.js';
import type { RestClient } from '../../rest/restClient.js';
import type { Reader } from '../core/reader.js';
import type { ArrivedSamples } from '../samples/arrivedSamples.js';
import { createFrameSource } from './frameSource.js';
import { createRangeSource } from './rangeSource.js';
import { Timeline } from './timeline.js';

/** Streams that one operation reads over time at once; it may select hundreds. */
const MAX_CONCURRENT_STREAMS = 4;
/** Rows that one operation may read for folds and charts. They are in memory together, in up to 90 bytes each. */
const MAX_ROWS = 2_000_000;

export type Timelines = ReturnType<typeof createTimelines>;

export function createTimelines(
  rest: RestClient,
  reader: Reader,
  nowMs: () => number,
  arrivedSamples?: ArrivedSamples | undefined,
) {
  const gate = new CallGate(() => MAX_CONCURRENT_STREAMS);
  let rows = 0;
  return {
    samples: (streamId: number) =>
      new Timeline(createRangeSource(rest, streamId, arrivedSamples), reader, nowMs),
    /** `minutes` is one of PLATFORM_FRAMES. */
    frames: (streamId: number, minutes: number) =>
      new Timeline(createFrameSource(rest, streamId, minutes), reader, nowMs),
    /**
     * Frames end here; later times are read as samples. While the platform is polled, samples of the days for which samples
     * still arrive need no call, and frames would.
     */
    framesEndMs: () =>
      arrivedSamples?.coverage === undefined ? Number.POSITIVE_INFINITY : openPeriodStart(nowMs()),
    /**
     * Counts rows before they are stored; a negative number of rows that are not kept. Throws BAD_USER_INPUT where the
     * operation has read too many.
     */
    countRows(count: number): void {
      rows += count;
      if (rows > MAX_ROWS) throw createTooManyRowsError();
    },
    /** Runs the work when fewer than MAX_CONCURRENT_STREAMS others run. */
    runLimited: <Value>(work: () => Promise<Value>) => gate.run(work),
  };
}

function createTooManyRowsError(): GatewayError {
  return createBadInputError(
    'range',
    `takes more than ${MAX_ROWS} samples together with the other fields of the operation; use shorter ranges or longer intervals.`,
  );
}
