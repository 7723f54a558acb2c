/** Entries in Redis from another writer, for another key or of another shape are misses, and never errors. */
import { describe, expect, it, vi } from 'vitest';
import { createCredentialScope, createEntryKey } from '../../../src/cache/cacheKey.js';
import { RedisConnection } from '../../../src/cache/redis/redisConnection.js';
import { decodeEntry, encodeEntry } from '../../../src/cache/redis/redisEntry.js';
import { systemClock } from '../../../src/lib/clock.js';
import { silentLogger } from '../../../src/lib/logger.js';
import {
  clock,
  ENTRY_KEY,
  first,
  onStop,
  startReplicas,
  startReplicaWithoutMemory,
  startServer,
  untilStored,
} from '../../support/cache/cacheReplicas.js';
import { isRedisAvailable, type RedisServer } from '../../support/cache/redisServer.js';
import { entryKey, key, keys, tag } from '../../support/cache/siteCache.js';
import { required, STILL_NOW_MS, startStillGateway } from '../../support/gateway.js';
import { WAIT } from '../../support/waiting.js';

const MAC_LENGTH = 44;
const ENTRIES = 'fieldgraph:2:entry:';

async function connectTo({ url }: RedisServer) {
  const connection = new RedisConnection({
    url,
    commandDeadlineMs: 2000,
    connectTimeoutMs: 2000,
    logger: silentLogger,
    clock: systemClock,
  });
  onStop(() => connection.close());
  await vi.waitFor(() => expect(connection.isConnected()).toBe(true), WAIT);
  return {
    get: async (redisKey: string) => String(await connection.command(['GET', redisKey])),
    set: (redisKey: string, text: string) => connection.command(['SET', redisKey, text]),
    entries: async () => (await connection.command(['KEYS', `${ENTRIES}*`])) as string[],
  };
}

function versionsOf(text: string): string[] {
  return (JSON.parse(text.slice(MAC_LENGTH + 1)) as { versions: string[] }).versions;
}

const flip = (text: string, at: number) =>
  text.slice(0, at) + (text[at] === 'A' ? 'B' : 'A') + text.slice(at + 1);

describe.skipIf(!isRedisAvailable)('an entry in Redis (needs redis-server on the PATH)', () => {
  async function startWithEntry() {
    const server = await startServer();
    const one = await startReplicaWithoutMemory(server);
    const redis = await connectTo(server);
    await one.fetch({ load: first });
    await untilStored(server);
    return { one, redis, text: await redis.get(ENTRY_KEY) };
  }

  const load = async () => ({ value: 'second', bytes: 6, isStorable: false });

  it('is returned as it was written', async () => {
    const { one, redis, text } = await startWithEntry();
    await redis.set(ENTRY_KEY, text);
    expect(await one.fetch({ load })).toMatchObject({ value: 'first', origin: 'redis' });
  });

  it('that is recalled does not replace one that memory has got meanwhile', async () => {
    const server = await startServer();
    const [one, other] = await startReplicas(server, 2);
    await one?.fetch({ load: first });
    await untilStored(server);
    const cache = required(other).cache;
    server.pause();
    const recalling = cache.recall({ key, kind: 'site', load });
    clock.pass(1000);
    cache.store(key, 'site', { value: 'second', storedAtMs: clock.now(), bytes: 6 });
    server.resume();
    await recalling;
    expect(cache.lookup(key, 'site')).toMatchObject({ state: 'fresh', value: 'second' });
  });

  it('is a miss when it was modified, truncated, or written for another key', async () => {
    const { one, redis, text } = await startWithEntry();
    const versions = versionsOf(text);
    const entry = { value: 'forged', bytes: 6, storedAtMs: STILL_NOW_MS };
    const otherKey = createEntryKey(createCredentialScope('https://platform.example', 'key'), 'other secret');
    const elsewhere = `${ENTRIES}${keys.key({ name: 'site', tags: [tag] }).text}`;
    const forged = [
      text.replace('first', 'fixed'),
      ...Array.from({ length: 50 }, (_, at) => flip(text, at)),
      ...[1, MAC_LENGTH, MAC_LENGTH + 1, text.length - 1].map((length) => text.slice(0, length)),
      text.slice(MAC_LENGTH),
      `${text} `,
      await encodeEntry(entry, versions, { entryKey: otherKey, redisKey: ENTRY_KEY }),
      await encodeEntry(entry, versions, { entryKey, redisKey: elsewhere }),
    ];
    for (const each of forged) {
      expect(each).not.toBe(text);
      await redis.set(ENTRY_KEY, each);
      expect(await one.fetch({ load })).toMatchObject({ value: 'second', origin: 'network' });
    }
  });

  it('is compressed and authenticated when it is large', async () => {
    const seal = { entryKey, redisKey: ENTRY_KEY };
    const entry = { value: 'x'.repeat(100_000), bytes: 100_000, storedAtMs: 1 };
    const text = await encodeEntry(entry, ['g'], seal);
    expect(text.length).toBeLessThan(2000);
    expect(await decodeEntry(text, ['g'], seal)).toEqual(entry);
    expect(await decodeEntry(flip(text, text.length - 5), ['g'], seal)).toBeUndefined();
    expect(await decodeEntry(text, ['other'], seal)).toBeUndefined();
  });

  it('is a miss without the time or size that a gateway writes', async () => {
    const seal = { entryKey, redisKey: ENTRY_KEY };
    const entry = { value: 'first', bytes: 5, storedAtMs: 1 };
    const wrong = [
      { storedAtMs: '1' },
      { storedAtMs: undefined },
      { bytes: null },
      { bytes: -1 },
      { value: undefined },
    ];
    for (const fields of wrong) {
      const text = await encodeEntry({ ...entry, ...fields } as typeof entry, ['g'], seal);
      expect(await decodeEntry(text, ['g'], seal)).toBeUndefined();
    }
  });

  it('is not written without an authentication key', async () => {
    const { one, redis } = await startWithEntry();
    const name = 'without a key';
    const { entryKey: _, ...bare } = keys.key({ name, tags: [tag] });
    expect(await one.fetch({ key: bare, load: first })).toMatchObject({ origin: 'network' });
    await one.fetch({ key: keys.key({ name: 'with a key', tags: [tag] }), load: first });
    await vi.waitFor(async () => expect((await redis.entries()).join()).toContain('with a key'), WAIT);
    expect((await redis.entries()).join()).not.toContain(name);
    expect(key.entryKey).toBeDefined();
  });
});

