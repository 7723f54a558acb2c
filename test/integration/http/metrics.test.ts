/** The metrics page: its counters, its format and its access control. */
import { spawnSync } from 'node:child_process';
import { beforeAll, describe, expect, it } from 'vitest';
import { metricTable } from '../../../src/gateway/metricTable.js';
import { createQueries } from '../../../src/sandbox/database/queries.js';
import { isRedisAvailable, startRedisServer } from '../../support/cache/redisServer.js';
import { required, startTestGateway, type TestGateway } from '../../support/gateway.js';
import { connectSocket, createKeysFile, type KeysFile } from '../../support/http/callers.js';
import { LISTEN_BARE, listen } from '../../support/http/live.js';
import { metricIn, readMetrics } from '../../support/http/metrics.js';
import { openStream } from '../../support/http/streams.js';
import { TOKENS, withFaultGateway } from '../../support/rest/faultGateway.js';
import { runningClock } from '../../support/runningClock.js';

const SITES = '{ sites { totalCount } }';

async function statusOf(url: string, headers: Record<string, string> = {}): Promise<number> {
  return (await fetch(`${url}/metrics`, { headers })).status;
}

function runPromtool(args: readonly string[], input = '') {
  const { status, stdout, stderr } = spawnSync('promtool', args, { input, encoding: 'utf8' });
  return { status, stdout, stderr };
}

const isPromtoolMissing = runPromtool(['--version']).status !== 0;

describe.skipIf(!isRedisAvailable)('with Redis (needs redis-server), /metrics', () => {
  it('says whether the gateway is connected, and counts refused commands', async () => {
    const redis = await startRedisServer();
    try {
      const gateway = await startTestGateway({ sandbox: { siteCount: 1 }, gateway: { redisUrl: redis.url } });
      const line = async () =>
        /^fieldgraph_redis_connected .*$/m.exec((await readMetrics(gateway.url)).text)?.[0];
      await expect.poll(line).toBe('fieldgraph_redis_connected 1');
      await redis.ask('CONFIG SET maxmemory 1');
      await gateway.ask(SITES);
      const count = async (name: string) => metricIn(await readMetrics(gateway.url), name);
      await expect.poll(() => count('fieldgraph_redis_refusals_total')).toBeGreaterThan(0);
      await redis.kill();
      await expect.poll(line).toBe('fieldgraph_redis_connected 0');
      expect(await count('fieldgraph_redis_disconnects_total')).toBeGreaterThan(0);
    } finally {
      await redis.stop();
    }
  });
});

