/**
 * Loads the newest sample of each stream with as few REST calls as possible: the account's batch, page by page, or a
 * batch for each site has the recent samples, and only streams without a recent sample are read one by one.
 */
import { isPlatformFault } from '../../cache/loadEntry.js';
import type { RestClient } from '../../rest/restClient.js';
import { createBatchLoader, settleEach } from '../core/batches.js';
import { type FetchPlan, type FetchStrategy, planFetch } from '../core/fetchPlan.js';
import { type KeyedSource, readOne } from '../core/keyedSource.js';
import type { Loader } from '../core/loaders.js';
import { type Lookup, restCallsFor } from '../core/lookup.js';
import type { Reader } from '../core/reader.js';
import { type StreamReference, siteIdsOf } from '../entities/streams.js';
import { certainSinceMs, collectNewest, type RecentlySampled, type RecentSamples } from './newestSamples.js';
import { getFresh, type OtherReads, renewSingle, SiteBatches, StaleBatches } from './recentBatches.js';
import {
  BatchTooLongError,
  getContinuableBatch,
  MAX_ACCOUNT_PAGES,
  recentOfAccount,
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
type Strategy = FetchStrategy<StrategyName>;

/** A stream whose last sample is not cached. */
interface MissedStream extends StreamReference {
  lookup: Lookup<LastSample>;
}

/** For one operation. Null for a stream without samples. A stream that cannot be read does not affect the others. */
export class LastSamples implements Loader<StreamReference, LastSample> {
  readonly #rest: RestClient;
  readonly #reader: Reader;
  readonly #nowMs: () => number;
  readonly #singles: KeyedSource<number, LastSample>;
  readonly #sites: SiteBatches;
  readonly #account: Lookup<RecentSamples>;
  readonly #loader: Loader<MissedStream, LastSample>;
  /** Each batch is looked up once, so that hundreds of streams cost little more than one. Null is the account. */
  readonly #cachedBatches = new Map<number | null, RecentSamples | undefined>();
  /** Set as soon as the prefetch of batches begins. */
  #prefetch: Promise<unknown> | undefined;
  /** The account's batch, once this operation has loaded it. */
  #accountBatch: RecentSamples | undefined;
  #hasAccountFailed = false;
  /** Whether the account's batch was served stale: another one may then have later samples. */
  #isAccountStale = false;
  readonly #staleBatches: StaleBatches;

  constructor(
    rest: RestClient,
    reader: Reader,
    nowMs: () => number,
    { arrivedSamples, newestOfSite }: OtherReads = {},
  ) {
    this.#rest = rest;
    this.#reader = reader;
    this.#nowMs = nowMs;
    // An entry of another replica may lack a sample that a poll has returned here.
    const arrivedAtMs = (streamId: number) => arrivedSamples?.arrivedAtMs(streamId);
    this.#singles = readOne(reader, 'lastSample', rest.lastSample, toScalarSample, arrivedAtMs);
    this.#sites = new SiteBatches(rest, reader, nowMs, newestOfSite);
    this.#account = reader.lookup(recentOfAccount(rest, reader, nowMs));
    this.#staleBatches = new StaleBatches(reader, this.#account, this.#sites);
    this.#loader = createBatchLoader<MissedStream, LastSample, number>(
      reader.turns,
      (missed) => this.#loadAll(missed),
      { cacheKeyFn: ({ id }) => id },
    );
  }

  load(stream: StreamReference): LastSample | Promise<LastSample> {
    const recent = this.#getFromBatch(stream);
    if (recent !== undefined)
      return this.#isAccountStale ? this.#staleBatches.latestOf(stream, recent) : recent;
    const { id, siteId } = stream;
    const lookup = this.#singles.lookup(id);
    const sample = this.#reader.get(lookup);
    return sample === undefined ? this.#loader.load({ id, siteId, lookup }) : sample;
  }

  /** Loads batches as `load` does, but no single streams. */
  async recent(streams: readonly StreamReference[]): Promise<RecentlySampled> {
    const newest = new Map<number, ScalarSample>();
    await this.#prefetch;
    collectNewest(newest, streams, this.#batchesOf(streams));
    const withoutSample = () => streams.filter(({ id }) => !newest.has(id));
    const missing = withoutSample().filter((stream) => !this.#isSiteLoaded(stream));
    await this.#collectRecent(newest, missing);
    const [batch] = this.#batchesOf([]);
    // The batch of the account may have been loaded in the meantime, at the same time as the batches of sites.
    if (batch) collectNewest(newest, withoutSample(), [batch]);
    await this.#staleBatches.replaceOlder(newest, streams);
    return { newest, coveredSinceMs: batch && certainSinceMs(batch) };
  }

  /** Loads the account's batch if the streams of `siteCount` sites would cost more calls. */
  prefetch(siteCount: number): Promise<unknown> | undefined {
    if (this.#reader.inspect(this.#account).state === 'fresh' || this.#prefetch !== undefined) {
      return this.#prefetch;
    }
    const costPerCall = this.#sites.expectedCost();
    const perSite: Strategy = { name: 'perSite', callCount: siteCount, costPerCall };
    const plan = planFetch([perSite, this.#accountStrategy(this.#expectedPages())]);
    if (plan.strategy !== 'account') return undefined;
    this.#reader.records.addPlan(RELATION, siteCount, plan);
    this.#prefetch = this.#readAccount([perSite], siteCount).catch(() => undefined);
    return this.#prefetch;
  }

  /** Begins to load the batch that `load` would use for the streams of a site, unless a batch was searched for them. */
  prefetchAtSite(siteId: number, streams: readonly StreamReference[]): Promise<unknown> | undefined {
    const wasSearched = this.#isAccountSearched() || this.#sites.get(siteId) !== undefined;
    if (wasSearched || this.#prefetch !== undefined) return this.#prefetch;
    const missing = streams.filter(
      ({ id }) => restCallsFor(this.#reader.inspect(this.#singles.lookup(id))) > 0,
    );
    if (missing.length > 0) this.#prefetch = this.#collectRecent(new Map(), missing);
    return this.#prefetch;
  }

  #getFromBatch({ id, siteId }: StreamReference): ScalarSample | undefined {
    const ofAccount = (this.#accountBatch ?? this.#cachedBatch(null))?.newest.get(id);
    return ofAccount ?? (siteId === null ? undefined : this.#cachedBatch(siteId)?.newest.get(id));
  }

  #cachedBatch(siteId: number | null): RecentSamples | undefined {
    if (this.#cachedBatches.has(siteId)) return this.#cachedBatches.get(siteId);
    const batch = this.#reader.get(siteId === null ? this.#account : this.#sites.lookup(siteId));
    this.#cachedBatches.set(siteId, batch);
    return batch;
  }

  /** See `renewSingle`. */
  #renew({ id, lookup }: MissedStream): boolean {
    const [batch] = this.#batchesOf([]);
    return batch !== undefined && renewSingle(this.#reader, this.#account, id, lookup, this.#nowMs());
  }

  /** Whether this operation has loaded the batch of the stream's site: no other batch has more of its samples. */
  #isSiteLoaded({ siteId }: StreamReference): boolean {
    return siteId !== null && this.#sites.isLoaded(siteId);
  }

  async #loadAll(streams: readonly MissedStream[]): Promise<(LastSample | Error)[]> {
    const found = new Map<number, ScalarSample>();
    await this.#prefetch;
    collectNewest(found, streams, this.#batchesOf(streams));
    const missing = streams.filter(
      (stream) =>
        !found.has(stream.id) &&
        !this.#isSiteLoaded(stream) &&
        !this.#renew(stream) &&
        this.#sites.getSilent(stream, stream.lookup) === undefined &&
        restCallsFor(this.#reader.inspect(stream.lookup)) > 0,
    );
    await this.#collectRecent(found, missing);
    await this.#staleBatches.replaceOlder(found, streams);
    const select = (stream: MissedStream) => found.get(stream.id) ?? this.#loadSingle(stream);
    return settleEach(streams, select, this.#reader.turns);
  }

  /** The cached sample that a batch without one of the stream confirms, as old as the batch; undefined if none does. */
  #getKnown(stream: MissedStream): LastSample | undefined {
    if (!this.#renew(stream)) return this.#sites.getSilent(stream, stream.lookup);
    return this.#isAccountStale ? this.#reader.getStale(stream.lookup) : undefined;
  }

  /** A batch may have been read after the stream itself, so a stale sample never replaces a later one that is cached. */
  async #loadSingle(stream: MissedStream): Promise<LastSample> {
    const known = this.#getKnown(stream);
    if (known !== undefined) return this.#staleBatches.latestOf(stream, known);
    const { state, value } = this.#reader.inspect(stream.lookup);
    const isStale = value !== undefined && state !== 'fresh';
    try {
      const sample = await this.#reader.load(stream.lookup);
      return isStale ? this.#staleBatches.latestOf(stream, sample) : sample;
    } catch (error) {
      const stale = isPlatformFault(error) ? await this.#staleBatches.recallLatest(stream) : null;
      if (stale === null) throw error;
      return stale;
    }
  }

  /** The batches that are loaded or fresh. */
  #batchesOf(streams: readonly StreamReference[]): RecentSamples[] {
    const batches = [
      this.#accountBatch ?? getFresh(this.#reader, this.#account),
      ...siteIdsOf(streams).map((id) => this.#sites.get(id)),
    ];
    return batches.filter((batch) => batch !== undefined);
  }

  /**
   * Loads batches by the cheapest strategy. Plans again if the account's batch fails or turns out to be too long, and for
   * the sites whose batch is truncated.
   */
  async #collectRecent(
    found: Map<number, ScalarSample>,
    missing: readonly StreamReference[],
    attempt = 1,
  ): Promise<void> {
    if (missing.length === 0) return;
    const plan = this.#plan(missing, attempt <= MAX_ACCOUNT_ATTEMPTS);
    this.#reader.records.addPlan(RELATION, missing.length, plan);
    let left = missing;
    try {
      collectNewest(found, missing, await this.#loadRecent(plan.strategy, missing));
      if (plan.strategy === 'singles' || (plan.strategy === 'account' && !this.#hasAccountFailed)) return;
      if (plan.strategy === 'perSite')
        left = missing.filter(({ id, siteId }) => !found.has(id) && this.#sites.isTruncated(siteId));
    } catch (error) {
      if (!(error instanceof BatchTooLongError)) throw error;
    }
    await this.#collectRecent(found, left, attempt + 1);
  }

  #plan(missing: readonly StreamReference[], mayUseAccount: boolean): FetchPlan<StrategyName> {
    const isImpossible = this.#isAccountSearched() || this.#hasAccountFailed || !mayUseAccount;
    const pages = isImpossible ? Number.POSITIVE_INFINITY : this.#expectedPages();
    const [singles, perSite] = this.#withoutAccount(missing);
    return planFetch<StrategyName>([singles, perSite, this.#accountStrategy(pages)]);
  }

  /** Whether the account's batch has been searched already, so that loading it again would find nothing more. */
  #isAccountSearched(): boolean {
    return this.#accountBatch !== undefined || this.#reader.inspect(this.#account).state === 'fresh';
  }

  #withoutAccount(missing: readonly StreamReference[]): [Strategy, Strategy] {
    const siteIds = siteIdsOf(missing);
    const haveSites = missing.every(({ siteId }) => siteId !== null);
    // The batch of a site contains few of the streams that are missing from another batch.
    const wasSearched =
      this.#isAccountSearched() ||
      siteIds.some((id) => this.#sites.get(id) !== undefined || this.#sites.isTruncated(id));
    return [
      { name: 'singles', callCount: missing.length, costPerCall: this.#singles.expectedCost() },
      {
        name: 'perSite',
        callCount: haveSites && !wasSearched ? siteIds.length : Number.POSITIVE_INFINITY,
        costPerCall: this.#sites.expectedCost(),
      },
    ];
  }

  /** The pages of the batch are read one after another; the calls of the other strategies run in parallel. */
  #accountStrategy(pages: number): Strategy {
    const { bytes, durationMs } = this.#reader.endpointStats.expectedCost(this.#account.request.template);
    const callCount = pages > MAX_ACCOUNT_PAGES ? Number.POSITIVE_INFINITY : pages;
    return { name: 'account', callCount, costPerCall: { bytes, durationMs: durationMs * pages } };
  }

  /** Expected pages of the account's batch; 1 if a batch in memory is continued. */
  #expectedPages(): number {
    if (getContinuableBatch(this.#reader, this.#account, this.#nowMs())) return 1;
    return this.#reader.endpointStats.expectedPages(this.#account.request.template);
  }

  /** Streams of a site whose batch fails are read one by one. Rejects with `BatchTooLongError`. */
  async #loadRecent(strategy: StrategyName, missing: readonly StreamReference[]): Promise<RecentSamples[]> {
    if (strategy === 'singles') return [];
    if (strategy === 'account') {
      const batch = await this.#readAccount(this.#withoutAccount(missing), missing.length);
      return batch ? [batch] : [];
    }
    const counts = new Map<number | null, number>();
    for (const { siteId } of missing) counts.set(siteId, (counts.get(siteId) ?? 0) + 1);
    const results = await settleEach(
      siteIdsOf(missing),
      (siteId) => this.#sites.load(siteId, counts.get(siteId)),
      this.#reader.turns,
    );
    return results.filter((result): result is RecentSamples => !(result instanceof Error));
  }

  /** Reads as long as the pages that are left cost less than the alternatives. Undefined if it fails. */
  async #readAccount(
    alternatives: readonly Strategy[],
    batchSize: number,
  ): Promise<RecentSamples | undefined> {
    const shouldRead: ShouldReadPages = (remainingPages) =>
      planFetch([this.#accountStrategy(remainingPages), ...alternatives]).strategy === 'account';
    const request = recentOfAccount(this.#rest, this.#reader, this.#nowMs, shouldRead);
    try {
      const batch = await this.#reader.load(this.#reader.lookup(request), batchSize);
      const { state, value } = this.#reader.inspect(this.#account);
      this.#isAccountStale = value !== undefined && state !== 'fresh';
      this.#accountBatch = batch;
      return batch;
    } catch (error) {
      if (error instanceof BatchTooLongError) throw error;
      this.#hasAccountFailed = true;
      return undefined;
    }
  }
}
