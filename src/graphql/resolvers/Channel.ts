/** How channels answer. */
import { ofReadings } from '../execution/modelField.js';
import type { ChannelResolvers } from '../generated/resolverTypes.js';
import { identity } from './identity.js';

export const Channel: ChannelResolvers = {
  ...identity('Channel'),
  device: ofReadings(({ deviceId }, _, { sources }) =>
    deviceId === null ? null : sources.devices.byId(deviceId),
  ),
  streams: ofReadings((channel, _, { sources }) => sources.channelLinks.streamsOf(channel)),
};
