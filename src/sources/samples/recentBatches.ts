/** The batches of recent samples that one operation uses. */
import { POLICIES } from '../../cache/policies.js';
import { isPromise } from '../../lib/maybePromise.js';
import { nextTurn } from '../../lib/slicedComputation.js';
import type { CallOptions } from '../../rest/callRecord.js';
import type { RestClient } from '../../rest/restClient.js';
import { settleEach, storeResult } from '../core/batches.js';
import type { ExpectedCost } from '../core/fetchPlan.js';
import type { Lookup, ReadRequest } from '../core/lookup.js';
import type { Reader } from '../core/reader.js';
import type { StreamReference } from '../entities/streams.js';
import type { ArrivedSamples } from './arrivedSamples.js';
import { isLater, isSilentSince, isStillLast, type RecentSamples } from './newestSamples.js';
import { recentOfSite, SAMPLE_BYTES } from './recentSamples.js';
import type { ScalarSample } from './samples.js';

/** Samples that the operation or a poll reads for other purposes. */
export interface OtherReads {
  arrivedSamples?: ArrivedSamples | undefined;
  /** See `SiteSamples`. */
  newestOfSite?(siteId: number): Promise<RecentSamples | undefined> | undefined;
}

/** The batches of sites, each of which one operation loads at most once, also with `no-cache`. */
export class SiteBatches {
  readonly #reader: Reader;
  readonly #toRequest: (siteId: number) => ReadRequest<RecentSamples>;
  readonly #newestOfSite: OtherReads['newestOfSite'];
  readonly #nowMs: () => number;
  readonly #template: string;
  readonly #lookups = new Map<number, Lookup<RecentSamples>>();
  /** Loading or loaded. */
  readonly #results = new Map<number, RecentSamples | Promise<RecentSamples>>();

  constructor(
    rest: RestClient,
    reader: Reader,
    nowMs: () => number,
    newestOfSite?: OtherReads['newestOfSite'],
  ) {
    this.#reader = reader;
    this.#toRequest = (siteId) => recentOfSite(rest, siteId, nowMs);
    this.#newestOfSite = newestOfSite;
    this.#nowMs = nowMs;
    this.#template = rest.siteSamplesSince.template;
  }

  expectedCost(): ExpectedCost {
    return this.#reader.endpointStats.expectedCost(this.#template);
  }

  lookup(siteId: number): Lookup<RecentSamples> {
    const existing = this.#lookups.get(siteId);
    if (existing) return existing;
    const lookup = this.#reader.lookup(this.#toRequest(siteId));
    this.#lookups.set(siteId, lookup);
    return lookup;
  }

  /** Undefined if reading it needs a REST call. */
  get(siteId: number): RecentSamples | undefined {
    return this.#loaded(siteId) ?? getFresh(this.#reader, this.lookup(siteId));
  }

  /** Whether the last batch, which may be stale, could not hold the samples of the site. */
  isTruncated(siteId: number | null): boolean {
    if (siteId === null) return false;
    const batch = this.#loaded(siteId) ?? this.#reader.inspect(this.lookup(siteId)).value;
    return batch?.isTruncated === true;
  }

  /** The cached sample of a stream that was read alone, if the batch of its site has none; undefined if it may be old. */
  getSilent(
    { id, siteId }: StreamReference,
    lookup: Lookup<ScalarSample | null>,
  ): ScalarSample | null | undefined {
    const batch = siteId === null ? undefined : this.get(siteId);
    const single = this.#reader.inspect(lookup);
    if (batch === undefined || !('origin' in single) || single.isSuspect) return undefined;
    const readAtMs = this.#nowMs() - single.ageMs;
    const hasChanged = readAtMs < (lookup.request.changedAtMs ?? readAtMs);
    return !hasChanged && isSilentSince(batch, id, readAtMs) ? single.value : undefined;
  }

  isLoaded(siteId: number): boolean {
    return this.#loaded(siteId) !== undefined;
  }

