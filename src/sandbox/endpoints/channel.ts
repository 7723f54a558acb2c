/** Channels: the inputs and outputs of devices. */
import { listRows, requireRow } from '../database/owned.js';
import { CHANNEL_FIELDS, toChannel } from '../database/rows.js';
import { createEndpoint, type SandboxEndpoint } from './endpoint.js';
import { pathId } from './parameter.js';

const tag = 'Channel';

export const channelEndpoints: readonly SandboxEndpoint[] = [
  createEndpoint({
    method: 'GET',
    path: '/v2.0/channel',
    operationId: 'listChannels',
    tag,
    summary: 'All channels of the account',
    parameters: {},
    response: { kind: 'list', schema: 'Channel' },
    handle: (_, context) =>
      listRows<Parameters<typeof toChannel>[0]>(context, 'channel', CHANNEL_FIELDS).map(toChannel),
  }),
  createEndpoint({
    method: 'GET',
    path: '/v2.0/channel/{channelId}',
    operationId: 'getChannel',
    tag,
    summary: 'One channel',
    parameters: { channelId: pathId('The channel.') },
    response: { kind: 'one', schema: 'Channel' },
    handle: ({ channelId }, context) => toChannel(requireRow(context, 'channel', CHANNEL_FIELDS, channelId)),
  }),
];
