/** The last sample of a stream that is silent for a long time is read once, and then renewed with the account's batch. */
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { POLICIES } from '../../../src/cache/policies.js';
import { HOUR_MS } from '../../../src/lib/clock.js';
import { lastSample } from '../../support/gateway.js';
import { startLiveGateway, WAIT } from '../../support/http/live.js';

const BATCH = '/v2.0/sample/batch';
const SINGLE = '/v2.0/stream/{streamId}/sample/last';
const STREAMS = '{ streams(first: 1000) { nodes { id lastSample { value sampledAt } } } }';
const { timeToLiveMs, staleIfErrorMs } = POLICIES.lastSample;
/** No call in the background renews what is older. */
const REFRESH_MS = timeToLiveMs + POLICIES.lastSample.staleWhileRevalidateMs;

const gateway = await startLiveGateway();
const streamIds = gateway
  .sql<{ id: number }>('SELECT id FROM stream WHERE account_id = ? ORDER BY id', gateway.accountId)
  .map(({ id }) => id);
const [silentId = 0] = streamIds;
const singles = () => gateway.sandbox.calls.countOf(SINGLE);

async function expectLastSamples(): Promise<void> {
  const { streams } = await gateway.ask<{ streams: { nodes: { id: string; lastSample: unknown }[] } }>(
    STREAMS,
  );
  expect(streams.nodes.map(({ id, lastSample: last }) => [id, last])).toEqual(
    streamIds.map((id) => [`Stream:${id}`, lastSample(gateway, id)]),
  );
}

function addLateSample(hoursAgo: number): void {
  const at = Math.floor(gateway.clock.now() / 1000) - hoursAgo * 3600;
  gateway.run('INSERT INTO scalar_sample VALUES (?, ?, ?, 7)', gateway.nextId(), silentId, at);
}

/** One stream has been silent for three hours. */
beforeEach(async () => {
  gateway.pass(4 * 60);
  const since = Math.floor(gateway.clock.now() / 1000) - 3 * 3600;
  gateway.run('DELETE FROM scalar_sample WHERE stream_id = ? AND sample_date > ?', silentId, since);
  await expectLastSamples();
  expect(singles()).toBeGreaterThan(0);
  gateway.sandbox.calls.reset();
});

it('takes one call for all streams from the second time on', async () => {
  for (let refresh = 1; refresh <= 30; refresh += 1) {
    gateway.clock.advance(REFRESH_MS);
    await expectLastSamples();
    expect(gateway.sandbox.calls.countOf(BATCH)).toBe(refresh);
  }
  expect(30 * REFRESH_MS).toBeGreaterThan(timeToLiveMs + staleIfErrorMs);
  expect(singles()).toBe(0);
});

it('takes one call if the stale batch is served while it is renewed', async () => {
  for (let refresh = 1; refresh <= 3; refresh += 1) {
    gateway.clock.advance(timeToLiveMs);
    await expectLastSamples();
    await vi.waitFor(() => expect(gateway.sandbox.calls.countOf(BATCH)).toBe(refresh), WAIT);
    // Served from memory once the call in the background has ended.
    await vi.waitFor(async () => {
      const { headers } = await gateway.query(STREAMS);
      expect(headers.get('cache-control')).toBe(`private, max-age=${timeToLiveMs / 1000}`);
    }, WAIT);
  }
  expect(singles()).toBe(0);
});

it('has a sample that arrives late', async () => {
  gateway.clock.advance(REFRESH_MS);
  addLateSample(2);
  await expectLastSamples();
  expect(singles()).toBe(1);
  addLateSample(3.5);
  gateway.clock.advance(REFRESH_MS);
  await expectLastSamples();
});

it('has the first sample of a stream that is no longer silent', async () => {
  gateway.clock.advance(REFRESH_MS);
  gateway.append(silentId, [42]);
  await expectLastSamples();
  expect(singles()).toBe(0);
});

it('is read again with no-cache, and when the batch is read from its start', async () => {
  await gateway.query(STREAMS, {}, { 'Cache-Control': 'no-cache' });
  expect(singles()).toBeGreaterThan(0);
  gateway.sandbox.calls.reset();
  gateway.pass((3 * HOUR_MS) / 60_000);
  await expectLastSamples();
  expect(singles()).toBeGreaterThan(0);
});

describe('at one site', () => {
  const SITE_BATCH = '/v2.0/site/{siteId}/sample/batch';
  const [{ site_id: siteId } = { site_id: 0 }] = gateway.sql<{ site_id: number }>(
    'SELECT site_id FROM stream WHERE id = ?',
    silentId,
  );
  const ofSite = gateway
    .sql<{ id: number }>('SELECT id FROM stream WHERE site_id = ? ORDER BY id', siteId)
    .map(({ id }) => id);

  async function expectLastOfSite(): Promise<void> {
    const { site } = await gateway.ask<{ site: { streams: { id: string; lastSample: unknown }[] } }>(
      `{ site(id: ${siteId}) { streams { id lastSample { value sampledAt } } } }`,
    );
    expect(site.streams.map(({ id, lastSample: last }) => [id, last])).toEqual(
      ofSite.map((id) => [`Stream:${id}`, lastSample(gateway, id)]),
    );
  }

  /** One stream has been silent for seven hours, and memory has no batch of the account. */
  beforeEach(async () => {
    const since = Math.floor(gateway.clock.now() / 1000) - 7 * 3600;
    gateway.run('DELETE FROM scalar_sample WHERE stream_id = ? AND sample_date > ?', silentId, since);
    gateway.clock.advance(2 * staleIfErrorMs);
    gateway.sandbox.calls.reset();
    await expectLastOfSite();
    expect(singles()).toBeGreaterThan(0);
    gateway.sandbox.calls.reset();
  });

  it('it takes no call of its own for ten minutes', async () => {
    for (let refresh = 1; refresh < staleIfErrorMs / REFRESH_MS - 1; refresh += 1) {
      gateway.clock.advance(REFRESH_MS);
      await expectLastOfSite();
      expect(gateway.sandbox.calls.countOf(SITE_BATCH)).toBe(refresh);
      expect(singles()).toBe(0);
    }
    gateway.clock.advance(3 * REFRESH_MS);
    await expectLastOfSite();
    expect(singles()).toBeGreaterThan(0);
  });

  it('it has a sample that arrives within the window, and after ten minutes one that is later', async () => {
    gateway.clock.advance(REFRESH_MS);
    addLateSample(5);
    await expectLastOfSite();
    expect(singles()).toBe(0);
    gateway.run('DELETE FROM scalar_sample WHERE stream_id = ? AND value = 7', silentId);
    gateway.clock.advance(2 * staleIfErrorMs);
    await expectLastOfSite();
    addLateSample(6.5);
    gateway.clock.advance(staleIfErrorMs + REFRESH_MS);
    await expectLastOfSite();
  });
});
