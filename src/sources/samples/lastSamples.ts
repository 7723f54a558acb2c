/**
 * Loads the newest sample of each stream with as few REST calls as possible: one batch has the recent samples of the
 * account or of a site, and only streams without a recent sample are read one by one.
 */
import DataLoader from 'dataloader';
import type { RestClient } from '../../rest/restClient.js';
import { type KeyedSource, readOne } from '../core/collections.js';
import { type FetchPlan, planFetch, restCallsFor } from '../core/fetchPlan.js';
import { type Loader, settleEach } from '../core/loaders.js';
import type { Reader, ReadRequest } from '../core/reader.js';
import type { StreamReference } from '../entities/customAttributes.js';
import { type RecentSamples, recentOfAccount, recentOfSite } from './recentSamples.js';
import { type ScalarSample, toScalarSample } from './samples.js';

/** The name in explanations. */
const RELATION = 'last samples of streams';

type LastSample = ScalarSample | null;
type StrategyName = 'singles' | 'perSite' | 'account';

interface LastSampleSources {
  reader: Reader;
  singles: KeyedSource<number, LastSample>;
  ofSite(siteId: number): ReadRequest<RecentSamples>;
  ofAccount: ReadRequest<RecentSamples>;
  /** The prefetched batch of the account: `loading` while and after it loads, `batch` once it is loaded. */
  prefetched: { loading: Promise<RecentSamples | undefined> | undefined; batch: RecentSamples | undefined };
}

interface LastSamples extends Loader<StreamReference, LastSample> {
  /** Loads the account's batch where the streams of `siteCount` sites would cost more calls. */
  prefetch(siteCount: number): Promise<unknown> | undefined;
}

/** Loads null for a stream without samples. A stream that cannot be read fails alone. */
export function createLastSampleLoader(rest: RestClient, reader: Reader, nowMs: () => number): LastSamples {
  const sources: LastSampleSources = {
    reader,
    singles: readOne(reader, 'lastSample', rest.lastSample, toScalarSample),
    ofSite: (siteId) => recentOfSite(rest, siteId, nowMs),
    ofAccount: recentOfAccount(rest, nowMs),
    prefetched: { loading: undefined, batch: undefined },
  };
  const loader = new DataLoader<StreamReference, LastSample, number>((streams) => loadAll(streams, sources), {
    cacheKeyFn: ({ id }) => id,
  });
  const getCached = createCachedLookup(sources);

  return {
    load(stream) {
      const sample = getCached(stream);
      return sample === undefined ? loader.load(stream) : sample;
    },
    prefetch: (siteCount) => prefetchAccount(siteCount, sources, rest.siteSamplesSince.template),
  };
}

function prefetchAccount(
  siteCount: number,
  { reader, ofAccount, prefetched }: LastSampleSources,
  siteTemplate: string,
): Promise<unknown> | undefined {
  if (reader.lookup(ofAccount).state === 'fresh' || prefetched.loading !== undefined) {
    return prefetched.loading;
  }
  const plan = planFetch([
    { name: 'perSite', callCount: siteCount, costPerCall: reader.expectedCost(siteTemplate) },
    { name: 'account', callCount: 1, costPerCall: reader.expectedCost(ofAccount.template) },
  ]);
  if (plan.strategy !== 'account') return undefined;
  reader.explanation?.addPlan(RELATION, siteCount, plan);
  prefetched.loading = reader.read(ofAccount).then(
    (batch) => {
      prefetched.batch = batch;
      return batch;
    },
    () => undefined,
  );
  return prefetched.loading;
}

/** Looks up each batch once, so that hundreds of streams cost little more than one. */
function createCachedLookup({ reader, singles, ofSite, ofAccount, prefetched }: LastSampleSources) {
  const batches = new Map<number | null, RecentSamples | undefined>();

  function batchOf(siteId: number | null): RecentSamples | undefined {
    if (batches.has(siteId)) return batches.get(siteId);
    const batch = reader.get(siteId === null ? ofAccount : ofSite(siteId));
    batches.set(siteId, batch);
    return batch;
  }

  return ({ id, siteId }: StreamReference): LastSample | undefined =>
    (prefetched.batch ?? batchOf(null))?.newest.get(id) ??
    (siteId === null ? undefined : batchOf(siteId)?.newest.get(id)) ??
    singles.get(id);
}

async function loadAll(
  streams: readonly StreamReference[],
  sources: LastSampleSources,
): Promise<(LastSample | Error)[]> {
  const found = new Map<number, ScalarSample>();
  const { loading } = sources.prefetched;
  const prefetched = await loading;
  collectNewest(found, streams, [...(prefetched ? [prefetched] : []), ...cachedBatches(streams, sources)]);
  const missing = streams.filter(({ id }) => !found.has(id) && restCallsFor(sources.singles.lookup(id)) > 0);
  if (missing.length > 0 && loading === undefined) {
    const plan = planLastSamples(missing, sources);
    sources.reader.explanation?.addPlan(RELATION, missing.length, plan);
    collectNewest(found, missing, await loadRecent(plan.strategy, missing, sources));
  }
  return settleEach(streams, async ({ id }) => found.get(id) ?? sources.singles.load(id));
}

function cachedBatches(
  streams: readonly StreamReference[],
  { reader, ofSite, ofAccount }: LastSampleSources,
): RecentSamples[] {
  const requests = [ofAccount, ...siteIdsOf(streams).map(ofSite)];
  // `get` limits the freshness of the response to that of the batch; explained operations can only use `lookup`.
  return requests.flatMap((request) => {
    const recent = reader.get(request);
    if (recent) return [recent];
    const lookup = reader.lookup(request);
    return lookup.state === 'fresh' ? [lookup.value] : [];
  });
}

/** A cached batch has been searched already, so that loading it again would find nothing more. */
function planLastSamples(
  missing: readonly StreamReference[],
  sources: LastSampleSources,
): FetchPlan<StrategyName> {
  const { reader, singles, ofSite, ofAccount } = sources;
  const siteIds = siteIdsOf(missing);
  const haveSites = missing.every(({ siteId }) => siteId !== null);
  const isCached = (request: ReadRequest<RecentSamples>) => reader.lookup(request).state === 'fresh';
  const impossible = Number.POSITIVE_INFINITY;
  return planFetch<StrategyName>([
    { name: 'singles', callCount: missing.length, costPerCall: singles.expectedCost() },
    {
      name: 'perSite',
      callCount: !haveSites || siteIds.some((id) => isCached(ofSite(id))) ? impossible : siteIds.length,
      costPerCall: reader.expectedCost(ofSite(0).template),
    },
    {
      name: 'account',
      callCount: isCached(ofAccount) ? impossible : 1,
      costPerCall: reader.expectedCost(ofAccount.template),
    },
  ]);
}

/** Streams of a failed batch are read one by one. */
async function loadRecent(
  strategy: StrategyName,
  missing: readonly StreamReference[],
  { reader, ofSite, ofAccount }: LastSampleSources,
): Promise<RecentSamples[]> {
  if (strategy === 'singles') return [];
  const requests = strategy === 'account' ? [ofAccount] : siteIdsOf(missing).map(ofSite);
  const results = await settleEach(requests, (request) => reader.read(request));
  return results.filter((result): result is RecentSamples => !(result instanceof Error));
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
