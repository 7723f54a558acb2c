/**
 * Reads the REST API for one operation: from the cache if it is fresh, otherwise from the platform. Records every
 * read for explanations.
 */
import type { Cache } from '../../cache/cache.js';
import type { CacheKey, KeyBuilder } from '../../cache/cacheKey.js';
import type { CachedValue, CacheLookup, CacheRequest, StoredEntry } from '../../cache/cacheRequest.js';
import type { SamplePageStore } from '../../cache/memory/samplePageStore.js';
import type { ResourceKind } from '../../cache/policies.js';
import { createClientDisconnectedError, type GatewayError, hasCode } from '../../errors.js';
import type { CallGate } from '../../lib/callGate.js';
import { type Cancellation, createCancellation } from '../../lib/cancellation.js';
import type { Clock } from '../../lib/clock.js';
import { OperationTurns } from '../../lib/turnBudget.js';
import { type CallOptions, type CallRecord, PreviousBody } from '../../rest/callRecord.js';
import type { PathValue } from '../../rest/path.js';
import { createTimeoutError, onWaitEnd } from '../../rest/transport/waitLimits.js';
import { createDependencyRecorder, type DependencyRecorder } from './cacheDependencies.js';
import type { EndpointStats } from './endpointStats.js';
import { OperationRecords } from './explanation.js';
import type { Lookup, ReadRequest } from './lookup.js';
import type { ResponseFreshness } from './responseFreshness.js';

interface ReaderOptions {
  cache: Cache;
  keys: KeyBuilder;
  samplePages: SamplePageStore;
  endpointStats: EndpointStats;
  /** Bounds the operation's REST calls. Absent if they are not bounded. */
  callGate?: CallGate | undefined;
  /** Turns of the operation; by default, only of this reader. */
  turns?: OperationTurns | undefined;
  options: Omit<CallOptions, 'onCall'>;
  /** Records of the operation. If absent, the reader creates its own. */
  records?: OperationRecords | undefined;
  freshness: ResponseFreshness;
  /** The clock of deadlines. */
  monotonicClock: Clock;
}

/** How long an operation without a deadline waits for one value. */
const READ_TIMEOUT_MS = 30_000;

/** Reads for one operation. */
export class Reader {
  /** For REST calls that bypass the cache. */
  readonly options: CallOptions;
  /** Pages of samples and aggregates. */
  readonly samplePages: SamplePageStore;
  /** With `no-cache`: the load times of the pages that this operation has stored, by name. */
  readonly ownPages: Map<string, number> | undefined;
  readonly records: OperationRecords;
  /** Combined freshness of everything that the operation has read. */
  readonly freshness: ResponseFreshness;
  /** Divides work with many keys. */
  readonly turns: OperationTurns;
  /** Undefined with `no-cache` or `X-Explain`, where no dependencies are tracked. */
  readonly dependencies: DependencyRecorder | undefined;
  /** Measured over all operations, for their plans. */
  readonly endpointStats: EndpointStats;
  readonly #cache: Cache;
  readonly #keys: KeyBuilder;
  readonly #callGate: CallGate | undefined;
  readonly #monotonicClock: Clock;

  constructor(parts: ReaderOptions) {
    const { requestId, callerId, cancellation, noCache, deadlineAtMs, beforeCall, beginSpan } = parts.options;
    const onCall = (call: CallRecord) => this.#observeUncached(call);
    this.options = {
      requestId,
      callerId,
      cancellation,
      noCache,
      deadlineAtMs,
      beforeCall,
      beginSpan,
      onCall,
    };
    this.samplePages = parts.samplePages;
    this.ownPages = noCache ? new Map() : undefined;
    this.records = parts.records ?? new OperationRecords();
    this.freshness = parts.freshness;
    this.turns = parts.turns ?? new OperationTurns();
    this.#cache = parts.cache;
    this.#keys = parts.keys;
    this.endpointStats = parts.endpointStats;
    this.#callGate = parts.callGate;
    this.#monotonicClock = parts.monotonicClock;
    this.dependencies =
      this.options.noCache || this.records.explanation
        ? undefined
        : createDependencyRecorder((key, kind) => this.#record(key, kind, this.#cache.lookup(key, kind)));
  }

  /** Returns the value from the cache, from a load in flight, or from the platform. */
  read<Value>(request: ReadRequest<Value>): Promise<Value> {
    return this.load(this.lookup(request));
  }

  /**
   * Like `read`, for a request that has already been looked up. `batchSize`: keys that the response serves; 1 by
   * default. `timeShare`: the part of the operation's remaining time that it waits for the load.
   */
  async load<Value>(lookup: Lookup<Value>, batchSize?: number, timeShare = 1): Promise<Value> {
    this.dependencies?.seal();
    const { value, origin, ageMs, freshForMs } = await this.#inTurn(() =>
      this.#fetchInTime(lookup, batchSize, timeShare),
    );
    this.freshness.limitTo(freshForMs, lookup.request.kind);
    if (origin !== 'network') this.records.addAvoided({ template: lookup.request.template, origin, ageMs });
    return value;
  }

