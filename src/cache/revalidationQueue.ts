/**
 * Spreads revalidations in the background over time: as many at once as a minute allows, and the others in the order in
 * which their stale entries were served. An entry that waits is served as it is, so that no caller pays for it.
 */
import type { Clock } from '../lib/clock.js';
import type { CacheRequest } from './cacheRequest.js';

export interface RevalidationQueueOptions {
  clock: Clock;
  /** Revalidations that may begin in a minute; 0 for no limit. */
  perMinute: number;
  /** Begins to load, and returns false where the entry no longer needs it. */
  begin(request: CacheRequest<unknown>): boolean;
}

/** Enough for every entry of the memory. Beyond it an entry is not queued, and is loaded when its time is over. */
const MAX_WAITING = 50_000;
const DRAIN_INTERVAL_MS = 1000;
const MINUTE_MS = 60_000;

export class RevalidationQueue {
  readonly #clock: Clock;
  readonly #perMinute: number;
  readonly #begin: RevalidationQueueOptions['begin'];
  /** By the text of the key, the longest waiting first. */
  readonly #waiting = new Map<string, CacheRequest<unknown>>();
  #tokens: number;
  #refilledAtMs: number;
  #timer: NodeJS.Timeout | undefined;

  constructor({ clock, perMinute, begin }: RevalidationQueueOptions) {
    this.#clock = clock;
    this.#perMinute = perMinute;
    this.#begin = begin;
    this.#tokens = perMinute;
    this.#refilledAtMs = clock.now();
  }

  /** Begins the revalidation when its turn comes: now, unless others wait. */
  add(request: CacheRequest<unknown>): void {
    const { text } = request.key;
    if (this.#perMinute === 0) {
      this.#begin(request);
      return;
    }
    if (!this.#waiting.has(text) && this.#waiting.size < MAX_WAITING) this.#waiting.set(text, request);
    this.#drain();
  }

  isWaiting(text: string): boolean {
    return this.#waiting.has(text);
  }

  clear(): void {
    this.#waiting.clear();
  }

  #drain(): void {
    this.#refill();
    for (const [text, request] of this.#waiting) {
      if (this.#tokens < 1) break;
      this.#waiting.delete(text);
      if (this.#begin(request)) this.#tokens -= 1;
    }
    if (this.#waiting.size > 0) this.#scheduleDrain();
  }

  /** A clock that was set back refills nothing. */
  #refill(): void {
    const nowMs = this.#clock.now();
    const elapsedMs = Math.max(0, nowMs - this.#refilledAtMs);
    this.#tokens = Math.min(this.#perMinute, this.#tokens + (elapsedMs * this.#perMinute) / MINUTE_MS);
    this.#refilledAtMs = nowMs;
  }

  /** The timer keeps no process alive: what waits is lost with the process anyway. */
  #scheduleDrain(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#drain();
    }, DRAIN_INTERVAL_MS).unref();
  }
}
