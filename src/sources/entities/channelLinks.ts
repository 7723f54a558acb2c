/**
 * Links each stream to the channel that measures it, because the REST API does not: by the channel id on the wire;
 * otherwise by the custom attribute with the channel's id; otherwise by a name that exactly one channel and one
 * stream of the site share. Without a match there is no link, never a guess. Links stay inside a site, so that
 * both directions and all fetch plans agree.
 */
import { allReady, type MaybePromise, whenReady } from '../../lib/maybePromise.js';
import { storeResult } from '../core/batches.js';
import { groupBy } from '../core/collections.js';
import type { Channel, Channels } from './channels.js';
import type { CustomAttribute, StreamAttributes } from './customAttributes.js';
import type { Devices } from './devices.js';
import type { Stream, Streams } from './streams.js';

export interface ChannelLink {
  channel: Channel;
  stream: Stream;
  rule: 'CHANNEL_ID' | 'CUSTOM_ATTRIBUTE' | 'NAME';
}

interface SiteLinks {
  byStream: ReadonlyMap<number, ChannelLink>;
  /** In the order of the site's streams. */
  streamsByChannel: ReadonlyMap<number, readonly Stream[]>;
}

export interface SiteContents {
  channels: readonly Channel[];
  streams: readonly Stream[];
  attributes: readonly CustomAttribute[];
  /** Name of the attribute whose value is a channel's id. */
  attributeName: string;
}

export function linkChannels({ channels, streams, attributes, attributeName }: SiteContents): SiteLinks {
  const byId = new Map(channels.map((channel) => [String(channel.id), channel]));
  const named = groupBy(
    attributes.filter((attribute) => attribute.name === attributeName),
    (attribute) => attribute.parentId,
  );
  const sharing = channelsSharingName(channels, streams);

  const findChannel = (stream: Stream): { channel: Channel | undefined; rule: ChannelLink['rule'] } => {
    if (stream.wireChannelId !== null) {
      return { channel: byId.get(String(stream.wireChannelId)), rule: 'CHANNEL_ID' };
    }
    const [naming, ...others] = named.get(stream.id) ?? [];
    if (naming === undefined) return { channel: sharing.get(stream.name), rule: 'NAME' };
    const channel = others.length > 0 ? undefined : byId.get(naming.value.trim());
    return { channel, rule: 'CUSTOM_ATTRIBUTE' };
  };
  const links = streams.flatMap((stream): ChannelLink[] => {
    const { channel, rule } = findChannel(stream);
    return channel ? [{ channel, stream, rule }] : [];
  });
  return {
    byStream: new Map(links.map((link) => [link.stream.id, link])),
    streamsByChannel: groupStreams(links),
  };
}

function groupStreams(links: readonly ChannelLink[]): Map<number, readonly Stream[]> {
  const byChannel = groupBy(links, ({ channel }) => channel.id);
  return new Map([...byChannel].map(([id, ofChannel]) => [id, ofChannel.map(({ stream }) => stream)]));
}

/** Channels by name: only names that exactly one channel and exactly one stream have. */
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

interface ChannelLinkSources {
  readonly devices: Devices;
  readonly channels: Channels;
  readonly streams: Streams;
  readonly streamAttributes: StreamAttributes;
}

