/**
 * Loads the newest sample of each stream with as few REST calls as possible: the account's batch, page by page, or a
 * batch for each site has the recent samples, and only streams without a recent sample are read one by one.
 */
import type { RestClient } from '../../rest/restClient.js';
import { createBatchLoader, settleEach } from '../core/batches.js';
import { type KeyedSource, readOne } from '../core/collections.js';
import { type FetchPlan, type FetchStrategy, planFetch } from '../core/fetchPlan.js';
import type { Loader } from '../core/loaders.js';
import { type Lookup, restCallsFor } from '../core/lookup.js';
import type { Reader } from '../core/reader.js';
import { type StreamReference, siteIdsOf } from '../entities/streams.js';
import {
  BatchTooLongError,
  certainSinceMs,
  collectNewest,
  continuedBatch,
  MAX_ACCOUNT_PAGES,
  type RecentSamples,
  recentOfAccount,
  recentOfSite,
  type ShouldReadPages,
} from './recentSamples.js';
import { type ScalarSample, toScalarSample } from './samples.js';

/** The name in explanations. */
const RELATION = 'last samples of streams';
/**
 * Attempts of an operation to read the account's batch. The first may share the load of an operation that wants
 * fewer pages; the second knows the number of pages.
 */
const MAX_ACCOUNT_ATTEMPTS = 2;

type LastSample = ScalarSample | null;
type StrategyName = 'singles' | 'perSite' | 'account';

interface LastSampleSources {
  reader: Reader;
  nowMs: () => number;
  singles: KeyedSource<number, LastSample>;
  /** The lookup of a site's batch: the same for all streams of the site. */
  ofSite(siteId: number): Lookup<RecentSamples>;
  account: Lookup<RecentSamples>;
  readAccount(isWorth: ShouldReadPages, batchSize: number | undefined): Promise<RecentSamples>;
  /** The batch of the account: `loading` while and after it is prefetched, `batch` once it is loaded. */
  prefetched: {
    loading: Promise<RecentSamples | undefined> | undefined;
    batch: RecentSamples | undefined;
    hasFailed: boolean;
  };
}

/** The newest samples that batches contain. */
interface RecentlySampled {
  /** By stream. */
  newest: ReadonlyMap<number, ScalarSample>;
  /** A stream that is not in `newest` has no sample since this time, in milliseconds. Undefined if it may have one. */
  coveredSinceMs: number | undefined;
}

export interface LastSamples extends Loader<StreamReference, LastSample> {
  /** Loads batches as `load` does, and no single streams. */
  recent(streams: readonly StreamReference[]): Promise<RecentlySampled>;
  /** Loads the account's batch if the streams of `siteCount` sites would cost more calls. */
  prefetch(siteCount: number): Promise<unknown> | undefined;
}

/** Loads null for a stream without samples. A stream that cannot be read fails alone. */
export function createLastSampleLoader(rest: RestClient, reader: Reader, nowMs: () => number): LastSamples {
  const sites = new Map<number, Lookup<RecentSamples>>();
  const requestOfAccount = (isWorth?: ShouldReadPages) => recentOfAccount(rest, reader, nowMs, isWorth);
  const sources: LastSampleSources = {
    reader,
    nowMs,
    singles: readOne(reader, 'lastSample', rest.lastSample, toScalarSample),
    ofSite(siteId) {
      const lookup = sites.get(siteId) ?? reader.lookup(recentOfSite(rest, siteId, nowMs));
      sites.set(siteId, lookup);
      return lookup;
    },
    account: reader.lookup(requestOfAccount()),
    readAccount: (isWorth, batchSize) => reader.load(reader.lookup(requestOfAccount(isWorth)), batchSize),
    prefetched: { loading: undefined, batch: undefined, hasFailed: false },
  };
  const loader = createBatchLoader<MissedStream, LastSample, number>(
    reader.turns,
    (missed) => loadAll(missed, sources),
    { cacheKeyFn: ({ id }) => id },
  );
  const getFromBatch = createBatchSearch(sources);

  return {
    load({ id, siteId }) {
      const recent = getFromBatch({ id, siteId });
      if (recent !== undefined) return recent;
      const lookup = sources.singles.lookup(id);
      const sample = reader.get(lookup);
      return sample === undefined ? loader.load({ id, siteId, lookup }) : sample;
    },
    recent: (streams) => loadRecentlySampled(streams, sources),
    prefetch: (siteCount) => prefetchAccount(siteCount, sources),
  };
}

async function loadRecentlySampled(
  streams: readonly StreamReference[],
  sources: LastSampleSources,
): Promise<RecentlySampled> {
  const { account, prefetched } = sources;
  const newest = new Map<number, ScalarSample>();
  await prefetched.loading;
  const batches = prefetched.batch ? [prefetched.batch] : [];
  collectNewest(newest, streams, [...batches, ...cachedBatches(streams, sources)]);
  const withoutSample = () => streams.filter(({ id }) => !newest.has(id));
  await collectRecent(newest, withoutSample(), sources);
  const found = sources.reader.find(account);
  const batch = prefetched.batch ?? (found.state === 'fresh' ? found.value : undefined);
  // It may have been loaded while the batches of sites were.
  if (batch) collectNewest(newest, withoutSample(), [batch]);
  return { newest, coveredSinceMs: batch && certainSinceMs(batch) };
}

