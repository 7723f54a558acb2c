/** Bodies that the platform repeats are not parsed again, and the values are those of parsed bodies. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Cache } from '../../../../src/cache/cache.js';
import { createCredentialScope, createKeyBuilder } from '../../../../src/cache/cacheKey.js';
import { createSamplePageStore } from '../../../../src/cache/memory/samplePageStore.js';
import { silentLogger as logger } from '../../../../src/lib/logger.js';
import { createRestCaller } from '../../../../src/rest/restCaller.js';
import { createRestClient } from '../../../../src/rest/restClient.js';
import { type ItemList, readCollection } from '../../../../src/sources/core/collections.js';
import { createEndpointStats, type EndpointStats } from '../../../../src/sources/core/endpointStats.js';
import { readList } from '../../../../src/sources/core/keyedSource.js';
import { Reader } from '../../../../src/sources/core/reader.js';
import { createResponseFreshness } from '../../../../src/sources/core/responseFreshness.js';
import { recentOfSite } from '../../../../src/sources/samples/recentSamples.js';

const HOUR_MS = 3_600_000;
const START_MS = Date.UTC(2026, 0, 5, 12);
const MAX_LIST_LENGTH = 24;
const token = { accessToken: 'token', expiresIn: 3600 };

/** A client of a platform that responds with `body`. */
function createParts() {
  const platform = { body: '', nowMs: START_MS };
  const clock = { now: () => platform.nowMs };
  const tokens = { getCurrent: () => token.accessToken, get: async () => token.accessToken };
  const send = async () => ({ status: 200, headers: {}, body: Buffer.from(platform.body) });
  const transport = { send, close() {} };
  const caller = createRestCaller({ transport, tokens: tokens as never, clock, logger });
  return { platform, clock, rest: createRestClient(caller) };
}

/** Each reader has its own operation; they share the cache. */
function createReaders(clock: { now(): number }, endpointStats: EndpointStats) {
  const parts = {
    ...{ cache: new Cache({ clock, logger }), endpointStats, monotonicClock: clock },
    keys: createKeyBuilder(createCredentialScope('http://platform.example', 'key')),
    samplePages: createSamplePageStore({ clock }),
    freshness: createResponseFreshness(clock.now),
  };
  return () => new Reader({ ...parts, options: { noCache: true } });
}

const toItem = ({ id, display_name: name }: { id: number; display_name: string }) => ({ id, name });

function toList(count: number, name: string): string {
  const rows = Array.from({ length: count }, (_, index) => ({ id: index + 1, display_name: name }));
  return JSON.stringify(rows);
}

const bodies = fc.record({
  // Below a kilobyte, above it, and truncated.
  count: fc.constantFrom(0, 2, 20, MAX_LIST_LENGTH),
  name: fc.constantFrom('a name of thirty to forty letters', 'another name of thirty to 40 letters'),
});

it('lists are those of the last body, truncated or whole', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(bodies, { minLength: 2, maxLength: 8 }), async (sequence) => {
      const { platform, clock, rest } = createParts();
      const stats = createEndpointStats({ nowMs: clock.now, maxListLength: MAX_LIST_LENGTH });
      const createReader = createReaders(clock, stats);
      let before: { body: string; list: ItemList<object>; ofSite: unknown } | undefined;
      for (const { count, name } of sequence) {
        platform.body = toList(count, name);
        const reader = createReader();
        const collection = readCollection(reader, { kind: 'site', endpoint: rest.sites, toItem });
        const list = await collection.load();
        const lookup = readList(reader, 'stream', rest.siteStreams, toItem).lookup(7);
        const ofSite = await reader.load(lookup);
        const items = (JSON.parse(platform.body) as { id: number; display_name: string }[]).map(toItem);
        const isComplete = count < MAX_LIST_LENGTH;
        expect([list.items, list.isComplete, ofSite]).toEqual([items, isComplete, items]);
        expect(stats.isTruncated(rest.sites.template)).toBe(!isComplete);
        const isRepeated = before?.body === platform.body && platform.body.length > 1024;
        if (isRepeated) expect([list, ofSite]).toEqual([before?.list, before?.ofSite]);
        expect(list === before?.list && ofSite === before.ofSite).toBe(isRepeated);
        before = { body: platform.body, list, ofSite };
      }
    }),
    { numRuns: 40 },
  );
});

it('a repeated batch shows the samples that are still in the window', async () => {
  const sampleAges = fc.array(fc.integer({ min: 0, max: 8 * 60 }), { minLength: 12, maxLength: 40 });
  const steps = fc.array(fc.integer({ min: -90, max: 180 }), { minLength: 2, maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(sampleAges, steps, async (ages, minutes) => {
      const { platform, clock, rest } = createParts();
      const samples = ages.map((age, index) => ({
        id: index + 1,
        stream_id: (index % 5) + 1,
        sample_date: new Date(START_MS - age * 60_000).toISOString(),
        value: String(age),
      }));
      platform.body = JSON.stringify({ samples, hasMore: false });
      const createReader = createReaders(clock, createEndpointStats({ nowMs: clock.now }));
      for (const step of minutes) {
        platform.nowMs += step * 60_000;
        const recent = await createReader().read(recentOfSite(rest, 7, clock.now));
        const parsed = await createReaders(clock, createEndpointStats({ nowMs: clock.now }))().read(
          recentOfSite(rest, 7, clock.now),
        );
        const isLater = recent.sinceMs === platform.nowMs - 6 * HOUR_MS;
        if (isLater) expect(recent).toEqual(parsed);
        // The clock was set back: fewer samples are known, and none is wrong.
        for (const [id, sample] of recent.newest) expect(sample).toEqual(parsed.newest.get(id));
        expect([recent.readAtMs, recent.lastId]).toEqual([platform.nowMs, samples.length]);
      }
    }),
    { numRuns: 40 },
  );
});
