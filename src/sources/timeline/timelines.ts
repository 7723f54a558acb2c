/** The timelines of all streams: samples as they are, and as the platform folds them; so many are read at once. */
import { createBadInputError, type GatewayError } from '../../errors.js';
import type { RestClient } from '../../rest/restClient.js';
import type { Reader } from '../core/reader.js';
import { createFrameSource } from './frameSource.js';
import { limitConcurrency } from './limitConcurrency.js';
import { createRangeSource } from './rangeSource.js';
import { createTimeline, type Timeline } from './timeline.js';

/** Streams that one operation reads over time at once: it may ask for hundreds. */
const MAX_CONCURRENT_STREAMS = 4;
/** Rows that one operation may read for folds and charts: they are all in memory together, in up to 90 bytes each. */
const MAX_ROWS = 2_000_000;

export interface Timelines {
  samples(streamId: number): Timeline;
  /** `minutes` is one of the platform's frames. */
  frames(streamId: number, minutes: number): Timeline;
  /** Told of rows before they are held. Throws BAD_USER_INPUT where the operation has read too many. */
  countRows(count: number): void;
  /** Waits for its turn. */
  runLimited<Value>(work: () => Promise<Value>): Promise<Value>;
}

export function createTimelines(rest: RestClient, reader: Reader, nowMs: () => number): Timelines {
  let rows = 0;
  return {
    samples: (streamId) => createTimeline(createRangeSource(rest, streamId), reader, nowMs),
    frames: (streamId, minutes) => createTimeline(createFrameSource(rest, streamId, minutes), reader, nowMs),
    countRows(count) {
      rows += count;
      if (rows > MAX_ROWS) throw createTooManyRowsError();
    },
    runLimited: limitConcurrency(MAX_CONCURRENT_STREAMS),
  };
}

function createTooManyRowsError(): GatewayError {
  return createBadInputError(
    'range',
    `takes more than ${MAX_ROWS} samples together with what else was asked; take shorter ranges or longer intervals.`,
  );
}
