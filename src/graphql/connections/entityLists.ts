/** The connections of sites, devices, channels and streams: filtered, ordered, and with facets. */
import { createBadInputError } from '../../errors.js';
import type { MaybePromise } from '../../lib/maybePromise.js';
import type { ItemList } from '../../sources/core/collections.js';
import type { EntitySource } from '../../sources/core/entitySource.js';
import { isTruncated } from '../../sources/core/fetchPlan.js';
import { withoutRepeats } from '../../sources/core/paginator.js';
import type { Channel } from '../../sources/entities/channels.js';
import type { Site } from '../../sources/entities/sites.js';
import { filterChannels, filterDevices, filterSites, filterStreams } from '../arguments/filters.js';
import { type EntityType, readId, readIds, readOptionalId } from '../arguments/nodeId.js';
import {
  channelOrder,
  type OrderedList,
  orderDevices,
  orderSites,
  orderStreams,
  sortBy,
} from '../arguments/ordering.js';
import { type DistanceOf, measureFrom, roundToMetres } from '../arguments/siteDistance.js';
import {
  narrowDevices,
  narrowSites,
  narrowStreams,
  sitesOfOrganizations,
} from '../arguments/stateFilters.js';
import type { ReadSources } from '../context.js';
import type {
  QueryChannelsArgs,
  QueryDevicesArgs,
  QuerySitesArgs,
  QueryStreamsArgs,
  StreamFilter,
} from '../generated/resolverTypes.js';
import type { CursorType } from './connection.js';
import { type ListConnection, type PageArguments, toConnection } from './listConnection.js';

/** The filtered sites; with `organizationId`, only sites of this organization. */
export function listSites(sources: ReadSources, args: QuerySitesArgs, organizationId?: number) {
  const { filter, orderBy } = args;
  if (orderBy?.field === 'DISTANCE' && !filter?.near) {
    throw createBadInputError('orderBy.field', 'DISTANCE needs the point of filter.near to measure from.');
  }
  const filteredId = readOptionalId('Organization', filter?.organizationId, 'filter.organizationId');
  const ownerIds = [organizationId, filteredId].filter((id) => id !== undefined);
  const distanceOf: DistanceOf = filter?.near ? measureFrom(filter.near) : () => null;
  return listAll('Site', sources.sites, args, {
    loadNamed: createNamedLoad(readNamedIds('Site', filter), sources.sites.byId),
    async select(all) {
      const owned = ownerIds.length === 0 ? all : await sitesOfOrganizations(sources, all, ownerIds);
      const narrowed = await narrowSites(filterSites(owned, filter), filter, sources);
      return orderSites(narrowed, orderBy, sources, distanceOf);
    },
    // The distance is on the edge, because clients cache sites by id.
    edgeFieldsOf: () => (site: Site) => ({ distanceKm: roundToMetres(distanceOf(site)) }),
    facetsOf: (sites) => ({ statuses: countValues(sites, ({ status }) => status) }),
  });
}

export function listDevices(sources: ReadSources, args: QueryDevicesArgs) {
  const { filter, orderBy } = args;
  const { byId, ofSite } = sources.devices;
  return listAll('Device', sources.devices, args, {
    loadNamed:
      createNamedLoad(readNamedIds('Device', filter), byId) ?? createNamedLoad(readSiteIds(filter), ofSite),
    owners: filter?.organizationId == null ? undefined : sources.sites,
    select: async (all) =>
      orderDevices(await narrowDevices(filterDevices(all, filter), filter, sources), orderBy, sources),
    edgeFieldsOf: orderValueOf,
    facetsOf: (devices) => ({
      models: countValues(devices, ({ modelNumber }) => modelNumber),
      firmwareVersions: countValues(devices, ({ firmwareVersion }) => firmwareVersion),
    }),
  });
}

export function listChannels({ channels }: ReadSources, args: QueryChannelsArgs) {
  const { filter, orderBy } = args;
  const deviceId = readOptionalId('Device', filter?.deviceId, 'filter.deviceId');
  return listAll('Channel', channels, args, {
    loadNamed: createNamedLoad(deviceId === undefined ? undefined : [deviceId], channels.ofDevice),
    select: (all) => ({ items: sortBy(filterChannels(all, filter), orderBy, channelOrder) }),
    edgeFieldsOf: orderValueOf,
    facetsOf: (items) => ({
      types: countValues(items, ({ type }) => nameOf(type)),
      statuses: countValues(items, ({ status }) => nameOf(status)),
    }),
  });
}

