/** A sample store that behaves like the platform: by date and id, in pages, dates in whole seconds. */
import type { SampleSource } from '../../../src/sources/samples/samplePages.js';

export interface StoredSample {
  id: number;
  sampledAt: string;
}

interface StoreOptions {
  /** The platform accepts whole seconds: fractions are requested from the second before. */
  roundsDown?: boolean;
  /** The endpoint's maximum, for any requested number. */
  maxPageLength?: number;
}

/** A store whose `requests` records its requests, and to which samples can be added at any time. */
export function createSampleStore(given: readonly StoredSample[], options: StoreOptions = {}) {
  const stored = [...given];
  const requests: [fromMs: number, limit: number][] = [];
  const source: SampleSource<StoredSample> = async (fromMs, limit) => {
    requests.push([fromMs, limit]);
    const from = options.roundsDown ? Math.floor(fromMs / 1000) * 1000 : fromMs;
    const maxPageLength = Math.min(limit, options.maxPageLength ?? limit);
    const found = stored.filter(({ sampledAt }) => Date.parse(sampledAt) >= from).sort(byTime);
    return { items: found.slice(0, maxPageLength), hasMore: found.length > maxPageLength };
  };
  return { source, requests, add: (sample: StoredSample) => stored.push(sample) };
}

export function byTime(one: StoredSample, other: StoredSample): number {
  return Date.parse(one.sampledAt) - Date.parse(other.sampledAt) || one.id - other.id;
}

/** Samples with ids from 1, a second apart or several in each second. */
export function numbered(count: number, startMs: number, { perSecond = 1 } = {}): StoredSample[] {
  return Array.from({ length: count }, (_, index) => ({
    id: index + 1,
    sampledAt: new Date(startMs + Math.floor(index / perSecond) * 1000).toISOString(),
  }));
}
