/**
 * Pages through samples by time. A place is the date and id of a sample rather than an offset, so that walking
 * on stays right while late samples arrive.
 */
import { GatewayError } from '../../errors.js';

/** A place in time: behind this sample. */
export interface SamplePosition {
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
export const MAX_PAGE_LENGTH = 10_000;

/** The next `count` samples at or after `fromMs`, or behind `after`. */
export async function readSamples<Sample extends TimedSample>(
  source: SampleSource<Sample>,
  fromMs: number,
  after: SamplePosition | undefined,
  count: number,
): Promise<SamplePage<Sample>> {
  const taken: Sample[] = [];
  let position = after;
  // One more than wanted tells whether there is more; behind a place, that place's own sample comes along.
  let limit = Math.min(count + (position ? 2 : 1), MAX_PAGE_LENGTH);
  for (;;) {
    const { samples: fresh, hasMore } = await readPage(source, fromMs, position, limit);
    for (const sample of fresh) taken.push(sample);
    if (!hasMore || taken.length > count) {
      return { samples: taken.slice(0, count), hasMore: hasMore || taken.length > count };
    }
    // A page of samples already seen means that many share one second: ask for more of it at once.
    limit = fresh.length === 0 ? MAX_PAGE_LENGTH : Math.min(count + 2 - taken.length, MAX_PAGE_LENGTH);
    position = toPosition(fresh.at(-1)) ?? position;
  }
}

/** Every sample at or after `fromMs`, page by page. */
export async function* readAllSamples<Sample extends TimedSample>(
  source: SampleSource<Sample>,
  fromMs: number,
): AsyncGenerator<Sample[]> {
  let position: SamplePosition | undefined;
  for (;;) {
    const { samples, hasMore } = await readPage(source, fromMs, position, MAX_PAGE_LENGTH);
    yield samples;
    if (!hasMore) return;
    position = toPosition(samples.at(-1)) ?? position;
  }
}

/** One page without what lies before `fromMs` or not behind the place. Throws where it would never go on. */
async function readPage<Sample extends TimedSample>(
  source: SampleSource<Sample>,
  fromMs: number,
  position: SamplePosition | undefined,
  limit: number,
): Promise<SamplePage<Sample>> {
  const page = await source(Math.max(fromMs, position?.sampledAtMs ?? fromMs), limit);
  const samples = page.samples
    .filter((sample) => Date.parse(sample.sampledAt) >= fromMs && isAfter(sample, position))
    .sort(byTime);
  if (samples.length === 0 && page.hasMore && limit >= MAX_PAGE_LENGTH) throw createTooDenseError();
  return { samples, hasMore: page.hasMore };
}

export function toPosition(sample: TimedSample | undefined): SamplePosition | undefined {
  return sample && { sampledAtMs: Date.parse(sample.sampledAt), id: sample.id };
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

function createTooDenseError(): GatewayError {
  return new GatewayError(
    'PLATFORM_BAD_RESPONSE',
    `The platform holds more than ${MAX_PAGE_LENGTH} samples of one second and has no way to page through them.`,
  );
}
