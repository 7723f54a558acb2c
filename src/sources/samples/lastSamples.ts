/**
 * Loads the newest sample of each stream with as few REST calls as possible: the account's batch, page by page, or a
 * batch for each site has the recent samples, and only streams without a recent sample are read one by one.
 */
import DataLoader from 'dataloader';
import type { RestClient } from '../../rest/restClient.js';
import { type KeyedSource, readOne } from '../core/collections.js';
import { type FetchPlan, type FetchStrategy, planFetch, restCallsFor } from '../core/fetchPlan.js';
import { type Loader, settleEach } from '../core/loaders.js';
import type { Reader, ReadRequest } from '../core/reader.js';
import { type StreamReference, siteIdsOf } from '../entities/customAttributes.js';
import {
  BatchTooLongError,
  certainSinceMs,
  continuedBatch,
  type IsWorthPages,
  MAX_ACCOUNT_PAGES,
  type RecentSamples,
  recentOfAccount,
  recentOfSite,
} from './recentSamples.js';
import { type ScalarSample, toScalarSample } from './samples.js';

/** The name in explanations. */
const RELATION = 'last samples of streams';
/**
 * Attempts of an operation to read the account's batch. The first may join the load of an operation that wants fewer
 * pages; the second knows the number of pages.
 */
const MAX_ACCOUNT_ATTEMPTS = 2;

type LastSample = ScalarSample | null;
type StrategyName = 'singles' | 'perSite' | 'account';

interface LastSampleSources {
  reader: Reader;
  nowMs: () => number;
  singles: KeyedSource<number, LastSample>;
  ofSite(siteId: number): ReadRequest<RecentSamples>;
  ofAccount(isWorth?: IsWorthPages): ReadRequest<RecentSamples>;
  /** The batch of the account: `loading` while and after it is prefetched, `batch` once it is loaded. */
  prefetched: {
    loading: Promise<RecentSamples | undefined> | undefined;
    batch: RecentSamples | undefined;
    hasFailed: boolean;
  };
}

/** The newest samples that batches contain. */
export interface RecentlySampled {
  /** By stream. */
  newest: ReadonlyMap<number, ScalarSample>;
  /** A stream that is not in `newest` has no sample since this time, in milliseconds. Undefined where it may have. */
  coveredSinceMs: number | undefined;
}

interface LastSamples extends Loader<StreamReference, LastSample> {
  /** Loads batches as `load` does, and no stream by itself. */
  recent(streams: readonly StreamReference[]): Promise<RecentlySampled>;
  /** Loads the account's batch where the streams of `siteCount` sites would cost more calls. */
  prefetch(siteCount: number): Promise<unknown> | undefined;
}

/** Loads null for a stream without samples. A stream that cannot be read fails alone. */
export function createLastSampleLoader(rest: RestClient, reader: Reader, nowMs: () => number): LastSamples {
  const sources: LastSampleSources = {
    reader,
    nowMs,
    singles: readOne(reader, 'lastSample', rest.lastSample, toScalarSample),
    ofSite: (siteId) => recentOfSite(rest, siteId, nowMs),
    ofAccount: (isWorth) => recentOfAccount(rest, reader, nowMs, isWorth),
    prefetched: { loading: undefined, batch: undefined, hasFailed: false },
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
    recent: (streams) => loadRecentlySampled(streams, sources),
    prefetch: (siteCount) => prefetchAccount(siteCount, sources),
  };
}

async function loadRecentlySampled(
  streams: readonly StreamReference[],
  sources: LastSampleSources,
): Promise<RecentlySampled> {
  const { reader, ofAccount, prefetched } = sources;
  const newest = new Map<number, ScalarSample>();
  await prefetched.loading;
  const batches = prefetched.batch ? [prefetched.batch] : [];
  collectNewest(newest, streams, [...batches, ...cachedBatches(streams, sources)]);
  await collectRecent(
    newest,
    streams.filter(({ id }) => !newest.has(id)),
    sources,
  );
  const lookup = reader.lookup(ofAccount());
  const account = prefetched.batch ?? (lookup.state === 'fresh' ? lookup.value : undefined);
  return { newest, coveredSinceMs: account && certainSinceMs(account) };
}

function prefetchAccount(siteCount: number, sources: LastSampleSources): Promise<unknown> | undefined {
  const { reader, ofAccount, ofSite, prefetched } = sources;
  if (reader.lookup(ofAccount()).state === 'fresh' || prefetched.loading !== undefined) {
    return prefetched.loading;
  }
  const perSite = {
    name: 'perSite',
    callCount: siteCount,
    costPerCall: reader.expectedCost(ofSite(0).template),
  } as const;
  const plan = planFetch([perSite, accountStrategy(expectedPages(sources), sources)]);
  if (plan.strategy !== 'account') return undefined;
  reader.records.addPlan(RELATION, siteCount, plan);
  prefetched.loading = readAccount([perSite], sources, siteCount).catch(() => undefined);
  return prefetched.loading;
}