  /** `batchSize` is the number of streams that it serves, for traces. */
  load(siteId: number, batchSize: number | undefined): RecentSamples | Promise<RecentSamples> {
    const begun = this.#results.get(siteId);
    if (begun !== undefined) return begun;
    return storeResult(this.#results, siteId, this.#load(siteId, batchSize));
  }

  /**
   * Waits for another batch outside of `Reader.load`, because loads of an operation that wait for each other would block
   * it.
   */
  async #load(siteId: number, batchSize: number | undefined): Promise<RecentSamples> {
    // Fields that are resolved in the same turn may demand a batch.
    await nextTurn();
    const newest = await this.#newestOfSite?.(siteId);
    if (newest === undefined) return this.#reader.load(this.lookup(siteId), batchSize);
    const request = this.#toRequest(siteId);
    // A revalidation may have to wait so long that the samples are stale.
    const isFresh = () => this.#nowMs() < newest.readAtMs + POLICIES.lastSample.timeToLiveMs;
    const load = async (options: CallOptions) => (isFresh() ? newest : request.load(options));
    await this.#reader.load(this.#reader.lookup({ ...request, load }));
    return newest;
  }

  #loaded(siteId: number): RecentSamples | undefined {
    const result = this.#results.get(siteId);
    return isPromise(result) ? undefined : result;
  }
}

/** Finds samples in cached batches, which may be stale, for one operation. */
export class StaleBatches {
  readonly #reader: Reader;
  readonly #account: Lookup<RecentSamples>;
  readonly #sites: SiteBatches;
  /** Batches whose samples the operation uses. Each is recorded once. */
  readonly #used = new Set<Lookup<RecentSamples>>();

  constructor(reader: Reader, account: Lookup<RecentSamples>, sites: SiteBatches) {
    this.#reader = reader;
    this.#account = account;
    this.#sites = sites;
  }

  /** The newest sample of the stream in cached batches, also those in Redis; null without one. */
  async recallLatest(stream: StreamReference): Promise<ScalarSample | null> {
    await Promise.all(this.#lookups(stream).map((lookup) => this.#reader.recall(lookup)));
    return this.latestOf(stream, null);
  }

  /** The newest sample of the stream in cached batches, if it is later than `sample`; otherwise `sample`. */
  latestOf<Sample extends ScalarSample | null>(
    stream: StreamReference,
    sample: Sample,
  ): Sample | ScalarSample {
    let latest: Sample | ScalarSample = sample;
    let source: Lookup<RecentSamples> | undefined;
    for (const lookup of this.#lookups(stream)) {
      const found = this.#reader.inspect(lookup).value?.newest.get(stream.id);
      if (found === undefined || (latest !== null && !isLater(found, latest))) continue;
      latest = found;
      source = lookup;
    }
    if (source !== undefined && !this.#used.has(source)) {
      this.#used.add(source);
      this.#reader.getStale(source);
    }
    return latest;
  }

  /** Replaces samples by later ones of other batches: a batch that is served stale may be older than another. */
  async replaceOlder(found: Map<number, ScalarSample>, streams: readonly StreamReference[]): Promise<void> {
    if (this.#reader.inspect(this.#account).state === 'fresh') return;
    const replace = (stream: StreamReference) => {
      const sample = found.get(stream.id);
      if (sample) found.set(stream.id, this.latestOf(stream, sample));
    };
    await settleEach(streams, replace, this.#reader.turns);
  }

  #lookups({ siteId }: StreamReference): Lookup<RecentSamples>[] {
    return siteId === null ? [this.#account] : [this.#account, this.#sites.lookup(siteId)];
  }
}

/**
 * Renews the stale last sample of a stream if the cached batch of the account shows that no other has arrived since.
 * Returns whether it does: the sample is then as current as the batch.
 */
export function renewSingle(
  reader: Reader,
  account: Lookup<RecentSamples>,
  streamId: number,
  lookup: Lookup<ScalarSample | null>,
  nowMs: number,
): boolean {
  const [batch, single] = [reader.inspect(account), reader.inspect(lookup)];
  if (!('origin' in batch) || single.state !== 'stale' || single.isSuspect) return false;
  const read = { sample: single.value, readAtMs: nowMs - single.ageMs };
  if (!isStillLast(batch.value, streamId, read)) return false;
  reader.renew(lookup, single.value, nowMs - batch.ageMs, SAMPLE_BYTES);
  return true;
}

/** `get` limits the freshness of the response to that of the batch; explained operations can only use `inspect`. */
export function getFresh<Value>(reader: Reader, lookup: Lookup<Value>): Value | undefined {
  const recent = reader.get(lookup);
  if (recent !== undefined) return recent;
  const found = reader.inspect(lookup);
  return found.state === 'fresh' ? found.value : undefined;
}
