/**
 * The last samples of the account while a poll runs: the samples since a time, and then all samples that polls return. It
 * replaces the account's batch in the cache, so that last samples cost no call.
 */
import type { Cache } from '../../cache/cache.js';
import type { CacheKey } from '../../cache/cacheKey.js';
import type { StoredEntry } from '../../cache/cacheRequest.js';
import { MAX_CLOCK_SKEW_MS } from '../../cache/freshness.js';
import { addNewest, isLater, type RecentSamples } from './newestSamples.js';
import { SAMPLE_BYTES } from './recentSamples.js';
import { newestId } from './sampleQueues.js';
import type { Sample, ScalarSample } from './samples.js';

/** Every sample of the account that was measured since a time. */
export interface SampleWindow {
  samples: readonly Sample[];
  sinceMs: number;
  /** True if a row was unreadable: it may be the newest of any stream. */
  isPartial: boolean;
}

interface ArrivedBatch extends Pick<SampleWindow, 'samples'> {
  asOfMs: number | undefined;
  isPartial?: boolean | undefined;
}

export class PolledLastSamples {
  readonly #nowMs: () => number;
  readonly #maxAgeMs: number;
  #newest = new Map<number, ScalarSample>();
  #ignored = new Map<number, number>();
  /** Since when the poll has returned every sample that arrived. */
  #arrivalsSinceMs = 0;
  /** Undefined before the window has been read: samples from before the poll may then be newer. */
  #sinceMs: number | undefined;
  #asOfMs = 0;
  #lastId = 0;
  #value: RecentSamples | undefined;
  /** False if a row was unreadable. */
  #isComplete = true;
  /** Settles when the window is known or cannot be read. Undefined while nothing is polled. */
  untilWindow: Promise<void> | undefined;

  /** While the last poll is at most `maxAgeMs` old, the last samples are fresh. */
  constructor(nowMs: () => number, maxAgeMs: number) {
    this.#nowMs = nowMs;
    this.#maxAgeMs = maxAgeMs;
  }

  get hasWindow(): boolean {
    return this.#sinceMs !== undefined;
  }

  /**
   * Call this when a poll starts. `ready` resolves when the poll has begun; from then on, it delivers every new sample.
   * In a process that follows the poll of another process, no window comes with it, so `readWindow` reads one. If that
   * fails, operations read last samples as usual.
   */
  begin(ready: Promise<unknown>, readWindow: () => Promise<SampleWindow | undefined>): void {
    const isMissing = () => this.untilWindow === reading && !this.hasWindow;
    const readMissing = async () => {
      if (!isMissing()) return;
      const asOfMs = this.#nowMs();
      const window = await readWindow();
      if (window && isMissing()) this.setWindow(window, asOfMs);
    };
    const reading = ready.then(readMissing).catch(() => undefined);
    this.untilWindow = reading;
  }

  /** The window must have been read after the poll began, or by the start of the poll itself. */
  setWindow({ samples, sinceMs, isPartial }: SampleWindow, asOfMs: number): void {
    const polled = [...this.#newest.values()];
    this.#newest.clear();
    this.#sinceMs = sinceMs;
    this.#arrivalsSinceMs = asOfMs;
    this.add({ samples: [...samples, ...polled], asOfMs: Math.max(asOfMs, this.#asOfMs), isPartial });
  }

  /**
   * Adds the samples of a poll. `asOfMs`: the time up to which all samples are present; undefined if it has not
   * changed.
   */
  add({ samples, asOfMs, isPartial }: ArrivedBatch): void {
    // The clock may have been set back since, or another process with a clock that is ahead may be polling.
    if (asOfMs !== undefined) this.#asOfMs = Math.min(asOfMs, this.#nowMs());
    if (isPartial) this.#isComplete = false;
    if (samples.length === 0) return;
    // A new value, because operations compare what they have read with it.
    this.#value = undefined;
    const numbers = numbersIn(samples);
    addNewest(this.#newest, numbers, this.#sinceMs ?? Number.NEGATIVE_INFINITY, this.#ignored);
    this.#lastId = Math.max(this.#lastId, newestId(numbers));
  }

  /**
   * The last sample of each stream that has one in the window, after the window has been read. Undefined if a sample may
   * be missing.
   */
  async newest(): Promise<ReadonlyMap<number, ScalarSample> | undefined> {
    await this.untilWindow;
    return this.hasWindow && this.#isComplete ? this.#newest : undefined;
  }

  /** The poll has ended. Entries that were returned stay as they are. */
  clear(): void {
    this.#newest = new Map();
    this.#ignored = new Map();
    this.untilWindow = undefined;
    this.#sinceMs = undefined;
    this.#isComplete = true;
    this.#lastId = 0;
    this.#value = undefined;
  }

  /** For the cache: the batch of the account as of the last poll. A field, so that callers can pass it on. */
  readonly toEntry = (): StoredEntry | undefined => {
    const ageMs = this.#nowMs() - this.#asOfMs;
    // After the clock was set back, the age is unknown until the next poll.
    return ageMs > this.#maxAgeMs || ageMs < -MAX_CLOCK_SKEW_MS ? undefined : this.toOlderEntry();
  };

  /** The same batch, regardless of the age of the last poll. */
  readonly toOlderEntry = (): StoredEntry | undefined => {
    if (this.#sinceMs === undefined || !this.#isComplete) return undefined;
    this.#value ??= {
      newest: this.#newest,
      sinceMs: this.#sinceMs,
      readAtMs: this.#asOfMs,
      lastId: this.#lastId,
      arrivals: { sinceMs: this.#arrivalsSinceMs, ignored: this.#ignored },
    };
    return { value: this.#value, storedAtMs: this.#asOfMs, bytes: this.#newest.size * SAMPLE_BYTES };
  };
}

function numbersIn(samples: readonly Sample[]): ScalarSample[] {
  return samples.filter((sample) => sample.__typename === 'ScalarSample');
}

/**
 * Replaces cached last samples of single streams by later ones that a poll has returned. A late sample can be the last one
 * of a stream without recent samples, which the batch of the account does not contain. Responses on their way may lack it.
 */
export function replaceLastSamples(
  cache: Pick<Cache, 'lookup' | 'outdateLoad' | 'store'>,
  toKey: (streamId: number) => CacheKey,
  samples: readonly Sample[],
  nowMs: number,
): void {
  const newest = new Map<number, ScalarSample>();
  addNewest(newest, numbersIn(samples), Number.NEGATIVE_INFINITY);
  for (const [streamId, sample] of newest) {
    const key = toKey(streamId);
    cache.outdateLoad(key);
    const found = cache.lookup<ScalarSample | null>(key, 'lastSample');
    if (!('origin' in found) || (found.value !== null && !isLater(sample, found.value))) continue;
    cache.store(key, 'lastSample', { value: sample, storedAtMs: nowMs - found.ageMs, bytes: SAMPLE_BYTES });
  }
}
