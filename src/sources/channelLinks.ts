/**
 * Finds which channel each stream is measured through, since the REST API names none: by the channel id on the
 * wire if there is one, else by the custom attribute that names it, else by a name that one channel and one
 * stream of the site share. Nothing is guessed. Links are looked for inside a site, so that both directions and
 * every fetch plan agree.
 */
import DataLoader from 'dataloader';
import { settleEach } from '../lib/settleEach.js';
import { groupBy } from './answers.js';
import type { Channel, Channels } from './channels.js';
import type { CustomAttribute, StreamAttributes } from './customAttributes.js';
import type { Devices } from './devices.js';
import type { Stream, Streams } from './streams.js';

export type LinkRule = 'CHANNEL_ID' | 'CUSTOM_ATTRIBUTE' | 'NAME';

export interface ChannelLink {
  channel: Channel;
  stream: Stream;
  /** What told that the two belong together. */
  rule: LinkRule;
}

export interface SiteLinks {
  byStream: ReadonlyMap<number, ChannelLink>;
  /** In the order of the site's streams. */
  byChannel: ReadonlyMap<number, readonly ChannelLink[]>;
}

export interface SiteContents {
  channels: readonly Channel[];
  streams: readonly Stream[];
  attributes: readonly CustomAttribute[];
  /** The name of the attribute whose value is a channel's id. */
  attributeName: string;
}

/** Links the streams of one site to its channels. */
export function linkChannels({ channels, streams, attributes, attributeName }: SiteContents): SiteLinks {
  const byId = new Map(channels.map((channel) => [String(channel.id), channel]));
  const named = groupBy(
    attributes.filter((attribute) => attribute.name === attributeName),
    (attribute) => attribute.parentId,
  );
  const sharing = channelsSharingName(channels, streams);

  const links = streams.flatMap((stream): ChannelLink[] => {
    if (stream.wireChannelId !== null) {
      const onWire = byId.get(String(stream.wireChannelId));
      return onWire ? [{ channel: onWire, stream, rule: 'CHANNEL_ID' }] : [];
    }
    const [naming, ...others] = named.get(stream.id) ?? [];
    if (naming) {
      const byAttribute = others.length > 0 ? undefined : byId.get(naming.value.trim());
      return byAttribute ? [{ channel: byAttribute, stream, rule: 'CUSTOM_ATTRIBUTE' }] : [];
    }
    const byName = sharing.get(stream.name);
    return byName ? [{ channel: byName, stream, rule: 'NAME' }] : [];
  });
  return {
    byStream: new Map(links.map((link) => [link.stream.id, link])),
    byChannel: groupBy(links, (link) => link.channel.id),
  };
}

/** By name, the one channel that has it, where one stream has it too and no other of either does. */
function channelsSharingName(channels: readonly Channel[], streams: readonly Stream[]): Map<string, Channel> {
  const channelsByName = groupBy(channels, ({ name }) => name || null);
  const streamsByName = groupBy(streams, ({ name }) => name || null);
  const shared = new Map<string, Channel>();
  for (const [name, [channel, ...others]] of channelsByName) {
    if (channel && others.length === 0 && streamsByName.get(name)?.length === 1) shared.set(name, channel);
  }
  return shared;
}

export type ChannelLinks = ReturnType<typeof createChannelLinks>;

export interface ChannelLinkSources {
  devices: Devices;
  channels: Channels;
  streams: Streams;
  streamAttributes: StreamAttributes;
  /** The name of the attribute whose value is a channel's id. */
  attributeName: string;
}

export function createChannelLinks(sources: ChannelLinkSources) {
  const ofSite = new DataLoader<number, SiteLinks>((siteIds) =>
    settleEach(siteIds, async (siteId) => linkChannels(await loadSite(siteId, sources))),
  );

  return {
    async ofStream(stream: Stream): Promise<ChannelLink | null> {
      if (stream.siteId === null) return null;
      return (await ofSite.load(stream.siteId)).byStream.get(stream.id) ?? null;
    },
    async ofChannel(channel: Channel): Promise<readonly ChannelLink[]> {
      const device = channel.deviceId === null ? null : await sources.devices.byId(channel.deviceId);
      if (!device || device.siteId === null) return [];
      return (await ofSite.load(device.siteId)).byChannel.get(channel.id) ?? [];
    },
  };
}

async function loadSite(siteId: number, sources: ChannelLinkSources): Promise<SiteContents> {
  const [channels, [streams, attributes]] = await Promise.all([
    loadChannels(siteId, sources),
    loadStreams(siteId, sources),
  ]);
  return { channels, streams, attributes, attributeName: sources.attributeName };
}

async function loadChannels(siteId: number, { devices, channels }: ChannelLinkSources): Promise<Channel[]> {
  const atSite = await devices.ofSite(siteId);
  return (await Promise.all(atSite.map((device) => channels.ofDevice(device.id)))).flat();
}

/** Attributes are fetched only where a stream's own row leaves its channel open. */
async function loadStreams(
  siteId: number,
  { streams, streamAttributes }: ChannelLinkSources,
): Promise<[readonly Stream[], readonly CustomAttribute[]]> {
  const atSite = await streams.ofSite(siteId);
  if (atSite.every((stream) => stream.wireChannelId !== null)) return [atSite, []];
  const attributes = await Promise.all(atSite.map((stream) => streamAttributes.ofStream(stream)));
  return [atSite, attributes.flat()];
}
