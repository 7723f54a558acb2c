/** Resolves channels. */
import type { ChannelResolvers } from '../generated/resolverTypes.js';
import { identity } from './identity.js';
import { type RelationPrefetch, sourceRelation } from './relation.js';

/** For fields that follow links between channels and streams. */
export const linkPrefetch: RelationPrefetch = {
  many: ({ channelLinks }, count) => channelLinks.prefetch(count),
  atSite: ({ channelLinks }, siteId) => channelLinks.prefetchAtSite(siteId),
};

export const Channel: ChannelResolvers = {
  ...identity('Channel'),
  device: sourceRelation(
    ['devices'],
    ({ deviceId }, { devices }) => (deviceId === null ? null : devices.byId(deviceId)),
    { many: ({ devices }, count) => devices.prefetch(count) },
  ),
  streams: sourceRelation(
    ['channelLinks'],
    (channel, { channelLinks }) => channelLinks.streamsOf(channel),
    linkPrefetch,
  ),
};
