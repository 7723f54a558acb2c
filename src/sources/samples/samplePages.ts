/**
 * Reads samples page by page in the order of time. A cursor is the date and id of a sample rather than an offset, so
 * that samples that arrive late do not shift the following pages.
 */
import { GatewayError } from '../../errors.js';
import { SECOND_MS } from '../../lib/clock.js';
import { drain, type Page, type ReadPage, readPages } from '../core/paginator.js';

export interface SamplePosition {
  sampledAtMs: number;
  id: number;
}

export interface TimedSample {
  id: number;
  sampledAt: string;
}

/**
 * Reads samples at or after `fromMs`, oldest first; samples of the same instant in any order. Endpoints without a limit
 * ignore `limit`. `hasMore` is true if the platform has more samples after the page.
 */
export type SampleSource<Sample> = (fromMs: number, limit: number) => Promise<Page<Sample>>;

/** The maximum number of samples in one response of the platform. */
export const MAX_PAGE_LENGTH = 10_000;

/** The next `count` samples at or after `fromMs`, or after `after`. */
export async function readSamples<Sample extends TimedSample>(
  source: SampleSource<Sample>,
  fromMs: number,
  after: SamplePosition | undefined,
  count: number,
): Promise<Page<Sample>> {
  // One sample more than needed shows whether there is a next page.
  const { items, hasMore } = await drain(
    pagesByTime(source, fromMs),
    { position: after, repeated: after ? 1 : 0 },
    { limit: count + 1 },
  );
  return { items: items.slice(0, count), hasMore: hasMore || items.length > count };
}

/** Every sample at or after `fromMs`, page by page. */
export async function* readAllSamples<Sample extends TimedSample>(
  source: SampleSource<Sample>,
  fromMs: number,
): AsyncGenerator<readonly Sample[]> {
  for await (const { items } of readPages(pagesByTime(source, fromMs), START_CURSOR)) yield items;
}

/** Joins sources into one. Samples after the end of a source's incomplete page are left to the next page. */
export function mergeSources<Sample extends TimedSample>(
  sources: readonly SampleSource<Sample>[],
): SampleSource<Sample> {
  return async (fromMs, limit) => {
    const pages = await Promise.all(sources.map((source) => source(fromMs, limit)));
    const items = pages.flatMap((page) => page.items).sort(byTime);
    const lastItems = pages.filter(({ hasMore }) => hasMore).map((page) => page.items.at(-1));
    if (lastItems.length === 0) return { items, hasMore: false };
    const [end] = lastItems.sort((one, other) => (one && other ? byTime(one, other) : one ? 1 : -1));
    const isComplete = (sample: Sample) => end !== undefined && byTime(sample, end) <= 0;
    return { items: items.filter(isComplete), hasMore: true };
  };
}

/**
 * The samples of a source that pass a filter. Continues reading until `limit` samples pass or the source ends, because
 * `pagesByTime` would interpret an empty page with a next page as a second with too many samples.
 */
export function filterSource<Sample extends TimedSample>(
  source: SampleSource<Sample>,
  filter: (samples: readonly Sample[]) => readonly Sample[] | Promise<readonly Sample[]>,
): SampleSource<Sample> {
  return async (fromMs, limit) => {
    const items: Sample[] = [];
    for await (const page of readAllSamples(source, fromMs)) {
      for (const sample of await filter(page)) items.push(sample);
      if (items.length >= limit) return { items, hasMore: true };
    }
    return { items, hasMore: false };
  };
}

export function toPosition(sample: TimedSample | undefined): SamplePosition | undefined {
  return sample && { sampledAtMs: Date.parse(sample.sampledAt), id: sample.id };
}

interface TimeCursor {
  position: SamplePosition | undefined;
  /** The number of samples in the second of the position that the next response repeats, as far as it is known. */
  repeated: number;
}

/** Before the first page. */
export const START_CURSOR: TimeCursor = { position: undefined, repeated: 0 };

/**
 * Pages of a source. Removes samples before `fromMs` and samples up to the position, which the platform repeats since
 * it pages by whole seconds. Throws PLATFORM_BAD_RESPONSE if the largest page does not get past one second.
 */
export function pagesByTime<Sample extends TimedSample>(
  source: SampleSource<Sample>,
  fromMs: number,
): ReadPage<Sample, TimeCursor> {
  return async ({ position, repeated }, missing) => {
    const limit = Math.min(missing + repeated, MAX_PAGE_LENGTH);
    const page = await source(Math.max(fromMs, position?.sampledAtMs ?? fromMs), limit);
    const items = page.items
      .filter((sample) => Date.parse(sample.sampledAt) >= fromMs && isAfter(sample, position))
      .sort(byTime);
    if (items.length === 0 && page.hasMore && limit >= MAX_PAGE_LENGTH) {
      const message = `The platform has more than ${MAX_PAGE_LENGTH} samples in one second and cannot page through them.`;
      throw new GatewayError('PLATFORM_BAD_RESPONSE', message);
    }
    const last = toPosition(items.at(-1));
    // Without a new sample, more samples share the second than the response contains.
    const next = last
      ? { position: last, repeated: countInLastSecond(page.items, last) }
      : { position, repeated: MAX_PAGE_LENGTH };
    return { items, hasMore: page.hasMore, next };
  };
}

/** The number of samples at the end of a response that share the second of the position. */
function countInLastSecond(samples: readonly TimedSample[], { sampledAtMs }: SamplePosition): number {
  const secondMs = Math.floor(sampledAtMs / SECOND_MS) * SECOND_MS;
  return samples.length - 1 - samples.findLastIndex(({ sampledAt }) => Date.parse(sampledAt) < secondMs);
}

function isAfter(sample: TimedSample, position: SamplePosition | undefined): boolean {
  if (!position) return true;
  const sampledAtMs = Date.parse(sample.sampledAt);
  return (
    sampledAtMs > position.sampledAtMs || (sampledAtMs === position.sampledAtMs && sample.id > position.id)
  );
}

function byTime(one: TimedSample, other: TimedSample): number {
  return Date.parse(one.sampledAt) - Date.parse(other.sampledAt) || one.id - other.id;
}