describe('/metrics', () => {
  let gateway: TestGateway;

  beforeAll(async () => {
    gateway = await startTestGateway({ sandbox: { siteCount: 2 } });
  });

  it('contains each metric of the table once, in the format of Prometheus', async () => {
    await gateway.ask(SITES);
    const { text } = await readMetrics(gateway.url);
    const names = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, type]) => [name, type]);
    expect(text).not.toMatch(/^fieldgraph_(redis|tls)/m);
    const { workersEnded, ...alone } = metricTable;
    const listed = Object.values(alone).map(({ name, type }) => [name, type]);
    expect(names.sort()).toEqual(listed.sort());
    const sample =
      /^[a-z_]+(\{[a-z]+="(?:[^"\\\n]|\\["\\n])*"(,[a-z]+="(?:[^"\\\n]|\\["\\n])*")*\})? (-?\d[\d.e+-]*|[+-]Inf|NaN)$/;
    const lines = text.split('\n').filter((line) => line !== '');
    expect(lines.filter((line) => !/^# (HELP|TYPE) \S+ .+$/.test(line) && !sample.test(line))).toEqual([]);
    expect(text.endsWith('\n')).toBe(true);
  });

  it.skipIf(isPromtoolMissing && !process.env['CI'])(
    `passes promtool${isPromtoolMissing ? ' (needs promtool of the Debian package prometheus)' : ''}`,
    async () => {
      await gateway.ask(SITES);
      await gateway.query('{ nothing }');
      const { text } = await readMetrics(gateway.url);
      const { status, stdout, stderr } = runPromtool(['check', 'metrics'], text);
      expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '', stderr: '' });
    },
  );

  it('counts operations and refusals, REST calls, and calls saved by the cache', async () => {
    const before = await readMetrics(gateway.url);
    const past = { 'Cache-Control': 'no-cache' };
    await gateway.query(SITES, {}, past);
    // The same operation in other bytes, because the response to the first bytes is cached.
    await gateway.query(`${SITES} `);
    await gateway.query('{ nothing }');
    await gateway.query(`{ ${'__typename '.repeat(3000)} }`);
    gateway.sandbox.faults.add({ match: '/v2.0/site', status: 503, times: 1 });
    await gateway.query(SITES, {}, past);
    const after = await readMetrics(gateway.url);
    const grown = (place: string) => metricIn(after, place) - metricIn(before, place);
    expect(grown('fieldgraph_http_requests_total{status="2xx"}')).toBe(3);
    expect(grown('fieldgraph_operation_duration_seconds_count{response="executed"}')).toBe(4);
    expect(grown('fieldgraph_operations_refused_total{code="TOO_MANY_TOKENS"}')).toBe(1);
    expect(grown('fieldgraph_rest_calls_total{endpoint="GET /v2.0/site",outcome="2xx"}')).toBe(2);
    expect(grown('fieldgraph_rest_calls_total{endpoint="GET /v2.0/site",outcome="5xx"}')).toBe(1);
    expect(grown('fieldgraph_rest_call_duration_seconds_count{family="site"}')).toBe(3);
    expect(grown('fieldgraph_cache_reads_total{origin="network"}')).toBe(2);
    expect(grown('fieldgraph_cache_reads_total{origin="memory"}')).toBe(1);
    expect(metricIn(after, 'fieldgraph_token_requests_total')).toBe(1);
    expect(metricIn(after, 'fieldgraph_token_requests_left')).toBe(14);
    expect(metricIn(after, 'fieldgraph_breaker_state{family="site"}')).toBe(0);
    expect(metricIn(after, 'fieldgraph_workers')).toBe(1);
    expect(metricIn(after, 'fieldgraph_workers_configured')).toBe(1);
    expect(metricIn(after, 'process_resident_memory_bytes')).toBeGreaterThan(1e7);
    const startedAt = performance.timeOrigin / 1000;
    expect(metricIn(after, 'process_start_time_seconds')).toBeCloseTo(startedAt, 1);
  });

  it('does not count health checks and scrapes as HTTP requests', async () => {
    await withFaultGateway({}, async ({ sandbox, url, ask }) => {
      sandbox.faults.add({ match: TOKENS, status: 503 });
      const statuses = [];
      for (const path of ['/healthz', '/readyz', '/readyz?a', '/metrics', '/metric']) {
        statuses.push((await fetch(`${url}${path}`)).status);
      }
      await ask(SITES);
      expect(statuses).toEqual([200, 503, 503, 200, 404]);
      const counts = /^fieldgraph_http_requests_total.*$/gm;
      expect((await readMetrics(url)).text.match(counts)).toEqual([
        'fieldgraph_http_requests_total{status="2xx"} 1',
        'fieldgraph_http_requests_total{status="3xx"} 0',
        'fieldgraph_http_requests_total{status="4xx"} 1',
        'fieldgraph_http_requests_total{status="5xx"} 0',
      ]);
    });
  });

  it('says that no token request is left after the platform has limited them', async () => {
    await withFaultGateway({}, async ({ sandbox, url, clock, ask }) => {
      const left = async () => metricIn(await readMetrics(url), 'fieldgraph_token_requests_left');
      const mend = sandbox.faults.add({ match: TOKENS, status: 429, retryAfter: 60 });
      await ask(SITES);
      expect(await left()).toBe(0);
      clock.skip(59_000);
      expect(await left()).toBe(0);
      mend();
      clock.skip(1000);
      expect((await ask(SITES)).errors).toBeUndefined();
      expect(await left()).toBe(13);
    });
  });

  it('counts results with errors by code, over HTTP and websocket', async () => {
    const before = await readMetrics(gateway.url);
    const past = { 'Cache-Control': 'no-cache' };
    gateway.sandbox.faults.add({ match: '/v2.0/user', status: 400 });
    // Both fields of the operation fail with the same code.
    const query = '{ users { totalCount } more: users(first: 1) { totalCount } }';
    await gateway.query(query, {}, past);
    await gateway.query('{ nothing }');
    const socket = connectSocket(gateway.url);
    await socket.first(query);
    await socket.client.dispose();
    await socket.closed;
    const after = await readMetrics(gateway.url);
    const grown = (code: string) => {
      const place = `fieldgraph_operation_errors_total{code="${code}"}`;
      return metricIn(after, place) - metricIn(before, place);
    };
    expect([grown('PLATFORM_REFUSED'), grown('GRAPHQL_VALIDATION_FAILED')]).toEqual([2, 1]);
  });

  it('has cumulative buckets that end at the count', async () => {
    const { text } = await readMetrics(gateway.url);
    const line = /^fieldgraph_operation_duration_seconds_bucket\{response="executed".*\} (\d+)$/gm;
    const buckets = [...text.matchAll(line)];
    const values = buckets.map(([, value]) => Number(value));
    expect(values).toEqual([...values].sort((a, b) => a - b));
    const count = metricIn({ text }, 'fieldgraph_operation_duration_seconds_count{response="executed"}');
    expect(values.at(-1)).toBe(count);
  });

  it('counts open websockets, streams and subscriptions', async () => {
    const listener = listen(gateway.url, {}, LISTEN_BARE);
    await expect
      .poll(async () =>
        metricIn(await readMetrics(gateway.url), 'fieldgraph_subscriptions{transport="websocket"}'),
      )
      .toBe(1);
    expect(metricIn(await readMetrics(gateway.url), 'fieldgraph_websocket_connections')).toBe(1);
    const stream = await openStream(gateway.url, { query: LISTEN_BARE });
    expect(metricIn(await readMetrics(gateway.url), 'fieldgraph_stream_connections')).toBe(1);
    stream.close();
    await listener.leave();
    await expect
      .poll(async () =>
        metricIn(await readMetrics(gateway.url), 'fieldgraph_subscriptions{transport="websocket"}'),
      )
      .toBe(0);
    expect(metricIn(await readMetrics(gateway.url), 'fieldgraph_stream_connections')).toBe(0);
  });

  it('counts deliveries, their delay, resumes and polls, and the poll lag', async () => {
    const before = await readMetrics(gateway.url);
    const listener = listen(gateway.url, { kinds: ['SCALAR'] }, LISTEN_BARE);
    const lag = 'fieldgraph_poll_lag_seconds{kind="SCALAR"}';
    await expect.poll(async () => (await readMetrics(gateway.url)).text).toContain(lag);
    const { run } = createQueries(gateway.sandbox.database);
    run(
      `INSERT INTO scalar_sample SELECT (SELECT max(id) FROM scalar_sample) + 1, min(stream_id), ?, 1 FROM scalar_sample
        WHERE stream_id IN (SELECT id FROM stream WHERE account_id = ?)`,
      Math.floor(runningClock.now() / 1000),
      gateway.accountId,
    );
    await expect.poll(() => listener.ids()).toHaveLength(1);
    const now = await readMetrics(gateway.url);
    const grown = (place: string) => metricIn(now, place) - metricIn(before, place);
    expect(grown('fieldgraph_subscription_deliveries_total{transport="websocket"}')).toBe(1);
    expect(grown('fieldgraph_subscription_delay_seconds_count{transport="websocket"}')).toBe(1);
    expect(grown('fieldgraph_polls_total{kind="SCALAR",outcome="success"}')).toBeGreaterThan(0);
    expect(metricIn(now, lag)).toBeLessThan(60);
    const resumed = listen(gateway.url, { kinds: ['SCALAR'], after: listener.ids()[0] }, LISTEN_BARE);
    await expect
      .poll(async () => metricIn(await readMetrics(gateway.url), 'fieldgraph_subscription_resumes_total'))
      .toBe(1);
    await Promise.all([listener.leave(), resumed.leave()]);
  });

  it('contains no caller, id or address', async () => {
    const { streams } = await gateway.ask<{ streams: { nodes: { platformId: string }[] } }>(
      'query Secretive { streams(first: 1) { nodes { platformId threshold { status } } } }',
    );
    await gateway.query('{ nothing }', {}, { 'X-Request-Id': 'request-4711' });
    const { text } = await readMetrics(gateway.url);
    // The digits of a value may be those of an id by chance.
    const names = text.replace(/ [\d.e+-]+$/gm, '');
    expect(names).toContain('{streamId}');
    expect(names).not.toMatch(/4711|Secretive|127\.0\.0\.1|http:/);
    expect(names).not.toContain(required(streams.nodes[0]).platformId);
  });
});

