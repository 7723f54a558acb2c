/** Charts and samples of the streams of a site take one REST call, and equal those of each stream by itself. */
import { beforeEach, describe, expect, it } from 'vitest';
import { groupBy } from '../../../src/sources/core/collections.js';
import { required, STILL_NOW_MS, startStillGateway, type TestGateway } from '../../support/gateway.js';

const SITE_BATCH = '/v2.0/site/{siteId}/sample/batch';
const RANGE = '/v2.0/stream/{streamId}/sample/range';
const FRAMES = '/v2.0/stream/{streamId}/sample/agg';

const FIELDS = {
  series: 'series(range: $range, maxPoints: 300) { times values sourceCount }',
  hours: 'hours: aggregates(range: $range, every: { minutes: 60 }) { startAt count min max avg sum }',
  means: 'means: series(range: $range, maxPoints: 50, method: MEAN) { times values min max sourceCount }',
  samples: 'samples(range: $range, first: 20) { nodes { id value } }',
  last: 'lastSample { id value sampledAt }',
  newest: 'newest: samples(range: $range, first: 20, order: DESC) { nodes { id value } }',
};

type FieldName = keyof typeof FIELDS;

const DAY = { from: '2026-03-13T09:17:30Z', to: '2026-03-14T09:30:00Z' };
const MONTH = { from: '2026-02-13T09:00:00Z', to: '2026-03-14T09:30:00Z' };

let gateway: TestGateway;
let siteId: number;
let streamIds: number[];

beforeEach(async () => {
  gateway = await startStillGateway({ sandbox: { historyDays: 30 } });
  const found = gateway.sql<{ siteId: number; streamId: number }>(
    `SELECT stream.site_id AS siteId, stream.id AS streamId FROM stream
     WHERE account_id = ? AND units <> '' AND EXISTS
       (SELECT 1 FROM scalar_sample WHERE stream_id = stream.id AND sample_date > ${STILL_NOW_MS / 1000 - 86_400})
     ORDER BY site_id, stream.id`,
    gateway.accountId,
  );
  const bySite = [...groupBy(found, (row) => row.siteId)];
  const [largest] = bySite.sort(([, one], [, other]) => other.length - one.length);
  [siteId] = required(largest);
  streamIds = required(largest)[1].map(({ streamId }) => streamId);
});

function select(names: readonly FieldName[]): string {
  return names.map((name) => FIELDS[name]).join(' ');
}

/** Reads the streams past the cache, and returns them with the calls for samples. */
async function read<Data>(operation: string, variables: Record<string, unknown>) {
  const { data, calls } = await gateway.count<Data>(operation, variables);
  return { data, sampleCalls: calls.filter((path) => path.includes('/sample')).sort() };
}

async function readSite(range: typeof DAY, names: readonly FieldName[]) {
  const fields = `id units ${select(names)}`;
  const operation = `query ($id: ID!, $range: TimeRange!) { site(id: $id) { streams { ${fields} } } }`;
  const { data, sampleCalls } = await read<{ site: { streams: Fields[] } }>(operation, { id: siteId, range });
  return { streams: data.site.streams.filter(({ id }) => streamIds.includes(numberOf(id))), sampleCalls };
}

async function readStream(streamId: number, range: typeof DAY, names: readonly FieldName[]) {
  const fields = `id units ${select(names)}`;
  const operation = `query ($id: ID!, $range: TimeRange!) { stream(id: $id) { ${fields} } }`;
  const { data } = await read<{ stream: Fields }>(operation, { id: streamId, range });
  return data.stream;
}

type Fields = { id: string } & Record<string, unknown>;

const numberOf = (id: string) => Number(id.replace(/^.*:/, ''));

describe('the streams of a site', () => {
  it.each<[string, FieldName[]]>([
    ['charts', ['series']],
    ['hourly aggregates', ['hours']],
    ['charts by mean', ['means']],
    ['pages of samples', ['samples']],
    ['charts and last samples', ['series', 'last']],
    ['all of these', ['series', 'hours', 'means', 'samples', 'last']],
  ])('of a day take one call for %s', async (_, names) => {
    const { streams, sampleCalls } = await readSite(DAY, names);
    expect(streams).toHaveLength(streamIds.length);
    expect(sampleCalls).toEqual([SITE_BATCH]);
    for (const stream of streams) expect(stream).toEqual(await readStream(numberOf(stream.id), DAY, names));
  });

  it('of a day take two calls for their newest samples if the first window has too few', async () => {
    const { streams, sampleCalls } = await readSite(DAY, ['newest']);
    expect(sampleCalls).toEqual([SITE_BATCH, SITE_BATCH]);
    for (const one of streams) expect(one).toEqual(await readStream(numberOf(one.id), DAY, ['newest']));
  });

  it('of a month take frames, which have fewer bytes', async () => {
    const { sampleCalls } = await readSite(MONTH, ['hours']);
    expect(new Set(sampleCalls)).toEqual(new Set([FRAMES, RANGE]));
  });

  it('are read one by one while the batch fails, which is then left out for a minute', async () => {
    const { streams } = await readSite(DAY, ['series']);
    gateway.sandbox.faults.add({ match: (target) => target.path.includes('/sample/batch'), status: 500 });
    const failed = await readSite(DAY, ['series']);
    expect(failed.streams).toEqual(streams);
    expect(failed.sampleCalls).toContain(SITE_BATCH);
    const { sampleCalls } = await readSite(DAY, ['series']);
    expect(new Set(sampleCalls)).toEqual(new Set([RANGE]));
  });

  it('take no call if their frames are cached', async () => {
    const range = { from: '2026-03-13T09:00:00Z', to: '2026-03-14T09:00:00Z' };
    const operation = `query ($id: ID!, $range: TimeRange!) { site(id: $id) { streams { ${FIELDS.hours} } } }`;
    for (const id of streamIds) {
      await gateway.ask(`query ($id: ID!, $range: TimeRange!) { stream(id: $id) { ${FIELDS.hours} } }`, {
        id,
        range,
      });
    }
    gateway.sandbox.calls.reset();
    await gateway.ask(operation, { id: siteId, range });
    expect(gateway.restCalls().map(({ pathTemplate }) => pathTemplate)).not.toContain(SITE_BATCH);
  });

  it('of another operation share the samples', async () => {
    const ask = (operation: string) => gateway.ask(operation, { id: siteId, range: DAY });
    await ask(`query ($id: ID!, $range: TimeRange!) { site(id: $id) { streams { ${FIELDS.series} } } }`);
    gateway.sandbox.calls.reset();
    await ask(`query ($id: ID!, $range: TimeRange!) { site(id: $id) { streams { ${FIELDS.hours} } } }`);
    expect(gateway.restCalls()).toEqual([]);
  });
});
