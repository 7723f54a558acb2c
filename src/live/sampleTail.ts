/** Follows one kind of sample on the platform: each step returns the samples that have arrived since the last step. */
import type { CallOptions } from '../rest/restCaller.js';
import type { RestClient } from '../rest/restClient.js';
import { drain } from '../sources/core/paginator.js';
import { readSamples, type SamplePosition, toPosition } from '../sources/samples/samplePages.js';
import {
  createSampleQueues,
  newestId,
  type QueueKind,
  type QueueReader,
  queuePages,
} from '../sources/samples/sampleQueues.js';
import type { Sample } from '../sources/samples/samples.js';
import { imagesSince } from '../sources/timeline/sampleSources.js';

export type SampleKind = 'SCALAR' | 'IMAGE' | 'RFID';

/** The last sample that a tail has returned. Queues use only its id. */
export type TailPosition = SamplePosition;

export interface SampleTail {
  /** Starts at the present: the steps return only samples that arrive later. */
  start(): Promise<void>;
  /** The samples since the last step, oldest first. */
  step(): Promise<readonly Sample[]>;
  position(): TailPosition;
}

const noOptions: CallOptions = {};

/** Ten years. */
const MAX_LOOKBACK_HOURS = 87_600;
/** An hour, a day, a month, all. */
const LOOKBACK_HOURS = [1, 24, 720, MAX_LOOKBACK_HOURS] as const;

/** With a position, which another tail has reached, the tail continues there and must not be started. */
export function createSampleTail(
  kind: SampleKind,
  rest: RestClient,
  nowMs: () => number,
  from?: TailPosition,
): SampleTail {
  return kind === 'IMAGE' ? createImageTail(rest, nowMs, from) : createQueueTail(kind, rest, from);
}

/**
 * Reads a queue behind an id; behind 0, all of it. Ids begin at 1 and the platform does not accept 0, so then the queue is
 * read by time. `options` are created anew for each page.
 */
export function createQueueReader(
  kind: QueueKind,
  rest: RestClient,
  options: () => CallOptions = () => noOptions,
): QueueReader<Sample> {
  return queuePages((afterId) => {
    const position = afterId > 0 ? { afterId } : { backfillHours: MAX_LOOKBACK_HOURS };
    return createSampleQueues(rest, options()).read(kind, position);
  });
}

function createQueueTail(kind: QueueKind, rest: RestClient, from?: TailPosition): SampleTail {
  const read = createQueueReader(kind, rest);
  const queues = createSampleQueues(rest, noOptions);
  let lastId = from?.id ?? 0;
  return {
    /** The platform does not return the end of a queue, so the latest window with samples is drained. */
    async start() {
      for (const backfillHours of LOOKBACK_HOURS) {
        lastId = newestId((await queues.read(kind, { backfillHours })).samples);
        if (lastId > 0) break;
      }
      // Windows go by the time of measurement. Samples that arrived late have higher ids.
      if (lastId > 0) lastId = (await drain(read, lastId)).next;
    },
    async step() {
      const { items, next } = await drain(read, lastId);
      lastId = next;
      return items;
    },
    position: () => ({ id: lastId, sampledAtMs: 0 }),
  };
}

/** Images have no queue. They are followed by the time of measurement, so that images that arrive late are missed. */
function createImageTail(rest: RestClient, nowMs: () => number, from?: TailPosition): SampleTail {
  const source = imagesSince(rest, noOptions);
  let position = from ?? { sampledAtMs: nowMs(), id: 0 };
  return {
    async start() {
      position = { sampledAtMs: nowMs(), id: 0 };
    },
    async step() {
      const { items } = await readSamples(source, position.sampledAtMs, position, MAX_IMAGES);
      position = toPosition(items.at(-1)) ?? position;
      return items;
    },
    position: () => position,
  };
}

const MAX_IMAGES = 1000;
