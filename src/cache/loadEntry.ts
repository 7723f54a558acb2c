/** Loads the value of one key for all callers: from Redis, else from the platform, else a stale entry. */
import { type ErrorCode, GatewayError } from '../errors.js';
import type { Cancellation } from '../lib/cancellation.js';
import type { Clock } from '../lib/clock.js';
import type { CacheRequest, StoredEntry } from './cacheRequest.js';
import { MAX_CLOCK_SKEW_MS } from './freshness.js';
import type { LoadSession, TieredStore, UsableEntry } from './tieredStore.js';

export interface LoadOutcome {
  entry: StoredEntry;
  /** `stale`: the entry has to be loaded again in the background. `overdue`: see `ReadOrigin`. */
  origin: 'redis' | 'network' | 'stale' | 'overdue';
  isPartial?: boolean;
  /** The reason for a stale entry; callers with `noCache` receive it instead of the entry. */
  failure?: GatewayError;
}

interface LoadOptions {
  store: TieredStore;
  clock: Clock;
  request: CacheRequest<unknown>;
  isRevalidation: boolean;
  /** Cancelled when the last caller stops waiting. */
  cancellation: Cancellation;
  canStore(): boolean;
}

export async function loadEntry(options: LoadOptions): Promise<LoadOutcome> {
  const { store, request, isRevalidation, canStore } = options;
  const session = await store.beginLoad(request);
  const { redisEntry } = session;
  if (redisEntry && isUsable(redisEntry, isRevalidation) && isCurrent(redisEntry, request)) {
    if (canStore()) session.storeInMemory(redisEntry.entry);
    return { entry: redisEntry.entry, origin: redisEntry.freshness === 'fresh' ? 'redis' : 'stale' };
  }
  try {
    return await loadFromPlatform(options, session);
  } catch (error) {
    if (!isPlatformFault(error)) throw error;
    const stale = newestStaleEntry(options, redisEntry);
    if (stale === undefined) throw error;
    return { entry: stale, origin: 'overdue', failure: error };
  }
}

/** A revalidation has no caller that waits, so it does not accept a stale entry of Redis. */
function isUsable({ freshness }: UsableEntry, isRevalidation: boolean): boolean {
  return freshness === 'fresh' || (freshness === 'revalidate' && !isRevalidation);
}

/** Another replica has stored the entry, with a time from its own clock. */
function isCurrent({ entry }: UsableEntry, { changedAtMs }: CacheRequest<unknown>): boolean {
  return changedAtMs === undefined || entry.storedAtMs >= changedAtMs + MAX_CLOCK_SKEW_MS;
}

/** The age counts from the arrival of the response: the platform does not send the age of its data. */
async function loadFromPlatform(
  { store, request, cancellation, isRevalidation, clock, canStore }: LoadOptions,
  session: LoadSession,
): Promise<LoadOutcome> {
  const startedAtMs = clock.now();
  const getPrevious = () => store.getFromMemory(request.key, request.kind)?.entry;
  const loaded = await request.load(cancellation, isRevalidation, getPrevious);
  const { value, bytes, isStorable, isPartial = false, bodyHash } = loaded;
  const storedAtMs = request.changedAtMs === undefined ? clock.now() : startedAtMs;
  const entry = { value, bytes, bodyHash, storedAtMs };
  if (isStorable && canStore()) {
    session.storeInMemory(entry);
    session.storeInRedis(entry);
  }
  return { entry, origin: 'network', isPartial };
}

function newestStaleEntry(
  { store, request }: LoadOptions,
  fromRedis: UsableEntry | undefined,
): StoredEntry | undefined {
  const fromMemory = store.getFromMemory(request.key, request.kind);
  const isMemoryNewer = fromMemory && fromMemory.entry.storedAtMs >= (fromRedis?.entry.storedAtMs ?? 0);
  return (isMemoryNewer ? fromMemory : fromRedis)?.entry;
}

/**
 * Does not contain PLATFORM_UNAUTHORIZED and PLATFORM_REFUSED: if access was revoked or the entity was deleted, the caller
 * must not receive the stale entry.
 */
const FAULT_CODES: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'PLATFORM_UNAVAILABLE',
  'PLATFORM_TIMEOUT',
  'PLATFORM_RATE_LIMITED',
  'PLATFORM_BAD_RESPONSE',
]);

/** Separates failures of the platform, which a stale entry may replace, from responses that refuse the call. */
export function isPlatformFault(error: unknown): error is GatewayError {
  return error instanceof GatewayError && (error.retryable || FAULT_CODES.has(error.code));
}
