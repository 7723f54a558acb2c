/**
 * Reads the past of a subscription that resumes, page by page: the next page is read when the earlier ones are taken,
 * and when it fits into the memory of the caller.
 */
import type { ByteBudget, Reservation } from '../lib/byteBudget.js';
import { newestId, type QueueReader } from '../sources/samples/drainQueue.js';
import type { QueueKind } from '../sources/samples/sampleQueues.js';
import type { Sample } from '../sources/samples/samples.js';

/** Where a subscription resumes. */
export interface ResumePoint {
  kind: QueueKind;
  /** The last sample that was received. */
  id: number;
  read: QueueReader<Sample>;
}

export interface SampleReplay {
  kind: QueueKind;
  /**
   * Reads on until there are samples for the listener or the past is over. Further calls meanwhile share the one
   * that runs. Rejects where the platform can not be read; resolves at once when closed.
   */
  readMore(): Promise<void>;
  /** Notes samples of the kind that a poll has brought. */
  noteArrival(samples: readonly Sample[]): void;
  /** Gives up the place in line for memory. */
  close(): void;
}

export interface SampleReplayOptions {
  after: ResumePoint;
  budget: ByteBudget;
  /**
   * Takes the next samples, oldest first, and answers whether any is for the listener. With `isLast` the past is over:
   * polls bring everything behind these.
   */
  take(samples: readonly Sample[], isLast: boolean): boolean;
}

/** Memory of a page while it is read and handed over: 10,000 samples. */
const PAGE_BYTES = 4 * 1024 * 1024;

export function createSampleReplay({ after, budget, take }: SampleReplayOptions): SampleReplay {
  let lastId = after.id;
  let reading: Promise<void> | undefined;
  let reservation: Reservation | undefined;
  let isClosed = false;
  let markClosed = () => {};
  const closed = new Promise<void>((resolve) => {
    markClosed = resolve;
  });
  /** Samples that polls brought while a page was read: the page may not hold them. Earlier ones are in it. */
  let meanwhile: Sample[] = [];

  /** Answers whether to stop reading for now. */
  async function readPage(): Promise<boolean> {
    meanwhile = [];
    const { samples, hasMore } = await after.read(lastId);
    if (isClosed) return true;
    const isLast = !hasMore || newestId(samples) <= lastId;
    lastId = Math.max(lastId, newestId(samples));
    const behind = isLast ? meanwhile.filter(({ id }) => id > lastId) : [];
    lastId = Math.max(lastId, newestId(behind));
    return take([...samples, ...behind], isLast) || isLast;
  }

  async function readOn(): Promise<void> {
    reservation = budget.reserve(PAGE_BYTES);
    try {
      if (!(await reservation.granted)) return;
      while (!isClosed && !(await readPage()));
    } finally {
      reservation.release();
    }
  }

  return {
    kind: after.kind,
    readMore() {
      reading ??= readOn().finally(() => {
        reading = undefined;
      });
      return Promise.race([reading, closed]);
    },
    noteArrival(samples) {
      if (reading !== undefined) meanwhile.push(...samples);
    },
    close() {
      isClosed = true;
      markClosed();
      reservation?.release();
    },
  };
}
