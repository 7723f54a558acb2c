/**
 * Spreads revalidations in the background over time. Up to a minute's allotment begins at once. The others wait:
 * callers take turns, and the entries of one caller keep the order in which they were served. An entry that waits is
 * served as it is, so that no caller pays for it.
 */
import { type Clock, MINUTE_MS } from '../lib/clock.js';
import { FairQueue } from '../lib/fairQueue.js';
import type { CacheRequest } from './cacheRequest.js';
import { POLICIES } from './policies.js';

interface RevalidationQueueOptions {
  clock: Clock;
  /** Revalidations that may begin in a minute; 0 for no limit. */
  perMinute: number;
  /** Whether the entry still has to be loaded when its turn comes. */
  isNeeded(request: CacheRequest<unknown>): boolean;
  begin(request: CacheRequest<unknown>): void;
}

/**
 * About as many entries of a single row as fit into 64 MB. Further entries are not queued; the next caller loads them
 * when they have expired. This is also the maximum number of turns of further callers for entries that already wait.
 */
const MAX_WAITING = 50_000;
/** Measurements may be stale only for seconds, so their revalidations do not wait for those of entities. */
const MIN_QUEUED_STALE_MS = 60_000;
const DRAIN_INTERVAL_MS = 1000;

export class RevalidationQueue {
  readonly #options: RevalidationQueueOptions;
  /** By the text of the key. */
  readonly #waiting = new Map<string, CacheRequest<unknown>>();
  /** The keys of each caller, the longest waiting first. Those that another caller's turn has removed are skipped. */
  #turns = new FairQueue<string, string>();
  #tokens: number;
  #refilledAtMs: number;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: RevalidationQueueOptions) {
    this.#options = options;
    this.#tokens = options.perMinute;
    this.#refilledAtMs = options.clock.now();
  }

  /**
   * Queues the revalidation, and begins it as soon as the rate allows. Kinds that are stale only briefly are not
   * queued and begin at once.
   */
  add(request: CacheRequest<unknown>): void {
    const { perMinute, isNeeded, begin } = this.#options;
    const { text } = request.key;
    if (POLICIES[request.kind].staleWhileRevalidateMs < MIN_QUEUED_STALE_MS) {
      begin(request);
    } else if (perMinute === 0) {
      if (isNeeded(request)) begin(request);
    } else {
      const isWaiting = this.#waiting.has(text);
      if ((isWaiting ? this.#turns : this.#waiting).size < MAX_WAITING) {
        if (!isWaiting) this.#waiting.set(text, request);
        this.#turns.add(request.waiter?.callerId ?? '', text);
      }
      this.#drain();
    }
  }

  isWaiting(text: string): boolean {
    return this.#waiting.has(text);
  }

  clear(): void {
    this.#waiting.clear();
    this.#turns = new FairQueue();
  }

  #drain(): void {
    const { isNeeded, begin } = this.#options;
    this.#refill();
    while (this.#tokens >= 1) {
      const text = this.#turns.shift();
      if (text === undefined) break;
      const request = this.#waiting.get(text);
      this.#waiting.delete(text);
      if (request === undefined || !isNeeded(request)) continue;
      begin(request);
      this.#tokens -= 1;
    }
    if (this.#waiting.size > 0) this.#scheduleDrain();
  }

  /** Does not refill if the clock was set back. */
  #refill(): void {
    const { clock, perMinute } = this.#options;
    const nowMs = clock.now();
    const elapsedMs = Math.max(0, nowMs - this.#refilledAtMs);
    this.#tokens = Math.min(perMinute, this.#tokens + (elapsedMs * perMinute) / MINUTE_MS);
    this.#refilledAtMs = nowMs;
  }

  /** The timer does not keep the process alive: waiting revalidations end with the process anyway. */
  #scheduleDrain(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#drain();
    }, DRAIN_INTERVAL_MS).unref();
  }
}
