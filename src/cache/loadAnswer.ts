/** What one flight does for its key: looks in Redis, else loads, else falls back on what is stale. */
import type { Clock } from '../lib/clock.js';
import type { CacheRequest } from './cacheRequest.js';
import type { StoredEntry } from './cacheStore.js';
import { isFault } from './isFault.js';
import type { Held, Levels, Passage } from './levels.js';

/** A renewal is for nobody who waits: what is stale in Redis is no answer to it. */
export type Purpose = 'answer' | 'renewal';

export interface Outcome {
  entry: StoredEntry;
  origin: 'redis' | 'network' | 'stale';
  /** Whether the entry is to be loaded anew behind the callers' backs. */
  isRenewalDue: boolean;
  isPartial?: boolean;
  /** Why the entry is stale: for those who want the truth or nothing. */
  failure?: { error: unknown };
}

export interface LoadOptions {
  levels: Levels;
  clock: Clock;
  request: CacheRequest<unknown>;
  purpose: Purpose;
  /** Aborted when nobody waits any more. */
  signal: AbortSignal;
  /** Whether what is loaded is still wanted in the stores. */
  mayStore(): boolean;
}

export async function loadAnswer(options: LoadOptions): Promise<Outcome> {
  const { levels, request, purpose, mayStore } = options;
  const passage = await levels.open(request);
  const { found } = passage;
  if (found && canAnswer(found, purpose)) {
    if (mayStore()) passage.keep(found.entry);
    const isStale = found.freshness === 'revalidate';
    return { entry: found.entry, origin: isStale ? 'stale' : 'redis', isRenewalDue: isStale };
  }
  try {
    return await load(options, passage);
  } catch (error) {
    const stale = isFault(error) ? staleOf(options, found) : undefined;
    if (stale === undefined) throw error;
    return { entry: stale, origin: 'stale', isRenewalDue: false, failure: { error } };
  }
}

function canAnswer({ freshness }: Held, purpose: Purpose): boolean {
  return freshness === 'fresh' || (freshness === 'revalidate' && purpose === 'answer');
}

/** What is loaded counts from its arrival on: how old it was when it was sent nobody says. */
async function load({ request, signal, clock, mayStore }: LoadOptions, passage: Passage): Promise<Outcome> {
  const { value, bytes, storable, isPartial = false } = await request.load(signal);
  const entry = { value, bytes, storedAtMs: clock.now() };
  if (storable && mayStore()) {
    passage.keep(entry);
    passage.share(entry);
  }
  return { entry, origin: 'network', isRenewalDue: false, isPartial };
}

/** The newer one of what memory and Redis have. */
function staleOf({ levels, request }: LoadOptions, found: Held | undefined): StoredEntry | undefined {
  const held = levels.held(request.key, request.kind);
  const isHeldNewer = held && held.entry.storedAtMs >= (found?.entry.storedAtMs ?? 0);
  return (isHeldNewer ? held : found)?.entry;
}
