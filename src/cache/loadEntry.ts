/** What one flight does for its key: looks in Redis, else loads, else falls back on what is stale. */
import type { Clock } from '../lib/clock.js';
import type { CacheRequest } from './cacheRequest.js';
import type { StoredEntry } from './cacheStore.js';
import { isPlatformFault } from './isPlatformFault.js';
import type { LoadSession, TieredStore, UsableEntry } from './tieredStore.js';

/** A renewal is for nobody who waits: what is stale in Redis is no answer to it. */
export type LoadPurpose = 'answer' | 'revalidation';

export interface LoadOutcome {
  entry: StoredEntry;
  origin: 'redis' | 'network' | 'stale';
  /** Whether the entry is to be loaded anew behind the callers' backs. */
  isRevalidationDue: boolean;
  isPartial?: boolean;
  /** Why the entry is stale: for those who want the truth or nothing. */
  failure?: { error: unknown };
}

export interface LoadOptions {
  store: TieredStore;
  clock: Clock;
  request: CacheRequest<unknown>;
  purpose: LoadPurpose;
  /** Aborted when nobody waits any more. */
  signal: AbortSignal;
  /** Whether what is loaded is still wanted in the stores. */
  canStore(): boolean;
}

export async function loadEntry(options: LoadOptions): Promise<LoadOutcome> {
  const { store, request, purpose, canStore } = options;
  const session = await store.beginLoad(request);
  const { redisEntry } = session;
  if (redisEntry && isUsableFor(redisEntry, purpose)) {
    if (canStore()) session.storeInMemory(redisEntry.entry);
    const isStale = redisEntry.freshness === 'revalidate';
    return { entry: redisEntry.entry, origin: isStale ? 'stale' : 'redis', isRevalidationDue: isStale };
  }
  try {
    return await loadFromPlatform(options, session);
  } catch (error) {
    const stale = isPlatformFault(error) ? newerStaleEntry(options, redisEntry) : undefined;
    if (stale === undefined) throw error;
    return { entry: stale, origin: 'stale', isRevalidationDue: false, failure: { error } };
  }
}

function isUsableFor({ freshness }: UsableEntry, purpose: LoadPurpose): boolean {
  return freshness === 'fresh' || (freshness === 'revalidate' && purpose === 'answer');
}

/** What is loaded counts from its arrival on: how old it was when it was sent nobody says. */
async function loadFromPlatform(
  { request, signal, clock, canStore }: LoadOptions,
  session: LoadSession,
): Promise<LoadOutcome> {
  const { value, bytes, isStorable, isPartial = false } = await request.load(signal);
  const entry = { value, bytes, storedAtMs: clock.now() };
  if (isStorable && canStore()) {
    session.storeInMemory(entry);
    session.storeInRedis(entry);
  }
  return { entry, origin: 'network', isRevalidationDue: false, isPartial };
}

/** The newer one of what memory and Redis have. */
function newerStaleEntry(
  { store, request }: LoadOptions,
  found: UsableEntry | undefined,
): StoredEntry | undefined {
  const entry = store.getFromMemory(request.key, request.kind);
  const isHeldNewer = entry && entry.entry.storedAtMs >= (found?.entry.storedAtMs ?? 0);
  return (isHeldNewer ? entry : found)?.entry;
}
