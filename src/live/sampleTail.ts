/** Follows one kind of sample on the platform: each step answers what has arrived since the last. */
import type { CallOptions } from '../rest/restCaller.js';
import type { RestClient } from '../rest/restClient.js';
import { newestId, type QueueReader, readQueue } from '../sources/queueWalk.js';
import { placeOf, type SamplePlace, takeSamples } from '../sources/samplePages.js';
import { createSampleQueues, type QueueKind } from '../sources/sampleQueues.js';
import { imagesSince } from '../sources/sampleSources.js';
import type { Sample } from '../sources/samples.js';

export type SampleKind = 'SCALAR' | 'IMAGE' | 'RFID';

/** How far a kind of sample has been followed: queues go by the id alone. */
export type TailPlace = SamplePlace;

export interface SampleTail {
  /** Takes now for the start: only what arrives later is answered. */
  start(): Promise<void>;
  /** What has arrived since, oldest first. */
  step(): Promise<readonly Sample[]>;
  /** Behind the last sample that was answered. */
  place(): TailPlace;
}

const noOptions: CallOptions = {};

/** Ten years. */
const LONGEST_LOOK_BACK_HOURS = 87_600;
/** An hour, a day, a month, and then all. */
const LOOK_BACK_HOURS = [1, 24, 720, LONGEST_LOOK_BACK_HOURS] as const;

/** With a place it goes on from there, where another tail has come to, and is not to be started. */
export function createSampleTail(
  kind: SampleKind,
  rest: RestClient,
  nowMs: () => number,
  from?: TailPlace,
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
    const position = afterId > 0 ? { afterId } : { backfillHours: LONGEST_LOOK_BACK_HOURS };
    return createSampleQueues(rest, options()).read(kind, position);
  };
}

function createQueueTail(kind: QueueKind, rest: RestClient, from?: TailPlace): SampleTail {
  const read = createQueueReader(kind, rest);
  const queues = createSampleQueues(rest, noOptions);
  let lastId = from?.id ?? 0;
  return {
    /** The queue has no end to ask for: it is looked for from as late as there is something on. */
    async start() {
      for (const backfillHours of LOOK_BACK_HOURS) {
        lastId = newestId((await queues.read(kind, { backfillHours })).samples);
        if (lastId > 0) break;
      }
      if (lastId === 0) return;
      // Windows go by the time of sampling: late arrivals have higher ids still.
      lastId = Math.max(lastId, newestId((await readQueue(read, lastId)).samples));
    },
    async step() {
      const { samples } = await readQueue(read, lastId);
      lastId = Math.max(lastId, newestId(samples));
      return samples;
    },
    place: () => ({ id: lastId, sampledAtMs: 0 }),
  };
}

/** Images have no queue: they are followed by the time they were taken, so one that comes late is missed. */
function createImageTail(rest: RestClient, nowMs: () => number, from?: TailPlace): SampleTail {
  const source = imagesSince(rest, noOptions);
  let place = from ?? { sampledAtMs: nowMs(), id: 0 };
  return {
    async start() {
      place = { sampledAtMs: nowMs(), id: 0 };
    },
    async step() {
      const { samples } = await takeSamples(source, place.sampledAtMs, place, MOST_IMAGES);
      place = placeOf(samples.at(-1)) ?? place;
      return samples;
    },
    place: () => place,
  };
}

const MOST_IMAGES = 1000;