/** `attributeName`: name of the stream attribute whose value is a channel's id. */
export function createChannelLinks(sources: ChannelLinkSources, attributeName: string) {
  const bySite = new Map<number, MaybePromise<SiteLinks>>();
  const byDevice = new Map<number, MaybePromise<SiteLinks>>();

  function ofSite(siteId: number): MaybePromise<SiteLinks> {
    const cached = bySite.get(siteId);
    if (cached !== undefined) return cached;
    return storeResult(bySite, siteId, whenReady(loadSite(siteId, sources, attributeName), linkMemoised));
  }

  function ofDevice(deviceId: number): MaybePromise<SiteLinks> {
    const cached = byDevice.get(deviceId);
    if (cached !== undefined) return cached;
    const links = whenReady(sources.devices.byId(deviceId), (device) =>
      device === null || device.siteId === null ? NO_LINKS : ofSite(device.siteId),
    );
    return storeResult(byDevice, deviceId, links);
  }

  function ofStream({ id, siteId }: Stream): MaybePromise<ChannelLink | undefined> {
    return siteId === null ? undefined : whenReady(ofSite(siteId), ({ byStream }) => byStream.get(id));
  }

  return {
    /** Begins to load the lists that contain the links, if an operation will need the links of `count` objects. */
    prefetch(count: number): Promise<unknown> | undefined {
      const { devices, channels, streams, streamAttributes } = sources;
      const loading = [
        devices.prefetch(count),
        channels.prefetch(count),
        streams.prefetch(count),
        streamAttributes.prefetchForLinks(count),
      ].filter((one) => one !== undefined);
      return loading.length === 0 ? undefined : Promise.all(loading);
    },
    prefetchAtSite: (siteId: number): MaybePromise<unknown> => ofSite(siteId),
    prefetchChannelsAtSite: (siteId: number): MaybePromise<unknown> => loadChannels(siteId, sources),
    channelOf: (stream: Stream) => whenReady(ofStream(stream), (link) => link?.channel ?? null),
    ruleOf: (stream: Stream) => whenReady(ofStream(stream), (link) => link?.rule ?? null),
    /** In the order of the site's streams. */
    streamsOf({ id, deviceId }: Channel): MaybePromise<readonly Stream[]> {
      if (deviceId === null) return EMPTY;
      return whenReady(ofDevice(deviceId), ({ streamsByChannel }) => streamsByChannel.get(id) ?? EMPTY);
    },
  };
}

const EMPTY: readonly never[] = [];
const NO_LINKS: SiteLinks = { byStream: new Map(), streamsByChannel: new Map() };

/** A site's contents, in the lists in which they are cached: operations see the same lists while they are cached. */
interface SiteLists {
  /** One list for each device. */
  channels: ListOf<Channel>;
  streams: readonly Stream[];
  /**
   * One list for each stream, made for this operation from cached items; empty if the rows of all streams name their
   * channels.
   */
  attributes: ListOf<CustomAttribute>;
  attributeName: string;
}

/** The last links of each site, by its list of streams: the same lists have the same links. */
const memoisedLinks = new WeakMap<readonly Stream[], { lists: SiteLists; links: SiteLinks }>();

function linkMemoised(lists: SiteLists): SiteLinks {
  const { channels, streams, attributes, attributeName } = lists;
  const cached = memoisedLinks.get(streams);
  if (cached && haveSameContents(cached.lists, lists)) return cached.links;
  const links = linkChannels({
    channels: channels.flat(),
    streams,
    attributes: attributes.flat(),
    attributeName,
  });
  memoisedLinks.set(streams, { lists, links });
  return links;
}

function haveSameContents(one: SiteLists, other: SiteLists): boolean {
  return (
    one.attributeName === other.attributeName &&
    haveSameItems(one.channels, other.channels) &&
    one.attributes.length === other.attributes.length &&
    one.attributes.every((list, index) => haveSameItems(list, other.attributes[index] ?? EMPTY))
  );
}

function haveSameItems(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.length === other.length && one.every((item, index) => item === other[index]);
}

function loadSite(
  siteId: number,
  sources: ChannelLinkSources,
  attributeName: string,
): MaybePromise<SiteLists> {
  const parts = [loadChannels(siteId, sources), loadStreams(siteId, sources)] as const;
  return whenReady(
    allReady<[ListOf<Channel>, StreamLists]>(parts),
    ([channels, { streams, attributes }]) => ({ channels, streams, attributes, attributeName }),
  );
}

type ListOf<Item> = readonly (readonly Item[])[];
type StreamLists = Pick<SiteLists, 'streams' | 'attributes'>;

function loadChannels(
  siteId: number,
  { devices, channels }: ChannelLinkSources,
): MaybePromise<ListOf<Channel>> {
  return whenReady(devices.ofSite(siteId), (atSite) =>
    allReady<ListOf<Channel>>(atSite.map((device) => channels.ofDevice(device.id))),
  );
}

/** Loads attributes only if the row of a stream does not name its channel. */
function loadStreams(
  siteId: number,
  { streams, streamAttributes }: ChannelLinkSources,
): MaybePromise<StreamLists> {
  return whenReady(streams.ofSite(siteId), (atSite): MaybePromise<StreamLists> => {
    if (atSite.every((stream) => stream.wireChannelId !== null)) return { streams: atSite, attributes: [] };
    const loading = allReady<ListOf<CustomAttribute>>(atSite.map(streamAttributes.ofStream));
    return whenReady(loading, (attributes) => ({ streams: atSite, attributes }));
  });
}