describe('access to /metrics', () => {
  let keys: KeysFile;
  const key = async (grant: Parameters<KeysFile['add']>[0]) => ({ 'X-API-Key': await keys.add(grant) });

  beforeAll(async () => {
    keys = await createKeysFile();
  });

  it('is granted by default to API keys that read the whole account', async () => {
    const reader = await key({ scopes: ['read'] });
    const writer = await key({ name: 'writer', scopes: ['write'] });
    const restricted = await key({ name: 'restricted', scopes: ['read'], organizations: [1] });
    const callerAuth = { kind: 'api-key' as const, file: keys.file };
    const { url } = await startTestGateway({ gateway: { callerAuth } });
    expect(await statusOf(url)).toBe(401);
    expect(await statusOf(url, { 'X-API-Key': 'wrong' })).toBe(401);
    expect(await statusOf(url, reader)).toBe(200);
    expect(await statusOf(url, { Authorization: `Bearer ${reader['X-API-Key']}` })).toBe(200);
    expect(await statusOf(url, writer)).toBe(403);
    expect(await statusOf(url, restricted)).toBe(403);
  });

  it('is denied by default where callers bring their own credentials, without a REST call', async () => {
    const gateway = await startTestGateway({ gateway: { callerAuth: { kind: 'platform' } } });
    const [{ key: user, secret }] = gateway.sandbox.credentials;
    const Authorization = `Basic ${Buffer.from(`${user}:${secret}`).toString('base64')}`;
    expect(await statusOf(gateway.url)).toBe(401);
    expect(await statusOf(gateway.url, { Authorization })).toBe(403);
    expect(gateway.restCalls({ withToken: true })).toEqual([]);
  });

  it('is granted to every caller with `open`, and the page includes callers’ connections', async () => {
    const callerAuth = { kind: 'platform' as const };
    const gateway = await startTestGateway({ gateway: { callerAuth, metrics: 'open' } });
    const [{ key: user, secret }] = gateway.sandbox.credentials;
    const Authorization = `Basic ${Buffer.from(`${user}:${secret}`).toString('base64')}`;
    await gateway.query(SITES, {}, { Authorization });
    const page = await readMetrics(gateway.url);
    expect(metricIn(page, 'fieldgraph_rest_calls_total{endpoint="GET /v2.0/site",outcome="2xx"}')).toBe(1);
    expect(metricIn(page, 'fieldgraph_breaker_state{family="site"}')).toBe(0);
    expect(page.text).not.toMatch(/^fieldgraph_token_requests_left/m);
  });

  it('counts credentials that are refused, over HTTP and websockets', async () => {
    const callerAuth = { kind: 'api-key' as const, file: keys.file };
    const gateway = await startTestGateway({ gateway: { callerAuth, metrics: 'open' } });
    const wrong = { 'X-API-Key': 'wrong' };
    await gateway.query(SITES, {}, wrong);
    expect((await connectSocket(gateway.url, { params: wrong }).closed).code).toBe(4401);
    const refused = 'fieldgraph_operations_refused_total{code="UNAUTHENTICATED"}';
    expect(metricIn(await readMetrics(gateway.url), refused)).toBe(2);
  });

  it('is denied to every caller with `off`', async () => {
    const { url } = await startTestGateway({ gateway: { metrics: 'off' } });
    expect(await statusOf(url)).toBe(404);
  });
});
