/** The two levels behind the cache, memory and Redis, as one: what they hold, and who may still store. */
import type { Clock } from '../lib/clock.js';
import type { Logger } from '../lib/logger.js';
import type { CacheKey } from './cacheKey.js';
import type { CacheRequest } from './cacheRequest.js';
import type { CacheStore, StoredEntry, StoreLook } from './cacheStore.js';
import { type Freshness, judge, lifetimeMs } from './freshness.js';
import { createMemoryStore } from './memoryStore.js';
import type { Kind, PolicyTable } from './policies.js';
import type { RedisConnection } from './redisConnection.js';
import { createRedisStore, type RedisTicket } from './redisStore.js';

/** An entry that is good for something; a dead one is not told of. */
export interface Held {
  entry: StoredEntry;
  freshness: Exclude<Freshness, 'dead'>;
}

/** What may be done for one load: all of it under tickets from before it began. */
export interface Passage {
  /** What Redis has. */
  found: Held | undefined;
  /** Into memory. */
  keep(entry: StoredEntry): void;
  /** Into Redis; nobody waits for it. */
  share(entry: StoredEntry): void;
}

export interface Levels {
  /** What memory has. */
  held(key: CacheKey, kind: Kind): Held | undefined;
  open(request: CacheRequest<unknown>): Promise<Passage>;
  dropHere(tags: readonly string[]): void;
  /** Resolves when Redis was told, or is away. */
  dropElsewhere(tags: readonly string[]): Promise<void>;
  usage(): { entries: number; bytes: number };
  clear(): void;
}

export interface LevelsOptions {
  clock: Clock;
  logger: Logger;
  maxBytes: number | undefined;
  redis: RedisConnection | undefined;
  policies: PolicyTable;
  /** Another replica dropped these tags. */
  onDropped(tags: readonly string[]): void;
  /** Another replica may have dropped anything. */
  onMissed(): void;
}

const NOTHING: StoreLook<RedisTicket> = { entry: undefined, ticket: undefined };

export function createLevels(options: LevelsOptions): Levels {
  const { clock, logger, maxBytes, redis, policies, onDropped } = options;
  const onMissed = () => {
    memory.distrust();
    options.onMissed();
  };
  const memory = createMemoryStore({ clock, maxBytes });
  const shared = redis && createRedisStore({ connection: redis, logger, onDropped, onMissed });

  function toHeld(entry: StoredEntry | undefined, kind: Kind): Held | undefined {
    const freshness = entry && judge(entry.storedAtMs, policies[kind], clock.now());
    return entry && freshness && freshness !== 'dead' ? { entry, freshness } : undefined;
  }

  async function write(request: CacheRequest<unknown>, entry: StoredEntry, ticket: RedisTicket) {
    const { key, kind, toStored } = request;
    const value = toStored ? toStored(entry.value) : entry.value;
    await shared?.set(key, { ...entry, value }, lifetimeMs(policies[kind]), ticket);
  }

  return {
    held(key, kind) {
      const { entry } = memory.get(key);
      const held = toHeld(entry, kind);
      return held && !entry?.trusted ? { ...held, freshness: 'ifError' } : held;
    },
    async open(request) {
      const { key, kind } = request;
      const memoryTicket = memory.ticket(key);
      const { entry, ticket } = shared ? await lookIn(shared, request) : NOTHING;
      return {
        found: toHeld(entry, kind),
        keep: (kept) => memory.set(key, kept, lifetimeMs(policies[kind]), memoryTicket),
        share(given) {
          if (ticket === undefined) return;
          write(request, given, ticket).catch((cause: unknown) => {
            logger.warn({ cause, kind }, 'An answer could not be shared');
          });
        },
      };
    },
    dropHere: memory.drop,
    dropElsewhere: async (tags) => shared?.drop(tags),
    usage: memory.usage,
    clear: memory.clear,
  };
}

async function lookIn(
  shared: CacheStore<RedisTicket>,
  { key, noCache, revive }: CacheRequest<unknown>,
): Promise<StoreLook<RedisTicket>> {
  if (noCache) return { entry: undefined, ticket: await shared.ticket(key) };
  const { entry, ticket } = await shared.get(key);
  return { entry: entry && revived(entry, revive), ticket };
}

function revived(entry: StoredEntry, revive: ((stored: unknown) => unknown) | undefined) {
  if (revive === undefined) return entry;
  try {
    return { ...entry, value: revive(entry.value) };
  } catch {
    return undefined;
  }
}