  /** Makes a call that bypasses the cache. */
  readUncached<Value>(call: (options: CallOptions) => Promise<Value>): Promise<Value> {
    return this.#inTurn(() => call(this.options));
  }

  /** Looks a value up, for `get`, for plans and for `load`. Only `get` and `load` record it as a dependency. */
  lookup<Value>(request: ReadRequest<Value>): Lookup<Value> {
    const { kind, template, parameter } = request;
    const key = this.#keys.endpointKey(kind, template, parameter);
    return { request, key, missingSince: undefined };
  }

  /**
   * The present state of a value, for plans. Nothing is recorded. A missing value is looked up in memory again only
   * after the memory has stored an entry. With `no-cache`, only loads that were started with it count.
   */
  inspect<Value>(lookup: Lookup<Value>): CacheLookup<Value> {
    const { kind } = lookup.request;
    const noCache = this.options.noCache === true;
    const found = this.#cache.lookup<Value>(lookup.key, kind, noCache, lookup.missingSince);
    const isMissing = found.state === 'missing' || (found.state === 'inFlight' && !('origin' in found));
    lookup.missingSince = isMissing ? this.#cache.contentVersion() : undefined;
    return found;
  }

  /**
   * Returns the fresh value and records it as a dependency; undefined if `load` would wait. Always undefined with
   * `no-cache`, and for an explained operation, where `load` records each value.
   */
  get<Value>(lookup: Lookup<Value>): Value | undefined {
    if (this.dependencies === undefined) return undefined;
    return this.#record(lookup.key, lookup.request.kind, this.inspect(lookup));
  }

  /**
   * Returns a value past its time to live, to be used when a load has failed. Undefined if memory has none, and with
   * `no-cache`.
   */
  getStale<Value>(lookup: Lookup<Value>): Value | undefined {
    const found = this.inspect(lookup);
    if (!('origin' in found)) return undefined;
    this.#cache.countRead('overdue');
    this.freshness.limitTo(0, lookup.request.kind);
    this.records.addAvoided({ template: lookup.request.template, origin: 'stale', ageMs: found.ageMs });
    return found.value;
  }

  /** Renews a value in memory: another response has shown that the platform still had it at this time. */
  renew<Value>(lookup: Lookup<Value>, value: Value, storedAtMs: number, bytes: number): void {
    this.#cache.store(lookup.key, lookup.request.kind, { value, storedAtMs, bytes });
  }

  /**
   * Copies a value that memory lacks from Redis, so that `getStale` finds it after a restart. Reads Redis once for each
   * lookup.
   */
  recall<Value>(lookup: Lookup<Value>): Promise<void> {
    lookup.recalling ??= this.#cache.recall(this.#toCacheRequest(lookup));
    return lookup.recalling;
  }

  /** Invalidates all values of these kinds, or those with one parameter, because a write has made them stale. */
  invalidate(values: readonly { kind: ResourceKind; parameter?: PathValue }[]): Promise<void> {
    return this.#cache.invalidate(values.map(({ kind, parameter }) => this.#keys.tag(kind, parameter)));
  }

  /** The key under which the pages of an endpoint and its parameter are stored. */
  pageKey(template: string, parameter: PathValue): CacheKey {
    return this.#keys.key({ name: template, parameter });
  }

