/** Follows one kind of sample on the platform: each step answers what has arrived since the last. */
import type { CallOptions } from '../rest/restCaller.js';
import type { RestClient } from '../rest/restClient.js';
import { placeOf, type SamplePage, type SamplePlace, takeSamples } from '../sources/samplePages.js';
import { createSampleQueues } from '../sources/sampleQueues.js';
import { createSamples } from '../sources/sampleSources.js';
import type { Sample } from '../sources/samples.js';

export type SampleKind = 'SCALAR' | 'IMAGE' | 'RFID';

export interface SampleTail {
  /** Takes now for the start: only what arrives later is answered. */
  start(): Promise<void>;
  /** What has arrived since, oldest first. */
  step(): Promise<readonly Sample[]>;
}

/** Reads one page of a delivery queue from strictly above an id. */
export type QueueReader = (afterId: number) => Promise<SamplePage<Sample>>;

const noOptions: CallOptions = {};

export function createSampleTail(kind: SampleKind, rest: RestClient, nowMs: () => number): SampleTail {
  return kind === 'IMAGE' ? createImageTail(rest, nowMs) : createQueueTail(kind, rest);
}

/** Everything above an id that the queue holds now. It never moves the queue for others. */
export async function readQueue(read: QueueReader, afterId: number): Promise<readonly Sample[]> {
  const samples: Sample[] = [];
  let lastId = afterId;
  for (;;) {
    const page = await read(lastId);
    for (const sample of page.samples) samples.push(sample);
    const newestId = newest(page.samples);
    if (!page.hasMore || newestId <= lastId) return samples;
    lastId = newestId;
  }
}

export function createQueueReader(kind: 'SCALAR' | 'RFID', rest: RestClient): QueueReader {
  const queues = createSampleQueues(rest, noOptions);
  return (afterId) => queues.read(kind, { afterId });
}

function createQueueTail(kind: 'SCALAR' | 'RFID', rest: RestClient): SampleTail {
  const read = createQueueReader(kind, rest);
  const queues = createSampleQueues(rest, noOptions);
  let lastId = 0;
  return {
    /** The queue has no end to ask for: the last hour is read to find it. */
    async start() {
      const lastHour = await queues.read(kind, { backfillHours: 1 });
      lastId = newest(lastHour.samples);
      if (lastHour.hasMore) lastId = Math.max(lastId, newest(await readQueue(read, lastId)));
    },
    async step() {
      const samples = await readQueue(read, lastId);
      lastId = Math.max(lastId, newest(samples));
      return samples;
    },
  };
}

/** Images have no queue: they are followed by the time they were taken, so one that comes late is missed. */
function createImageTail(rest: RestClient, nowMs: () => number): SampleTail {
  const source = createSamples(rest, noOptions).imagesSince();
  let place: SamplePlace = { sampledAtMs: nowMs(), id: 0 };
  return {
    async start() {
      place = { sampledAtMs: nowMs(), id: 0 };
    },
    async step() {
      const { samples } = await takeSamples(source, place.sampledAtMs, place, MOST_IMAGES);
      place = placeOf(samples.at(-1)) ?? place;
      return samples;
    },
  };
}

const MOST_IMAGES = 1000;

function newest(samples: readonly Sample[]): number {
  return samples.reduce((id, sample) => Math.max(id, sample.id), 0);
}
