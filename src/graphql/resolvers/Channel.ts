/** How channels answer. */
import { whenReady } from '../../lib/maybePromise.js';
import type { ChannelResolvers } from '../generated/resolverTypes.js';
import { identity } from './identity.js';

export const Channel: ChannelResolvers = {
  ...identity('Channel'),
  device: ({ deviceId }, _, { sources }) => (deviceId === null ? null : sources.devices.byId(deviceId)),
  streams: (channel, _, { sources }) =>
    whenReady(sources.channelLinks.ofChannel(channel), (links) => links.map(({ stream }) => stream)),
};
