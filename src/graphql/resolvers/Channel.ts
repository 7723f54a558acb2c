/** How channels answer. */
import type { ChannelResolvers } from '../generated/resolverTypes.js';
import { identity } from './identity.js';

export const Channel: ChannelResolvers = {
  ...identity('Channel'),
  device: ({ deviceId }, _, { sources }) => (deviceId === null ? null : sources.devices.byId(deviceId)),
  streams: (channel, _, { sources }) => sources.channelLinks.streamsOf(channel),
};
