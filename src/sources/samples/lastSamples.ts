/**
 * Loads the newest number of each stream with as few calls as the data allows: what an account or a site has
 * sent lately comes in one batch, and only streams that were silent are asked one by one.
 */
import DataLoader from 'dataloader';
import type { CallOptions, CallRecord } from '../../rest/restCaller.js';
import type { RestClient } from '../../rest/restClient.js';
import { type KeyedSource, readOne } from '../core/collections.js';
import { type FetchPlan, planFetch } from '../core/fetchPlan.js';
import type { Loader } from '../core/loaders.js';
import { restCallsFor } from '../core/lookup.js';
import type { Reader, ReadRequest } from '../core/reader.js';
import { settleEach } from '../core/settleEach.js';
import type { StreamReference } from '../entities/customAttributes.js';
import { drainQueue, newestId } from './drainQueue.js';
import { newestByStream, type RecentSamples } from './recentSamples.js';
import { convertBatch, type ScalarSample, toScalarSample } from './samples.js';

/** As explanations name it. */
const RELATION = 'last samples of streams';
const HOUR_MS = 3_600_000;
/** Devices send every few minutes: an hour holds a sample of nearly every stream, and few of each. */
const ACCOUNT_WINDOW_HOURS = 1;
/** A site has few streams: a longer look back finds the slow ones too, and costs little. */
const SITE_WINDOW_HOURS = 6;

type LastSample = ScalarSample | null;
type StrategyName = 'singles' | 'perSite' | 'account';

interface LastSampleSources {
  reader: Reader;
  singles: KeyedSource<number, LastSample>;
  ofSite(siteId: number): ReadRequest<RecentSamples>;
  ofAccount: ReadRequest<RecentSamples>;
  /** The account's batch, where it was expected to be wanted: on its way, and when it is there. */
  expected: { account: Promise<RecentSamples | undefined> | undefined; batch: RecentSamples | undefined };
}

export interface LastSamples extends Loader<StreamReference, LastSample> {
  /** Those of the streams of so many sites are about to be asked for. */
  prefetch(count: number): Promise<unknown> | undefined;
}

/** Answers null for a stream that has no number at all; one failing stream fails alone. */
export function createLastSampleLoader(rest: RestClient, reader: Reader, nowMs: () => number): LastSamples {
  const ways: LastSampleSources = {
    reader,
    singles: readOne(reader, 'lastSample', rest.lastSample, toScalarSample),
    ofSite: (siteId) => recentOfSite(rest, siteId, nowMs),
    ofAccount: recentOfAccount(rest, nowMs),
    expected: { account: undefined, batch: undefined },
  };
  const loader = new DataLoader<StreamReference, LastSample, number>((streams) => loadAll(streams, ways), {
    cacheKeyFn: ({ id }) => id,
  });
  const held = createCachedLookup(ways);

  return {
    load(stream) {
      const sample = held(stream);
      return sample === undefined ? loader.load(stream) : sample;
    },
    prefetch(count) {
      const { ofAccount, expected } = ways;
      if (reader.lookup(ofAccount).state === 'fresh' || expected.account !== undefined)
        return expected.account;
      const perSite = {
        name: 'perSite',
        callCount: count,
        costPerCall: reader.expectedCost(rest.siteSamplesSince.template),
      };
      const account = { name: 'account', callCount: 1, costPerCall: reader.expectedCost(ofAccount.template) };
      const plan = planFetch([perSite, account]);
      if (plan.strategy !== 'account') return undefined;
      reader.explanation?.addPlan(RELATION, count, plan);
      expected.account = reader.read(ofAccount).then(
        (batch) => {
          expected.batch = batch;
          return batch;
        },
        () => undefined,
      );
      return expected.account;
    },
  };
}

/** Looks into each batch once, so that hundreds of streams cost hardly more than one. */
function createCachedLookup({ reader, singles, ofSite, ofAccount, expected }: LastSampleSources) {
  const batches = new Map<number | null, RecentSamples | undefined>();

  function batchOf(siteId: number | null): RecentSamples | undefined {
    if (batches.has(siteId)) return batches.get(siteId);
    const batch = reader.get(siteId === null ? ofAccount : ofSite(siteId));
    batches.set(siteId, batch);
    return batch;
  }

  return ({ id, siteId }: StreamReference): LastSample | undefined =>
    (expected.batch ?? batchOf(null))?.newest.get(id) ??
    (siteId === null ? undefined : batchOf(siteId)?.newest.get(id)) ??
    singles.get(id);
}

async function loadAll(
  streams: readonly StreamReference[],
  ways: LastSampleSources,
): Promise<(LastSample | Error)[]> {
  const found = new Map<number, ScalarSample>();
  const { account } = ways.expected;
  const expected = await account;
  collectNewest(found, streams, [...(expected ? [expected] : []), ...cachedBatches(streams, ways)]);
  const missing = streams.filter(({ id }) => !found.has(id) && restCallsFor(ways.singles.lookup(id)) > 0);
  if (missing.length > 0 && account === undefined) {
    const plan = planLastSamples(missing, ways);
    ways.reader.explanation?.addPlan(RELATION, missing.length, plan);
    collectNewest(found, missing, await loadRecent(plan.strategy, missing, ways));
  }
  return settleEach(streams, async ({ id }) => found.get(id) ?? ways.singles.load(id));
}