const QUERY = `{
  sites(first: 2) { totalCount nodes { id name customAttributes { name value } devices { id lastHealth { value } } } }
  organizations { nodes { id } }
  streams(first: 2) { nodes { id lastSample { value } threshold { levels { name } } } }
}`;

/** A gateway that has written the entries of an operation to a Redis of its own, and its response. */
async function startWithEntries(operation = QUERY) {
  const server = await startServer();
  const redis = await connectTo(server);
  // Long: a busy machine must not look like a Redis that is down. Still clocks: each query makes the same REST calls.
  const gateway = { redisUrl: server.url, redisDeadlineMs: 20_000 };
  const one = await startStillGateway({ sandbox: { siteCount: 2 }, gateway });
  const sound = await one.ask(operation);
  const written = new Set(one.sandbox.calls.list().map(({ path }) => path));
  await vi.waitFor(async () => {
    // Only entries that are loaded while Redis is connected are written.
    await one.query(operation, {}, { 'Cache-Control': 'no-cache' });
    expect((await redis.entries()).length).toBeGreaterThanOrEqual(written.size - 1);
  }, WAIT);
  return { redis, one, sound, gateway };
}

const wrongShapes = [null, 5, 'text', {}, { length: 1 }, [null], [5], [[]], [{ id: 'x' }]];

describe.skipIf(!isRedisAvailable)('a gateway (needs redis-server on the PATH)', () => {
  it('responds from the entries of another gateway, without a call', async () => {
    const { one, sound, gateway } = await startWithEntries();
    const [{ key: user, secret }] = one.sandbox.credentials;
    const platform = { url: one.sandbox.url, key: user, secret };
    const other = await startStillGateway({ sandbox: { siteCount: 1 }, gateway: { ...gateway, platform } });
    // It waits for Redis before it requests a token.
    await other.ask('{ users { totalCount } }');
    one.sandbox.calls.reset();
    expect(await other.ask(QUERY)).toEqual(sound);
    expect(one.sandbox.calls.list()).toEqual([]);
  });

  it('that starts during an outage finds single objects in the lists of another gateway', async () => {
    const lists = `{ sites(first: 2) { nodes { id name } }
      streams(first: 1000) { nodes { id name customAttributes { value } lastSample { id } } } }`;
    const { one, sound, gateway } = await startWithEntries(lists);
    interface Streams {
      nodes: { id: string; customAttributes: object[]; lastSample: object | null }[];
    }
    const { sites, streams } = sound as { sites: { nodes: { id: string }[] }; streams: Streams };
    const [site] = sites.nodes;
    const stream = streams.nodes.find((one) => one.lastSample && one.customAttributes.length > 0);
    const [{ key: user, secret }] = one.sandbox.credentials;
    const platform = { url: one.sandbox.url, key: user, secret };
    await one.sandbox.close();
    const other = await startStillGateway({ sandbox: { siteCount: 1 }, gateway: { ...gateway, platform } });
    const operation = `{ site(id: "${site?.id}") { id name }
      stream(id: "${stream?.id}") { id name customAttributes { value } lastSample { id } } }`;
    expect(await other.ask(operation)).toEqual({ site, stream });
  });

  it.each(wrongShapes.map((shape) => [JSON.stringify(shape), shape] as const))(
    'loads the data where all entries are authentic, and %s',
    async (_, shape) => {
      const { redis, one, sound, gateway } = await startWithEntries();
      const [credential] = one.sandbox.credentials;
      const scope = createCredentialScope(one.sandbox.url, required(credential).key);
      const secretKey = createEntryKey(scope, required(credential).secret);
      for (const redisKey of await redis.entries()) {
        const text = await redis.get(redisKey);
        const entry = { value: shape, bytes: 100, storedAtMs: STILL_NOW_MS };
        const versions = text[MAC_LENGTH] === 'p' ? versionsOf(text) : [];
        await redis.set(redisKey, await encodeEntry(entry, versions, { entryKey: secretKey, redisKey }));
      }
      const { key: user, secret } = required(credential);
      const platform = { url: one.sandbox.url, key: user, secret };
      const other = await startStillGateway({ sandbox: { siteCount: 1 }, gateway: { ...gateway, platform } });
      expect(await other.ask(QUERY)).toEqual(sound);
    },
  );
});
