/** How sources read the REST API: from the cache where that is fresh, else from the platform, and explained. */
import type { Cache } from '../cache/cache.js';
import type { CacheKey, KeyBuilder } from '../cache/cacheKey.js';
import type { Cached, CacheRequest } from '../cache/cacheRequest.js';
import type { PageStore } from '../cache/pageStore.js';
import type { Kind } from '../cache/policies.js';
import { GatewayError } from '../errors.js';
import type { EndpointStats, Expectation } from '../lib/endpointStats.js';
import { createEnding, type Ending, type Leaving } from '../lib/leaving.js';
import type { PathValue } from '../rest/path.js';
import { timeIsUp, waitPatiently } from '../rest/patience/patience.js';
import type { CallOptions, CallRecord } from '../rest/restCaller.js';
import type { AnswerFreshness } from './answerFreshness.js';
import type { Explanation } from './explanation.js';
import { createReadings, type Readings } from './readings.js';

/** One answer of the platform, turned into what the graph works with. */
export interface ReadRequest<Value> {
  kind: Kind;
  template: string;
  /** What tells this answer from others of the same endpoint. */
  parameter?: PathValue;
  /** Shared with those who ask while it is loading, and with nobody later: its parts are kept elsewhere. */
  isPassing?: boolean;
  load(options: CallOptions): Promise<Value>;
  /** To and from JSON, for values that are more than that. */
  toStored?: (value: Value) => unknown;
  revive?: (stored: unknown) => Value;
}

/** What tells one answer from all others. */
type RequestPlace = Pick<ReadRequest<unknown>, 'kind' | 'template' | 'parameter'>;

export interface Reader {
  read<Value>(request: ReadRequest<Value>): Promise<Value>;
  /** What `read` would answer without a call or a wait, or undefined. */
  peek<Value>(request: ReadRequest<Value>): Value | undefined;
  /**
   * The same, for whoever answers with it. Always undefined for an operation that is to be explained: each of its
   * answers goes the way that is told of.
   */
  take<Value>(request: ReadRequest<Value>): Value | undefined;
  /** Whether `read` would wait for a call that is under way already. */
  isUnderWay(request: RequestPlace): boolean;
  /** What a call to the endpoint is expected to take. */
  expected(template: string): Expectation;
  /** The endpoint fails where others work: later plans, of all operations, go round it for a while. */
  avoid(template: string): void;
  isAvoided(template: string): boolean;
  /** Forgets all answers of these kinds, or of one parameter of theirs: a write has made them stale. */
  drop(answers: readonly { kind: Kind; parameter?: PathValue }[]): Promise<void>;
  /** For calls that are not to be kept. */
  options: CallOptions;
  /** Of samples and aggregates. */
  pages: PageStore;
  /** Under which the pages of an endpoint and its parameter are kept. */
  pageKey(template: string, parameter: PathValue): CacheKey;
  explanation: Explanation | undefined;
  /** Of all that has been read. */
  freshness: AnswerFreshness;
  /** Undefined where nothing is taken: past caches, and for who is to be told of each answer. */
  readings: Readings | undefined;
}

export interface ReaderParts {
  cache: Cache;
  keys: KeyBuilder;
  pages: PageStore;
  stats: EndpointStats;
  /** Of the operation that reads. */
  options: OperationCallOptions;
  explanation: Explanation | undefined;
  freshness: AnswerFreshness;
  nowMs: () => number;
}

/** What all calls of one operation have in common. */
export interface OperationCallOptions extends Omit<CallOptions, 'signal' | 'onCall'> {
  /** Its signal is aborted when the caller has left. */
  ending?: Ending | undefined;
}

/** The most milliseconds that an operation without a deadline waits for one answer. */
const READ_TIMEOUT_MS = 30_000;

