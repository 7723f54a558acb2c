/** What every resolver of one operation is given. */
import type { SampleFeed } from '../live/sampleFeed.js';
import type { AnswerFreshness } from '../sources/answerFreshness.js';
import type { Sources } from '../sources/sources.js';
import type { Scope } from './scopes.js';

export interface Context {
  readonly sources: Sources;
  readonly feed: SampleFeed;
  /** What the caller may do. */
  readonly scopes: ReadonlySet<Scope>;
  /** Names this request in answers and log lines. */
  readonly requestId: string;
  readonly nowMs: () => number;
  /** Of the answer: of all that was read for it. */
  readonly freshness: AnswerFreshness;
  /** What the operation has cost so far; undefined where nobody asked for it. */
  readonly explain: (() => object) | undefined;
  /** Lets go of what has been loaded: a subscription lives long, and each of its events asks anew. */
  renewSources(): void;
  /** The same after a write: from now on this operation reads past all caches, and sees what was written. */
  readPastCaches(): void;
}

export interface ContextParts {
  requestId: string;
  feed: SampleFeed;
  scopes: ReadonlySet<Scope>;
  nowMs: () => number;
  freshness: AnswerFreshness;
  explain?: (() => object) | undefined;
  /** With `renewed`, for another event: its REST calls are counted anew. */
  createSources(reading: { pastCaches: boolean; renewed: boolean }): Sources;
}

export function createContext({ createSources, explain, ...parts }: ContextParts): Context {
  let sources = createSources({ pastCaches: false, renewed: false });
  // Apollo Server copies the context, own properties only: a getter among them would be read once and for all.
  const prototype = {
    get sources() {
      return sources;
    },
  };
  return Object.assign(Object.create(prototype) as typeof prototype, {
    ...parts,
    explain,
    renewSources() {
      sources = createSources({ pastCaches: false, renewed: true });
    },
    readPastCaches() {
      sources = createSources({ pastCaches: true, renewed: false });
    },
  });
}
