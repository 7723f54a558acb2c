/** `lastSample` from the poll: without a REST call, and equal to the result of a direct call. */
import { beforeAll, expect, it, vi } from 'vitest';
import { lastSample, required, toText } from '../../support/gateway.js';
import {
  anyStream,
  LISTEN_BARE,
  listen,
  MANY_POLLS_MS,
  polls,
  SCALARS,
  startLiveGateway,
  WAIT,
} from '../../support/http/live.js';

const gateway = await startLiveGateway({ gateway: { pollsAlways: true } });
const SITES = '{ sites(first: 100) { nodes { streams { id lastSample { value sampledAt } } } } }';

interface GraphqlResult {
  sites: { nodes: { streams: { id: string; lastSample: unknown }[] }[] };
}

/** The REST calls for last samples, without those of the poll. */
const sampleCalls = () =>
  gateway
    .restCalls()
    .filter(({ pathTemplate, query }) => pathTemplate.includes('/sample') && query['sampleID'] === undefined)
    .map(({ path }) => path);

async function waitForPoll(): Promise<void> {
  const before = polls(gateway, SCALARS);
  await vi.waitFor(() => expect(polls(gateway, SCALARS)).toBeGreaterThan(before + 2), WAIT);
}

/** Waits for a poll, so that it has all samples. */
async function streams(count?: number) {
  await waitForPoll();
  const { sites } = await gateway.ask<GraphqlResult>(SITES);
  return sites.nodes.flatMap((site) => site.streams).slice(0, count);
}

beforeAll(async () => {
  gateway.pass(10);
  await streams();
});

it('lastSample costs no REST call for streams that have sent while the poll runs, without subscribers', async () => {
  gateway.clock.advance(20_000);
  gateway.sandbox.calls.reset();
  const found = await streams();
  for (const { id, lastSample: last } of found) {
    expect(last).toEqual(lastSample(gateway, Number(id.slice('Stream:'.length))));
  }
  const silent = sampleCalls();
  const recent = gateway.sql<{ id: number }>(
    'SELECT DISTINCT stream_id AS id FROM scalar_sample WHERE sample_date > ?',
    gateway.clock.now() / 1000 - 3000,
  );
  for (const { id } of recent) expect(silent).not.toContain(`/v2.0/stream/${id}/sample/last`);
  expect(silent.some((path) => path.startsWith('/v2.0/sample/batch') || path.startsWith('/v2.0/site'))).toBe(
    false,
  );
});

it('lastSample costs one REST call for a silent stream for as long as the poll runs, and is a sample that arrives late', async () => {
  await streams();
  gateway.sandbox.calls.reset();
  for (let round = 1; round <= 15; round += 1) {
    gateway.clock.advance(60_000);
    await streams();
  }
  expect(sampleCalls()).toEqual([]);
  const silent = (await streams()).find(({ lastSample: last }) => last === null);
  const streamId = Number(required(silent, 'silent stream').id.slice('Stream:'.length));
  const at = Math.floor(gateway.clock.now() / 1000) - 3 * 3600;
  gateway.run('INSERT INTO scalar_sample VALUES (?, ?, ?, 8)', gateway.nextId(), streamId, at);
  gateway.clock.advance(11_000);
  expect(await streams()).toContainEqual({
    id: `Stream:${streamId}`,
    lastSample: lastSample(gateway, streamId),
  });
});

it('lastSample follows each poll, and ignores late samples as the platform does', async () => {
  const streamId = anyStream(gateway);
  const query = `{ stream(id: "${streamId}") { lastSample { value sampledAt } } }`;
  const last = async () => {
    await waitForPoll();
    return (await gateway.ask<{ stream: { lastSample: unknown } }>(query)).stream.lastSample;
  };
  gateway.sandbox.calls.reset();
  for (const value of [1, 2, 3]) {
    // Whole responses are fresh for ten seconds.
    gateway.clock.advance(11_000);
    gateway.append(streamId, [value]);
    expect(await last()).toEqual({ value, sampledAt: toText(Math.floor(gateway.clock.now() / 1000)) });
  }
  const newest = await last();
  gateway.clock.advance(11_000);
  gateway.run(
    'INSERT INTO scalar_sample VALUES (?, ?, ?, ?)',
    gateway.nextId(),
    streamId,
    Math.floor(gateway.clock.now() / 1000) - 600,
    99,
  );
  expect(await last()).toEqual(newest);
  expect(sampleCalls()).toEqual([]);
});

it('lastSample reads the platform with no-cache', async () => {
  await gateway.count(`{ stream(id: "${anyStream(gateway)}") { lastSample { value } } }`);
  expect(sampleCalls()).toHaveLength(1);
});

it('last samples of a poll are served for ten minutes after the platform goes down', async () => {
  const own = await startLiveGateway({ gateway: { pollsAlways: true } });
  const streamId = anyStream(own);
  own.append(streamId, [7]);
  const site = own.sql<{ site_id: number }>('SELECT site_id FROM stream WHERE id = ?', streamId)[0]?.site_id;
  const query = `{ site(id: "${site}") { newestSampledAt streams { id lastSample { value } } } }`;
  const before = polls(own, SCALARS);
  await vi.waitFor(() => expect(polls(own, SCALARS)).toBeGreaterThan(before + 2), WAIT);
  const known = await own.ask<{ site: { streams: { id: string; lastSample: unknown }[] } }>(query);
  expect(known.site.streams).toContainEqual({ id: `Stream:${streamId}`, lastSample: { value: 7 } });
  own.sandbox.faults.add({ status: 503 });
  for (const ms of [60_000, 60_000, 180_000]) {
    own.clock.advance(ms);
    expect(await own.ask(query)).toEqual(known);
  }
  own.clock.advance(330_000);
  await expect(own.ask(query)).rejects.toThrow();
});

it('last samples of a poll are served while the platform is down, after the last subscriber has left', async () => {
  const own = await startLiveGateway();
  const streamId = anyStream(own);
  own.append(streamId, [7]);
  const query = `{ stream(id: "${streamId}") { lastSample { value } } }`;
  const listener = listen(own.url, { kinds: ['SCALAR'] }, LISTEN_BARE);
  await vi.waitFor(() => expect(polls(own, SCALARS)).toBeGreaterThan(3), WAIT);
  const known = await own.ask(query);
  expect(known).toEqual({ stream: { lastSample: { value: 7 } } });
  await listener.leave();
  await vi.waitFor(async () => {
    const before = polls(own, SCALARS);
    await new Promise((resolve) => setTimeout(resolve, MANY_POLLS_MS));
    expect(polls(own, SCALARS)).toBe(before);
  }, WAIT);
  own.sandbox.faults.add({ status: 503 });
  own.clock.advance(300_000);
  expect(await own.ask(query)).toEqual(known);
});
