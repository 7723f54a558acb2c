/** Loads custom attributes of sites and streams: all names, and the values of each site or stream. */
import { isPlatformFault } from '../../cache/loadEntry.js';
import { hasCode } from '../../errors.js';
import type { RowOf } from '../../rest/decode/rowDecoder.js';
import type { attributeNameRow, attributeValueRow } from '../../rest/decode/rows.js';
import type { TypedEndpoint } from '../../rest/endpointKinds.js';
import type { RestClient } from '../../rest/restClient.js';
import { createBatchLoader, settleEach, toError } from '../core/batches.js';
import { loadWithFallback, plannedCalls } from '../core/collectionFallback.js';
import {
  type Collection,
  type KeyedCollection,
  type LoadedCollection,
  readCollection,
  readKeyedCollection,
} from '../core/collections.js';
import { type FetchStrategy, planFetch } from '../core/fetchPlan.js';
import { type KeyedSource, readList } from '../core/keyedSource.js';
import { createByParentLoader } from '../core/loaders.js';
import { countRestCalls } from '../core/lookup.js';
import { withoutRepeats } from '../core/paginator.js';
import type { Reader } from '../core/reader.js';
import { checkShape, isListOfIdentified } from '../core/storedShape.js';
import { type StreamReference, siteIdsOf } from './streams.js';

export type CustomAttribute = ReturnType<typeof toCustomAttribute>;
export type CustomAttributeName = Pick<CustomAttribute, 'id' | 'name'>;

/** `id` is that of the attribute, equal for all sites or streams that have a value. `parentId` is the site or stream. */
function toCustomAttribute(row: RowOf<typeof attributeValueRow>) {
  return { id: row.id, name: row.display_name, parentId: row.parent_id, value: row.value };
}

const attributesByParent = {
  kind: 'attributes',
  toItem: toCustomAttribute,
  parentIdOf: ({ parentId }: CustomAttribute) => parentId,
  sharesIds: true,
} as const;

function readNames(reader: Reader, endpoint: TypedEndpoint<[], readonly RowOf<typeof attributeNameRow>[]>) {
  return reader.read({
    kind: 'attributeNames',
    template: endpoint.template,
    load: async (options) =>
      withoutRepeats((await endpoint(options)).map(({ id, display_name: name }) => ({ id, name }))),
    deserialize: (stored) => checkShape<readonly CustomAttributeName[]>(stored, isListOfIdentified),
  });
}

export type SiteAttributes = ReturnType<typeof createSiteAttributes>;

export function createSiteAttributes(rest: RestClient, reader: Reader) {
  const name = 'attributes of sites';
  const collection = readCollection(reader, { ...attributesByParent, endpoint: rest.allSiteAttributes });
  const perParent = readList(reader, 'attributes', rest.siteAttributes, toCustomAttribute);
  const ofSite = createByParentLoader<CustomAttribute>(reader, { name, collection, perParent });

  return {
    /** Begins to load all attributes if an operation will need those of `count` sites. */
    prefetch: (count: number) => collection.prefetch(count, { name, expectedCost: perParent.expectedCost }),
    ofSite: (siteId: number) => ofSite.load(siteId),
    /**
     * The platform's specification does not contain this list. If the platform does not have it either, the names
     * that sites use are returned.
     */
    names: () =>
      readNames(reader, rest.siteAttributeNames).catch(async (error: unknown) => {
        if (!hasCode(error, 'PLATFORM_REFUSED')) throw error;
        const { items } = await collection.load();
        return withoutRepeats(items).map(({ id, name }) => ({ id, name }));
      }),
  };
}

interface StreamAttributeSources {
  reader: Reader;
  collection: Collection<CustomAttribute>;
  /** One list for all streams of the site. */
  perSite: KeyedCollection<number, CustomAttribute>;
  perStream: KeyedSource<number, readonly CustomAttribute[]>;
}

