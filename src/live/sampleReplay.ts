/** Reads the past samples of a resumed subscription page by page, each when it fits into the caller's memory budget. */
import { createClientDisconnectedError, GatewayError } from '../errors.js';
import type { ByteBudget, Reservation } from '../lib/byteBudget.js';
import { newestId, type QueueReader } from '../sources/samples/sampleQueues.js';
import type { Sample } from '../sources/samples/samples.js';
import type { EventPosition, EventReplay } from './liveEvents.js';
import { isRefusal } from './refusals.js';

/** The last event of one kind that a subscriber has received, with the queue of samples that has the next ones. */
export interface ResumePoint extends EventPosition {
  read: QueueReader<Sample>;
}

interface SampleReplayOptions {
  from: readonly ResumePoint[];
  /** Only samples of these streams; undefined: of all streams. */
  streamIds: ReadonlySet<number> | undefined;
  budget: ByteBudget;
}

/** Memory of a page while it is read and delivered: 10,000 samples. */
const PAGE_BYTES = 8 * 1024 * 1024;

export class SampleReplay implements EventReplay<Sample> {
  readonly from: readonly ResumePoint[];
  readonly refused = new Set<string>();
  readonly #streamIds: ReadonlySet<number> | undefined;
  readonly #budget: ByteBudget;
  readonly #lastIds: number[];
  /** Charged while a page is read and delivered. */
  #reservation: Reservation | undefined;
  #isClosed = false;

  constructor({ from, streamIds, budget }: SampleReplayOptions) {
    this.from = from;
    this.#streamIds = streamIds;
    this.#budget = budget;
    this.#lastIds = from.map(({ id }) => id);
  }

  async read(): Promise<{ events: readonly Sample[]; isLast: boolean }> {
    this.#reservation?.release();
    if (this.#isClosed) throw createClientDisconnectedError();
    this.#reservation = this.#budget.reserve(PAGE_BYTES * this.from.length);
    if (!(await this.#reservation.granted)) throw createClientDisconnectedError();
    const pages = await Promise.all(this.from.map((_, index) => this.#readPage(index))).catch(failReplay);
    return { events: pages.flatMap(({ events }) => events), isLast: pages.every(({ isLast }) => isLast) };
  }

  close(): void {
    this.#isClosed = true;
    this.#reservation?.release();
  }

  /** A kind that the platform refuses does not end the others. */
  #refuse(kind: string, error: unknown): undefined {
    if (!isRefusal(error) || this.refused.size + 1 === this.from.length) throw error;
    this.refused.add(kind);
  }

  async #readPage(index: number): Promise<{ events: readonly Sample[]; isLast: boolean }> {
    const { read, kind } = this.from[index] as ResumePoint;
    if (this.refused.has(kind)) return { events: [], isLast: true };
    const page = await read(this.#lastIds[index] ?? 0, 0).catch((error) => this.#refuse(kind, error));
    if (page === undefined) return { events: [], isLast: true };
    this.#lastIds[index] = Math.max(page.next, newestId(page.items));
    const events = page.items.filter(({ streamId }) => this.#streamIds?.has(streamId) ?? true);
    return { events, isLast: !page.hasMore };
  }
}

/** A replay may exceed the REST call limit of one operation. */
function failReplay(error: unknown): never {
  if (!(error instanceof GatewayError) || error.code !== 'TOO_MANY_REST_CALLS') throw error;
  const message =
    'The past samples exceed the REST call limit of one operation. Subscribe again with `after` to continue.';
  throw new GatewayError(error.code, message, { retryable: true });
}
