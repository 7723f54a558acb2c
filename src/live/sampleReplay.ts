/**
 * Reads the past samples of a resumed subscription page by page: the next page is read when the queue of the consumer is
 * empty, and when it fits into the caller's memory budget.
 */
import type { ByteBudget, Reservation } from '../lib/byteBudget.js';
import { type CursorPage, readPages } from '../sources/core/paginator.js';
import type { QueueKind, QueueReader } from '../sources/samples/sampleQueues.js';
import type { Sample } from '../sources/samples/samples.js';

/** The point at which a subscription resumes. */
export interface ResumePoint {
  kind: QueueKind;
  /** The last received sample. */
  id: number;
  read: QueueReader<Sample>;
}

interface SampleReplayOptions {
  after: ResumePoint;
  budget: ByteBudget;
  /**
   * Delivers the next samples, oldest first, and returns whether the subscription selects any of them. `isLast` ends the
   * replay: polls bring all samples behind these.
   */
  deliver(samples: readonly Sample[], isLast: boolean): boolean;
}

/** Memory of a page while it is read and delivered: 10,000 samples. */
const PAGE_BYTES = 4 * 1024 * 1024;

export class SampleReplay {
  readonly kind: QueueKind;
  readonly #options: SampleReplayOptions;
  readonly #pages: AsyncGenerator<CursorPage<Sample, number>>;
  readonly #closed: Promise<void>;
  #markClosed = () => {};
  #isClosed = false;
  #pendingRead: Promise<void> | undefined;
  #reservation: Reservation | undefined;
  /** Samples that polls bring while a page is read. The page may lack them; it has all earlier ones. */
  #polled: Sample[] = [];

  constructor(options: SampleReplayOptions) {
    const { kind, id, read } = options.after;
    this.kind = kind;
    this.#options = options;
    this.#pages = readPages(read, id);
    this.#closed = new Promise((resolve) => {
      this.#markClosed = resolve;
    });
  }

  /**
   * Reads until there are samples for the subscription or the past ends. Concurrent calls share one read. Rejects where
   * the platform cannot be read; resolves at once after `close`.
   */
  readMore(): Promise<void> {
    this.#pendingRead ??= this.#readOn().finally(() => {
      this.#pendingRead = undefined;
    });
    return Promise.race([this.#pendingRead, this.#closed]);
  }

  /** Records samples of the kind that a poll has brought. */
  addPolled(samples: readonly Sample[]): void {
    if (this.#pendingRead !== undefined) this.#polled.push(...samples);
  }

  /** Stops reading, and releases the memory. */
  close(): void {
    this.#isClosed = true;
    this.#markClosed();
    this.#reservation?.release();
  }

  async #readOn(): Promise<void> {
    this.#reservation = this.#options.budget.reserve(PAGE_BYTES);
    try {
      if (!(await this.#reservation.granted)) return;
      while (!this.#isClosed && !(await this.#readPage()));
    } finally {
      this.#reservation.release();
    }
  }

  /** Returns whether to stop reading for now. */
  async #readPage(): Promise<boolean> {
    this.#polled = [];
    const { value: page, done } = await this.#pages.next();
    if (this.#isClosed || done) return true;
    const isLast = !page.hasMore;
    const behind = isLast ? this.#polled.filter(({ id }) => id > page.next) : [];
    return this.#options.deliver([...page.items, ...behind], isLast) || isLast;
  }
}
