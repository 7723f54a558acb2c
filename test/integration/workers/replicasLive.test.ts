/** Subscribers of two replicas with one Redis: one poll of the platform, and each sample once, also after a failure. */
import { describe, expect, it, vi } from 'vitest';
import { createQueries } from '../../../src/sandbox/database/queries.js';
import { isRedisAvailable } from '../../support/cache/redisServer.js';
import { queryGateway, required } from '../../support/gateway.js';
import {
  expectSamplesBesideEvents,
  expectSharedPoll,
  LISTEN_BARE,
  type Listener,
  listen,
  SCALARS,
  WAIT,
} from '../../support/http/live.js';
import { basic } from '../../support/sandbox/sandbox.js';
import { WAIT_MS } from '../../support/waiting.js';
import { startGateways } from '../../support/workers/replicas.js';
import { connectTo } from '../../support/workers/workers.js';

const untilReceiving = (gateways: { append(samples: number): unknown }, { samples }: Listener) =>
  vi.waitFor(
    () => {
      gateways.append(1);
      expect(samples.length).toBeGreaterThan(0);
    },
    { timeout: WAIT_MS, interval: 200 },
  );

async function startLive(environment: Record<string, string> = {}) {
  const gateways = await startGateways(2, { LIVE_POLL_SECONDS: '1', ...environment });
  const listeners: Listener[] = [];
  for (const { url } of gateways.replicas) {
    const listener = listen(url, { kinds: ['SCALAR'] }, LISTEN_BARE);
    listeners.push(listener);
    await untilReceiving(gateways, listener);
  }
  const [last] = gateways.append(1);
  await vi.waitFor(() => {
    for (const listener of listeners) expect(listener.ids().at(-1)).toBe(last);
  }, WAIT);
  for (const { samples } of listeners) samples.length = 0;
  const [first, second] = listeners as [Listener, Listener];
  return { ...gateways, first, second };
}

const receive = (listeners: readonly Listener[], ids: readonly string[]) =>
  vi.waitFor(() => {
    for (const listener of listeners) expect(listener.ids()).toEqual(ids);
  }, WAIT);