const STREAM_RELATION = 'attributes of streams';

export type StreamAttributes = ReturnType<typeof createStreamAttributes>;

export function createStreamAttributes(rest: RestClient, reader: Reader) {
  const sources: StreamAttributeSources = {
    reader,
    collection: readCollection(reader, { ...attributesByParent, endpoint: rest.allStreamAttributes }),
    perSite: readKeyedCollection(reader, { ...attributesByParent, endpoint: rest.siteStreamAttributes }),
    perStream: readList(reader, 'attributes', rest.streamAttributes, toCustomAttribute),
  };
  const { collection, perSite } = sources;
  const loader = createBatchLoader<StreamReference, readonly CustomAttribute[], number>(
    reader.turns,
    (streams) => loadOrReadStale(streams, sources),
    { cacheKeyFn: ({ id }) => id },
  );

  const prefetch = (count: number) =>
    collection.prefetch(count, { name: STREAM_RELATION, expectedCost: perSite.expectedCost });

  return {
    /** Begins to load all attributes if an operation will need those of the streams of `count` sites. */
    prefetch,
    /**
     * Does the same for links to channels. These need attributes unless the rows of streams name their channels, so
     * the attributes are loaded only if they were loaded before.
     */
    prefetchForLinks: (count: number) => (collection.expectedCost().bytes > 0 ? prefetch(count) : undefined),
    ofStream({ id, siteId }: StreamReference) {
      const all = collection.get();
      if (all?.isComplete) return all.byParent(id);
      const atSite = siteId === null ? undefined : reader.get(perSite.lookup(siteId));
      return atSite?.isComplete ? atSite.byParent(id) : loader.load({ id, siteId });
    },
    names: () => readNames(reader, rest.streamAttributeNames),
  };
}

async function loadOrReadStale(streams: readonly StreamReference[], sources: StreamAttributeSources) {
  const loaded = await loadOfStreams(streams, sources).catch(toError);
  const results = streams.map((stream, index) => {
    const attributes = loaded instanceof Error ? loaded : (loaded[index] ?? []);
    return attributes instanceof Error ? readStale(stream, sources, attributes) : attributes;
  });
  return Promise.all(results);
}

/** In an outage, a stale list may have the attributes. A stream without attributes in a list may be newer than the list. */
async function readStale(
  { id, siteId }: StreamReference,
  { reader, collection, perSite, perStream }: StreamAttributeSources,
  error: Error,
): Promise<readonly CustomAttribute[] | Error> {
  if (!isPlatformFault(error)) return error;
  const own = reader.getStale(perStream.lookup(id));
  if (own !== undefined) return own;
  const all = await collection.readStale();
  const atSite = siteId === null ? undefined : reader.getStale(perSite.lookup(siteId));
  const lists = [all, atSite].map((list) => (list?.isComplete ? list.byParent(id) : []));
  return lists.find(({ length }) => length > 0) ?? error;
}

type KeyedStrategy = 'singles' | 'perSite';

/**
 * Loads by the cheapest strategy. If a collection turns out to be truncated, it is not used, and the loader plans again.
 * If it fails, the other strategies replace it.
 */
async function loadOfStreams(
  streams: readonly StreamReference[],
  sources: StreamAttributeSources,
): Promise<readonly (readonly CustomAttribute[] | Error)[]> {
  const { reader, collection } = sources;
  const keyed = keyedStrategies(streams, sources);
  const keyedPlan = planFetch(keyed);
  const callCount = plannedCalls(reader, collection, keyedPlan.callCount);
  const plan = planFetch<KeyedStrategy | 'collection'>([
    ...keyed,
    { name: 'collection', callCount, costPerCall: collection.expectedCost() },
  ]);
  reader.records.addPlan(STREAM_RELATION, streams.length, plan);
  if (plan.strategy !== 'collection') return loadBy(plan.strategy, streams, sources);
  const loaded = await loadWithFallback(reader, collection, {
    keys: streams,
    loadOne: async (stream) => {
      const [attributes = []] = await loadBy(keyedPlan.strategy, [stream], sources);
      if (attributes instanceof Error) throw attributes;
      return attributes;
    },
    calls: keyedPlan.callCount,
  });
  if ('each' in loaded) {
    reader.records.addPlan(STREAM_RELATION, streams.length, keyedPlan);
    return loadBy(keyedPlan.strategy, streams, sources);
  }
  const { isComplete, byParent } = loaded.collection;
  return isComplete ? streams.map(({ id }) => byParent(id)) : loadOfStreams(streams, sources);
}

