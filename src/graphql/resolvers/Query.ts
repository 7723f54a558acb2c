/** The roots of the graph: reads arguments, asks the sources, pages lists. */
import { badInput } from '../../errors.js';
import { toConnection } from '../connection.js';
import { filterChannels, filterDevices, filterStreams } from '../filters.js';
import type { QueryResolvers } from '../generated/resolverTypes.js';
import { loadNode, type NodeModel } from '../node.js';
import { readId, readNodeId, readOptionalId } from '../nodeId.js';
import { channelOrder, deviceOrder, organizationOrder, sortBy, streamOrder, userOrder } from '../ordering.js';
import { toSampleConnection } from '../sampleConnection.js';
import { listSites } from '../siteList.js';
import { toStreamSamples } from '../streamSamples.js';
import { readBackfillHours } from '../timeArguments.js';

const MOST_NODES = 1000;

export const Query: QueryResolvers = {
  node: (_, { id }, { sources }) => loadNode(sources, readNodeId(id, 'id')),
  nodes: (_, { ids }, { sources }) => {
    if (ids.length > MOST_NODES) throw badInput('ids', `${ids.length} ids are more than ${MOST_NODES}.`);
    const nodeIds = ids.map((id, index) => readNodeId(id, `ids[${index}]`));
    // The generated type knows promises of nodes and nulls, but no promise of either.
    return nodeIds.map((nodeId) => loadNode(sources, nodeId) as Promise<NodeModel>);
  },

  organization: (_, { id }, { sources }) => sources.organizations.byId(readId('Organization', id, 'id')),
  organizations: async (_, { orderBy, ...page }, { sources }) =>
    toConnection(
      sortBy(await sources.organizations.all(), orderBy, organizationOrder),
      page,
      await sources.organizations.isWhole(),
    ),

  user: (_, { id }, { sources }) => sources.users.byId(readId('User', id, 'id')),
  users: async (_, { orderBy, ...page }, { sources }) =>
    toConnection(sortBy(await sources.users.all(), orderBy, userOrder), page, await sources.users.isWhole()),
  uiPreferences: (_, __, { sources }) => sources.users.uiPreferences(),

  site: (_, { id }, { sources }) => sources.sites.byId(readId('Site', id, 'id')),
  sites: (_, args, { sources }) => listSites(sources, args),

  device: (_, { id }, { sources }) => sources.devices.byId(readId('Device', id, 'id')),
  deviceBySerialNumber: (_, { serialNumber }, { sources }) => sources.devices.bySerialNumber(serialNumber),
  devices: async (_, { filter, orderBy, ...page }, { sources }) =>
    toConnection(
      sortBy(filterDevices(await sources.devices.all(), filter), orderBy, deviceOrder),
      page,
      await sources.devices.isWhole(),
    ),

  channel: (_, { id }, { sources }) => sources.channels.byId(readId('Channel', id, 'id')),
  channels: async (_, { filter, orderBy, ...page }, { sources }) =>
    toConnection(
      sortBy(filterChannels(await sources.channels.all(), filter), orderBy, channelOrder),
      page,
      await sources.channels.isWhole(),
    ),

  stream: (_, { id }, { sources }) => sources.streams.byId(readId('Stream', id, 'id')),
  streams: async (_, { filter, orderBy, ...page }, { sources }) =>
    toConnection(
      sortBy(filterStreams(await sources.streams.all(), filter), orderBy, streamOrder),
      page,
      await sources.streams.isWhole(),
    ),

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
