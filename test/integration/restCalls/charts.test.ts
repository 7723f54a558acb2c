/** Charts and aggregates take one REST call if a single call returns all their data. */
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import {
  fullestStream,
  required,
  STILL_NOW_MS,
  startStillGateway,
  type TestGateway,
} from '../../support/gateway.js';

let gateway: TestGateway;
let id: number;

beforeAll(async () => {
  gateway = await startStillGateway({ sandbox: { historyDays: 10 } });
  id = fullestStream(gateway, 'scalar');
});

const RANGE = '/v2.0/stream/{streamId}/sample/range';
const FRAMES = '/v2.0/stream/{streamId}/sample/agg';
const FIELDS = {
  series: 'series(range: $range, maxPoints: 500) { times values }',
  means: 'means: series(range: $range, maxPoints: 50, method: MEAN) { times values }',
  hours: 'hours: aggregates(range: $range, every: { minutes: 60 }) { startAt count sum }',
  tens: 'tens: aggregates(range: $range, every: { minutes: 10 }) { startAt count sum }',
};

/** The calls for the data of a chart, in alphabetical order. */
function callsFor(from: string, to: string, ...fields: (keyof typeof FIELDS)[]) {
  return callsForStream(id, { from, to }, fields);
}

async function callsForStream(
  streamId: number,
  range: { from: string; to: string },
  fields: (keyof typeof FIELDS)[],
) {
  const selected = fields.map((field) => FIELDS[field]).join(' ');
  const operation = `query ($id: ID!, $range: TimeRange!) { stream(id: $id) { ${selected} } }`;
  const { calls } = await gateway.count(operation, { id: streamId, range });
  return calls.filter((path) => path.includes('/sample')).sort();
}

const END = '2026-03-14T09:17:30Z';

describe('fields with one range', () => {
  it.each([
    ['an hour', '2026-03-14T08:17:30Z'],
    ['a day', '2026-03-13T09:17:30Z'],
    ['a week', '2026-03-07T09:17:30Z'],
  ])('of %s read its samples once', async (_, from) => {
    expect(await callsFor(from, END, 'series', 'hours')).toEqual([RANGE]);
    expect(await callsFor(from, END, 'tens', 'hours', 'means', 'series')).toEqual([RANGE]);
  });
});

describe('fields with overlapping ranges', () => {
  const FROM = {
    hour: '2026-03-14T08:17:30Z',
    day: '2026-03-13T09:17:30Z',
    threeDays: '2026-03-11T09:17:30Z',
  };

  async function callsForRanges(field: (range: string) => string) {
    const selected = Object.entries(FROM).map(
      ([alias, from]) => `${alias}: ${field(`range: { from: "${from}", to: "${END}" }`)}`,
    );
    const { calls } = await gateway.count(`query ($id: ID!) { stream(id: $id) { ${selected.join(' ')} } }`, {
      id,
    });
    return calls.filter((path) => path.includes('/sample')).sort();
  }

  it('read the samples of the longest range once', async () => {
    expect(await callsForRanges((range) => `series(${range}, maxPoints: 5000) { times values }`)).toEqual([
      RANGE,
    ]);
    expect(
      await callsForRanges((range) => `samples(${range}, first: 1000) { nodes { value } }`),
    ).toHaveLength(3);
  });

  it('read the aggregates of the longest range once, and the samples at each begin', async () => {
    expect(
      await callsForRanges((range) => `aggregates(${range}, every: { minutes: 60 }) { startAt sum }`),
    ).toEqual([FRAMES, RANGE, RANGE, RANGE]);
  });
});

it('a chart of a range without samples takes one call', async () => {
  const [empty] = gateway.sql<{ id: number }>(
    `SELECT id FROM stream WHERE account_id = ?
     AND NOT EXISTS (SELECT 1 FROM scalar_sample WHERE stream_id = stream.id) LIMIT 1`,
    gateway.accountId,
  );
  const range = { from: '2026-03-10T00:00:00Z', to: '2026-03-13T00:00:00Z' };
  expect(await callsForStream(empty?.id ?? 0, range, ['means'])).toEqual([FRAMES]);
});

