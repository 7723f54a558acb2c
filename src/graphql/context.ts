/** What every resolver of one operation is given. */
import type { ByteBudget } from '../lib/byteBudget.js';
import type { SampleFeed } from '../live/sampleFeed.js';
import type { ResponseFreshness } from '../sources/core/responseFreshness.js';
import type { QueueKind, QueueReader } from '../sources/samples/sampleQueues.js';
import type { Sample } from '../sources/samples/samples.js';
import type { Sources } from '../sources/sources.js';
import type { Scope } from './scopes.js';

export interface Context {
  readonly sources: Sources;
  readonly feed: SampleFeed;
  /** Where memory that a subscription holds is charged. */
  readonly budget: ByteBudget;
  /** Reads a queue of the platform for a subscription that resumes; its calls count as the operation's. */
  readonly readQueue: (kind: QueueKind) => QueueReader<Sample>;
  /** What the caller may do. */
  readonly scopes: ReadonlySet<Scope>;
  /** Names this request in answers and log lines. */
  readonly requestId: string;
  readonly nowMs: () => number;
  /** Of the answer: of all that was read for it. */
  readonly freshness: ResponseFreshness;
  /** What the operation has cost so far; undefined where nobody asked for it. */
  readonly explain: (() => object) | undefined;
  /** Logs a write of this operation. */
  readonly logWrite: (fields: object) => void;
  /** Lets go of what has been loaded: a subscription lives long, and each of its events asks anew. */
  resetSources(): void;
  /** The same after a write: from now on this operation reads past all caches, and sees what was written. */
  bypassCaches(): void;
}

export interface ContextParts {
  requestId: string;
  feed: SampleFeed;
  budget: ByteBudget;
  readQueue: (kind: QueueKind) => QueueReader<Sample>;
  scopes: ReadonlySet<Scope>;
  nowMs: () => number;
  freshness: ResponseFreshness;
  explain?: (() => object) | undefined;
  /** Adds the caller and the request to a log line about a write. */
  logWrite(fields: object): void;
  /** With `renewed`, for another event: its REST calls are counted anew. */
  createSources(reading: { pastCaches: boolean; renewed: boolean }): Sources;
}

export function createContext(parts: ContextParts): Context {
  return new OperationContext(parts);
}

/**
 * A class, since objects with a prototype each cost the engine a shape each, which it lets go of late, with all that is
 * reached from there. Apollo Server copies the context, own properties only: what changes stands in an object of its
 * own, which the copies share.
 */
class OperationContext implements Context {
  readonly requestId: string;
  readonly feed: SampleFeed;
  readonly budget: ByteBudget;
  readonly readQueue: (kind: QueueKind) => QueueReader<Sample>;
  readonly scopes: ReadonlySet<Scope>;
  readonly nowMs: () => number;
  readonly freshness: ResponseFreshness;
  readonly explain: (() => object) | undefined;
  readonly logWrite: (fields: object) => void;
  readonly createSources: ContextParts['createSources'];
  readonly current: { sources: Sources };

  constructor(parts: ContextParts) {
    this.requestId = parts.requestId;
    this.feed = parts.feed;
    this.budget = parts.budget;
    this.readQueue = parts.readQueue;
    this.scopes = parts.scopes;
    this.nowMs = parts.nowMs;
    this.freshness = parts.freshness;
    this.explain = parts.explain;
    this.logWrite = parts.logWrite;
    this.createSources = parts.createSources;
    this.current = { sources: parts.createSources({ pastCaches: false, renewed: false }) };
  }

  get sources(): Sources {
    return this.current.sources;
  }

  resetSources(): void {
    this.current.sources = this.createSources({ pastCaches: false, renewed: true });
  }

  bypassCaches(): void {
    this.current.sources = this.createSources({ pastCaches: true, renewed: false });
  }
}