export function createReader(parts: ReaderParts): Reader {
  const { cache, keys, pages, stats, explanation, freshness, nowMs } = parts;
  const options = new ReadOptions(parts.options, observeUnkept);

  const peekStale = <Value>(request: ReadRequest<Value>) =>
    cache.peekStale<Value>(toKey(request), request.kind);

  /** Whoever can't wait any longer leaves the load; it ends when the last one has. */
  async function fetchInTime<Value>(request: ReadRequest<Value>): Promise<Cached<Value>> {
    const { deadlineAtMs, ending } = parts.options;
    const timeoutMs = deadlineAtMs === undefined ? READ_TIMEOUT_MS : deadlineAtMs - nowMs();
    const leaving = createEnding();
    try {
      if (timeoutMs <= 0) throw timeIsUp();
      const fetching = cache.fetch(toCacheRequest(request, leaving));
      return await waitPatiently(fetching, { leaving: ending, timeoutMs });
    } catch (error) {
      leaving.abort();
      const stale = isTimeout(error) && !options.noCache ? peekStale(request) : undefined;
      if (stale === undefined) throw error;
      return stale;
    }
  }

  function observe(call: CallRecord): void {
    if (call.status === 200) stats.record(call.template, call);
    explanation?.addCall(call);
  }

  function observeUnkept(call: CallRecord): void {
    freshness.limitTo(0);
    readings?.close();
    observe(call);
  }

  /** An answer with rows left out is partial: it is served, and not kept. */
  async function loadOnce<Value>({ load, isPassing }: ReadRequest<Value>, signal: AbortSignal) {
    let bytes = 0;
    let isPartial = false;
    const onCall = (call: CallRecord) => {
      observe(call);
      bytes += call.bytes;
      if (call.rowsLeftOut > 0) isPartial = true;
    };
    // A load belongs to all who wait for it: it has its own time, not what is left of the first caller's.
    const value = await load({ ...options, deadlineAtMs: undefined, signal, onCall });
    return { value, bytes, storable: !isPassing && !isPartial, isPartial };
  }

  function takeNoted(key: CacheKey, kind: Kind): unknown {
    const held = cache.take(key, kind);
    if (held) freshness.limitTo(held.freshForMs);
    readings?.note(key, kind, held?.value);
    return held?.value;
  }

  const readings = options.noCache || explanation ? undefined : createReadings(takeNoted);

  const toKey = ({ kind, template, parameter }: RequestPlace) => keys.answerKey(kind, template, parameter);

  function toCacheRequest<Value>(request: ReadRequest<Value>, leaving: Leaving): CacheRequest<Value> {
    const { kind, toStored, revive } = request;
    return {
      key: toKey(request),
      kind,
      leaving,
      noCache: options.noCache,
      load: (signal) => loadOnce(request, signal),
      ...(toStored && { toStored }),
      ...(revive && { revive }),
    };
  }

  return {
    async read(request) {
      readings?.close();
      const { value, origin, ageMs, freshForMs } = await fetchInTime(request);
      freshness.limitTo(freshForMs);
      if (origin !== 'network') explanation?.addSpared({ template: request.template, origin, ageMs });
      return value;
    },
    peek<Value>(request: ReadRequest<Value>): Value | undefined {
      return options.noCache ? undefined : cache.peek<Value>(toKey(request), request.kind)?.value;
    },
    take<Value>(request: ReadRequest<Value>): Value | undefined {
      if (readings === undefined) return undefined;
      // What a key holds is what its requests load: a key is made for one type.
      return takeNoted(toKey(request), request.kind) as Value | undefined;
    },
    isUnderWay: (request) => cache.isUnderWay(toKey(request), options.noCache === true),
    drop: (answers) => cache.drop(answers.map(({ kind, parameter }) => keys.tag(kind, parameter))),
    expected: (template) => stats.of(template),
    avoid: (template) => stats.avoid(template, nowMs()),
    isAvoided: (template) => stats.isAvoided(template, nowMs()),
    options,
    pages,
    pageKey: (template, parameter) => keys.key({ name: template, parameters: { parameter } }),
    explanation,
    freshness,
    readings,
  };
}

/** The signal is made for the first call that is made, if one is. */
class ReadOptions implements CallOptions {
  readonly noCache: boolean | undefined;
  readonly deadlineAtMs: number | undefined;
  readonly requestId: string | undefined;
  readonly beforeCall: (() => void) | undefined;
  readonly onCall: (call: CallRecord) => void;
  readonly #ending: Ending | undefined;

  constructor(
    { noCache, deadlineAtMs, requestId, beforeCall, ending }: OperationCallOptions,
    onCall: (call: CallRecord) => void,
  ) {
    this.noCache = noCache;
    this.deadlineAtMs = deadlineAtMs;
    this.requestId = requestId;
    this.beforeCall = beforeCall;
    this.onCall = onCall;
    this.#ending = ending;
  }

  get signal(): AbortSignal | undefined {
    return this.#ending?.signal;
  }
}

function isTimeout(error: unknown): boolean {
  return error instanceof GatewayError && error.code === 'PLATFORM_TIMEOUT';
}
