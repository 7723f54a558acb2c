/** Follows one kind of sample on the platform: each step returns the samples that have arrived since the last step. */
import { HOUR_MS } from '../lib/clock.js';
import { type CallOptions, countSkippedRows } from '../rest/callRecord.js';
import type { RestClient } from '../rest/restClient.js';
import { drain, inOrderOfArrival } from '../sources/core/paginator.js';
import type { SampleWindow } from '../sources/samples/polledSamples.js';
import { pagesByTime, START_CURSOR, toPosition } from '../sources/samples/samplePages.js';
import {
  createSampleQueues,
  newestId,
  type QueueKind,
  type QueueReader,
  queuePages,
} from '../sources/samples/sampleQueues.js';
import type { Sample } from '../sources/samples/samples.js';
import { imagesSince } from '../sources/timeline/sampleSources.js';

export const sampleKinds = ['SCALAR', 'IMAGE', 'RFID'] as const;
export type SampleKind = (typeof sampleKinds)[number];

/** The newest sample that a tail has returned. Ids rise with arrival; 0 stands before the first one. */
export interface TailPosition {
  id: number;
  /**
   * The time up to which everything has been read, for a tail that continues there: it looks for late images since
   * this time.
   */
  asOfMs?: number | undefined;
}

interface TailStep {
  samples: readonly Sample[];
  /** True if a row was unreadable. */
  isPartial: boolean;
  /** True if more samples have arrived, which the next steps return. */
  hasMore: boolean;
}

export interface SampleTail {
  /**
   * Starts now: the steps return only samples that arrive later. Resolves to the samples that were read to find the
   * current position.
   */
  start(): Promise<SampleWindow>;
  /**
   * The samples since the last step, in the order of arrival: at most a page of a queue. A step that fails is repeated
   * by the next one.
   */
  step(): Promise<TailStep>;
  position(): TailPosition;
}

/** Maximum pages of 10,000 samples after the first. */
const MAX_WINDOW_PAGES = 3;
/**
 * The same at the start of a poll. A platform that announces more samples with each new one must not delay the start
 * without end. The first steps return the rest.
 */
export const MAX_START_PAGES = 200;
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
  return kind === 'IMAGE' ? createImageTail(rest, nowMs, from) : createQueueTail(kind, rest, nowMs, from);
}

/**
 * Reads a queue after an id; with 0, all of it. Ids begin at 1 and the platform does not accept 0, so the queue is
 * then read by time. `options` are created again for each page.
 */
export function createQueueReader(
  kind: QueueKind,
  rest: RestClient,
  options: () => CallOptions,
): QueueReader<Sample> {
  return queuePages((afterId) => {
    const position = afterId > 0 ? { afterId } : { backfillHours: MAX_LOOKBACK_HOURS };
    return createSampleQueues(rest, options()).read(kind, position);
  });
}

/**
 * The numbers of the last hour, for a process that follows the poll of another one. Undefined if the account has more
 * than a few pages of them.
 */
export async function readWindow(rest: RestClient, nowMs: () => number): Promise<SampleWindow | undefined> {
  const [backfillHours] = LOOKBACK_HOURS;
  const sinceMs = nowMs() - backfillHours * HOUR_MS;
  const { options, skippedRows } = countSkippedRows();
  const { samples, hasMore } = await createSampleQueues(rest, options).read('SCALAR', { backfillHours });
  if (!hasMore) return { samples, sinceMs, isPartial: skippedRows() > 0 };
  const read = createQueueReader('SCALAR', rest, () => options);
  const further = await drain(read, newestId(samples), { maxPages: MAX_WINDOW_PAGES });
  if (further.hasMore) return undefined;
  return { samples: [...samples, ...further.items], sinceMs, isPartial: skippedRows() > 0 };
}

function createQueueTail(
  kind: QueueKind,
  rest: RestClient,
  nowMs: () => number,
  from?: TailPosition,
): SampleTail {
  let lastId = from?.id ?? 0;
  return {
    /** The platform does not return the end of a queue, so the latest window with samples is drained. */
    async start() {
      const { options, skippedRows } = countSkippedRows();
      const read = createQueueReader(kind, rest, () => options);
      for (const backfillHours of LOOKBACK_HOURS) {
        const sinceMs = nowMs() - backfillHours * HOUR_MS;
        const { samples } = await createSampleQueues(rest, options).read(kind, { backfillHours });
        lastId = newestId(samples);
        if (lastId === 0) continue;
        // Windows are bounded by the time of measurement. Samples that arrived late have higher ids.
        const { items, next } = await drain(read, lastId, { maxPages: MAX_START_PAGES });
        lastId = next;
        return { samples: [...samples, ...items], sinceMs, isPartial: skippedRows() > 0 };
      }
      return { samples: [], sinceMs: nowMs() - MAX_LOOKBACK_HOURS * HOUR_MS, isPartial: skippedRows() > 0 };
    },
    async step() {
      const { options, skippedRows } = countSkippedRows();
      const read = createQueueReader(kind, rest, () => options);
      const { items, next, hasMore } = await drain(read, lastId, { maxPages: 1 });
      lastId = next;
      return { samples: items, isPartial: skippedRows() > 0, hasMore };
    },
    position: () => ({ id: lastId }),
  };
}

/** Images that are measured this long before the last poll are still found. */
const IMAGE_LOOKBACK_MS = HOUR_MS;
/** Maximum images that each poll reads again: about 250 KB. */
const MAX_REREAD_IMAGES = 1000;

/**
 * Images have no queue, and the platform lists them by the time of measurement. So each step reads the images that
 * were measured since an hour before the previous successful step, but at most the newest 1,000. Those with ids
 * above the last one are new. An image that arrives more than an hour after its measurement is missed.
 */
function createImageTail(rest: RestClient, nowMs: () => number, from?: TailPosition): SampleTail {
  const source = imagesSince(rest);
  let lastId = from?.id ?? 0;
  let sinceMs = Math.min(from?.asOfMs ?? nowMs(), nowMs()) - IMAGE_LOOKBACK_MS;

  /**
   * Reads all pages before it returns: their ids are in no particular order, so a position between two pages would
   * skip images.
   */
  async function step(): Promise<TailStep> {
    const startedAtMs = nowMs();
    const { items } = await drain(pagesByTime(source, sinceMs), START_CURSOR);
    const samples = inOrderOfArrival(items.filter(({ id }) => id > lastId));
    lastId = Math.max(lastId, newestId(samples));
    const againFromMs = toPosition(items.at(-MAX_REREAD_IMAGES))?.sampledAtMs ?? 0;
    sinceMs = Math.max(startedAtMs - IMAGE_LOOKBACK_MS, Math.min(againFromMs, startedAtMs));
    return { samples, isPartial: false, hasMore: false };
  }

  return {
    /** The images that have arrived already. */
    async start() {
      await step();
      return { samples: [], sinceMs, isPartial: false };
    },
    step,
    position: () => ({ id: lastId }),
  };
}
