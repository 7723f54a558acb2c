/**
 * Pages through samples by time. A place is the date and id of a sample rather than an offset, so that walking
 * on stays right while late samples arrive.
 */
import { GatewayError } from '../errors.js';

/** A place in time: behind this sample. */
export interface SamplePlace {
  sampledAtMs: number;
  id: number;
}

export interface TimedSample {
  id: number;
  sampledAt: string;
}

export interface SamplePage<Sample> {
  /** Oldest first; those of the same instant by id. */
  samples: Sample[];
  hasMore: boolean;
}

/**
 * Where samples come from: those at or after `fromMs`, oldest first, at most about `limit` of them where the
 * endpoint takes a limit; `hasMore` where the platform held some back.
 */
export type SampleSource<Sample> = (fromMs: number, limit: number) => Promise<SamplePage<Sample>>;

/** The most that the platform answers at once. */
export const LARGEST_PAGE = 10_000;

/** The next `count` samples at or after `fromMs`, or behind `after`. */
export async function takeSamples<Sample extends TimedSample>(
  source: SampleSource<Sample>,
  fromMs: number,
  after: SamplePlace | undefined,
  count: number,
): Promise<SamplePage<Sample>> {
  const taken: Sample[] = [];
  let place = after;
  // One more than wanted tells whether there is more; behind a place, that place's own sample comes along.
  let limit = Math.min(count + (place ? 2 : 1), LARGEST_PAGE);
  for (;;) {
    const { samples: fresh, hasMore } = await readPage(source, fromMs, place, limit);
    for (const sample of fresh) taken.push(sample);
    if (!hasMore || taken.length > count) {
      return { samples: taken.slice(0, count), hasMore: hasMore || taken.length > count };
    }
    // A page of samples already seen means that many share one second: ask for more of it at once.
    limit = fresh.length === 0 ? LARGEST_PAGE : Math.min(count + 2 - taken.length, LARGEST_PAGE);
    place = placeOf(fresh.at(-1)) ?? place;
  }
}

/** Every sample at or after `fromMs`, page by page. */
export async function* walkSamples<Sample extends TimedSample>(
  source: SampleSource<Sample>,
  fromMs: number,
): AsyncGenerator<Sample[]> {
  let place: SamplePlace | undefined;
  for (;;) {
    const { samples, hasMore } = await readPage(source, fromMs, place, LARGEST_PAGE);
    yield samples;
    if (!hasMore) return;
    place = placeOf(samples.at(-1)) ?? place;
  }
}

/** One page without what lies before `fromMs` or not behind the place. Throws where it would never go on. */
async function readPage<Sample extends TimedSample>(
  source: SampleSource<Sample>,
  fromMs: number,
  place: SamplePlace | undefined,
  limit: number,
): Promise<SamplePage<Sample>> {
  const page = await source(Math.max(fromMs, place?.sampledAtMs ?? fromMs), limit);
  const samples = page.samples
    .filter((sample) => Date.parse(sample.sampledAt) >= fromMs && isBehind(sample, place))
    .sort(byTime);
  if (samples.length === 0 && page.hasMore && limit >= LARGEST_PAGE) throw tooDense();
  return { samples, hasMore: page.hasMore };
}

export function placeOf(sample: TimedSample | undefined): SamplePlace | undefined {
  return sample && { sampledAtMs: Date.parse(sample.sampledAt), id: sample.id };
}

function isBehind(sample: TimedSample, place: SamplePlace | undefined): boolean {
  if (!place) return true;
  const sampledAtMs = Date.parse(sample.sampledAt);
  return sampledAtMs > place.sampledAtMs || (sampledAtMs === place.sampledAtMs && sample.id > place.id);
}

function byTime(one: TimedSample, other: TimedSample): number {
  return Date.parse(one.sampledAt) - Date.parse(other.sampledAt) || one.id - other.id;
}

function tooDense(): GatewayError {
  return new GatewayError(
    'PLATFORM_BAD_RESPONSE',
    `The platform holds more than ${LARGEST_PAGE} samples of one second and has no way to page through them.`,
  );
}
