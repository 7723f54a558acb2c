/** Resolves the root fields of queries, and the objects that a search finds. */
import { createBadInputError, GatewayError } from '../../errors.js';
import { ignoreRejections } from '../../lib/maybePromise.js';
import { loadChartRows, loadThresholdRows, type StreamSelection } from '../../sources/charts/chartRows.js';
import { toSharedSeriesSince } from '../../sources/charts/deltas.js';
import { checkStreamCount } from '../../sources/charts/series.js';
import { toThreshold } from '../../sources/entities/thresholds.js';
import { queuedTypes } from '../../sources/samples/sampleQueues.js';
import type { SampleKey } from '../../sources/samples/samplesById.js';
import { createRfidSelection } from '../arguments/filters.js';
import {
  type EntityType,
  type NodeId,
  readId,
  readIds,
  readNodeId,
  readOptionalId,
  type StreamSampleType,
} from '../arguments/nodeId.js';
import { organizationOrder, sortBy, userOrder } from '../arguments/ordering.js';
import { findBest, readSearch } from '../arguments/search.js';
import {
  readBackfillHours,
  readDeltaCursor,
  readInterval,
  readMaxPoints,
  readRange,
  readTimeZone,
} from '../arguments/timeArguments.js';
import { listChannels, listDevices, listSites, listStreams } from '../connections/entityLists.js';
import { paginateAll } from '../connections/listConnection.js';
import { listRfidReads, toSampleConnection, toStreamSamples } from '../connections/sampleConnection.js';
import type { ReadSources } from '../context.js';
import type {
  QueryChartArgs,
  QueryResolvers,
  ResolversParentTypes,
  SearchResultResolvers,
} from '../generated/resolverTypes.js';
import { operationRelation } from './relation.js';

export type NodeModel = ResolversParentTypes['Node'];

type NodeLoader<Key> = (sources: ReadSources, key: Key) => NodeModel | null | Promise<NodeModel | null>;

const entityLoaders: Readonly<Record<EntityType, NodeLoader<number>>> = {
  Organization: ({ organizations }, id) => organizations.byId(id),
  User: ({ users }, id) => users.byId(id),
  Site: ({ sites }, id) => sites.byId(id),
  Device: ({ devices }, id) => devices.byId(id),
  Channel: ({ channels }, id) => channels.byId(id),
  Stream: ({ streams }, id) => streams.byId(id),
  ImageSample: ({ samples }, id) => samples.image(id),
  Threshold: async ({ streams }, id) => {
    const stream = await streams.byId(id);
    return stream && toThreshold(stream);
  },
};

const sampleLoaders: Readonly<Record<StreamSampleType, NodeLoader<SampleKey>>> = {
  ScalarSample: ({ samples }, key) => samples.scalarById(key),
  RfidSample: ({ samples }, key) => samples.rfidReadById(key),
};

/** Loads the object that a typed id identifies; null if it does not exist. */
export function loadNode(sources: ReadSources, nodeId: NodeId): ReturnType<NodeLoader<unknown>> {
  return 'streamId' in nodeId
    ? sampleLoaders[nodeId.type](sources, nodeId)
    : entityLoaders[nodeId.type](sources, nodeId.id);
}

/**
 * Returns the error of an invalid item instead of throwing it, so that only this item fails. The caller may never
 * await the load.
 */
export function loadOrError<Loaded>(load: () => Loaded): Loaded | GatewayError {
  try {
    const loaded = load();
    ignoreRejections(loaded);
    return loaded;
  } catch (error) {
    if (error instanceof GatewayError) return error;
    throw error;
  }
}

const MAX_NODES = 1000;

const nodeFields: QueryResolvers = {
  node: operationRelation((_, { id }, sources) => loadNode(sources, readNodeId(id, 'id'))),
  nodes: operationRelation((_, { ids }, sources) => {
    if (ids.length > MAX_NODES)
      throw createBadInputError('ids', `${ids.length} ids exceed the maximum of ${MAX_NODES}.`);
    // The generated type accepts promises of nodes and nulls, but no promise of either.
    return ids.map(
      (id, index) =>
        loadOrError(() => loadNode(sources, readNodeId(id, `ids[${index}]`))) as Promise<NodeModel>,
    );
  }),
};

const objectFields: QueryResolvers = {
  organization: operationRelation((_, { id }, { organizations }) =>
    organizations.byId(readId('Organization', id, 'id')),
  ),
  user: operationRelation((_, { id }, { users }) => users.byId(readId('User', id, 'id'))),
  uiPreferences: operationRelation((_, __, { users }) => users.uiPreferences()),
  site: operationRelation((_, { id }, { sites }) => sites.byId(readId('Site', id, 'id')), {
    site: ({ sites }, siteId) => sites.byId(siteId),
  }),
  device: operationRelation((_, { id }, { devices }) => devices.byId(readId('Device', id, 'id'))),
  deviceBySerialNumber: operationRelation((_, { serialNumber }, { devices }) =>
    devices.bySerialNumber(serialNumber),
  ),
  channel: operationRelation((_, { id }, { channels }) => channels.byId(readId('Channel', id, 'id'))),
  stream: operationRelation((_, { id }, { streams }) => streams.byId(readId('Stream', id, 'id'))),
  image: operationRelation((_, { id }, { samples }) => samples.image(readId('ImageSample', id, 'id'))),
};