/** A call for each stream, or a call for each site. */
function keyedStrategies(
  streams: readonly StreamReference[],
  sources: StreamAttributeSources,
): [FetchStrategy<KeyedStrategy>, FetchStrategy<KeyedStrategy>] {
  const { perSite, perStream } = sources;
  const haveSites = streams.every(({ siteId }) => siteId !== null);
  return [
    { name: 'singles', callCount: countSingleCalls(streams, sources), costPerCall: perStream.expectedCost() },
    {
      name: 'perSite',
      callCount: haveSites ? countSiteCalls(streams, sources) : Number.POSITIVE_INFINITY,
      costPerCall: perSite.expectedCost(),
    },
  ];
}

async function loadBy(
  strategy: KeyedStrategy,
  streams: readonly StreamReference[],
  sources: StreamAttributeSources,
): Promise<(readonly CustomAttribute[] | Error)[]> {
  if (strategy === 'perSite') return loadFromSites(streams, sources);
  const { reader, perStream } = sources;
  return settleEach(streams, ({ id }) => reader.load(perStream.lookup(id)), reader.turns);
}

function countSingleCalls(
  streams: readonly StreamReference[],
  { reader, perStream }: StreamAttributeSources,
): number {
  return countRestCalls(streams.map(({ id }) => reader.inspect(perStream.lookup(id))));
}

function countSiteCalls(streams: readonly StreamReference[], sources: StreamAttributeSources): number {
  const { siteIds, singles } = splitBySite(streams, sources);
  const { reader, perSite } = sources;
  const calls = countRestCalls(siteIds.map((id) => reader.inspect(perSite.lookup(id))));
  return calls + countSingleCalls(singles, sources);
}

/** The sites whose list has all attributes, as far as is known, and the streams of the other sites. */
function splitBySite(streams: readonly StreamReference[], { perSite }: StreamAttributeSources) {
  const siteIds = siteIdsOf(streams).filter((siteId) => Number.isFinite(perSite.restCalls(siteId)));
  const listed = new Set<number | null>(siteIds);
  return { siteIds, singles: streams.filter(({ siteId }) => !listed.has(siteId)) };
}

/**
 * Makes one call for each site; a failure affects only the streams of that site. A truncated list serves no stream:
 * each stream of its site then takes a separate call.
 */
async function loadFromSites(
  streams: readonly StreamReference[],
  sources: StreamAttributeSources,
): Promise<(readonly CustomAttribute[] | Error)[]> {
  const { reader, perSite, perStream } = sources;
  const { siteIds } = splitBySite(streams, sources);
  const results = await settleEach(siteIds, (siteId) => reader.load(perSite.lookup(siteId)), reader.turns);
  const bySite = new Map<number | null, LoadedCollection<CustomAttribute> | Error | undefined>(
    siteIds.map((siteId, index) => [siteId, results[index]]),
  );
  const loadOne = ({ id, siteId }: StreamReference) => {
    const atSite = bySite.get(siteId);
    if (atSite instanceof Error) return Promise.reject(atSite);
    return atSite?.isComplete ? atSite.byParent(id) : reader.load(perStream.lookup(id));
  };
  return settleEach(streams, loadOne, reader.turns);
}
