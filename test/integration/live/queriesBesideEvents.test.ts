/** Queries of a page that also subscribes: no sample is missing both in their responses and in the events. */
import { createClient } from 'graphql-ws';
import { afterEach, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import { POLICIES } from '../../../src/cache/policies.js';
import { createQueries } from '../../../src/sandbox/database/queries.js';
import { required } from '../../support/gateway.js';
import {
  anyStream,
  LISTEN_BARE,
  listen,
  received,
  shareGateway,
  socketUrl,
  startLiveGateway,
  WAIT,
} from '../../support/http/live.js';
import { metricIn, readMetrics } from '../../support/http/metrics.js';
import { openInitialized } from '../../support/http/socket.js';
import { createGate } from '../../support/waiting.js';

const gateway = await startLiveGateway();
const share = shareGateway(gateway);
const streamId = anyStream(gateway);
const kinds = ['SCALAR'];
const { timeToLiveMs, staleIfErrorMs } = POLICIES.lastSample;

const PAGE = `query ($id: ID!, $range: TimeRange!) { stream(id: $id) {
  lastSample { id } samples(range: $range, first: 1000) { nodes { id } }
  series(range: $range, maxPoints: 1000) { sourceCount }
  mean: series(range: $range, maxPoints: 1000, method: MEAN) { sourceCount }
  aggregates(range: $range, every: { hours: 1 }) { count } } }`;

interface Page {
  stream: {
    lastSample: { id: string };
    samples: { nodes: { id: string }[] };
    series: { sourceCount: number };
    mean: { sourceCount: number };
    aggregates: { count: number }[];
  };
}

const range = { from: gateway.clock.now() - 3_600_000, to: gateway.clock.now() + 3_600_000 };

/** The newest sample, and the number of samples by each field. */
async function load() {
  const { stream } = await gateway.ask<Page>(PAGE, { id: streamId, range });
  const { samples, series, mean, aggregates } = stream;
  const counts = [samples.nodes.length, series.sourceCount, mean.sourceCount];
  counts.push(aggregates.reduce((sum, { count }) => sum + count, 0));
  return { lastId: stream.lastSample.id, counts };
}

/** From the second equal request on, the response is cached. */
async function loadCached() {
  await load();
  await load();
  return load();
}

/** Opens a subscription; resolves at its first heartbeat with `asOf`. */
async function untilAsOf(): Promise<void> {
  const client = createClient({ url: socketUrl(gateway.url), webSocketImpl: WebSocket, retryAttempts: 0 });
  leaves.push(() => client.dispose());
  await new Promise<void>((resolve) => {
    client.on('ping', (_received, payload) => payload?.['asOf'] !== undefined && resolve());
    const sink = { next: () => {}, error: () => {}, complete: () => {} };
    client.subscribe({ query: LISTEN_BARE, variables: { kinds } }, sink);
  });
}

const leaves: (() => unknown)[] = [];
afterEach(async () => {
  for (const leave of leaves.splice(0)) await leave();
});

it('have every sample from before the subscription after its first heartbeat, although a response is cached', async () => {
  const before = await loadCached();
  gateway.clock.advance(1000);
  const [id] = gateway.append(streamId, [1]);
  gateway.clock.advance(1000);
  expect(await load()).toEqual(before);
  await untilAsOf();
  expect(await load()).toEqual({ lastId: id, counts: before.counts.map((count) => count + 1) });
});

it('have the sample of an event at once, although an equal response is cached', async () => {
  const listener = share({ kinds }, LISTEN_BARE);
  await untilAsOf();
  for (let event = 1; event <= 3; event++) {
    const before = await loadCached();
    const [id] = gateway.append(streamId, [event]);
    await received(listener, event);
    expect(await load()).toEqual({ lastId: id, counts: before.counts.map((count) => count + 1) });
  }
});

const LISTS_OF_SAMPLES = `query ($id: ID!, $since: DateTime!) { stream(id: $id) { ...Lists site { ...Lists } } }
  fragment Lists on Node {
    ... on Stream { samplesAfter { id } samplesSince(since: $since, first: 1000) { nodes { id } } }
    ... on Site { samplesAfter { id } samplesSince(since: $since, first: 1000) { nodes { id } } } }`;

it('have the sample of an event in the samples after an id and since a date', async () => {
  const loadLists = () => gateway.ask(LISTS_OF_SAMPLES, { id: streamId, since: range.from });
  const begun = await loadLists();
  gateway.clock.advance(1000);
  const [before] = gateway.append(streamId, [0]);
  gateway.clock.advance(1000);
  expect(await loadLists()).toEqual(begun);
  const listener = share({ kinds }, LISTEN_BARE);
  await untilAsOf();
  const countOf = async (id: string | undefined) =>
    JSON.stringify(await loadLists()).split(`"${id}"`).length - 1;
  expect(await countOf(before)).toBe(4);
  for (let event = 1; event <= 3; event++) {
    gateway.clock.advance(10);
    const [id] = gateway.append(streamId, [event]);
    await received(listener, event);
    expect(await countOf(id)).toBe(4);
  }
});

it('have the sample of an event after the last subscription has ended, although earlier samples are cached', async () => {
  const loadLists = () => gateway.ask(LISTS_OF_SAMPLES, { id: streamId, since: range.from });
  const listener = listen(gateway.url, { kinds }, LISTEN_BARE);
  await untilAsOf();
  const before = await loadCached();
  await loadLists();
  gateway.clock.advance(10);
  const [id] = gateway.append(streamId, [0]);
  await received(listener, 1);
  await listener.leave();
  for (const leave of leaves.splice(0)) await leave();
  const metrics = async () => (await readMetrics(gateway.url)).text;
  await vi.waitFor(async () => expect(await metrics()).not.toContain('fieldgraph_poll_lag_seconds{'), WAIT);
  expect(await load()).toEqual({ lastId: id, counts: before.counts.map((count) => count + 1) });
  expect(JSON.stringify(await loadLists()).split(`"${id}"`)).toHaveLength(1 + 4);
});

it('have the earlier samples after an id and since a date while the platform fails', async () => {
  const loadLists = () => gateway.ask(LISTS_OF_SAMPLES, { id: streamId, since: range.from });
  const listener = share({ kinds }, LISTEN_BARE);
  await untilAsOf();
  const before = await loadLists();
  gateway.clock.advance(10);
  gateway.append(streamId, [0]);
  await received(listener, 1);
  const mend = gateway.sandbox.faults.add({ match: ({ path }) => path.includes('/sample'), status: 500 });
  expect(await loadLists()).toEqual(before);
  mend();
});

it('have the sample of an event that a resumed subscription has missed', async () => {
  await untilAsOf();
  for (let round = 0; round < 5; round++) {
    const after = `ScalarSample:${gateway.newestId()}`;
    const before = await loadCached();
    const [id] = gateway.append(streamId, [round]);
    const resumed = share({ kinds, after }, LISTEN_BARE);
    await received(resumed, 1);
    expect(await load()).toEqual({ lastId: id, counts: before.counts.map((count) => count + 1) });
  }
});

/** The streams whose last sample is hours old, and the time of that sample in seconds. */
function silentStreams(): { id: number; last: number }[] {
  return gateway.sql<{ id: number; last: number }>(
    `SELECT stream_id AS id, max(sample_date) AS last FROM scalar_sample
     WHERE stream_id IN (SELECT id FROM stream WHERE account_id = ?) GROUP BY stream_id HAVING last < ? ORDER BY stream_id`,
    gateway.accountId,
    gateway.clock.now() / 1000 - 8 * 3600,
  );
}

/** Adds a sample that was measured a minute after the last one of a silent stream. Returns its id in the graph. */
function appendLate({ id: streamId, last }: { id: number; last: number }): string {
  const id = gateway.newestId() + 1;
  const insert = 'INSERT INTO scalar_sample VALUES (?, ?, ?, ?)';
  createQueries(gateway.sandbox.database).run(insert, id, streamId, last + 60, 1);
  return `ScalarSample:${streamId}:${id}`;
}

it('have a late sample of a stream that has been silent for hours', async () => {
  const silent = required(silentStreams()[0], 'silent stream');
  const listener = share({ kinds }, LISTEN_BARE);
  await untilAsOf();
  const query = `{ stream(id: ${silent.id}) { lastSample { id } samples(first: 1, order: DESC) { nodes { id } } } }`;
  await gateway.ask(query);
  const late = { id: appendLate(silent) };
  await received(listener, 1);
  expect(await gateway.ask(query)).toEqual({ stream: { lastSample: late, samples: { nodes: [late] } } });
});

const LAST_SAMPLE = '/v2.0/stream/{streamId}/sample/last';
const LAST_SAMPLE_CALLS = `fieldgraph_rest_calls_total{endpoint="GET ${LAST_SAMPLE}",outcome="2xx"}`;

it('have a late sample, although an earlier response without it arrives after the event', async () => {
  const silent = required(silentStreams()[1], 'second silent stream');
  const query = `{ stream(id: ${silent.id}) { lastSample { id } } }`;
  const { faults } = gateway.sandbox;
  let earlier: unknown;
  const keepEarlier = (json: unknown) => {
    earlier ??= json;
    return earlier;
  };
  const listener = share({ kinds }, LISTEN_BARE);
  await untilAsOf();
  faults.add({ match: LAST_SAMPLE, edit: keepEarlier, times: 1 });
  await gateway.ask(query);
  // The poll renews the sample for as long as it is in memory.
  gateway.clock.advance(timeToLiveMs + staleIfErrorMs);
  await untilAsOf();
  const response = createGate();
  faults.add({ match: LAST_SAMPLE, edit: keepEarlier, until: response.opened, times: 1 });
  gateway.sandbox.calls.reset();
  const asked = gateway.ask(query);
  await vi.waitFor(() => expect(gateway.sandbox.calls.countOf(LAST_SAMPLE)).toBe(1), WAIT);
  const lastSample = { id: appendLate(silent) };
  await received(listener, 1);
  const calls = async () => metricIn(await readMetrics(gateway.url), LAST_SAMPLE_CALLS);
  const callsBefore = await calls();
  response.open();
  await vi.waitFor(async () => expect(await calls()).toBe(callsBefore + 1), WAIT);
  await asked;
  expect(await gateway.ask(query)).toEqual({ stream: { lastSample } });
});

/** Operations without numbers, and one with them. */
const LISTS = ['{ sites { nodes { name devices { name } } } }', '{ organizations { nodes { name } } }'];
const LAST = `{ stream(id: "${streamId}") { lastSample { id } } }`;

it('are cached during a subscription, as long as they have no numbers', async () => {
  const listener = share({ kinds }, LISTEN_BARE);
  await untilAsOf();
  for (const query of [...LISTS, ...LISTS, LAST, LAST]) await gateway.ask(query);
  const hits = async () =>
    metricIn(
      await readMetrics(gateway.url),
      'fieldgraph_operation_duration_seconds_count{response="cached"}',
    );
  const before = await hits();
  for (let event = 1; event <= 3; event++) {
    const [id] = gateway.append(streamId, [event]);
    await received(listener, event);
    for (const query of LISTS) await gateway.ask(query);
    expect(await hits()).toBe(before + event * LISTS.length);
    expect(await gateway.ask(LAST)).toMatchObject({ stream: { lastSample: { id } } });
  }
});

it('wait for every subscription of a connection: it has no `asOf` until the last one has started', async () => {
  // Nothing is cached any more, so a subscription that names a stream waits for the platform.
  gateway.clock.advance(2 * 3_600_000);
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  gateway.sandbox.faults.add({ match: ({ path }) => /^\/v2.0\/stream(\/\d+)?$/.test(path), until: opened });
  const raw = await openInitialized(gateway.url);
  const subscribe = (id: string, streams?: string[]) =>
    raw.send({ type: 'subscribe', id, payload: { query: LISTEN_BARE, variables: { kinds, streams } } });
  const beats = () =>
    raw.messages
      .filter(({ type }) => type === 'ping')
      .map(({ payload }) => payload as { asOf?: string; cursors: Record<string, string> });
  const untilBeatOf = (id: string) =>
    vi.waitFor(() => expect(beats().at(-1)?.cursors).toHaveProperty(id), WAIT);
  subscribe('all');
  await untilBeatOf('all');
  expect(beats().at(-1)?.asOf).toBeDefined();
  subscribe('waiting', [String(streamId)]);
  subscribe('joins at once');
  await untilBeatOf('joins at once');
  expect(beats().at(-1)?.asOf).toBeUndefined();
  open();
  await untilBeatOf('waiting');
  expect(beats().at(-1)?.asOf).toBeDefined();
  raw.socket.terminate();
});
