/** Resolves the root fields of queries. */
import { createBadInputError } from '../../errors.js';
import { filterChannels, filterDevices, filterStreams } from '../arguments/filters.js';
import { readId, readNodeId, readOptionalId } from '../arguments/nodeId.js';
import {
  channelOrder,
  deviceOrder,
  organizationOrder,
  sortBy,
  streamOrder,
  userOrder,
} from '../arguments/ordering.js';
import { readBackfillHours } from '../arguments/timeArguments.js';
import { paginateAll } from '../connections/listConnection.js';
import { toSampleConnection } from '../connections/sampleConnection.js';
import { listSites } from '../connections/siteList.js';
import { toStreamSamples } from '../connections/streamSamples.js';
import type { QueryResolvers } from '../generated/resolverTypes.js';
import { loadNode, type NodeModel, nodeSourceNames } from './node.js';
import { operationRelation } from './relation.js';

const MAX_NODES = 1000;

const nodeFields: QueryResolvers = {
  node: operationRelation({
    reads: nodeSourceNames,
    load: (_, { id }, sources) => loadNode(sources, readNodeId(id, 'id')),
  }),
  nodes: operationRelation({
    reads: nodeSourceNames,
    load(_, { ids }, sources) {
      if (ids.length > MAX_NODES)
        throw createBadInputError('ids', `${ids.length} ids are more than ${MAX_NODES}.`);
      const nodeIds = ids.map((id, index) => readNodeId(id, `ids[${index}]`));
      // The generated type accepts promises of nodes and nulls, but no promise of either.
      return nodeIds.map((nodeId) => loadNode(sources, nodeId) as Promise<NodeModel>);
    },
  }),
};

const objectFields: QueryResolvers = {
  organization: operationRelation({
    reads: ['organizations'],
    load: (_, { id }, { organizations }) => organizations.byId(readId('Organization', id, 'id')),
  }),
  user: operationRelation({
    reads: ['users'],
    load: (_, { id }, { users }) => users.byId(readId('User', id, 'id')),
  }),
  uiPreferences: operationRelation({
    reads: ['users'],
    load: (_, __, { users }) => users.uiPreferences(),
  }),
  site: operationRelation({
    reads: ['sites'],
    load: (_, { id }, { sites }) => sites.byId(readId('Site', id, 'id')),
    prefetch: { site: ({ sites }, siteId) => sites.byId(siteId) },
  }),
  device: operationRelation({
    reads: ['devices'],
    load: (_, { id }, { devices }) => devices.byId(readId('Device', id, 'id')),
  }),
  deviceBySerialNumber: operationRelation({
    reads: ['devices'],
    load: (_, { serialNumber }, { devices }) => devices.bySerialNumber(serialNumber),
  }),
  channel: operationRelation({
    reads: ['channels'],
    load: (_, { id }, { channels }) => channels.byId(readId('Channel', id, 'id')),
  }),
  stream: operationRelation({
    reads: ['streams'],
    load: (_, { id }, { streams }) => streams.byId(readId('Stream', id, 'id')),
  }),
  image: operationRelation({
    reads: ['samples'],
    load: (_, { id }, { samples }) => samples.image(readId('ImageSample', id, 'id')),
  }),
};

const listFields: QueryResolvers = {
  organizations: operationRelation({
    reads: ['organizations'],
    load: (_, { orderBy, ...page }, { organizations }) =>
      paginateAll(organizations, page, (all) => sortBy(all, orderBy, organizationOrder)),
    prefetch: { list: ({ organizations }) => organizations.all() },
  }),
  users: operationRelation({
    reads: ['users'],
    load: (_, { orderBy, ...page }, { users }) =>
      paginateAll(users, page, (all) => sortBy(all, orderBy, userOrder)),
  }),
  sites: operationRelation({
    reads: ['sites', 'organizations'],
    load: (_, args, sources) => listSites(sources, args),
    prefetch: { list: ({ sites }) => sites.all() },
  }),
  devices: operationRelation({
    reads: ['devices'],
    load: (_, { filter, orderBy, ...page }, { devices }) =>
      paginateAll(devices, page, (all) => sortBy(filterDevices(all, filter), orderBy, deviceOrder)),
    prefetch: { list: ({ devices }) => devices.all() },
  }),
  channels: operationRelation({
    reads: ['channels'],
    load: (_, { filter, orderBy, ...page }, { channels }) =>
      paginateAll(channels, page, (all) => sortBy(filterChannels(all, filter), orderBy, channelOrder)),
    prefetch: { list: ({ channels }) => channels.all() },
  }),
  streams: operationRelation({
    reads: ['streams'],
    load: (_, { filter, orderBy, ...page }, { streams }) =>
      paginateAll(streams, page, (all) => sortBy(filterStreams(all, filter), orderBy, streamOrder)),
    prefetch: { list: ({ streams }) => streams.all() },
  }),
  siteCustomAttributeNames: operationRelation({
    reads: ['siteAttributes'],
    load: (_, __, { siteAttributes }) => siteAttributes.names(),
  }),
  streamCustomAttributeNames: operationRelation({
    reads: ['streamAttributes'],
    load: (_, __, { streamAttributes }) => streamAttributes.names(),
  }),
};

const sampleFields: QueryResolvers = {
  images: operationRelation({
    reads: ['samples'],
    load: (_, { since, ...page }, { samples }) => toSampleConnection(samples.imagesSince(), since, page),
  }),
  samplesOf: operationRelation({
    reads: [],
    load: (_, { streamIds, ...page }) => toStreamSamples(streamIds, page),
  }),
  sampleBatch: operationRelation({
    reads: ['sampleQueues'],
    load: (_, { kind, after, backfillHours }, { sampleQueues }) =>
      sampleQueues.read(kind, {
        afterId: readOptionalId(kind === 'SCALAR' ? 'ScalarSample' : 'RfidSample', after, 'after'),
        backfillHours: readBackfillHours(backfillHours),
      }),
  }),
  sampleBatchStatus: operationRelation({
    reads: ['sampleQueues'],
    load: (_, { kind }, { sampleQueues }) => sampleQueues.status(kind),
  }),
};

export const Query: QueryResolvers = { ...nodeFields, ...objectFields, ...listFields, ...sampleFields };
