/** Streams of devices whose clock runs ahead: their newest samples are dated after now. */
import { beforeAll, describe, expect, it } from 'vitest';
import { required, STILL_NOW_MS, startStillGateway, type TestGateway } from '../../support/gateway.js';
import { addSamples, evenly, type MadeSample, makeStreams } from '../../support/samples/generatedStream.js';

interface Page {
  nodes: { sampledAt: string; value: number }[];
  pageInfo: { hasNextPage: boolean; endCursor: string | null };
}

const NOW = Math.floor(STILL_NOW_MS / 1000);
const HOUR = 3600;
/** Five samples in each second: a call ends in the middle of one. */
const crowded: MadeSample[] = Array.from({ length: 300 }, (_, index) => ({
  at: NOW + 60 + Math.floor(index / 5),
  value: index,
}));
const cases: [string, MadeSample[]][] = [
  ['90 minutes, every 5 minutes', evenly(200, NOW + 1.5 * HOUR - 200 * 300, 300)],
  ['a day, every minute', evenly(3000, NOW + 24 * HOUR - 3000 * 60, 60)],
  ['a month, every 10 minutes', evenly(6000, NOW + 720 * HOUR - 6000 * 600, 600)],
  ['a second', evenly(500, NOW + 1 - 500 * 5, 5)],
  ['minutes, many in a second', [...evenly(100, NOW - 100 * 60, 60), ...crowded]],
  ['days, nothing before now', evenly(400, NOW + 48 * HOUR, 30)],
];

let gateway: TestGateway;
const streamIds: number[] = [];

beforeAll(async () => {
  gateway = await startStillGateway();
  streamIds.push(...makeStreams(gateway, cases.length));
  for (const [index, [, samples]] of cases.entries())
    addSamples(gateway, required(streamIds[index]), samples);
});

async function readPage(id: number, args: string, after: string | null = null): Promise<Page> {
  const query = `query ($id: ID!, $after: String) { stream(id: $id) { samples(${args}, after: $after) {
    nodes { sampledAt value } pageInfo { hasNextPage endCursor } } } }`;
  return required((await gateway.ask<{ stream: { samples: Page } }>(query, { id, after })).stream.samples);
}

describe.each(cases.map(([name], index) => [name, index] as const))('samples ahead by %s', (_, index) => {
  const samples = required(cases[index])[1];
  const newestFirst = samples.map(({ value }) => value).reverse();

  it.each([1, 10, 100, 1000])('are the newest %i', async (first) => {
    gateway.sandbox.calls.reset();
    const newest = await readPage(required(streamIds[index]), `first: ${first}`);
    expect(newest.nodes.map(({ value }) => value)).toEqual(newestFirst.slice(0, first).reverse());
    expect(gateway.sandbox.calls.total()).toBeLessThanOrEqual(12);
  });

  it('are in pages, each once', async () => {
    const values: number[] = [];
    let after: string | null = null;
    do {
      const page: Page = await readPage(required(streamIds[index]), 'first: 170, order: DESC', after);
      values.push(...page.nodes.map(({ value }) => value));
      after = page.pageInfo.hasNextPage ? page.pageInfo.endCursor : null;
    } while (after !== null);
    expect(values).toEqual(newestFirst);
  });

  it.each([
    ['ahead of now', new Date((NOW + 6 * HOUR) * 1000).toISOString()],
    ['at the last instant', '9999-12-31T23:59:59.9999999Z'],
  ])('are in a range that ends %s', async (_where, to) => {
    const range = `{ from: ${(NOW + 30) * 1000}, to: "${to}" }`;
    const page = await readPage(required(streamIds[index]), `range: ${range}, first: 1000, order: DESC`);
    const inRange = samples.filter(({ at }) => at >= NOW + 30 && at * 1000 < Date.parse(to)).slice(-1000);
    expect(page.nodes.map(({ value }) => value)).toEqual(inRange.map(({ value }) => value).reverse());
  });
});