  /** Never nest: see `CallGate`. */
  #inTurn<Value>(load: () => Promise<Value>): Promise<Value> {
    const begin = async () => {
      if (this.options.cancellation?.isCancelled()) throw createClientDisconnectedError();
      return load();
    };
    return this.#callGate ? this.#callGate.run(begin) : begin();
  }

  /**
   * A caller that reaches its deadline stops waiting for the load. The load is cancelled when no caller waits for it.
   */
  async #fetchInTime<Value>(
    lookup: Lookup<Value>,
    batchSize: number | undefined,
    timeShare: number,
  ): Promise<CachedValue<Value>> {
    const { cancellation, deadlineAtMs } = this.options;
    const remainingMs =
      deadlineAtMs === undefined ? READ_TIMEOUT_MS : deadlineAtMs - this.#monotonicClock.now();
    const timeoutMs = remainingMs * timeShare;
    const waiting = createCancellation();
    let endedBy: GatewayError | undefined;
    const stopWatching = onWaitEnd({ cancellation, timeoutMs }, (error) => {
      endedBy = error;
      waiting.abort(hasCode(error, 'PLATFORM_TIMEOUT'));
    });
    try {
      if (timeoutMs <= 0) throw createTimeoutError();
      return await this.#cache.fetch(this.#toCacheRequest(lookup, batchSize, waiting));
    } catch (failure) {
      const error = endedBy ?? failure;
      if (endedBy) endedBy.endpoint = `GET ${lookup.request.template}`;
      if (!hasCode(error, 'PLATFORM_TIMEOUT')) throw error;
      const found = this.inspect(lookup);
      if (!('origin' in found)) throw error;
      return { ...found, origin: 'stale', freshForMs: 0 };
    } finally {
      stopWatching();
    }
  }

  #toCacheRequest<Value>(
    { request, key, missingSince }: Lookup<Value>,
    batchSize?: number,
    cancellation?: Cancellation,
  ): CacheRequest<Value> {
    const { kind, changedAtMs, serialize, deserialize } = request;
    const cacheRequest: CacheRequest<Value> = {
      key,
      kind,
      cancellation,
      noCache: this.options.noCache,
      missingSince,
      changedAtMs,
      waiter: this.options,
      load: (cancellation, isRevalidation, getPrevious) =>
        this.#loadOnce(request, batchSize, cancellation, isRevalidation, getPrevious),
    };
    if (serialize) cacheRequest.serialize = serialize;
    if (deserialize) cacheRequest.deserialize = deserialize;
    return cacheRequest;
  }

  /** A response with rows left out is partial: it is served and not stored. */
  async #loadOnce<Value>(
    { load, reuse, isUncached, bytesOf }: ReadRequest<Value>,
    batchSize: number | undefined,
    cancellation: Cancellation,
    isRevalidation: boolean,
    getPrevious: () => StoredEntry | undefined,
  ) {
    let bytes = 0;
    let isPartial = false;
    const onCall = (call: CallRecord) => {
      this.#observe(call);
      bytes += call.bytes;
      if (call.skippedRows > 0) isPartial = true;
    };
    let previous: StoredEntry | undefined;
    const getHashBefore = () => {
      previous = getPrevious();
      return previous?.bodyHash;
    };
    const previousBody = reuse && new PreviousBody(getHashBefore);
    const { noCache, requestId, callerId, beforeCall, beginSpan } = this.options;
    // All waiting callers share the load, so the deadline of the first caller must not end it.
    const loaded = await load({
      noCache,
      requestId,
      callerId,
      // Revalidations outlive the operation, so they have a separate limit.
      beforeCall: isRevalidation ? undefined : beforeCall,
      deadlineAtMs: undefined,
      cancellation,
      onCall,
      beginSpan,
      batchSize,
      cacheState: isRevalidation ? 'stale' : noCache ? 'bypassed' : 'missing',
      previousBody,
    });
    // A key belongs to one type of request, so the previous entry has a value of this type.
    const value = reuse && previous && previousBody?.isUnchanged ? reuse(previous.value as Value) : loaded;
    const isStorable = !isUncached && !isPartial;
    return { value, bytes: bytesOf?.(value) ?? bytes, isStorable, isPartial, bodyHash: previousBody?.hash };
  }

  /** Records a fresh value as served, and any other as missing. */
  #record<Value>(key: CacheKey, kind: ResourceKind, found: CacheLookup<Value>): Value | undefined {
    const cached = found.state === 'fresh' ? found : undefined;
    if (cached) {
      this.#cache.countRead('memory');
      this.freshness.limitTo(cached.freshForMs, kind);
      this.records.addHit();
    }
    this.dependencies?.record(key, kind, cached?.value);
    return cached?.value;
  }

  #observe(call: CallRecord): void {
    if (call.status === 200) this.endpointStats.record(call.template, call);
    else this.endpointStats.recordFailure(call);
    this.records.addCall(call);
  }

  #observeUncached(call: CallRecord): void {
    this.freshness.limitTo(0, 'samplesOpen');
    this.dependencies?.seal();
    this.#observe(call);
  }
}