/** Looks up each batch once, so that hundreds of streams cost little more than one. */
function createCachedLookup({ reader, singles, ofSite, ofAccount, prefetched }: LastSampleSources) {
  const batches = new Map<number | null, RecentSamples | undefined>();

  function batchOf(siteId: number | null): RecentSamples | undefined {
    if (batches.has(siteId)) return batches.get(siteId);
    const batch = reader.get(siteId === null ? ofAccount() : ofSite(siteId));
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
  const prefetched = await sources.prefetched.loading;
  collectNewest(found, streams, [...(prefetched ? [prefetched] : []), ...cachedBatches(streams, sources)]);
  const missing = streams.filter(({ id }) => !found.has(id) && restCallsFor(sources.singles.lookup(id)) > 0);
  await collectRecent(found, missing, sources);
  return settleEach(streams, async ({ id }) => found.get(id) ?? sources.singles.load(id));
}

/** Loads batches by the cheapest strategy. Plans again where the account's batch fails or turns out to be too long. */
async function collectRecent(
  found: Map<number, ScalarSample>,
  missing: readonly StreamReference[],
  sources: LastSampleSources,
  attempt = 1,
): Promise<void> {
  if (missing.length === 0) return;
  const plan = planLastSamples(missing, attempt <= MAX_ACCOUNT_ATTEMPTS, sources);
  sources.reader.records.addPlan(RELATION, missing.length, plan);
  try {
    collectNewest(found, missing, await loadRecent(plan.strategy, missing, sources));
    if (plan.strategy !== 'account' || !sources.prefetched.hasFailed) return;
  } catch (error) {
    if (!(error instanceof BatchTooLongError)) throw error;
  }
  await collectRecent(found, missing, sources, attempt + 1);
}

function cachedBatches(
  streams: readonly StreamReference[],
  { reader, ofSite, ofAccount }: LastSampleSources,
): RecentSamples[] {
  const requests = [ofAccount(), ...siteIdsOf(streams).map(ofSite)];
  // `get` limits the freshness of the response to that of the batch; explained operations can only use `lookup`.
  return requests.flatMap((request) => {
    const recent = reader.get(request);
    if (recent) return [recent];
    const lookup = reader.lookup(request);
    return lookup.state === 'fresh' ? [lookup.value] : [];
  });
}

function planLastSamples(
  missing: readonly StreamReference[],
  mayUseAccount: boolean,
  sources: LastSampleSources,
): FetchPlan<StrategyName> {
  const isImpossible = isSearched(sources) || sources.prefetched.hasFailed || !mayUseAccount;
  const pages = isImpossible ? Number.POSITIVE_INFINITY : expectedPages(sources);
  const [singles, perSite] = withoutAccount(missing, sources);
  return planFetch<StrategyName>([singles, perSite, accountStrategy(pages, sources)]);
}

/** Whether the account's batch has been searched already, so that loading it again would find nothing more. */
function isSearched({ reader, ofAccount, prefetched }: LastSampleSources): boolean {
  return prefetched.batch !== undefined || reader.lookup(ofAccount()).state === 'fresh';
}

type Strategy = FetchStrategy<StrategyName>;

function withoutAccount(
  missing: readonly StreamReference[],
  sources: LastSampleSources,
): [Strategy, Strategy] {
  const { reader, singles, ofSite } = sources;
  const siteIds = siteIdsOf(missing);
  const haveSites = missing.every(({ siteId }) => siteId !== null);
  // A batch of a site finds few of the streams that another batch lacks.
  const wasSearched =
    isSearched(sources) || siteIds.some((id) => reader.lookup(ofSite(id)).state === 'fresh');
  return [
    { name: 'singles', callCount: missing.length, costPerCall: singles.expectedCost() },
    {
      name: 'perSite',
      callCount: haveSites && !wasSearched ? siteIds.length : Number.POSITIVE_INFINITY,
      costPerCall: reader.expectedCost(ofSite(0).template),
    },
  ];
}

/** Its pages come one after the other, unlike the calls of the other strategies. */
function accountStrategy(pages: number, { reader, ofAccount }: LastSampleSources): Strategy {
  const { bytes, durationMs } = reader.expectedCost(ofAccount().template);
  return pages > MAX_ACCOUNT_PAGES
    ? { name: 'account', callCount: Number.POSITIVE_INFINITY, costPerCall: { bytes, durationMs } }
    : { name: 'account', callCount: pages, costPerCall: { bytes, durationMs: durationMs * pages } };
}

/** Of the account's batch: 1 where a batch in memory is continued. */
function expectedPages({ reader, nowMs, ofAccount }: LastSampleSources): number {
  const request = ofAccount();
  return continuedBatch(reader, request, nowMs()) ? 1 : reader.expectedPages(request.template);
}

/** Streams of a site whose batch fails are read one by one. Rejects with `BatchTooLongError`. */
async function loadRecent(
  strategy: StrategyName,
  missing: readonly StreamReference[],
  sources: LastSampleSources,
): Promise<RecentSamples[]> {
  const { reader, ofSite } = sources;
  if (strategy === 'singles') return [];
  if (strategy === 'account') {
    const batch = await readAccount(withoutAccount(missing, sources), sources, missing.length);
    return batch ? [batch] : [];
  }
  const counts = new Map<number | null, number>();
  for (const { siteId } of missing) counts.set(siteId, (counts.get(siteId) ?? 0) + 1);
  const results = await settleEach(siteIdsOf(missing), (siteId) =>
    reader.read({ ...ofSite(siteId), batchSize: counts.get(siteId) }),
  );
  return results.filter((result): result is RecentSamples => !(result instanceof Error));
}

/** Reads as long as the pages that are left cost less than the alternatives. Undefined where it fails. */
async function readAccount(
  alternatives: readonly Strategy[],
  sources: LastSampleSources,
  batchSize?: number,
): Promise<RecentSamples | undefined> {
  const { reader, ofAccount, prefetched } = sources;
  const isWorth: IsWorthPages = (remainingPages) =>
    planFetch([accountStrategy(remainingPages, sources), ...alternatives]).strategy === 'account';
  try {
    const batch = await reader.read({ ...ofAccount(isWorth), batchSize });
    prefetched.batch = batch;
    return batch;
  } catch (error) {
    if (error instanceof BatchTooLongError) throw error;
    prefetched.hasFailed = true;
    return undefined;
  }
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
