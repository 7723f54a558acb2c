/** Finds the newest sample of each stream among the samples of a batch. */
import { createDateParser } from '../core/wireValues.js';
import { newestId } from './sampleQueues.js';
import type { ScalarSample } from './samples.js';

/** A sample of any kind. */
export type StreamSample = Pick<ScalarSample, 'id' | 'streamId' | 'sampledAt'>;

export interface RecentSamples {
  /** The last sample of each stream, for the streams whose last sample is certainly in the batch. */
  newest: ReadonlyMap<number, ScalarSample>;
  /** The batch has every sample since this time, in milliseconds. */
  sinceMs: number;
  /** When the batch was read, in milliseconds. */
  readAtMs: number;
  /** The highest id of the batch, after which a later read continues it; 0 if it cannot be continued. */
  lastId: number;
  /** The platform has more samples than it returned, so the batch has none. */
  isTruncated?: boolean;
  /** Absent if samples that arrived later may be missing. */
  arrivals?: Arrivals;
}

/** Shows which streams have no sample that arrived after a time, apart from those in `newest`. */
interface Arrivals {
  /** Every sample that arrived since then was read, in milliseconds. */
  sinceMs: number;
  /** The highest id of each stream's samples that were read and are not certain to be the last ones. */
  ignored: ReadonlyMap<number, number>;
}

/** The newest samples that batches contain. */
export interface RecentlySampled {
  /** By stream. */
  newest: ReadonlyMap<number, ScalarSample>;
  /** A stream that is not in `newest` has no sample since this time, in milliseconds. Undefined if it may have one. */
  coveredSinceMs: number | undefined;
}

/**
 * The platform's clock may be ahead of the gateway's, in which case its window begins later. Samples this close to the
 * beginning of the window are not certain to be in a batch.
 */
export const CLOCK_DIFFERENCE_MS = 5 * 60_000;
const parseDate = createDateParser();

/**
 * The time since which the batch certainly contains every sample, in milliseconds; undefined if samples may be
 * missing.
 */
export function certainSinceMs({ sinceMs, lastId }: RecentSamples): number | undefined {
  return lastId === 0 ? undefined : sinceMs + CLOCK_DIFFERENCE_MS;
}

/**
 * Returns the last sample of each stream whose last sample is certainly among these. They include all samples since
 * `sinceMs`.
 */
export function newestByStream(
  samples: readonly ScalarSample[],
  sinceMs: number,
  readAtMs: number,
): RecentSamples {
  const batch = emptyBatch(sinceMs, readAtMs);
  addNewest(batch.newest, samples, sinceMs);
  return { ...batch, lastId: newestId(samples) };
}

export function emptyBatch(sinceMs: number, readAtMs: number) {
  return { newest: new Map<number, ScalarSample>(), sinceMs, readAtMs, lastId: 0 };
}

/**
 * A sample measured within the window is the last of its stream: all samples outside the batch were measured earlier.
 * A sample that arrived within the window but was measured before it proves nothing and is ignored. `ignored` gets its id.
 */
export function addNewest<Sample extends StreamSample>(
  newest: Map<number, Sample>,
  samples: readonly Sample[],
  sinceMs: number,
  ignored?: Map<number, number>,
): void {
  for (const sample of samples) {
    if (parseDate(sample.sampledAt) < sinceMs + CLOCK_DIFFERENCE_MS) {
      ignored?.set(sample.streamId, Math.max(sample.id, ignored.get(sample.streamId) ?? 0));
      continue;
    }
    const previous = newest.get(sample.streamId);
    if (previous === undefined || isLater(sample, previous)) newest.set(sample.streamId, sample);
  }
}

/** The order of the platform: by time of measurement, then by arrival. */
export function isLater(one: StreamSample, other: StreamSample): boolean {
  return (parseDate(one.sampledAt) - parseDate(other.sampledAt) || one.id - other.id) > 0;
}

/**
 * Whether a sample that was read alone, or its absence, still held when the batch was read: no other sample of the stream
 * has arrived since `readAtMs`.
 */
export function isStillLast(
  { newest, arrivals }: RecentSamples,
  streamId: number,
  { sample, readAtMs }: { sample: ScalarSample | null; readAtMs: number },
): boolean {
  if (arrivals === undefined || newest.has(streamId) || readAtMs < arrivals.sinceMs) return false;
  return (arrivals.ignored.get(streamId) ?? 0) <= (sample?.id ?? 0);
}

/**
 * Whether a sample that was read alone, or its absence, is still the last although the batch has none of the stream: only
 * a sample that arrived since then and was measured before the window could be later.
 */
export function isSilentSince(
  { newest, sinceMs, isTruncated }: RecentSamples,
  streamId: number,
  readAtMs: number,
): boolean {
  return isTruncated !== true && !newest.has(streamId) && readAtMs >= sinceMs + CLOCK_DIFFERENCE_MS;
}

/** Adds the sample of each stream for which one of the batches has one. */
export function collectNewest(
  found: Map<number, ScalarSample>,
  streams: readonly { id: number }[],
  recents: readonly RecentSamples[],
): void {
  for (const { id } of streams) {
    const sample = recents.map(({ newest }) => newest.get(id)).find((one) => one !== undefined);
    if (sample) found.set(id, sample);
  }
}
