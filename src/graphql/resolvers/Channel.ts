/** How channels answer. */
import { dependsOnSources } from '../../execution/fieldDependence.js';
import type { ChannelResolvers } from '../generated/resolverTypes.js';
import { identity } from './identity.js';

export const Channel: ChannelResolvers = {
  ...identity('Channel'),
  device: dependsOnSources(({ deviceId }, _, { sources }) =>
    deviceId === null ? null : sources.devices.byId(deviceId),
  ),
  streams: dependsOnSources((channel, _, { sources }) => sources.channelLinks.streamsOf(channel)),
};
