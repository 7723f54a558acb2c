/** The links between channels and streams are the same in every selection and for every fetch plan. */
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { startStillGateway, type TestGateway } from '../../../support/gateway.js';

let gateway: TestGateway;
let streamIds: string[];
let channelIds: string[];
let links: Map<string, string>;

interface AtSite {
  site: { id: string };
}
interface LinkedStream extends AtSite {
  id: string;
  channel: { id: string; device: AtSite } | null;
  channelLink: string | null;
}
interface LinkedChannel {
  id: string;
  streams: { id: string; channelLink: string }[];
}

const STREAM = 'id site { id } channel { id device { site { id } } } channelLink';

beforeAll(async () => {
  gateway = await startStillGateway({ sandbox: { siteCount: 10 } });
  const { streams, channels } = await gateway.ask<{
    streams: { nodes: LinkedStream[] };
    channels: { nodes: { id: string }[] };
  }>(`{ streams(first: 1000) { nodes { ${STREAM} } } channels(first: 1000) { nodes { id } } }`);
  streamIds = streams.nodes.map(({ id }) => id);
  channelIds = channels.nodes.map(({ id }) => id);
  links = new Map(streams.nodes.map((stream) => [stream.id, linkOf(stream)]));
});

function linkOf({ channel, channelLink }: LinkedStream): string {
  return `${channel?.id} ${channelLink}`;
}

/** Additional selections, which change the lists that are loaded. */
const company = fc.subarray([
  'a: sites { nodes { name } }',
  'b: devices(first: 1000) { nodes { channels { name } } }',
  'c: streams(first: 1000) { totalCount }',
  'd: streams(first: 1000) { nodes { customAttributes { value } } }',
  'e: channels(first: 1) { totalCount }',
]);

describe('any streams in one query', () => {
  it('have the same channel as in a query for all, and never one of another site', async () => {
    expect(streamIds.length).toBeGreaterThan(20);
    const subset = fc.subarray(streamIds, { minLength: 1 });
    await fc.assert(
      fc.asyncProperty(subset, company, async (ids, others) => {
        const { nodes } = await gateway.ask<{ nodes: LinkedStream[] }>(
          `query ($ids: [ID!]!) { nodes(ids: $ids) { ... on Stream { ${STREAM} } } ${others.join(' ')} }`,
          { ids },
        );
        expect(nodes.map(linkOf)).toEqual(ids.map((id) => links.get(id)));
        for (const { channel, site } of nodes) if (channel) expect(channel.device.site.id).toBe(site.id);
      }),
      { numRuns: 25 },
    );
  });
});

describe('any channels in one query', () => {
  it('have exactly the streams that link to them', async () => {
    expect(channelIds.length).toBeGreaterThan(20);
    const subset = fc.subarray(channelIds, { minLength: 1 });
    await fc.assert(
      fc.asyncProperty(subset, company, async (ids, others) => {
        const { nodes } = await gateway.ask<{ nodes: LinkedChannel[] }>(
          `query ($ids: [ID!]!) { nodes(ids: $ids) { ... on Channel { id streams { id channelLink } } } ${others.join(' ')} }`,
          { ids },
        );
        const found = nodes.flatMap(({ id, streams }) =>
          streams.map((stream) => [stream.id, `${id} ${stream.channelLink}`]),
        );
        const expected = [...links].filter(([, link]) => ids.includes(link.split(' ')[0] ?? ''));
        expect(found.sort()).toEqual(expected.sort());
      }),
      { numRuns: 25 },
    );
  });
});
