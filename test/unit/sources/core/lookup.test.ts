/** One lookup decides how many REST calls a value takes: for single values and for collections. */
import { expect, it } from 'vitest';
import { Cache } from '../../../../src/cache/cache.js';
import { createCredentialScope, createKeyBuilder } from '../../../../src/cache/cacheKey.js';
import { createSamplePageStore } from '../../../../src/cache/memory/samplePageStore.js';
import type { ResourceKind } from '../../../../src/cache/policies.js';
import { silentLogger as logger } from '../../../../src/lib/logger.js';
import { restCallsForCollection } from '../../../../src/sources/core/collections.js';
import { createEndpointStats } from '../../../../src/sources/core/endpointStats.js';
import { createEntitySource } from '../../../../src/sources/core/entitySource.js';
import { readOne } from '../../../../src/sources/core/keyedSource.js';
import { countRestCalls, type LookupResult, restCallsFor } from '../../../../src/sources/core/lookup.js';
import { Reader } from '../../../../src/sources/core/reader.js';
import { createResponseFreshness } from '../../../../src/sources/core/responseFreshness.js';
import { runningClock as clock } from '../../../support/runningClock.js';

const fresh = <Value>(value: Value): LookupResult<Value> => ({ state: 'fresh', value });
const states: LookupResult<null>[] = [
  fresh(null),
  { state: 'inFlight' },
  { state: 'stale' },
  { state: 'missing' },
];

it('takes no call for a value that is fresh or in flight', () => {
  expect(states.map(restCallsFor)).toEqual([0, 0, 1, 1]);
  expect(countRestCalls(states)).toBe(2);
});

it('excludes a collection that is known to be truncated, and no other', () => {
  const lists: LookupResult<{ items: readonly number[]; isComplete: boolean }>[] = [
    fresh({ items: [1], isComplete: true }),
    fresh({ items: [1], isComplete: false }),
    { state: 'inFlight' },
    { state: 'stale' },
    { state: 'missing' },
  ];
  const never = Number.POSITIVE_INFINITY;
  expect(lists.map((list) => restCallsForCollection(list, false))).toEqual([0, never, 0, 1, 1]);
  expect(lists.map((list) => restCallsForCollection(list, true))).toEqual([0, never, never, never, never]);
});

const LIST = '/v2.0/site';
const SITE = '/v2.0/site/{siteId}';

/** A cache that counts how often its memory is read for the list of sites and for site 5. */
function createCountedSites() {
  const cache = new Cache({ clock, logger });
  const keys = createKeyBuilder(createCredentialScope('http://platform.example', 'key'));
  const reads = { list: 0, site: 0 };
  const calls: string[] = [];
  const kind: ResourceKind = 'site';
  const count = (name: keyof typeof reads) => () => {
    reads[name] += 1;
    return undefined;
  };
  cache.overlay(keys.endpointKey(kind, LIST, undefined), kind, { getEntry: count('list') });
  cache.overlay(keys.endpointKey(kind, SITE, 5), kind, { getEntry: count('site') });
  const list = Object.assign(async () => [{ id: 5 }], { template: LIST });
  const one = Object.assign(
    async (id: number) => {
      calls.push(`site ${id}`);
      return { id };
    },
    { template: SITE },
  );
  const toItem = (row: { id: number }) => row;
  const createReader = () =>
    new Reader({
      ...{
        cache,
        keys,
        samplePages: createSamplePageStore({ clock }),
        endpointStats: createEndpointStats({ nowMs: clock.now }),
      },
      ...{ freshness: createResponseFreshness(clock.now), monotonicClock: clock },
      options: {},
    });
  const readSite = (reader: Reader) => readOne(reader, kind, one, toItem);
  const createSites = () => {
    const reader = createReader();
    return createEntitySource(reader, { name: 'sites', kind, toItem, list, one: readSite(reader) });
  };
  return { createReader, readSite, createSites, reads, calls };
}

it('reads the memory once for each key of a cold `site(id)`', async () => {
  const { createSites, reads, calls } = createCountedSites();
  await expect(createSites().byId(5)).resolves.toEqual({ id: 5 });
  expect(calls).toEqual(['site 5']);
  // One read of the list, which may contain the site, and one of the site. The load does not read the memory again.
  expect(reads).toEqual({ list: 1, site: 1 });
  expect(createSites().byId(5)).toEqual({ id: 5 });
  expect(reads).toEqual({ list: 2, site: 2 });
});

it('reads the memory again where it has stored an entry since, so that the stored value costs no call', async () => {
  const { createReader, readSite, createSites, reads, calls } = createCountedSites();
  const reader = createReader();
  const lookup = readSite(reader).lookup(5);
  expect(reader.inspect(lookup)).toEqual({ state: 'missing' });
  expect(reader.inspect(lookup)).toEqual({ state: 'missing' });
  expect(reads.site).toBe(1);
  await createSites().byId(5);
  expect(reader.inspect(lookup)).toMatchObject({ state: 'fresh', value: { id: 5 } });
  await expect(reader.load(lookup)).resolves.toEqual({ id: 5 });
  expect(calls).toEqual(['site 5']);
});
