/** What every resolver of one operation is given. */
import type { SampleFeed } from '../live/sampleFeed.js';
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
  /** What the operation has cost so far; undefined where nobody asked for it. */
  readonly explain: (() => object) | undefined;
  /** Lets go of what has been loaded: a subscription lives long, and each of its events asks anew. */
  renewSources(): void;
}

export interface ContextParts {
  requestId: string;
  feed: SampleFeed;
  scopes: ReadonlySet<Scope>;
  nowMs: () => number;
  explain?: (() => object) | undefined;
  createSources(): Sources;
}

export function createContext({ createSources, explain, ...parts }: ContextParts): Context {
  let sources = createSources();
  return {
    ...parts,
    explain,
    get sources() {
      return sources;
    },
    renewSources() {
      sources = createSources();
    },
  };
}