/** What batches that are fresh in the cache can tell. */
function cachedBatches(
  streams: readonly StreamReference[],
  { reader, ofSite, ofAccount }: LastSampleSources,
): RecentSamples[] {
  const requests = [ofAccount, ...siteIdsOf(streams).map(ofSite)];
  // Taken, so that the answer is no fresher than they are; an operation that is explained can only peek.
  return requests.flatMap((request) => {
    const recent = reader.get(request);
    if (recent) return [recent];
    const found = reader.lookup(request);
    return found.state === 'fresh' ? [found.value] : [];
  });
}

/** A batch that is at hand has been looked through already: it can't answer what is still missing. */
function planLastSamples(
  missing: readonly StreamReference[],
  ways: LastSampleSources,
): FetchPlan<StrategyName> {
  const { reader, singles, ofSite, ofAccount } = ways;
  const siteIds = siteIdsOf(missing);
  const isPlaced = missing.every(({ siteId }) => siteId !== null);
  const isSpent = (request: ReadRequest<RecentSamples>) => reader.lookup(request).state === 'fresh';
  const impossible = Number.POSITIVE_INFINITY;
  return planFetch<StrategyName>([
    { name: 'singles', callCount: missing.length, costPerCall: singles.expectedCost() },
    {
      name: 'perSite',
      callCount: !isPlaced || siteIds.some((id) => isSpent(ofSite(id))) ? impossible : siteIds.length,
      costPerCall: reader.expectedCost(ofSite(0).template),
    },
    {
      name: 'account',
      callCount: isSpent(ofAccount) ? impossible : 1,
      costPerCall: reader.expectedCost(ofAccount.template),
    },
  ]);
}

/** A batch that fails leaves its streams to be asked one by one. */
async function loadRecent(
  way: StrategyName,
  missing: readonly StreamReference[],
  { reader, ofSite, ofAccount }: LastSampleSources,
): Promise<RecentSamples[]> {
  if (way === 'singles') return [];
  const requests = way === 'account' ? [ofAccount] : siteIdsOf(missing).map(ofSite);
  const answers = await settleEach(requests, (request) => reader.read(request));
  return answers.filter((answer): answer is RecentSamples => !(answer instanceof Error));
}

function collectNewest(
  found: Map<number, ScalarSample>,
  streams: readonly StreamReference[],
  recents: readonly RecentSamples[],
): void {
  for (const { id } of streams) {
    const sample = recents.map(({ newest }) => newest.get(id)).find((one) => one !== undefined);
    if (sample) found.set(id, sample);
  }
}

function siteIdsOf(streams: readonly StreamReference[]): number[] {
  return [...new Set(streams.map(({ siteId }) => siteId))].filter((siteId) => siteId !== null);
}

function recentOfSite(rest: RestClient, siteId: number, nowMs: () => number): ReadRequest<RecentSamples> {
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
        // Oldest come first: a batch that was cut off lacks the newest.
        return hasMore || samples.length < batch.samples.length ? [] : samples;
      });
    },
  };
}

function recentOfAccount(rest: RestClient, nowMs: () => number): ReadRequest<RecentSamples> {
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

/** A row that could not be read may be some stream's newest: then the batch proves nothing. */
async function readRecent(
  options: CallOptions,
  sinceMs: number,
  read: (observed: CallOptions) => Promise<readonly ScalarSample[]>,
): Promise<RecentSamples> {
  let rowsLeftOut = 0;
  const onCall = (call: CallRecord) => {
    rowsLeftOut += call.skippedRows;
    options.onCall?.(call);
  };
  const samples = await read({ ...options, onCall });
  return newestByStream(rowsLeftOut > 0 ? [] : samples, sinceMs);
}

/** All that was sampled lately, or nothing where that is too much to be worth it. */
async function readAccount(rest: RestClient, options: CallOptions): Promise<readonly ScalarSample[]> {
  const first = await rest.queuedSamples({ backfillHours: ACCOUNT_WINDOW_HOURS }, options);
  const { samples, hasMore } = convertBatch(first, toScalarSample);
  if (samples.length < first.samples.length) return [];
  if (!hasMore) return samples;
  const further = await drainQueue(
    async (afterId) => convertBatch(await rest.queuedSamples({ afterId }, options), toScalarSample),
    newestId(samples),
    MAX_FURTHER_PAGES,
  );
  return further.hasMore ? [] : [...samples, ...further.samples];
}

const MAX_FURTHER_PAGES = 3;

/** Maps are no JSON. */
const recentCodec: Pick<ReadRequest<RecentSamples>, 'serialize' | 'deserialize'> = {
  serialize: ({ newest, sinceMs }: RecentSamples) => ({ samples: [...newest.values()], sinceMs }),
  deserialize: (stored: unknown) => {
    const { samples, sinceMs } = stored as { samples: ScalarSample[]; sinceMs: number };
    return newestByStream(samples, sinceMs);
  },
};
