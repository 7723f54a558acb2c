/** One suite for every cache store: memory, and Redis if it is installed. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  type CacheKey,
  createCredentialScope,
  createEntryKey,
  createKeyBuilder,
} from '../../src/cache/cacheKey.js';
import type { StoredEntry } from '../../src/cache/cacheRequest.js';
import { MemoryStore } from '../../src/cache/memory/memoryStore.js';
import { RedisConnection } from '../../src/cache/redis/redisConnection.js';
import { createRedisStore } from '../../src/cache/redis/redisStore.js';
import { silentLogger } from '../../src/lib/logger.js';
import { createManualClock } from '../support/cache/cacheParts.js';
import { isRedisAvailable, startRedisServer } from '../support/cache/redisServer.js';
import { runningClock } from '../support/runningClock.js';
import { WAIT_MS } from '../support/waiting.js';

/** The memory has the same methods, without promises. */
interface CacheStore<Version> {
  get(key: CacheKey): Promise<{ entry: StoredEntry | undefined; version: Version | undefined }>;
  version(key: CacheKey): Promise<Version | undefined>;
  set(key: CacheKey, entry: StoredEntry, lifetimeMs: number, version: Version): Promise<void>;
  invalidate(tags: readonly string[]): Promise<unknown>;
}

interface Subject {
  store: CacheStore<unknown>;
  /** Advances the time of the store. */
  pass(byMs: number): Promise<void>;
  stop(): Promise<void>;
}

async function startMemory(): Promise<Subject> {
  const clock = createManualClock();
  const pass = async (byMs: number) => clock.pass(byMs);
  const memory = new MemoryStore({ clock });
  const store: CacheStore<number> = {
    get: async (key) => ({ entry: memory.get(key)?.entry, version: memory.version() }),
    version: async () => memory.version(),
    set: async (...args) => memory.set(...args),
    invalidate: async (tags) => memory.invalidate(tags),
  };
  return { store, pass, stop: async () => undefined };
}

async function startRedis(): Promise<Subject> {
  const server = await startRedisServer();
  const connection = new RedisConnection({
    url: server.url,
    commandDeadlineMs: 2000,
    connectTimeoutMs: 2000,
    logger: silentLogger,
    clock: runningClock,
  });
  const ignore = () => undefined;
  const store = createRedisStore({
    connection,
    logger: silentLogger,
    onInvalidated: ignore,
    onMissedInvalidations: ignore,
  });
  await vi.waitFor(() => expect(connection.isConnected()).toBe(true), WAIT_MS);
  const stop = async () => {
    await connection.close();
    await server.stop();
  };
  return { store, pass: (byMs) => sleep(byMs), stop };
}

const scope = createCredentialScope('https://platform.example', 'key');
const keys = createKeyBuilder(scope, createEntryKey(scope, 'secret'));
const LIFETIME_MS = 60_000;
let siteId = 0;

function newKey(tags: string[] = []): CacheKey {
  siteId += 1;
  return keys.key({ name: 'site', parameter: siteId, tags: [keys.tag('site', siteId), ...tags] });
}

function entryOf(value: unknown, bytes = 100): StoredEntry {
  return { value, bytes, storedAtMs: 1_700_000_000_000 };
}

function contractOf(start: () => Promise<Subject>): void {
  let subject: Subject;
  beforeAll(async () => {
    subject = await start();
  });
  afterAll(() => subject.stop());

  async function put(key: CacheKey, entry: StoredEntry, lifetimeMs = LIFETIME_MS): Promise<void> {
    await subject.store.set(key, entry, lifetimeMs, await subject.store.version(key));
  }
  async function read(key: CacheKey): Promise<StoredEntry | undefined> {
    const { entry } = await subject.store.get(key);
    return entry && { value: entry.value, bytes: entry.bytes, storedAtMs: entry.storedAtMs };
  }

  it('returns nothing that was not stored', async () => {
    expect(await read(newKey())).toBeUndefined();
  });

  it.each([
    ['a record', { id: '1', display_name: 'Wörk \u{1f525} \\ "', latitude: null, list: [1, [], {}] }],
    ['null', null],
    ['false', false],
    ['an empty list', []],
    ['a long list', Array.from({ length: 5000 }, (_, id) => ({ id: String(id), name: `Stream ${id}` }))],
  ])('returns %s as it was stored', async (_, value) => {
    const key = newKey();
    await put(key, entryOf(value, 1234));
    expect(await read(key)).toEqual(entryOf(value, 1234));
  });

  it('returns the last value stored', async () => {
    const key = newKey();
    await put(key, entryOf('first'));
    await put(key, entryOf('second'));
    expect(await read(key)).toEqual(entryOf('second'));
  });

  it('stores under the version that a lookup returned', async () => {
    const key = newKey();
    const { version } = await subject.store.get(key);
    await subject.store.set(key, entryOf('value'), LIFETIME_MS, version);
    expect(await read(key)).toEqual(entryOf('value'));
  });

  it('removes entries at the end of their lifetime', async () => {
    const [brief, long] = [newKey(), newKey()];
    await put(brief, entryOf('brief'), 50);
    await put(long, entryOf('long'));
    await subject.pass(80);
    expect(await read(brief)).toBeUndefined();
    expect(await read(long)).toEqual(entryOf('long'));
  });

  it('invalidates all entries with one of the tags, and no others', async () => {
    const [floor, house] = [keys.tag('test', 'floor'), keys.tag('test', 'house')];
    const [first, second, third] = [newKey([floor]), newKey([floor, house]), newKey([house])];
    for (const key of [first, second, third]) await put(key, entryOf('value'));
    await subject.store.invalidate([floor, keys.tag('test', 'unknown')]);
    expect(await read(first)).toBeUndefined();
    expect(await read(second)).toBeUndefined();
    expect(await read(third)).toEqual(entryOf('value'));
  });

  it('stores nothing under a version from before an invalidation, and stores again under one from after it', async () => {
    const tag = keys.tag('test', 'under way');
    const key = newKey([tag]);
    const before = await subject.store.version(key);
    await subject.store.invalidate([tag]);
    const after = await subject.store.version(key);
    await subject.store.set(key, entryOf('old'), LIFETIME_MS, before);
    expect(await read(key)).toBeUndefined();
    await subject.store.set(key, entryOf('new'), LIFETIME_MS, after);
    expect(await read(key)).toEqual(entryOf('new'));
  });

  it('invalidates repeatedly', async () => {
    const tag = keys.tag('test', 'again');
    const key = newKey([tag]);
    for (const value of ['one', 'two', 'three']) {
      await put(key, entryOf(value));
      expect(await read(key)).toEqual(entryOf(value));
      await subject.store.invalidate([tag]);
      expect(await read(key)).toBeUndefined();
    }
  });
}

describe('the memory store', () => contractOf(startMemory));

describe.skipIf(!isRedisAvailable)('the Redis store (needs redis-server on the PATH)', () =>
  contractOf(startRedis),
);
