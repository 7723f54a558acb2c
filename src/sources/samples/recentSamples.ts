/** Loads the recent samples of a site or the account in one batch, and finds the newest sample of each stream in it. */
import type { CallOptions, CallRecord } from '../../rest/restCaller.js';
import type { RestClient } from '../../rest/restClient.js';
import { drain } from '../core/paginator.js';
import type { ReadRequest } from '../core/reader.js';
import { newestId, queuePages } from './sampleQueues.js';
import { convertBatch, type ScalarSample, toScalarSample } from './samples.js';

export interface RecentSamples {
  /** The last sample of each stream that certainly has it in the batch. */
  newest: ReadonlyMap<number, ScalarSample>;
  /** The batch has every sample since this time, in milliseconds. */
  sinceMs: number;
}

const HOUR_MS = 3_600_000;
/** Devices send every few minutes, so that an hour has a sample of nearly every stream and few samples of each. */
const ACCOUNT_WINDOW_HOURS = 1;
/** A site has few streams, so that a longer window finds slow streams too and costs little. */
const SITE_WINDOW_HOURS = 6;
/** Pages of the account's queue behind the first. A longer queue costs more than it saves. */
const MAX_FURTHER_PAGES = 3;
/**
 * The clock of the platform may be ahead of ours, so that its window begins later. Samples this close to the beginning
 * of the window are ignored.
 */
const CLOCK_DIFFERENCE_MS = 5 * 60_000;

export function recentOfSite(
  rest: RestClient,
  siteId: number,
  nowMs: () => number,
): ReadRequest<RecentSamples> {
  return {
    kind: 'lastSample',
    template: rest.siteSamplesSince.template,
    parameter: siteId,
    ...recentCodec,
    async load(options) {
      const sinceMs = nowMs() - SITE_WINDOW_HOURS * HOUR_MS;
      return readRecent(options, sinceMs, async (observed) => {
        const batch = await rest.siteSamplesSince(siteId, sinceMs, observed);
        const { samples, hasMore } = convertBatch(batch, toScalarSample);
        // The oldest come first: an incomplete batch lacks the newest.
        return hasMore || samples.length < batch.samples.length ? [] : samples;
      });
    },
  };
}

export function recentOfAccount(rest: RestClient, nowMs: () => number): ReadRequest<RecentSamples> {
  return {
    kind: 'lastSample',
    template: rest.queuedSamples.template,
    parameter: `newest of ${ACCOUNT_WINDOW_HOURS} h`,
    ...recentCodec,
    async load(options) {
      const sinceMs = nowMs() - ACCOUNT_WINDOW_HOURS * HOUR_MS;
      return readRecent(options, sinceMs, (observed) => readAccount(rest, observed));
    },
  };
}

/** An unreadable row may be the newest of any stream: then the batch is not used. */
async function readRecent(
  options: CallOptions,
  sinceMs: number,
  read: (observed: CallOptions) => Promise<readonly ScalarSample[]>,
): Promise<RecentSamples> {
  let skippedRows = 0;
  const onCall = (call: CallRecord) => {
    skippedRows += call.skippedRows;
    options.onCall?.(call);
  };
  const samples = await read({ ...options, onCall });
  return newestByStream(skippedRows > 0 ? [] : samples, sinceMs);
}

/** The recent samples of the account; empty where there are too many or where one is unreadable. */
async function readAccount(rest: RestClient, options: CallOptions): Promise<readonly ScalarSample[]> {
  const first = await rest.queuedSamples({ backfillHours: ACCOUNT_WINDOW_HOURS }, options);
  const { samples, hasMore } = convertBatch(first, toScalarSample);
  if (samples.length < first.samples.length) return [];
  if (!hasMore) return samples;
  const read = async (afterId: number) =>
    convertBatch(await rest.queuedSamples({ afterId }, options), toScalarSample);
  const further = await drain(queuePages(read), newestId(samples), { maxPages: MAX_FURTHER_PAGES });
  return further.hasMore ? [] : [...samples, ...further.items];
}

/** JSON has no maps. */
const recentCodec: Pick<ReadRequest<RecentSamples>, 'serialize' | 'deserialize'> = {
  serialize: ({ newest, sinceMs }) => ({ samples: [...newest.values()], sinceMs }),
  deserialize: (stored) => {
    const { samples, sinceMs } = stored as { samples: ScalarSample[]; sinceMs: number };
    return newestByStream(samples, sinceMs);
  },
};

/**
 * A sample measured within the window is the last of its stream: all samples outside the batch were measured earlier.
 * A sample that arrived within the window but was measured before it proves nothing and is ignored.
 */
export function newestByStream(samples: readonly ScalarSample[], sinceMs: number): RecentSamples {
  const newest = new Map<number, ScalarSample>();
  for (const sample of samples) {
    if (Date.parse(sample.sampledAt) < sinceMs + CLOCK_DIFFERENCE_MS) continue;
    const previous = newest.get(sample.streamId);
    if (previous === undefined || isLater(sample, previous)) newest.set(sample.streamId, sample);
  }
  return { newest, sinceMs };
}

/** The order of the platform: by time of measurement, then by arrival. */
function isLater(one: ScalarSample, other: ScalarSample): boolean {
  return (Date.parse(one.sampledAt) - Date.parse(other.sampledAt) || one.id - other.id) > 0;
}