describe.skipIf(!isRedisAvailable)('subscribers of two replicas (needs redis-server)', () => {
  it.each([
    ['one process', '1'],
    ['two workers', '2'],
  ])('with %s each share one poll', async (_, WORKERS) => {
    const live = await startLive({ WORKERS });
    const ids: string[] = [];
    await expectSharedPoll(async () => {
      const before = live.newestId();
      live.sandbox.calls.reset();
      ids.push(...live.append(5));
      await receive([live.first, live.second], ids);
      return live.pollsFrom(before);
    });
  });

  it('can query the other replica for the samples of their events', async () => {
    const live = await startGateways(2, { LIVE_POLL_SECONDS: '1' });
    const [first, second] = live.replicas.map(({ url }) => url) as [string, string];
    const listener = listen(first, { kinds: ['SCALAR'] }, LISTEN_BARE);
    await untilReceiving(live, listener);
    const ask = async (query: string) => (await queryGateway(second, query)).body;
    await expectSamplesBesideEvents([ask], () => live.append(1)[0], listener);
  });

  it('can query the last sample of a silent stream after an event, although the other replica had loaded it', async () => {
    const live = await startGateways(2, { LIVE_POLL_SECONDS: '1' });
    const [first, second] = live.replicas.map(({ url }) => url) as [string, string];
    const { all, run } = createQueries(live.sandbox.database);
    const streams = 'SELECT stream_id AS id, max(sample_date) AS last FROM scalar_sample GROUP BY stream_id';
    const [stream] = all<{ id: number; last: number }>(`${streams} ORDER BY id LIMIT 1 OFFSET 2`);
    const { id, last } = required(stream, 'stream');
    // The other samples are hours older than the batch of the account.
    const silentSince = last - 10 * 3600;
    run('DELETE FROM scalar_sample WHERE stream_id = ? AND sample_date > ?', id, silentSince);
    const listener = listen(first, { kinds: ['SCALAR'] }, LISTEN_BARE);
    await untilReceiving(live, listener);
    const query = `{ stream(id: ${id}) { lastSample { id } } }`;
    await queryGateway(second, query);
    const lateId = live.newestId() + 1;
    run('INSERT INTO scalar_sample VALUES (?, ?, ?, ?)', lateId, id, silentSince + 60, 1);
    const late = `ScalarSample:${id}:${lateId}`;
    await vi.waitFor(() => expect(listener.ids()).toContain(late), WAIT);
    expect((await queryGateway(first, query)).body).toEqual({
      data: { stream: { lastSample: { id: late } } },
    });
  });

  it('can query every worker of each replica with their own credential, until they leave', async () => {
    const live = await startGateways(2, {
      ...{ LIVE_POLL_SECONDS: '1', WORKERS: '2', METRICS: 'open' },
      ...{ CALLER_AUTH: 'platform', PLATFORM_KEY: '', PLATFORM_SECRET: '' },
    });
    const [{ key, secret }] = live.sandbox.credentials;
    const own = { Authorization: basic(key, secret) };
    const urls = live.replicas.map(({ url }) => url);
    const listener = listen(urls[0] ?? '', { kinds: ['SCALAR'] }, LISTEN_BARE, own);
    await untilReceiving(live, listener);
    const connections = urls.flatMap((url) => Array.from({ length: 4 }, () => connectTo(url)));
    const asks = connections.map(
      ({ ask }) =>
        (query: string) =>
          ask(query, own),
    );
    for (const ask of asks) await ask('{ sites { totalCount } }');
    // A process follows when it is connected with the credential.
    await vi.waitFor(() => expect(live.readsOfLastHour()).toBe(4), WAIT);
    await expectSamplesBesideEvents(asks, () => live.append(1)[0], listener);
    expect(live.readsOfLastHour()).toBe(4);
    await listener.leave();
    await vi.waitFor(async () => {
      for (const { get } of connections) {
        const { text } = await get('/metrics');
        expect(text).toContain('fieldgraph_polls_total');
        expect(text).not.toMatch(/^fieldgraph_poll_lag_seconds\{/m);
      }
    }, WAIT);
  });

  it('receive threshold changes in the process that follows the poll without a call for earlier samples', async () => {
    const live = await startGateways(2, { LIVE_POLL_SECONDS: '1' });
    const levels = [{ display_name: 'Low', upper_limit: 1_000_000 }, { display_name: 'High' }];
    for (const stream of [0, 1] as const) live.setLevels(levels, stream);
    const [first, second] = live.replicas.map(({ url }) => url) as [string, string];
    const leading = listen(first, { kinds: ['SCALAR'] }, LISTEN_BARE);
    await untilReceiving(live, leading);
    const [last] = live.append(1, 1, 1);
    await vi.waitFor(() => expect(leading.ids().at(-1)).toBe(last), WAIT);
    // The next poll begins when the position after the last sample is known to all processes.
    await vi.waitFor(() => expect(live.pollsFrom(live.newestId())).toBeGreaterThan(0), WAIT);
    const changes = listen(
      second,
      {},
      'subscription { sampleReceived: thresholdStatusChanged { id: cursor } }',
    );
    // A follower that was slow to renew its interest has read the hour twice.
    await vi.waitFor(() => expect(live.readsOfLastHour()).toBeGreaterThanOrEqual(2), WAIT);
    // The sample can arrive before the last hour has been read, and its stream then costs a call.
    live.append(1, 2_000_000);
    await vi.waitFor(() => expect(changes.samples).toHaveLength(1), WAIT);
    live.sandbox.calls.reset();
    live.append(1, 2_000_000, 1);
    await vi.waitFor(() => expect(changes.samples).toHaveLength(2), WAIT);
    expect(live.sandbox.calls.countOf('/v2.0/stream/{streamId}/sample')).toBe(0);
  });

  it('are notified once that the platform refuses the poll, and continue when it accepts it', async () => {
    const live = await startLive();
    const listeners = [live.first, live.second];
    const mend = live.sandbox.faults.add({
      match: ({ pathTemplate }) => pathTemplate === SCALARS,
      status: 404,
    });
    const ids = live.append(2);
    const errorCounts = () => listeners.map(({ errors }) => errors.length);
    await vi.waitFor(() => expect(errorCounts()).toEqual([1, 1]), WAIT);
    mend();
    await receive(listeners, ids);
    expect(errorCounts()).toEqual([1, 1]);
  });

  it.each(['SIGTERM', 'SIGKILL'] as const)(
    'lose and repeat nothing when the leader ends by %s',
    async (signal) => {
      const live = await startLive();
      const ids = live.append(2);
      await receive([live.first, live.second], ids);
      live.replicas[0]?.process.kill(signal);
      ids.push(...live.append(3));
      await receive([live.second], ids);
      ids.push(...live.append(2));
      await receive([live.second], ids);
    },
  );

  it('lose and repeat nothing when the leader is suspended and resumed', async () => {
    const live = await startLive();
    const leader = live.replicas[0]?.process;
    const ids = live.append(2);
    await receive([live.first, live.second], ids);
    leader?.kill('SIGSTOP');
    ids.push(...live.append(3));
    await receive([live.second], ids);
    leader?.kill('SIGCONT');
    await receive([live.first], ids);
    ids.push(...live.append(2));
    await receive([live.first, live.second], ids);
  });

  it('lose and repeat nothing while Redis is down and after it is back', async () => {
    const live = await startLive();
    const ids = live.append(2);
    await receive([live.first, live.second], ids);
    await live.redis.kill();
    ids.push(...live.append(3));
    await receive([live.first, live.second], ids);
    await live.redis.restart();
    ids.push(...live.append(3));
    await receive([live.first, live.second], ids);
    await vi.waitFor(async () => {
      const before = live.newestId();
      live.sandbox.calls.reset();
      ids.push(...live.append(1));
      await receive([live.first, live.second], ids);
      expect(live.pollsFrom(before)).toBe(1);
    }, WAIT);
  });
});
