/** Shares pages of the delivery queues between replays, so that subscriptions that resume together read the past once. */
import { hasCode } from '../errors.js';
import type { QueueKind, QueueReader } from '../sources/samples/sampleQueues.js';
import type { Sample } from '../sources/samples/samples.js';

type QueuePage = Awaited<ReturnType<QueueReader<Sample>>>;

/** The end of a page that another replay has read. It references that page, so that further replays can use it. */
interface PartOfPage extends QueuePage {
  page: QueuePage;
}

interface PageRequest {
  kind: QueueKind;
  /** Exclusive. */
  afterId: number;
  /** Samples with higher ids reach the subscription without a replay. Undefined before the poll has begun. */
  polledId: number | undefined;
  read: QueueReader<Sample>;
}

export class QueuePages {
  /** By kind and id. */
  readonly #running = new Map<string, Promise<QueuePage>>();
  /** By kind: the last page, while a replay references it. */
  readonly #last = new Map<QueueKind, { afterId: number; page: WeakRef<QueuePage> }>();

  /**
   * Reads the page after an id, unless another replay is reading or still references a page with these samples. A page
   * whose read began earlier is used only if it is full, because a full page does not change, or if it ends at `polledId`
   * or later: what arrived after that is not needed. A failure of the platform rejects all waiting replays, so that they
   * do not each repeat the call.
   */
  async read(request: PageRequest): Promise<QueuePage> {
    const { kind, afterId, read } = request;
    const key = `${kind}:${afterId}`;
    const page = this.#findInMemory(request);
    if (page !== undefined) return page;
    const earlier = await this.#running.get(key)?.catch(() => undefined);
    if (earlier && hasAll(earlier, request)) return earlier;
    for (;;) {
      // A page that another replay has begun to read since then is current.
      const current = this.#running.get(key);
      if (current === undefined) return this.#begin(kind, afterId, read(afterId, 0));
      try {
        return await current;
      } catch (error) {
        if (!concernsOneReplay(error)) throw error;
      }
    }
  }

  #findInMemory(request: PageRequest): QueuePage | PartOfPage | undefined {
    const { kind, afterId } = request;
    const last = this.#last.get(kind);
    const page = last?.page.deref();
    if (!last || !page || afterId < last.afterId || !hasAll(page, request)) return undefined;
    if (afterId === last.afterId) return page;
    return { ...page, items: page.items.filter(({ id }) => id > afterId), page };
  }

  /** The page is removed before any replay that waits for it continues. */
  #begin(kind: QueueKind, afterId: number, reading: Promise<QueuePage>): Promise<QueuePage> {
    const key = `${kind}:${afterId}`;
    const running = reading
      .then((page) => {
        this.#last.set(kind, { afterId, page: new WeakRef(page) });
        return page;
      })
      .finally(() => this.#running.delete(key));
    this.#running.set(key, running);
    return running;
  }
}

/** Whether a page that begins at or before the requested id contains everything that a replay needs after this id. */
function hasAll(
  { hasMore, next }: QueuePage,
  { afterId, polledId = Number.POSITIVE_INFINITY }: PageRequest,
): boolean {
  return hasMore ? afterId < next : afterId <= next && polledId <= next;
}

/** Whether a read failed because its client has disconnected, or its operation has no REST call left. */
function concernsOneReplay(error: unknown): boolean {
  return hasCode(error, 'CANCELLED') || hasCode(error, 'TOO_MANY_REST_CALLS');
}
