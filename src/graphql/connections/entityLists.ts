/** The connections of devices, channels and streams of the account. Those of sites are in `siteList`. */
import { type MaybePromise, whenReady } from '../../lib/maybePromise.js';
import type { EntitySource } from '../../sources/core/entitySource.js';
import { filterChannels, filterDevices, filterStreams } from '../arguments/filters.js';
import { channelOrder, sortBy } from '../arguments/ordering.js';
import { type ListSources, narrowDevices, narrowStreams } from '../arguments/stateFilters.js';
import { type OrderedList, orderDevices, orderStreams } from '../arguments/stateOrders.js';
import type {
  ChannelFilter,
  ChannelOrder,
  DeviceFilter,
  DeviceOrder,
  StreamFilter,
  StreamOrder,
} from '../generated/resolverTypes.js';
import { channelFacets, deviceFacets, streamFacets } from './facets.js';
import { type ListConnection, type PageArguments, toConnection } from './listConnection.js';

interface ListArguments<Filter, Order> extends PageArguments {
  filter?: Filter | null | undefined;
  orderBy?: Order | null | undefined;
}

export function listDevices(
  sources: ListSources,
  { filter, orderBy, ...page }: ListArguments<DeviceFilter, DeviceOrder>,
) {
  return listAll(sources.devices, page, deviceFacets, (all) =>
    whenReady(narrowDevices(filterDevices(all, filter), filter, sources), (devices) =>
      orderDevices(devices, orderBy, sources),
    ),
  );
}

export function listChannels(
  { channels }: ListSources,
  { filter, orderBy, ...page }: ListArguments<ChannelFilter, ChannelOrder>,
) {
  return listAll(channels, page, channelFacets, (all) => ({
    items: sortBy(filterChannels(all, filter), orderBy, channelOrder),
  }));
}

export function listStreams(
  sources: ListSources,
  { filter, orderBy, ...page }: ListArguments<StreamFilter, StreamOrder>,
) {
  return listAll(sources.streams, page, streamFacets, (all) =>
    whenReady(narrowStreams(filterStreams(all, filter), filter, sources), (streams) =>
      orderStreams(streams, orderBy, sources),
    ),
  );
}

/** The edges of a list that is sorted by a loaded number carry it. */
interface OrderedEdgeFields {
  orderValue: number | null;
}

function listAll<Node extends { id: number }, Facets>(
  source: Pick<EntitySource<Node>, 'select'>,
  page: PageArguments,
  facetsOf: (nodes: readonly Node[]) => Facets,
  select: (all: readonly Node[]) => MaybePromise<OrderedList<Node>>,
): MaybePromise<ListConnection<Node, OrderedEdgeFields> & { facets: Facets }> {
  return source.select((list) =>
    whenReady(select(list.items), ({ items, numberOf }) =>
      withFacets(
        toConnection(items, page, list.isComplete, (node) => ({ orderValue: numberOf?.(node) ?? null })),
        () => facetsOf(items),
      ),
    ),
  );
}

/** Counts only where a query selects the facets. */
export function withFacets<Connection extends Pick<ListConnection<unknown>, 'countFacets'>, Facets>(
  connection: Connection,
  facetsOf: () => Facets,
): Connection & { facets: Facets } {
  connection.countFacets = facetsOf;
  return connection as Connection & { facets: Facets };
}