function prefetchAccount(siteCount: number, sources: LastSampleSources): Promise<unknown> | undefined {
  const { reader, account, ofSite, prefetched } = sources;
  if (reader.find(account).state === 'fresh' || prefetched.loading !== undefined) {
    return prefetched.loading;
  }
  const perSite = {
    name: 'perSite',
    callCount: siteCount,
    costPerCall: reader.endpointStats.expectedCost(ofSite(0).request.template),
  } as const;
  const plan = planFetch([perSite, accountStrategy(expectedPages(sources), sources)]);
  if (plan.strategy !== 'account') return undefined;
  reader.records.addPlan(RELATION, siteCount, plan);
  prefetched.loading = readAccount([perSite], sources, siteCount).catch(() => undefined);
  return prefetched.loading;
}

/** Looks up each batch once, so that hundreds of streams cost little more than one. */
function createBatchSearch({ reader, ofSite, account, prefetched }: LastSampleSources) {
  const batches = new Map<number | null, RecentSamples | undefined>();

  function batchOf(siteId: number | null): RecentSamples | undefined {
    if (batches.has(siteId)) return batches.get(siteId);
    const batch = reader.get(siteId === null ? account : ofSite(siteId));
    batches.set(siteId, batch);
    return batch;
  }

  return ({ id, siteId }: StreamReference): ScalarSample | undefined =>
    (prefetched.batch ?? batchOf(null))?.newest.get(id) ??
    (siteId === null ? undefined : batchOf(siteId)?.newest.get(id));
}

/** A stream whose last sample is not cached. */
interface MissedStream extends StreamReference {
  lookup: Lookup<LastSample>;
}

async function loadAll(
  streams: readonly MissedStream[],
  sources: LastSampleSources,
): Promise<(LastSample | Error)[]> {
  const found = new Map<number, ScalarSample>();
  const prefetched = await sources.prefetched.loading;
  collectNewest(found, streams, [...(prefetched ? [prefetched] : []), ...cachedBatches(streams, sources)]);
  const missing = streams.filter(
    ({ id, lookup }) => !found.has(id) && restCallsFor(sources.reader.find(lookup)) > 0,
  );
  await collectRecent(found, missing, sources);
  const { reader } = sources;
  return settleEach(streams, ({ id, lookup }) => found.get(id) ?? reader.load(lookup), reader.turns);
}

/** Loads batches by the cheapest strategy. Plans again if the account's batch fails or turns out to be too long. */
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
  { reader, ofSite, account }: LastSampleSources,
): RecentSamples[] {
  const lookups = [account, ...siteIdsOf(streams).map(ofSite)];
  // `get` limits the freshness of the response to that of the batch; explained operations can only use `find`.
  return lookups.flatMap((lookup) => {
    const recent = reader.get(lookup);
    if (recent) return [recent];
    const found = reader.find(lookup);
    return found.state === 'fresh' ? [found.value] : [];
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
function isSearched({ reader, account, prefetched }: LastSampleSources): boolean {
  return prefetched.batch !== undefined || reader.find(account).state === 'fresh';
}

type Strategy = FetchStrategy<StrategyName>;

function withoutAccount(
  missing: readonly StreamReference[],
  sources: LastSampleSources,
): [Strategy, Strategy] {
  const { reader, singles, ofSite } = sources;
  const siteIds = siteIdsOf(missing);
  const haveSites = missing.every(({ siteId }) => siteId !== null);
  // The batch of a site contains few of the streams that are missing from another batch.
  const wasSearched = isSearched(sources) || siteIds.some((id) => reader.find(ofSite(id)).state === 'fresh');
  return [
    { name: 'singles', callCount: missing.length, costPerCall: singles.expectedCost() },
    {
      name: 'perSite',
      callCount: haveSites && !wasSearched ? siteIds.length : Number.POSITIVE_INFINITY,
      costPerCall: reader.endpointStats.expectedCost(ofSite(0).request.template),
    },
  ];
}

/** Its pages are read one after another, whereas the calls of the other strategies run in parallel. */
function accountStrategy(pages: number, { reader, account }: LastSampleSources): Strategy {
  const { bytes, durationMs } = reader.endpointStats.expectedCost(account.request.template);
  return pages > MAX_ACCOUNT_PAGES
    ? { name: 'account', callCount: Number.POSITIVE_INFINITY, costPerCall: { bytes, durationMs } }
    : { name: 'account', callCount: pages, costPerCall: { bytes, durationMs: durationMs * pages } };
}

/** Expected pages of the account's batch; 1 if a batch in memory is continued. */
function expectedPages({ reader, nowMs, account }: LastSampleSources): number {
  if (continuedBatch(reader, account, nowMs())) return 1;
  return reader.endpointStats.expectedPages(account.request.template);
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
  const results = await settleEach(
    siteIdsOf(missing),
    (siteId) => reader.load(ofSite(siteId), counts.get(siteId)),
    reader.turns,
  );
  return results.filter((result): result is RecentSamples => !(result instanceof Error));
}

/** Reads as long as the pages that are left cost less than the alternatives. Undefined if it fails. */
async function readAccount(
  alternatives: readonly Strategy[],
  sources: LastSampleSources,
  batchSize?: number,
): Promise<RecentSamples | undefined> {
  const { prefetched } = sources;
  const isWorth: ShouldReadPages = (remainingPages) =>
    planFetch([accountStrategy(remainingPages, sources), ...alternatives]).strategy === 'account';
  try {
    const batch = await sources.readAccount(isWorth, batchSize);
    prefetched.batch = batch;
    return batch;
  } catch (error) {
    if (error instanceof BatchTooLongError) throw error;
    prefetched.hasFailed = true;
    return undefined;
  }
}
