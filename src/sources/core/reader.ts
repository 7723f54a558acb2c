/** How sources read the REST API: from the cache where that is fresh, else from the platform, and explained. */
import type { Cache } from '../../cache/cache.js';
import type { CacheKey, KeyBuilder } from '../../cache/cacheKey.js';
import type { CachedValue, CacheRequest } from '../../cache/cacheRequest.js';
import type { SamplePageStore } from '../../cache/memory/samplePageStore.js';
import type { ResourceKind } from '../../cache/policies.js';
import { GatewayError } from '../../errors.js';
import { type Cancellation, createCancellation, type LazyCancellation } from '../../lib/cancellation.js';
import type { PathValue } from '../../rest/path.js';
import type { CallOptions, CallRecord } from '../../rest/restCaller.js';
import { createTimeoutError, waitWithinLimits } from '../../rest/transport/waitLimits.js';
import { createDependencyRecorder, type DependencyRecorder } from './cacheDependencies.js';
import type { EndpointStats, ExpectedCost } from './endpointStats.js';
import type { Explanation } from './explanation.js';
import type { ResponseFreshness } from './responseFreshness.js';

/** One answer of the platform, turned into what the graph works with. */
export interface ReadRequest<Value> {
  kind: ResourceKind;
  template: string;
  /** What tells this answer from others of the same endpoint. */
  parameter?: PathValue;
  /** Shared with those who ask while it is loading, and with nobody later: its parts are kept elsewhere. */
  isUncached?: boolean;
  load(options: CallOptions): Promise<Value>;
  /** To and from JSON, for values that are more than that. */
  serialize?: (value: Value) => unknown;
  deserialize?: (stored: unknown) => Value;
}

/** What tells one answer from all others. */
type ReadTarget = Pick<ReadRequest<unknown>, 'kind' | 'template' | 'parameter'>;

export interface Reader {
  read<Value>(request: ReadRequest<Value>): Promise<Value>;
  /** What `read` would answer without a call or a wait, or undefined. */
  lookup<Value>(request: ReadRequest<Value>): Value | undefined;
  /**
   * The same, for whoever answers with it. Always undefined for an operation that is to be explained: each of its
   * answers goes the way that is told of.
   */
  get<Value>(request: ReadRequest<Value>): Value | undefined;
  /** Whether `read` would wait for a call that is under way already. */
  isInFlight(request: ReadTarget): boolean;
  /** What a call to the endpoint is expected to take. */
  expectedCost(template: string): ExpectedCost;
  /** The endpoint fails where others work: later plans, of all operations, go round it for a while. */
  markFailing(template: string): void;
  isFailing(template: string): boolean;
  /** Forgets all answers of these kinds, or of one parameter of theirs: a write has made them stale. */
  invalidate(answers: readonly { kind: ResourceKind; parameter?: PathValue }[]): Promise<void>;
  /** For calls that are not to be kept. */
  options: CallOptions;
  /** Of samples and aggregates. */
  samplePages: SamplePageStore;
  /** Under which the pages of an endpoint and its parameter are kept. */
  pageKey(template: string, parameter: PathValue): CacheKey;
  explanation: Explanation | undefined;
  /** Of all that has been read. */
  freshness: ResponseFreshness;
  /** Undefined where nothing is taken: past caches, and for who is to be told of each answer. */
  dependencies: DependencyRecorder | undefined;
}

export interface ReaderOptions {
  cache: Cache;
  keys: KeyBuilder;
  samplePages: SamplePageStore;
  endpointStats: EndpointStats;
  /** Of the operation that reads. */
  options: OperationCallOptions;
  explanation: Explanation | undefined;
  freshness: ResponseFreshness;
  nowMs: () => number;
}

/** What all calls of one operation have in common. */
export interface OperationCallOptions extends Omit<CallOptions, 'signal' | 'onCall'> {
  /** Its signal is aborted when the caller has left. */
  cancellation?: LazyCancellation | undefined;
}

/** The most milliseconds that an operation without a deadline waits for one answer. */
const READ_TIMEOUT_MS = 30_000;

