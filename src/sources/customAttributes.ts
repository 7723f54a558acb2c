/** Custom attributes of sites and streams: their names, and the values that each site or stream has. */
import DataLoader from 'dataloader';
import { settleEach } from '../lib/settleEach.js';
import type { CallOptions } from '../rest/restCaller.js';
import type { RestClient } from '../rest/restClient.js';
import type { RowOf } from '../rest/rowDecoder.js';
import type { attributeNameRow, attributeValueRow } from '../rest/rows.js';
import { createCollection } from './collection.js';
import { cheapestWay } from './fetchPlan.js';
import { createOfParentLoader, groupBy } from './loaders.js';

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

const parentIdOf = (attribute: CustomAttribute) => attribute.parentId;

export type SiteAttributes = ReturnType<typeof createSiteAttributes>;

export function createSiteAttributes(rest: RestClient, options: CallOptions) {
  const collection = createCollection(async () =>
    (await rest.allSiteAttributes(options)).map(toCustomAttribute),
  );
  const ofSite = createOfParentLoader<CustomAttribute>({
    collection,
    parentIdOf,
    fetchOfParent: async (siteId) => (await rest.siteAttributes(siteId, options)).map(toCustomAttribute),
  });

  return {
    ofSite: (siteId: number) => ofSite.load(siteId),
    names: async () => (await rest.siteAttributeNames(options)).map(toCustomAttributeName),
  };
}

/** A stream and the site it is measured at: whose streams' attributes come in one call. */
export interface StreamPlace {
  id: number;
  siteId: number | null;
}

export type StreamAttributes = ReturnType<typeof createStreamAttributes>;

export function createStreamAttributes(rest: RestClient, options: CallOptions) {
  const collection = createCollection(async () =>
    (await rest.allStreamAttributes(options)).map(toCustomAttribute),
  );
  const fetchOfStream = async (streamId: number) =>
    (await rest.streamAttributes(streamId, options)).map(toCustomAttribute);
  const fetchOfSite = async (siteId: number) =>
    (await rest.siteStreamAttributes(siteId, options)).map(toCustomAttribute);

  /** All the attributes of all streams at a site, as one list. */
  const ofSite = new DataLoader<StreamsAtSite, readonly CustomAttribute[], number>(
    async (sites) => {
      const way = cheapestWay([
        { name: 'perSite', calls: sites.length },
        { name: 'collection', calls: collection.calls() },
      ]);
      if (way === 'perSite') return settleEach(sites, ({ siteId }) => fetchOfSite(siteId));
      const loaded = await collection.load();
      if (!loaded.isComplete) return settleEach(sites, ({ siteId }) => fetchOfSite(siteId));
      const byStream = groupBy(loaded.items, parentIdOf);
      return sites.map(({ streamIds }) => streamIds.flatMap((id) => byStream.get(id) ?? []));
    },
    { cacheKeyFn: ({ siteId }) => siteId },
  );

  const ofStream = new DataLoader<StreamPlace, readonly CustomAttribute[], number>(
    async (streams) => {
      const siteIds = new Set(streams.map(({ siteId }) => siteId));
      const way = cheapestWay([
        { name: 'singles', calls: streams.length },
        { name: 'perSite', calls: siteIds.has(null) ? Number.POSITIVE_INFINITY : siteIds.size },
        { name: 'collection', calls: collection.calls() },
      ]);
      if (way === 'singles') return settleEach(streams, ({ id }) => fetchOfStream(id));
      if (way === 'perSite') return fromSites(streams);
      const loaded = await collection.load();
      return loaded.isComplete
        ? pick(streams, loaded.items)
        : settleEach(streams, ({ id }) => fetchOfStream(id));
    },
    { cacheKeyFn: ({ id }) => id },
  );

  /** Each site is asked once; where that fails, it fails for that site's streams alone. */
  function fromSites(streams: readonly StreamPlace[]) {
    const calls = new Map<number | null, Promise<CustomAttribute[]>>();
    return settleEach(streams, async ({ id, siteId }) => {
      const call = calls.get(siteId) ?? fetchOfSite(siteId ?? 0);
      calls.set(siteId, call);
      return (await call).filter((attribute) => attribute.parentId === id);
    });
  }

  return {
    ofSite: (site: StreamsAtSite) => ofSite.load(site),
    ofStream: (stream: StreamPlace) => ofStream.load({ id: stream.id, siteId: stream.siteId }),
    names: async () => (await rest.streamAttributeNames(options)).map(toCustomAttributeName),
  };
}

/** A site and the streams measured there. */
export interface StreamsAtSite {
  siteId: number;
  streamIds: readonly number[];
}

function pick(streams: readonly StreamPlace[], attributes: readonly CustomAttribute[]) {
  const byStream = groupBy(attributes, parentIdOf);
  return streams.map(({ id }) => byStream.get(id) ?? []);
}
