/** The timelines of all streams: samples as they are, and as the platform folds them; so many are read at once. */
import { limitConcurrency } from '../lib/limitConcurrency.js';
import type { RestClient } from '../rest/restClient.js';
import { createFrameSource } from './frameSource.js';
import { createRangeSource } from './rangeSource.js';
import type { Reader } from './reader.js';
import { createTimeline, type Timeline } from './timeline.js';

/** Streams that one operation reads over time at once: it may ask for hundreds. */
const MOST_AT_ONCE = 4;

export interface Timelines {
  samples(streamId: number): Timeline;
  /** `minutes` is one of the platform's frames. */
  frames(streamId: number, minutes: number): Timeline;
  /** Waits for its turn. */
  inTurn<Value>(work: () => Promise<Value>): Promise<Value>;
}

export function createTimelines(rest: RestClient, reader: Reader, nowMs: () => number): Timelines {
  return {
    samples: (streamId) => createTimeline(createRangeSource(rest, streamId), reader, nowMs),
    frames: (streamId, minutes) => createTimeline(createFrameSource(rest, streamId, minutes), reader, nowMs),
    inTurn: limitConcurrency(MOST_AT_ONCE),
  };
}