export function listStreams(sources: ReadSources, args: QueryStreamsArgs) {
  const { filter, orderBy } = args;
  const { byId, ofSite } = sources.streams;
  return listAll('Stream', sources.streams, args, {
    loadNamed:
      createNamedLoad(readNamedIds('Stream', filter), byId) ?? createNamedLoad(readSiteIds(filter), ofSite),
    owners: filter?.organizationId == null ? undefined : sources.sites,
    select: async (all) =>
      orderStreams(await narrowStreams(filterStreams(all, filter), filter, sources), orderBy, sources),
    edgeFieldsOf: orderValueOf,
    facetsOf: (streams) => ({
      types: countValues(streams, ({ type }) => nameOf(type)),
      units: countValues(streams, ({ units }) => units),
      statuses: countValues(streams, ({ status }) => nameOf(status)),
    }),
  });
}

/** Loads the items that a filter names by their ids or by those of their parents. */
type LoadNamed<Node> = () => Promise<ItemList<Node>>;

/**
 * Loads an item, or the items of a parent, for each id. They are sorted by id, so that the order does not depend on what is
 * cached. The platform also truncates the list of a parent. Undefined without ids.
 */
function createNamedLoad<Node extends { id: number }>(
  ids: readonly number[] | undefined,
  load: (id: number) => MaybePromise<Node | readonly Node[] | null>,
): LoadNamed<Node> | undefined {
  if (ids === undefined) return undefined;
  return async () => {
    const found = await Promise.all([...new Set(ids)].map(load));
    const items = withoutRepeats(found.flatMap((one): Node | readonly Node[] => one ?? []));
    return {
      items: items.toSorted((one, other) => one.id - other.id),
      isComplete: !found.some((one) => one !== null && 'length' in one && isTruncated(one.length)),
    };
  };
}

function readNamedIds(
  type: EntityType,
  filter: { ids?: readonly string[] | null | undefined } | null | undefined,
) {
  return filter?.ids ? readIds(type, filter.ids, 'filter.ids') : undefined;
}

function readSiteIds(
  filter: Pick<StreamFilter, 'siteId' | 'siteIds'> | null | undefined,
): readonly number[] | undefined {
  if (filter?.siteId != null) return [readId('Site', filter.siteId, 'filter.siteId')];
  return filter?.siteIds ? readIds('Site', filter.siteIds, 'filter.siteIds') : undefined;
}

interface ListOptions<Node, EdgeFields, Facets> {
  /** Replaces a list that the platform truncates. Undefined if the filter names no ids. */
  loadNamed: LoadNamed<Node> | undefined;
  /** The list by which `select` finds the owners of the items. If it is truncated, the result lacks items too. */
  owners?: Pick<EntitySource<unknown>, 'isTruncated'> | undefined;
  select(all: readonly Node[]): OrderedList<Node> | Promise<OrderedList<Node>>;
  edgeFieldsOf(list: OrderedList<Node>): (node: Node) => EdgeFields;
  facetsOf(selected: readonly Node[]): Facets;
}

/** Counts the facets only if a query selects them. */
async function listAll<Node extends { id: number }, EdgeFields extends object, Facets>(
  type: CursorType,
  source: Pick<EntitySource<Node>, 'list' | 'isTruncated'>,
  page: PageArguments,
  { loadNamed, owners, select, edgeFieldsOf, facetsOf }: ListOptions<Node, EdgeFields, Facets>,
): Promise<ListConnection<Node, EdgeFields, Facets>> {
  const loaded = await loadList(source, loadNamed);
  const list = await select(loaded.items);
  const isComplete = loaded.isComplete && owners?.isTruncated() !== true;
  return toConnection(type, { items: list.items, isComplete }, page, {
    edgeFieldsOf: edgeFieldsOf(list),
    countFacets: () => facetsOf(list.items),
  });
}

async function loadList<Node>(
  source: Pick<EntitySource<Node>, 'list' | 'isTruncated'>,
  loadNamed: LoadNamed<Node> | undefined,
): Promise<ItemList<Node>> {
  if (loadNamed === undefined) return source.list();
  const list = source.isTruncated() ? undefined : await source.list();
  return list?.isComplete ? list : loadNamed();
}

/** The edges of a list that is sorted by a loaded number carry it. */
function orderValueOf<Node>({ numberOf }: OrderedList<Node>) {
  return (node: Node) => ({ orderValue: numberOf?.(node) ?? null });
}

const MAX_FACET_VALUES = 100;

/** The most frequent values first, equal counts by value. Items with null have none. */
function countValues<Item>(items: readonly Item[], readValue: (item: Item) => string | null) {
  const counts = new Map<string, number>();
  for (const item of items) {
    const value = readValue(item);
    if (value !== null) counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return [...counts]
    .map(([value, count]) => ({ value, count }))
    .sort((one, other) => other.count - one.count || (one.value < other.value ? -1 : 1))
    .slice(0, MAX_FACET_VALUES);
}

/** The name, or the platform's number if it has no name. */
function nameOf(classification: Channel['type']): string | null {
  return classification && (classification.name ?? String(classification.id));
}
