/** Custom attributes of sites and streams: their names, and the values that each site or stream has. */
import DataLoader from 'dataloader';
import { GatewayError } from '../../errors.js';
import type { MaybePromise } from '../../lib/maybePromise.js';
import type { RowOf } from '../../rest/decode/rowDecoder.js';
import type { attributeNameRow, attributeValueRow } from '../../rest/decode/rows.js';
import type { TypedEndpoint } from '../../rest/endpointKinds.js';
import type { RestClient } from '../../rest/restClient.js';
import { type Collection, type KeyedSource, readCollection, readList } from '../core/collections.js';
import { planFetch } from '../core/fetchPlan.js';
import { countMissing, createByParentLoader } from '../core/loaders.js';
import type { Reader } from '../core/reader.js';
import { settleEach } from '../core/settleEach.js';
import { checkShape, isListOfIdentified } from '../core/storedShape.js';

export interface CustomAttributeName {
  /** The attribute, the same on all its carriers. */
  id: number;
  name: string;
}

export interface CustomAttribute extends CustomAttributeName {
  /** The site or stream that carries it. */
  parentId: number;
  value: string;
}

export function toCustomAttribute(row: RowOf<typeof attributeValueRow>): CustomAttribute {
  return { id: row.id, name: row.display_name, parentId: row.parent_id, value: row.value };
}

function toCustomAttributeName(row: RowOf<typeof attributeNameRow>): CustomAttributeName {
  return { id: row.id, name: row.display_name };
}

type AttributesEndpoint = TypedEndpoint<[], readonly RowOf<typeof attributeValueRow>[]>;

function readAll(reader: Reader, endpoint: AttributesEndpoint): Collection<CustomAttribute> {
  return readCollection(reader, {
    kind: 'attributes',
    endpoint,
    toItem: toCustomAttribute,
    parentIdOf: (attribute) => attribute.parentId,
  });
}

function readNames(reader: Reader, endpoint: TypedEndpoint<[], readonly RowOf<typeof attributeNameRow>[]>) {
  return reader.read({
    kind: 'attributeNames',
    template: endpoint.template,
    load: async (options) => (await endpoint(options)).map(toCustomAttributeName),
    deserialize: (stored) =>
      checkShape(stored, (value): value is CustomAttributeName[] => isListOfIdentified(value)),
  });
}

export type SiteAttributes = ReturnType<typeof createSiteAttributes>;

export function createSiteAttributes(rest: RestClient, reader: Reader) {
  const collection = readAll(reader, rest.allSiteAttributes);
  const byParent = readList(reader, 'attributes', rest.siteAttributes, toCustomAttribute);
  const ofSite = createByParentLoader<CustomAttribute>(reader, {
    name: 'attributes of sites',
    collection,
    byParent,
  });

  return {
    /** Those of so many sites are about to be asked for. */
    expect: (count: number) => collection.prefetch(count, { ...byParent, name: 'attributes of sites' }),
    ofSite: (siteId: number) => ofSite.load(siteId),
    /** The list is not in the platform's specification: where there is none, those names that sites carry. */
    names: () =>
      readNames(reader, rest.siteAttributeNames).catch(async (error: unknown) => {
        if (!(error instanceof GatewayError) || error.code !== 'PLATFORM_REFUSED') throw error;
        return listNames((await collection.load()).items);
      }),
  };
}

function listNames(attributes: readonly CustomAttribute[]): CustomAttributeName[] {
  return [...new Map(attributes.map(({ id, name }) => [id, { id, name }])).values()];
}

/** A stream and the site it is measured at: the attributes of one site's streams come in one call. */
export interface StreamReference {
  id: number;
  siteId: number | null;
}

/** The three ways in which streams' attributes come. */
interface StreamAttributeSources {
  reader: Reader;
  collection: Collection<CustomAttribute>;
  /** As one list for all the site's streams. */
  ofSite: KeyedSource<number, readonly CustomAttribute[]>;
  ofStream: KeyedSource<number, readonly CustomAttribute[]>;
}

export type StreamAttributes = ReturnType<typeof createStreamAttributes>;

export function createStreamAttributes(rest: RestClient, reader: Reader) {
  const ways: StreamAttributeSources = {
    reader,
    collection: readAll(reader, rest.allStreamAttributes),
    ofSite: readList(reader, 'attributes', rest.siteStreamAttributes, toCustomAttribute),
    ofStream: readList(reader, 'attributes', rest.streamAttributes, toCustomAttribute),
  };
  const ofStream = new DataLoader<StreamReference, readonly CustomAttribute[], number>(
    (streams) => loadOfStreams(streams, ways),
    { cacheKeyFn: ({ id }) => id },
  );

  const expectAll = (count: number) =>
    ways.collection.prefetch(count, { ...ways.ofSite, name: 'attributes of streams' });

  return {
    /** Those of the streams of so many sites are about to be asked for. */
    prefetch: expectAll,
    /** The same for links to channels, which need them unless streams name their channels: so if they did before. */
    expectForLinks: (count: number) =>
      ways.collection.expectedCost().bytes > 0 ? expectAll(count) : undefined,
    ofStream({ id, siteId }: StreamReference): MaybePromise<readonly CustomAttribute[]> {
      const whole = ways.collection.getCached();
      if (whole?.isComplete) return whole.byParent(id);
      const atSite = siteId === null ? undefined : ways.ofSite.getCached(siteId);
      return atSite?.filter(({ parentId }) => parentId === id) ?? ofStream.load({ id, siteId });
    },
    names: () => readNames(reader, rest.streamAttributeNames),
  };
}

/** Weighs a call for each stream, a call for each site, and one call for the whole account. */
async function loadOfStreams(streams: readonly StreamReference[], ways: StreamAttributeSources) {
  const { reader, collection, ofSite, ofStream } = ways;
  const streamIds = streams.map(({ id }) => id);
  const siteIds = [...new Set(streams.map(({ siteId }) => siteId))];
  const known = siteIds.filter((siteId) => siteId !== null);
  const plan = planFetch<'singles' | 'perSite' | 'collection'>([
    { name: 'singles', callCount: countMissing(streamIds, ofStream), costPerCall: ofStream.expectedCost() },
    {
      name: 'perSite',
      callCount: known.length < siteIds.length ? Number.POSITIVE_INFINITY : countMissing(known, ofSite),
      costPerCall: ofSite.expectedCost(),
    },
    { name: 'collection', callCount: collection.restCallCount(), costPerCall: collection.expectedCost() },
  ]);
  reader.explanation?.addPlan('attributes of streams', streams.length, plan);
  if (plan.strategy === 'perSite') return loadFromSites(streams, known, ofSite);
  const loaded = plan.strategy === 'collection' ? await collection.load() : undefined;
  if (!loaded?.isComplete) return settleEach(streamIds, ofStream.load);
  return streamIds.map(loaded.byParent);
}

/** Each site is asked once; where that fails, it fails for that site's streams alone. */
async function loadFromSites(
  streams: readonly StreamReference[],
  siteIds: readonly number[],
  ofSite: KeyedSource<number, readonly CustomAttribute[]>,
): Promise<(readonly CustomAttribute[] | Error)[]> {
  const answers = await settleEach(siteIds, ofSite.load);
  const bySite = new Map<number | null, readonly CustomAttribute[] | Error>(
    siteIds.map((siteId, index) => [siteId, answers[index] ?? []]),
  );
  return streams.map(({ id, siteId }) => {
    const atSite = bySite.get(siteId) ?? [];
    return atSite instanceof Error ? atSite : atSite.filter(({ parentId }) => parentId === id);
  });
}
