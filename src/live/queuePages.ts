/** Shares pages of the delivery queues between replays: subscriptions that resume after one sample read it once. */
import { hasCode } from '../errors.js';
import type { QueueKind, QueueReader } from '../sources/samples/sampleQueues.js';
import type { Sample } from '../sources/samples/samples.js';

type QueuePage = Awaited<ReturnType<QueueReader<Sample>>>;

export class QueuePages {
  /** By kind and id. */
  readonly #running = new Map<string, Promise<QueuePage>>();
  /** By kind: the last full page, while a replay references it. */
  readonly #full = new Map<QueueKind, { key: string; page: WeakRef<QueuePage> }>();

  /**
   * Reads the page after an id with `read`, or returns one that another replay is reading or still references.
   * The page contains every sample that had arrived when this call began: a page whose read began earlier is used
   * only if it is full, because a full page does not change. A failure of the platform rejects all waiting
   * replays, so that they do not each repeat the call.
   */
  async read(kind: QueueKind, afterId: number, read: QueueReader<Sample>): Promise<QueuePage> {
    const key = `${kind}:${afterId}`;
    const full = this.#full.get(kind);
    const kept = full?.key === key ? full.page.deref() : undefined;
    if (kept !== undefined) return kept;
    const earlier = await this.#running.get(key)?.catch(() => undefined);
    if (earlier?.hasMore) return earlier;
    for (;;) {
      // A page that another replay has begun to read since then is current.
      const current = this.#running.get(key);
      if (current === undefined) return this.#begin(kind, key, read(afterId, 0));
      try {
        return await current;
      } catch (error) {
        if (!concernsOneReplay(error)) throw error;
      }
    }
  }

  /** The page is removed before anybody who waits for it continues. */
  #begin(kind: QueueKind, key: string, reading: Promise<QueuePage>): Promise<QueuePage> {
    const running = reading
      .then((page) => {
        if (page.hasMore) this.#full.set(kind, { key, page: new WeakRef(page) });
        return page;
      })
      .finally(() => this.#running.delete(key));
    this.#running.set(key, running);
    return running;
  }
}

/** Whether a read failed because its client has disconnected, or its operation has no REST call left. */
function concernsOneReplay(error: unknown): boolean {
  return hasCode(error, 'CANCELLED') || hasCode(error, 'TOO_MANY_REST_CALLS');
}