const listFields: QueryResolvers = {
  organizations: operationRelation(
    (_, { orderBy, ...page }, { organizations }) =>
      paginateAll('Organization', organizations, page, (all) => sortBy(all, orderBy, organizationOrder)),
    { list: ({ organizations }) => organizations.list() },
  ),
  users: operationRelation((_, { orderBy, ...page }, { users }) =>
    paginateAll('User', users, page, (all) => sortBy(all, orderBy, userOrder)),
  ),
  sites: operationRelation((_, args, sources) => listSites(sources, args), {
    list: ({ sites }) => sites.list(),
  }),
  devices: operationRelation((_, args, sources) => listDevices(sources, args), {
    list: ({ devices }) => devices.list(),
  }),
  channels: operationRelation((_, args, sources) => listChannels(sources, args), {
    list: ({ channels }) => channels.list(),
  }),
  streams: operationRelation((_, args, sources) => listStreams(sources, args), {
    list: ({ streams }) => streams.list(),
  }),
  siteCustomAttributeNames: operationRelation((_, __, { siteAttributes }) => siteAttributes.names()),
  streamCustomAttributeNames: operationRelation((_, __, { streamAttributes }) => streamAttributes.names()),
};

/** The chart applies the limit, because it also counts the streams of the sites. */
function readSelection({
  streamIds,
  siteIds,
}: Pick<QueryChartArgs, 'streamIds' | 'siteIds'>): StreamSelection {
  if (streamIds == null && siteIds == null)
    throw createBadInputError('streamIds', 'set `streamIds`, `siteIds` or both.');
  return {
    streamIds: readDistinctIds('Stream', streamIds ?? [], 'streamIds'),
    siteIds: readDistinctIds('Site', siteIds ?? [], 'siteIds'),
  };
}

/** The sources limit the number of distinct ids. */
function readDistinctIds(type: EntityType, ids: readonly string[], argument: string): number[] {
  return [...new Set(readIds(type, ids, argument, Number.POSITIVE_INFINITY))];
}

const DEFAULT_SEARCH_COUNT = 20;

const sampleFields: QueryResolvers = {
  images: operationRelation((_, { since, ...page }, { samples }) =>
    toSampleConnection(samples.imagesSince(), since, page),
  ),
  rfidReads: operationRelation((_, { since, filter, ...page }, sources) =>
    listRfidReads(sources, since, page, createRfidSelection(filter)),
  ),
  search: operationRelation((_, { text, first }) => readSearch(text, first ?? DEFAULT_SEARCH_COUNT)),
  seriesOf: operationRelation(async (_, { range, after, ...args }, sources) => {
    const earlier = readDeltaCursor(after);
    const [span, maxPoints] = [readRange(range), readMaxPoints(args.maxPoints)];
    const ids = readDistinctIds('Stream', args.streamIds, 'streamIds');
    checkStreamCount('streamIds', ids.length);
    const found = await Promise.all(ids.map((id) => sources.streams.byId(id)));
    const streams = found.filter((stream) => stream !== null);
    const full = await sources.series.ofStreams({ span, maxPoints, streams });
    return toSharedSeriesSince(full, { fromMs: span.fromMs, identity: ['seriesOf', maxPoints] }, earlier);
  }),
  samplesOf: operationRelation((_, { streamIds, ...page }) => toStreamSamples(streamIds, page)),
  chart: operationRelation((_, { range, every, after, ...args }, sources) => {
    const earlier = readDeltaCursor(after);
    const request = {
      ...readSelection(args),
      span: readRange(range),
      every: every ? readInterval(every) : undefined,
      zone: readTimeZone(args.timeZone),
      timeZone: args.timeZone ?? 'UTC',
      maxPoints: readMaxPoints(args.maxPoints),
    };
    return loadChartRows(sources, request, earlier);
  }),
  thresholdChanges: operationRelation((_, { range, ...selection }, sources) =>
    loadThresholdRows(sources, readSelection(selection), readRange(range)),
  ),
  sampleBatch: operationRelation((_, { kind, after, backfillHours }, { sampleQueues }) => {
    if (after != null && backfillHours != null)
      throw createBadInputError('after', 'set `after` or `backfillHours`, not both.');
    return sampleQueues.read(kind, {
      afterId: readOptionalId(queuedTypes[kind], after, 'after'),
      backfillHours: readBackfillHours(backfillHours),
    });
  }),
  sampleBatchStatus: operationRelation((_, { kind }, { sampleQueues }) => sampleQueues.status(kind)),
};

export const Query: QueryResolvers = { ...nodeFields, ...objectFields, ...listFields, ...sampleFields };

/** Each kind is loaded only if a query selects it. */
export const SearchResult: SearchResultResolvers = {
  sites: operationRelation(async (search, _, { sites }) =>
    findBest((await sites.list()).items, search, ({ id, name }) => ({ own: [name, String(id)] })),
  ),
  devices: operationRelation(async (search, _, { devices, sites }) => {
    const [{ items }, siteNames] = await Promise.all([devices.list(), loadSiteNames(sites)]);
    return findBest(items, search, ({ id, name, serialNumber, modelNumber, siteId, akid, iccid }) => ({
      own: [name, serialNumber, String(id), akid, iccid],
      context: [modelNumber, siteNames.get(siteId)],
    }));
  }),
  streams: operationRelation(async (search, _, { streams, sites }) => {
    const [{ items }, siteNames] = await Promise.all([streams.list(), loadSiteNames(sites)]);
    return findBest(items, search, ({ id, name, type, siteId }) => ({
      own: [name, String(id)],
      context: [type?.name, siteNames.get(siteId)],
    }));
  }),
};

/** By id. */
async function loadSiteNames({ list }: ReadSources['sites']) {
  const { items } = await list();
  return new Map<number | null, string>(items.map(({ id, name }) => [id, name]));
}
