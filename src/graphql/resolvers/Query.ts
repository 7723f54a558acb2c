/** The roots of the graph: reads arguments, asks the sources, pages lists. */
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
import { toSampleConnection, toStreamSamples } from '../connections/sampleConnection.js';
import { listSites } from '../connections/siteList.js';
import type { QueryResolvers } from '../generated/resolverTypes.js';
import { loadNode, type NodeModel } from './node.js';

const MAX_NODES = 1000;

export const Query: QueryResolvers = {
  node: (_, { id }, { sources }) => loadNode(sources, readNodeId(id, 'id')),
  nodes: (_, { ids }, { sources }) => {
    if (ids.length > MAX_NODES)
      throw createBadInputError('ids', `${ids.length} ids are more than ${MAX_NODES}.`);
    const nodeIds = ids.map((id, index) => readNodeId(id, `ids[${index}]`));
    // The generated type knows promises of nodes and nulls, but no promise of either.
    return nodeIds.map((nodeId) => loadNode(sources, nodeId) as Promise<NodeModel>);
  },

  organization: (_, { id }, { sources }) => sources.organizations.byId(readId('Organization', id, 'id')),
  organizations: (_, { orderBy, ...page }, { sources }) =>
    paginateAll(sources.organizations, page, (all) => sortBy(all, orderBy, organizationOrder)),

  user: (_, { id }, { sources }) => sources.users.byId(readId('User', id, 'id')),
  users: (_, { orderBy, ...page }, { sources }) =>
    paginateAll(sources.users, page, (all) => sortBy(all, orderBy, userOrder)),
  uiPreferences: (_, __, { sources }) => sources.users.uiPreferences(),

  site: (_, { id }, { sources }) => sources.sites.byId(readId('Site', id, 'id')),
  sites: (_, args, { sources }) => listSites(sources, args),

  device: (_, { id }, { sources }) => sources.devices.byId(readId('Device', id, 'id')),
  deviceBySerialNumber: (_, { serialNumber }, { sources }) => sources.devices.bySerialNumber(serialNumber),
  devices: (_, { filter, orderBy, ...page }, { sources }) =>
    paginateAll(sources.devices, page, (all) => sortBy(filterDevices(all, filter), orderBy, deviceOrder)),

  channel: (_, { id }, { sources }) => sources.channels.byId(readId('Channel', id, 'id')),
  channels: (_, { filter, orderBy, ...page }, { sources }) =>
    paginateAll(sources.channels, page, (all) => sortBy(filterChannels(all, filter), orderBy, channelOrder)),

  stream: (_, { id }, { sources }) => sources.streams.byId(readId('Stream', id, 'id')),
  streams: (_, { filter, orderBy, ...page }, { sources }) =>
    paginateAll(sources.streams, page, (all) => sortBy(filterStreams(all, filter), orderBy, streamOrder)),

  siteCustomAttributeNames: (_, __, { sources }) => sources.siteAttributes.names(),
  streamCustomAttributeNames: (_, __, { sources }) => sources.streamAttributes.names(),

  image: (_, { id }, { sources }) => sources.samples.image(readId('ImageSample', id, 'id')),
  images: (_, { since, ...page }, { sources }) =>
    toSampleConnection(sources.samples.imagesSince(), since, page),

  samplesOf: (_, { streamIds, ...page }) => toStreamSamples(streamIds, page),

  sampleBatch: (_, { kind, after, backfillHours }, { sources }) =>
    sources.sampleQueues.read(kind, {
      afterId: readOptionalId(kind === 'SCALAR' ? 'ScalarSample' : 'RfidSample', after, 'after'),
      backfillHours: readBackfillHours(backfillHours),
    }),
  sampleBatchStatus: (_, { kind }, { sources }) => sources.sampleQueues.status(kind),
};
