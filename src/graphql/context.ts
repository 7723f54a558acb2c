/** What every resolver of one operation is given. */
import type { SampleFeed } from '../live/sampleFeed.js';
import type { Sources } from '../sources/sources.js';

export interface Context {
  readonly sources: Sources;
  readonly feed: SampleFeed;
  /** Names this request in answers and log lines. */
  readonly requestId: string;
  /** Lets go of what has been loaded: a subscription lives long, and each of its events asks anew. */
  renewSources(): void;
}

export interface ContextParts {
  requestId: string;
  feed: SampleFeed;
  createSources(): Sources;
}

export function createContext({ requestId, feed, createSources }: ContextParts): Context {
  let sources = createSources();
  return {
    requestId,
    feed,
    get sources() {
      return sources;
    },
    renewSources() {
      sources = createSources();
    },
  };
}
