/** The rule that links streams to channels: its three parts, their order, and when there is no link. */
import { describe, expect, it } from 'vitest';
import {
  createChannelLinks,
  linkChannels,
  type SiteContents,
} from '../../../../src/sources/entities/channelLinks.js';
import type { Channel } from '../../../../src/sources/entities/channels.js';
import type { CustomAttribute } from '../../../../src/sources/entities/customAttributes.js';
import type { Stream } from '../../../../src/sources/entities/streams.js';
import { attribute, channel, stream } from '../../../support/rest/models.js';

interface Site {
  channels: Channel[];
  streams: Stream[];
  attributes?: CustomAttribute[];
  attributeName?: string;
}

/** Stream ids with their channel and the rule that linked them. */
function link({ attributes = [], attributeName = 'channel_id', ...site }: Site) {
  const contents: SiteContents = { ...site, attributes, attributeName };
  const { byStream, streamsByChannel } = linkChannels(contents);
  const down = [...streamsByChannel].flatMap(([id, found]) => found.map((stream) => [id, stream.id]));
  expect(down).toHaveLength(byStream.size);
  for (const [channelId, streamId = 0] of down) expect(byStream.get(streamId)?.channel.id).toBe(channelId);
  return [...byStream.values()].map((found) => [found.stream.id, found.channel.id, found.rule]);
}

describe('linkChannels', () => {
  it('follows the channel id of the REST response', () => {
    expect(link({ channels: [channel(1, 'a')], streams: [stream(10, 'b', 1)] })).toEqual([
      [10, 1, 'CHANNEL_ID'],
    ]);
  });

  it('follows the custom attribute', () => {
    const site = { channels: [channel(1, 'a')], streams: [stream(10, 'b')] };
    expect(link({ ...site, attributes: [attribute(10, 'channel_id', '1')] })).toEqual([
      [10, 1, 'CUSTOM_ATTRIBUTE'],
    ]);
  });

  it('follows a name that one channel and one stream share', () => {
    expect(link({ channels: [channel(1, 'a'), channel(2, 'b')], streams: [stream(10, 'b')] })).toEqual([
      [10, 2, 'NAME'],
    ]);
  });

  it('prefers the REST response to the attribute, and the attribute to the name', () => {
    const channels = [channel(1, 'one'), channel(2, 'two'), channel(3, 'three')];
    const attributes = [attribute(10, 'channel_id', '2'), attribute(11, 'channel_id', '2')];
    const streams = [stream(10, 'three', 1), stream(11, 'one')];
    expect(link({ channels, streams, attributes })).toEqual([
      [10, 1, 'CHANNEL_ID'],
      [11, 2, 'CUSTOM_ATTRIBUTE'],
    ]);
  });

  it('links several streams to one channel, in the order of the streams', () => {
    const attributes = [attribute(11, 'channel_id', '1'), attribute(10, 'channel_id', '1')];
    const streams = [stream(10, 'x'), stream(11, 'y')];
    const contents = { channels: [channel(1, 'a')], streams, attributes, attributeName: 'channel_id' };
    expect(
      linkChannels(contents)
        .streamsByChannel.get(1)
        ?.map((found) => found.id),
    ).toEqual([10, 11]);
  });

  it.each([
    ['two streams share the name', [channel(1, 'a')], [stream(10, 'a'), stream(11, 'a')]],
    ['two channels share the name', [channel(1, 'a'), channel(2, 'a')], [stream(10, 'a')]],
    ['the names differ in case', [channel(1, 'A')], [stream(10, 'a')]],
    ['both names are empty', [channel(1, '')], [stream(10, '')]],
    ['there is no channel', [], [stream(10, 'a')]],
    ['there is no stream', [channel(1, 'a')], []],
  ])('links nothing where %s', (_, channels, streams) => {
    expect(link({ channels, streams })).toEqual([]);
  });

  it.each(['99', 'pump', '', ' ', '0', '-1', '1.5', 'NaN', 'null'])(
    'treats the attribute value %j, which names no channel of the site, as unknown and does not fall back on the name',
    (value) => {
      const site = { channels: [channel(1, 'a')], streams: [stream(10, 'a')] };
      expect(link({ ...site, attributes: [attribute(10, 'channel_id', value)] })).toEqual([]);
    },
  );

  it.each(['0x1', '1e0', '+1', '01', '1.0'])(
    'treats the attribute value %j, which is not an id in the platform’s form, as unknown',
    (value) => {
      const site = { channels: [channel(1, 'a')], streams: [stream(10, 'b')] };
      expect(link({ ...site, attributes: [attribute(10, 'channel_id', value)] })).toEqual([]);
    },
  );

  it('treats a channel id of another site as unknown, and does not fall back on the name', () => {
    expect(link({ channels: [channel(1, 'a')], streams: [stream(10, 'a', 99)] })).toEqual([]);
  });

  it('uses only the configured attribute', () => {
    const site = { channels: [channel(1, 'a')], streams: [stream(10, 'b')] };
    const attributes = [attribute(10, 'input', '1'), attribute(10, 'channel_id', '7')];
    expect(link({ ...site, attributes, attributeName: 'input' })).toEqual([[10, 1, 'CUSTOM_ATTRIBUTE']]);
    expect(link({ ...site, attributes: attributes.slice(0, 1) })).toEqual([]);
  });

  it('links nothing for two attributes of one name that name different channels', () => {
    const site = { channels: [channel(1, 'a'), channel(2, 'b')], streams: [stream(10, 'a')] };
    const attributes = [attribute(10, 'channel_id', '1'), attribute(10, 'channel_id', '2')];
    expect(link({ ...site, attributes })).toEqual([]);
    expect(link({ ...site, attributes: attributes.slice(1) })).toEqual([[10, 2, 'CUSTOM_ATTRIBUTE']]);
  });

  it('ignores the attributes of other streams', () => {
    const site = { channels: [channel(1, 'a')], streams: [stream(10, 'b')] };
    expect(link({ ...site, attributes: [attribute(11, 'channel_id', '1')] })).toEqual([]);
  });

  it('counts a linked stream among those of a shared name', () => {
    const site = {
      channels: [channel(1, 'a'), channel(2, 'b')],
      streams: [stream(10, 'a'), stream(11, 'a')],
    };
    expect(link({ ...site, attributes: [attribute(11, 'channel_id', '2')] })).toEqual([
      [11, 2, 'CUSTOM_ATTRIBUTE'],
    ]);
  });
});

describe('createChannelLinks', () => {
  it('links a site once while its items are cached, although its lists of attributes are made anew', () => {
    const [channels, streams] = [[channel(1, 'a')], [stream(10, 'b')]];
    const attributes = [attribute(10, 'channel_id', '1')];
    const sources = {
      devices: { ofSite: () => [{ id: 5 }] },
      channels: { ofDevice: () => channels },
      streams: { ofSite: () => streams },
      streamAttributes: { ofStream: () => [...attributes] },
    } as unknown as Parameters<typeof createChannelLinks>[0];
    const linkSite = () => createChannelLinks(sources, 'channel_id').prefetchAtSite(1);
    const first = linkSite();
    expect(linkSite()).toBe(first);
    attributes[0] = attribute(10, 'channel_id', '2');
    expect(linkSite()).not.toBe(first);
  });
});