export function createReader(parts: ReaderOptions): Reader {
  const { cache, keys, samplePages, endpointStats, explanation, freshness, nowMs } = parts;
  const options = new ReadOptions(parts.options, observeUnkept);

  /** Whoever can't wait any longer leaves the load; it ends when the last one has. */
  async function fetchInTime<Value>(request: ReadRequest<Value>): Promise<CachedValue<Value>> {
    const { deadlineAtMs, cancellation } = parts.options;
    const timeoutMs = deadlineAtMs === undefined ? READ_TIMEOUT_MS : deadlineAtMs - nowMs();
    const leaving = createCancellation();
    try {
      if (timeoutMs <= 0) throw createTimeoutError();
      const fetching = cache.fetch(toCacheRequest(request, leaving));
      return await waitWithinLimits(fetching, { cancellation: cancellation, timeoutMs });
    } catch (error) {
      leaving.abort();
      if (!isTimeout(error) || options.noCache) throw error;
      const found = cache.lookup<Value>(toKey(request), request.kind);
      if (!('origin' in found)) throw error;
      return { ...found, origin: 'stale', freshForMs: 0 };
    }
  }

  function observe(call: CallRecord): void {
    if (call.status === 200) endpointStats.record(call.template, call);
    explanation?.addCall(call);
  }

  function observeUnkept(call: CallRecord): void {
    freshness.limitTo(0);
    dependencies?.seal();
    observe(call);
  }

  /** An answer with rows left out is partial: it is served, and not kept. */
  async function loadOnce<Value>({ load, isUncached }: ReadRequest<Value>, signal: AbortSignal) {
    let bytes = 0;
    let isPartial = false;
    const onCall = (call: CallRecord) => {
      observe(call);
      bytes += call.bytes;
      if (call.skippedRows > 0) isPartial = true;
    };
    // A load belongs to all who wait for it: it has its own time, not what is left of the first caller's.
    const value = await load({ ...options, deadlineAtMs: undefined, signal, onCall });
    return { value, bytes, isStorable: !isUncached && !isPartial, isPartial };
  }

  function takeNoted(key: CacheKey, kind: ResourceKind): unknown {
    const held = cache.get(key, kind);
    if (held) freshness.limitTo(held.freshForMs);
    dependencies?.record(key, kind, held?.value);
    return held?.value;
  }

  const dependencies = options.noCache || explanation ? undefined : createDependencyRecorder(takeNoted);

  const toKey = ({ kind, template, parameter }: ReadTarget) => keys.endpointKey(kind, template, parameter);

  function toCacheRequest<Value>(
    request: ReadRequest<Value>,
    cancellation: Cancellation,
  ): CacheRequest<Value> {
    const { kind, serialize, deserialize } = request;
    return {
      key: toKey(request),
      kind,
      cancellation,
      noCache: options.noCache,
      load: (signal) => loadOnce(request, signal),
      ...(serialize && { serialize }),
      ...(deserialize && { deserialize }),
    };
  }

  return {
    async read(request) {
      dependencies?.seal();
      const { value, origin, ageMs, freshForMs } = await fetchInTime(request);
      freshness.limitTo(freshForMs);
      if (origin !== 'network') explanation?.addAvoided({ template: request.template, origin, ageMs });
      return value;
    },
    lookup<Value>(request: ReadRequest<Value>): Value | undefined {
      const found = cache.lookup<Value>(toKey(request), request.kind, options.noCache);
      return found.state === 'fresh' ? found.value : undefined;
    },
    get<Value>(request: ReadRequest<Value>): Value | undefined {
      if (dependencies === undefined) return undefined;
      // What a key holds is what its requests load: a key is made for one type.
      return takeNoted(toKey(request), request.kind) as Value | undefined;
    },
    isInFlight: (request) =>
      cache.lookup(toKey(request), request.kind, options.noCache).state === 'inFlight',
    invalidate: (answers) =>
      cache.invalidate(answers.map(({ kind, parameter }) => keys.tag(kind, parameter))),
    expectedCost: (template) => endpointStats.expectedCost(template),
    markFailing: (template) => endpointStats.markFailing(template, nowMs()),
    isFailing: (template) => endpointStats.isFailing(template, nowMs()),
    options,
    samplePages,
    pageKey: (template, parameter) => keys.key({ name: template, parameters: { parameter } }),
    explanation,
    freshness,
    dependencies,
  };
}

/** The signal is made for the first call that is made, if one is. */
class ReadOptions implements CallOptions {
  readonly noCache: boolean | undefined;
  readonly deadlineAtMs: number | undefined;
  readonly requestId: string | undefined;
  readonly beforeCall: (() => void) | undefined;
  readonly onCall: (call: CallRecord) => void;
  readonly #ending: LazyCancellation | undefined;

  constructor(
    { noCache, deadlineAtMs, requestId, beforeCall, cancellation }: OperationCallOptions,
    onCall: (call: CallRecord) => void,
  ) {
    this.noCache = noCache;
    this.deadlineAtMs = deadlineAtMs;
    this.requestId = requestId;
    this.beforeCall = beforeCall;
    this.onCall = onCall;
    this.#ending = cancellation;
  }

  get signal(): AbortSignal | undefined {
    return this.#ending?.signal;
  }
}

function isTimeout(error: unknown): boolean {
  return error instanceof GatewayError && error.code === 'PLATFORM_TIMEOUT';
}
