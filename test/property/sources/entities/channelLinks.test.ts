/** Properties of every link between channels and streams, for any site. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type ChannelLink,
  linkChannels,
  type SiteContents,
} from '../../../../src/sources/entities/channelLinks.js';
import { attribute, channel, stream } from '../../../support/rest/models.js';

const name = fc.constantFrom('', 'a', 'b', 'c', 'd', 'A');
const channelId = fc.integer({ min: 1, max: 8 });
const streamId = fc.integer({ min: 1, max: 12 });

const contents: fc.Arbitrary<SiteContents> = fc.record({
  channels: fc
    .uniqueArray(fc.tuple(channelId, name), { selector: ([id]) => id })
    .map((all) => all.map(([id, text]) => channel(id, text))),
  streams: fc
    .uniqueArray(fc.tuple(streamId, name, fc.option(channelId)), { selector: ([id]) => id })
    .map((all) => all.map(([id, text, wire]) => stream(id, text, wire))),
  attributes: fc
    .array(fc.tuple(streamId, fc.constantFrom('channel_id', 'other'), fc.oneof(channelId.map(String), name)))
    .map((all) => all.map(([id, kind, value]) => attribute(id, kind, value))),
  attributeName: fc.constant('channel_id'),
});

function linksOf(site: SiteContents): ChannelLink[] {
  return [...linkChannels(site).byStream.values()];
}

function reasonHolds(site: SiteContents, { stream: one, channel: other, rule }: ChannelLink): boolean {
  const values = site.attributes.filter(
    ({ parentId, name: kind }) => parentId === one.id && kind === 'channel_id',
  );
  if (rule === 'CHANNEL_ID') return one.wireChannelId === other.id;
  if (rule === 'CUSTOM_ATTRIBUTE') return values.some(({ value }) => value === String(other.id));
  const namesakes = [...site.streams, ...site.channels].filter((thing) => thing.name === one.name);
  return values.length === 0 && one.name !== '' && other.name === one.name && namesakes.length === 2;
}

describe('linkChannels', () => {
  it('agrees in both directions', () => {
    fc.assert(
      fc.property(contents, (site) => {
        const { byStream, streamsByChannel } = linkChannels(site);
        const up = [...byStream.values()].map((link) => `${link.channel.id} ${link.stream.id}`);
        const down = [...streamsByChannel].flatMap(([id, streams]) =>
          streams.map((stream) => `${id} ${stream.id}`),
        );
        expect(down.sort()).toEqual(up.sort());
      }),
    );
  });

  it('links only objects of the site, each stream at most once, and only by the stated rule', () => {
    fc.assert(
      fc.property(contents, (site) => {
        const links = linksOf(site);
        expect(new Set(links.map((link) => link.stream.id)).size).toBe(links.length);
        for (const link of links) {
          expect(site.channels).toContain(link.channel);
          expect(site.streams).toContain(link.stream);
          expect(reasonHolds(site, link)).toBe(true);
        }
      }),
    );
  });

  it('does not depend on the order of channels and attributes', () => {
    fc.assert(
      fc.property(contents, (site) => {
        const once = site.attributes.filter(
          (one, index) => site.attributes.findIndex(({ parentId }) => parentId === one.parentId) === index,
        );
        const given = { ...site, attributes: once };
        const turned = {
          ...given,
          channels: [...site.channels].reverse(),
          attributes: [...once].reverse(),
        };
        expect(linksOf(turned)).toEqual(linksOf(given));
      }),
    );
  });

  it('preserves all links when a channel and a stream with a new name are added', () => {
    fc.assert(
      fc.property(contents, (site) => {
        const grown = {
          ...site,
          channels: [...site.channels, channel(100, 'new')],
          streams: [...site.streams, stream(100, 'new')],
        };
        expect(linksOf(grown).filter((link) => link.stream.id !== 100)).toEqual(linksOf(site));
        expect(linkChannels(grown).byStream.get(100)?.rule).toSatisfy(
          (rule) => rule === 'NAME' || site.attributes.some(({ parentId }) => parentId === 100),
        );
      }),
    );
  });
});
