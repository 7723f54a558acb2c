/** Channels: the inputs and outputs of devices. */
import { listRows, requireRow } from '../database/owned.js';
import { CHANNEL_FIELDS, type ChannelRow, toChannel } from '../database/rows.js';
import { createEndpoint, list, one, withTag } from './endpoint.js';
import { pathId } from './parameter.js';

export const channelEndpoints = withTag('Channel', [
  createEndpoint({
    path: '/v2.0/channel',
    operationId: 'listChannels',
    summary: 'All channels of the account',
    response: list('Channel'),
    handle: (_, context) => listRows<ChannelRow>(context, 'channel', CHANNEL_FIELDS).map(toChannel),
  }),
  createEndpoint({
    path: '/v2.0/channel/{channelId}',
    operationId: 'getChannel',
    summary: 'One channel',
    parameters: { channelId: pathId('The channel.') },
    response: one('Channel'),
    handle: ({ channelId }, context) => toChannel(requireRow(context, 'channel', CHANNEL_FIELDS, channelId)),
  }),
]);