describe('aggregates by themselves', () => {
  it('are read from the platform, with the samples of an end that cuts a frame', async () => {
    expect(await callsFor('2026-03-13T09:00:00Z', '2026-03-14T09:00:00Z', 'hours')).toEqual([FRAMES]);
    expect(await callsFor('2026-03-13T09:00:00Z', END, 'hours')).toEqual([FRAMES, RANGE]);
  });

  it('of two hours are computed from samples if the range cuts a frame', async () => {
    expect(await callsFor('2026-03-14T07:00:00Z', '2026-03-14T09:00:00Z', 'tens')).toEqual([FRAMES]);
    expect(await callsFor('2026-03-14T07:17:30Z', END, 'tens')).toEqual([RANGE]);
  });

  it('are requested again after a failure of the samples of an end', async () => {
    onTestFinished(gateway.sandbox.faults.add({ match: `GET ${RANGE}`, status: 500, times: 1 }));
    expect(await callsFor('2026-03-13T09:00:00Z', END, 'hours')).toEqual([FRAMES, RANGE, RANGE]);
    expect(await callsFor('2026-03-13T09:00:00Z', END, 'hours')).toEqual([FRAMES, RANGE]);
  });

  it('are not requested again for a while after their endpoint failed', async () => {
    onTestFinished(gateway.sandbox.faults.add({ match: `GET ${FRAMES}`, status: 500 }));
    expect(await callsFor('2026-03-13T09:00:00Z', END, 'hours')).toEqual([FRAMES, RANGE, RANGE]);
    expect(await callsFor('2026-03-13T09:00:00Z', END, 'hours')).toEqual([RANGE]);
  });
});

/** The calls for a stream's samples and aggregates over several queries of one gateway. */
async function startChart(having: string) {
  let nowMs = STILL_NOW_MS;
  const started = await startStillGateway({
    sandbox: { historyDays: 10 },
    gateway: { clock: { now: () => nowMs } },
  });
  const { sql, accountId, ask, restCalls, sandbox } = started;
  onTestFinished(started.stop);
  const [stream] = sql<{ id: number }>(
    `SELECT stream_id AS id FROM scalar_sample JOIN stream s ON s.id = stream_id WHERE account_id = ?
     GROUP BY stream_id HAVING ${having} ORDER BY stream_id LIMIT 1`,
    accountId,
  );
  const read = async (from: string, to: string, maxPoints: number) => {
    sandbox.calls.reset();
    await ask(`{ stream(id: ${required(stream).id}) {
      series(range: { from: "${from}", to: "${to}" }, maxPoints: ${maxPoints}, method: MEAN) { times } } }`);
    return restCalls().flatMap(({ pathTemplate }) =>
      pathTemplate.includes('/sample') ? [pathTemplate] : [],
    );
  };
  const wait = (ms: number) => {
    nowMs += ms;
  };
  return { read, wait };
}

it('a chart of a slow stream reads frames only until the cache shows how few samples it has', async () => {
  // It sends a sample every 15 minutes, so its samples of a day take fewer bytes than its frames.
  const { read, wait } = await startChart('count(*) BETWEEN 800 AND 970');
  const readToday = () => read('2026-03-14T00:00:00Z', END, 30);
  expect((await readToday()).sort()).toEqual([FRAMES, RANGE, RANGE]);
  // The samples in the cache are stale.
  wait(60_000);
  expect(await readToday()).toEqual([RANGE]);
});

it('a chart reads frames again if the cache has only a few seconds without samples', async () => {
  // It sends a sample every five minutes, but none in the seconds before this hour.
  const { read, wait } = await startChart(`count(*) > 2800
    AND sum(sample_date BETWEEN unixepoch('2026-03-05 08:59:50') AND unixepoch('2026-03-05 08:59:59')) = 0`);
  const readFrames = (maxPoints: number) => read('2026-03-05T08:59:50Z', '2026-03-14T09:00:00Z', maxPoints);
  expect((await readFrames(50)).sort()).toEqual([FRAMES, RANGE]);
  expect(await readFrames(60)).toEqual([]);
  // The frames of today and yesterday are stale.
  wait(60_000);
  expect(await readFrames(50)).toEqual([FRAMES]);
});

it('a chart within one day reads the samples of its two ends once', async () => {
  const { read } = await startChart('count(*) > 2800');
  const readCut = (maxPoints: number) => read('2026-03-13T20:17:30Z', END, maxPoints);
  expect((await readCut(10)).sort()).toEqual([FRAMES, RANGE, RANGE]);
  expect(await readCut(9)).toEqual([]);
});
