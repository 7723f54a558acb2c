/** The context value that all resolvers of one operation receive. */
import type { ByteBudget } from '../lib/byteBudget.js';
import type { OperationTurns } from '../lib/turnBudget.js';
import type { SampleFeed } from '../live/sampleFeed.js';
import type { ReadCounts } from '../sources/core/explanation.js';
import type { ResponseFreshness } from '../sources/core/responseFreshness.js';
import type { QueueKind, QueueReader } from '../sources/samples/sampleQueues.js';
import type { Sample } from '../sources/samples/samples.js';
import type { Sources } from '../sources/sources.js';
import type { OperationTrace } from '../tracing/operationTrace.js';
import type { Authorization } from './scopes.js';

/** `extensions.explain` of everything so far. */
interface ExplainedOperation {
  readonly calls: readonly object[];
  readonly plans: readonly object[];
}

export type Context = Omit<OperationContext, 'createSources' | 'current'>;

/** All sources, without those that only the gateway itself and mutations use. */
export type ReadSources = Omit<Sources, 'canSeeStream' | 'dependencies' | 'writes'>;

type ContextParts = Pick<
  Context,
  | 'feed'
  | 'budget'
  | 'after'
  | 'caller'
  | 'requestId'
  | 'nowMs'
  | 'freshness'
  | 'explain'
  | 'turns'
  | 'trace'
  | 'reads'
>;

export interface SourcesRequest {
  bypassesCaches: boolean;
  /** Whether the count of REST calls begins again, for the next event of a subscription. */
  resetsCallLimit: boolean;
}

/**
 * A class, because V8 creates a hidden class for each object with its own prototype, and keeps that class and
 * everything reachable from it for a long time. Apollo Server copies the own properties of the context, which do not
 * include `#` fields. Mutable state is in objects that the copies share.
 */
export abstract class OperationContext {
  readonly feed: SampleFeed;
  /** Limits the memory of subscriptions. */
  readonly budget: ByteBudget;
  /** The cursor after which the transport resumes a subscription. It has precedence over the argument `after`. */
  readonly after: string | undefined;
  readonly caller: Authorization;
  /** The id of this request in responses and log lines. */
  readonly requestId: string;
  readonly nowMs: () => number;
  /** Tracks how long the response stays fresh, based on all data read for it. */
  readonly freshness: ResponseFreshness;
  /** Returns `extensions.explain`; undefined unless the request has `X-Explain: 1`. */
  readonly explain: (() => ExplainedOperation) | undefined;
  /** The turns of the event loop among which long work of this operation is divided. */
  readonly turns: OperationTurns;
  /** The spans of this operation. Undefined: tracing is off. */
  readonly trace: OperationTrace | undefined;
  readonly reads: ReadCounts;
  /** The codes of the errors in the result so far. */
  readonly errorCodes = new Set<string>();
  readonly current: { sources: Sources | undefined; options: SourcesRequest } = {
    sources: undefined,
    options: { bypassesCaches: false, resetsCallLimit: false },
  };

  constructor(parts: ContextParts) {
    this.requestId = parts.requestId;
    this.feed = parts.feed;
    this.budget = parts.budget;
    this.after = parts.after;
    this.caller = parts.caller;
    this.nowMs = parts.nowMs;
    this.freshness = parts.freshness;
    this.explain = parts.explain;
    this.turns = parts.turns;
    this.trace = parts.trace;
    this.reads = parts.reads;
  }

  /** Reads a delivery queue of the platform for a resuming subscription. Its REST calls count for the operation. */
  abstract readQueue(kind: QueueKind): QueueReader<Sample>;
  /** Throws CANCELLED if the client has disconnected. */
  abstract checkCancelled(): void;
  /** Begins the log line of a write, with the caller and the request id. The returned function logs it with the result. */
  abstract beginWrite(description: object): (result: object) => void;
  /** Logs an operation with mutations that the caller may not execute. */
  abstract logRefusedWrite(fields: object): void;
  abstract createSources(request: SourcesRequest): Sources;

  /** Created at their first use, so that an idle subscription has none. */
  get sources(): Sources {
    this.current.sources ??= this.createSources(this.current.options);
    return this.current.sources;
  }

  /** Discards loaded data: it is loaded again when it is needed. */
  resetSources(): void {
    const options = { bypassesCaches: false, resetsCallLimit: true };
    Object.assign(this.current, { sources: undefined, options });
  }

  /** Discards loaded data after a write. The rest of the operation bypasses all caches, so that it sees the change. */
  bypassCaches(): void {
    const options = { bypassesCaches: true, resetsCallLimit: false };
    Object.assign(this.current, { sources: undefined, options });
  }
}
