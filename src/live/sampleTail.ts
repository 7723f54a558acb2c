/** Follows one kind of sample on the platform: each step answers what has arrived since the last. */
import type { CallOptions } from '../rest/restCaller.js';
import type { RestClient } from '../rest/restClient.js';
import { drainQueue, newestId, type QueueReader } from '../sources/samples/drainQueue.js';
import { readSamples, type SamplePosition, toPosition } from '../sources/samples/samplePages.js';
import { createSampleQueues, type QueueKind } from '../sources/samples/sampleQueues.js';
import type { Sample } from '../sources/samples/samples.js';
import { imagesSince } from '../sources/timeline/sampleSources.js';

export type SampleKind = 'SCALAR' | 'IMAGE' | 'RFID';

/** How far a kind of sample has been followed: queues go by the id alone. */
export type TailPosition = SamplePosition;

export interface SampleTail {
  /** Takes now for the start: only what arrives later is answered. */
  start(): Promise<void>;
  /** What has arrived since, oldest first. */
  step(): Promise<readonly Sample[]>;
  /** Behind the last sample that was answered. */
  position(): TailPosition;
}

const noOptions: CallOptions = {};

/** Ten years. */
const MAX_LOOKBACK_HOURS = 87_600;
/** An hour, a day, a month, and then all. */
const LOOKBACK_HOURS = [1, 24, 720, MAX_LOOKBACK_HOURS] as const;

/** With a place it goes on from there, where another tail has come to, and is not to be started. */
export function createSampleTail(
  kind: SampleKind,
  rest: RestClient,
  nowMs: () => number,
  from?: TailPosition,
): SampleTail {
  return kind === 'IMAGE' ? createImageTail(rest, nowMs, from) : createQueueTail(kind, rest, from);
}

/**
 * Behind 0 is all there is. Ids begin at 1, so 0 is none to ask for: there the time serves. Each page is read with
 * options of its own.
 */
export function createQueueReader(
  kind: QueueKind,
  rest: RestClient,
  options: () => CallOptions = () => noOptions,
): QueueReader<Sample> {
  return (afterId) => {
    const position = afterId > 0 ? { afterId } : { backfillHours: MAX_LOOKBACK_HOURS };
    return createSampleQueues(rest, options()).read(kind, position);
  };
}

function createQueueTail(kind: QueueKind, rest: RestClient, from?: TailPosition): SampleTail {
  const read = createQueueReader(kind, rest);
  const queues = createSampleQueues(rest, noOptions);
  let lastId = from?.id ?? 0;
  return {
    /** The queue has no end to ask for: it is looked for from as late as there is something on. */
    async start() {
      for (const backfillHours of LOOKBACK_HOURS) {
        lastId = newestId((await queues.read(kind, { backfillHours })).samples);
        if (lastId > 0) break;
      }
      if (lastId === 0) return;
      // Windows go by the time of sampling: late arrivals have higher ids still.
      lastId = Math.max(lastId, newestId((await drainQueue(read, lastId)).samples));
    },
    async step() {
      const { samples } = await drainQueue(read, lastId);
      lastId = Math.max(lastId, newestId(samples));
      return samples;
    },
    position: () => ({ id: lastId, sampledAtMs: 0 }),
  };
}

/** Images have no queue: they are followed by the time they were taken, so one that comes late is missed. */
function createImageTail(rest: RestClient, nowMs: () => number, from?: TailPosition): SampleTail {
  const source = imagesSince(rest, noOptions);
  let position = from ?? { sampledAtMs: nowMs(), id: 0 };
  return {
    async start() {
      position = { sampledAtMs: nowMs(), id: 0 };
    },
    async step() {
      const { samples } = await readSamples(source, position.sampledAtMs, position, MAX_IMAGES);
      position = toPosition(samples.at(-1)) ?? position;
      return samples;
    },
    position: () => position,
  };
}

const MAX_IMAGES = 1000;
