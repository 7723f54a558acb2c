/**
 * The samples that recent polls have returned, by stream. They are added to pages that were loaded earlier, so that
 * these pages need no REST call while the poll runs.
 */
import { MAX_CLOCK_SKEW_MS } from '../../cache/freshness.js';
import { groupBy } from '../core/collections.js';
import type { Sample, ScalarSample } from './samples.js';

/** Every sample that arrived between the two times is stored. Unix milliseconds by the gateway's clock. */
interface ArrivalCoverage {
  sinceMs: number;
  /** Start of the last poll that has read all samples so far, by the clock of the process that polls. */
  asOfMs: number;
}

/** About 8 MB: ten minutes of 10,000 streams that send every five minutes. */
const MAX_SAMPLES = 20_000;
const MIN_SILENCE_MS = 60_000;

interface ArrivedSamplesOptions {
  maxSamples?: number;
  /**
   * If there was no poll for this long, the platform or the poll is failing, and pages expire as usual.
   * Milliseconds, at least a minute.
   */
  maxSilenceMs?: number | undefined;
}

const NO_SAMPLES: readonly ScalarSample[] = [];

export class ArrivedSamples {
  readonly #maxSamples: number;
  readonly #maxSilenceMs: number;
  readonly #nowMs: () => number;
  readonly #byStream = new Map<number, readonly ScalarSample[]>();
  readonly #receivedAtMs = new Map<number, number>();
  #steps: { receivedAtMs: number; samples: readonly ScalarSample[] }[] = [];
  #count = 0;
  #coverage: ArrivalCoverage | undefined;
  #version = 0;
  /** When a poll that has ended last returned samples: responses that were loaded before may lack them. */
  #endedAtMs: number | undefined;
  /** `ready` of the current poll. Undefined while nothing is polled. */
  #starting: Promise<unknown> | undefined;

  constructor(
    nowMs: () => number,
    { maxSamples = MAX_SAMPLES, maxSilenceMs = MIN_SILENCE_MS }: ArrivedSamplesOptions = {},
  ) {
    this.#nowMs = nowMs;
    this.#maxSamples = maxSamples;
    this.#maxSilenceMs = Math.max(maxSilenceMs, MIN_SILENCE_MS);
  }

  /** Rises when a poll begins and when it returns samples: earlier responses may lack them. */
  get version(): number {
    return this.#version;
  }

  /**
   * Call this when a poll begins. `ready` resolves when it delivers all samples that arrive from then on, to the time up to
   * which it has polled.
   */
  begin(ready: Promise<{ asOfMs?: number | undefined }>): void {
    this.#starting = ready;
    const begin = (asOfMs: number | undefined) => {
      if (this.#starting !== ready) return;
      const sinceMs = this.#nowMs();
      this.#coverage ??= { sinceMs, asOfMs: Math.min(asOfMs ?? sinceMs, sinceMs) };
      this.#version += 1;
    };
    ready.then(
      ({ asOfMs }) => begin(asOfMs),
      () => undefined,
    );
  }

  /**
   * Adds the samples of one poll. `asOfMs`: the time up to which all samples are present; undefined if it has not
   * changed. Call it for empty polls too.
   */
  add(samples: readonly Sample[], asOfMs: number | undefined): void {
    const numbers = samples.filter((sample) => sample.__typename === 'ScalarSample');
    for (const [streamId, added] of groupBy(numbers, streamIdOf)) {
      this.#byStream.set(streamId, [...this.ofStream(streamId), ...added]);
    }
    this.#count += numbers.length;
    if (numbers.length > 0) this.#version += 1;
    const nowMs = this.#nowMs();
    if (numbers.length > 0) this.#steps.push({ receivedAtMs: nowMs, samples: numbers });
    for (const { id } of numbers) this.#receivedAtMs.set(id, nowMs);
    const { sinceMs = nowMs } = this.#coverage ?? {};
    if (asOfMs !== undefined) this.#coverage = { sinceMs, asOfMs: Math.min(asOfMs, nowMs) };
    while (this.#count > this.#maxSamples) this.#removeOldest();
  }

  /** Removes all samples, because the poll has ended and later samples will be missing. */
  clear(): void {
    this.#endedAtMs = this.#steps.at(-1)?.receivedAtMs ?? this.#endedAtMs;
    this.#byStream.clear();
    this.#receivedAtMs.clear();
    this.#steps = [];
    this.#count = 0;
    this.#coverage = undefined;
    this.#starting = undefined;
  }

  /** Undefined if no poll has ended, and after the clock was set back. */
  get endedAtMs(): number | undefined {
    return (this.#endedAtMs ?? Number.POSITIVE_INFINITY) <= this.#nowMs() ? this.#endedAtMs : undefined;
  }

  /** Undefined while the platform is not polled, and after the clock was set back, until the next poll. */
  get coverage(): ArrivalCoverage | undefined {
    if (this.#coverage === undefined) return undefined;
    const silentMs = this.#nowMs() - this.#coverage.asOfMs;
    return silentMs <= this.#maxSilenceMs && silentMs >= -MAX_CLOCK_SKEW_MS ? this.#coverage : undefined;
  }

  /**
   * When the polling began, or when a poll last returned a sample of the stream; without a stream, of any stream. While
   * the platform is not polled, when an earlier poll last returned samples. Responses that were loaded earlier may lack
   * samples.
   */
  changedAtMs(streamId?: number): number | undefined {
    const { coverage } = this;
    if (coverage === undefined) return this.endedAtMs;
    const arrived = streamId === undefined ? this.#steps.at(-1)?.samples : this.ofStream(streamId);
    return Math.max(coverage.sinceMs, this.receivedAtMs(arrived?.at(-1)?.id ?? 0));
  }

  /** The samples of a stream in the order of arrival: the same list until the next change. */
  ofStream(streamId: number): readonly ScalarSample[] {
    return this.#byStream.get(streamId) ?? NO_SAMPLES;
  }

  /** When a poll last returned a sample of the stream, by the gateway's clock. Undefined if there is none here. */
  arrivedAtMs(streamId: number): number | undefined {
    const newest = this.ofStream(streamId).at(-1);
    return newest && this.receivedAtMs(newest.id);
  }

  /** When the sample with this id arrived, by the gateway's clock; minus infinity if it is not here. */
  receivedAtMs(id: number): number {
    return this.#receivedAtMs.get(id) ?? Number.NEGATIVE_INFINITY;
  }

  /**
   * Removes the samples of the oldest poll. They all arrived before the next poll returned its samples, so the coverage now
   * begins there: pages that are loaded later contain the removed samples.
   */
  #removeOldest(): void {
    const [oldest, next] = this.#steps;
    if (oldest === undefined || next === undefined || this.#coverage === undefined) {
      this.clear();
      return;
    }
    this.#steps.shift();
    this.#count -= oldest.samples.length;
    for (const { id } of oldest.samples) this.#receivedAtMs.delete(id);
    for (const [streamId, removed] of groupBy(oldest.samples, streamIdOf)) {
      const left = this.ofStream(streamId).slice(removed.length);
      if (left.length === 0) this.#byStream.delete(streamId);
      else this.#byStream.set(streamId, left);
    }
    this.#coverage = { ...this.#coverage, sinceMs: next.receivedAtMs };
  }
}

const streamIdOf = ({ streamId }: ScalarSample) => streamId;
