/** The timelines of all streams: samples as they are, and as the platform folds them; so many are read at once. */
import { badInput, type GatewayError } from '../errors.js';
import { limitConcurrency } from '../lib/limitConcurrency.js';
import type { RestClient } from '../rest/restClient.js';
import { createFrameSource } from './frameSource.js';
import { createRangeSource } from './rangeSource.js';
import type { Reader } from './reader.js';
import { createTimeline, type Timeline } from './timeline.js';

/** Streams that one operation reads over time at once: it may ask for hundreds. */
const MOST_AT_ONCE = 4;
/** Rows that one operation may read for folds and charts: they are all in memory together, in up to 90 bytes each. */
const MOST_ROWS = 2_000_000;

export interface Timelines {
  samples(streamId: number): Timeline;
  /** `minutes` is one of the platform's frames. */
  frames(streamId: number, minutes: number): Timeline;
  /** Told of rows before they are held. Throws BAD_USER_INPUT where the operation has read too many. */
  admitRows(count: number): void;
  /** Waits for its turn. */
  inTurn<Value>(work: () => Promise<Value>): Promise<Value>;
}

export function createTimelines(rest: RestClient, reader: Reader, nowMs: () => number): Timelines {
  let rows = 0;
  return {
    samples: (streamId) => createTimeline(createRangeSource(rest, streamId), reader, nowMs),
    frames: (streamId, minutes) => createTimeline(createFrameSource(rest, streamId, minutes), reader, nowMs),
    admitRows(count) {
      rows += count;
      if (rows > MOST_ROWS) throw tooManyRows();
    },
    inTurn: limitConcurrency(MOST_AT_ONCE),
  };
}

function tooManyRows(): GatewayError {
  return badInput(
    'range',
    `takes more than ${MOST_ROWS} samples together with what else was asked; take shorter ranges or longer intervals.`,
  );
}
