/** The HTTP server: headers on every response, slow and oversized clients, and graceful shutdown. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { createClient } from 'graphql-ws';
import { describe, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import type { GatewayOptions } from '../../../src/gateway/gatewayOptions.js';
import { queryGateway, startGatewayFor, startTestGateway } from '../../support/gateway.js';
import { until } from '../../support/http/edgeGateway.js';
import { openConnection, postText } from '../../support/http/rawConnection.js';
import { createGate, WAIT_MS } from '../../support/waiting.js';

describe('every response', () => {
  it('has nosniff, forbids frames and scripts, and carries its request id', async () => {
    const { url } = await startTestGateway({ sandbox: { siteCount: 1 } });
    const paths = [
      '/',
      '/explorer/none',
      '/graphql',
      '/graphql?query={__typename}',
      '/healthz',
      '/readyz',
      '/nowhere',
    ];
    for (const path of paths) {
      const { headers } = await fetch(url + path, { redirect: 'manual' });
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('x-frame-options')).toBe('DENY');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('x-request-id')).toMatch(/^[\w-]{36}$/);
      expect(headers.get('content-security-policy')).toMatch(/default-src 'none'.*frame-ancestors 'none'/);
      expect(headers.get('content-security-policy')?.includes('script-src')).toBe(
        /^\/(explorer.*)?$/.test(path),
      );
    }
  });
});

/** The responses on a raw connection until it closes. */
async function exchange(url: string, run: (socket: Socket) => void): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  run(socket);
  return text(socket);
}

describe('a client', () => {
  const timeouts = { headersMs: 1000, requestMs: 1500, checkMs: 100 };

  it.each([
    ['its headers', 'POST /graphql HTTP/1.1\r\nHost: localhost\r\n'],
    [
      'its body',
      'POST /graphql HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{',
    ],
  ])('that is slow with %s is disconnected', async (_, bytes) => {
    const { url, ask } = await startTestGateway({ sandbox: { siteCount: 1 }, gateway: { timeouts } });
    const response = await exchange(url, (socket) => socket.write(bytes));
    expect(response).toMatch(/^HTTP\/1\.1 408 /);
    expect(response).toMatch(/"code":"BAD_REQUEST"/);
    await ask('{ __typename }');
  });

  it.each([
    ['headers of 20 kB', '/healthz', `A: ${'a'.repeat(20_000)}\r\n`],
    ['3,000 headers', '/healthz', 'A: aaaaaaa\r\n'.repeat(3000)],
    ['a URL of 20 kB', `/graphql?query=${'a'.repeat(20_000)}`, ''],
  ])('with %s is refused', async (_, target, headers) => {
    const { url } = await startTestGateway({ sandbox: { siteCount: 1 } });
    const response = await exchange(url, (socket) =>
      socket.write(`GET ${target} HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n`),
    );
    expect(response).toMatch(/^HTTP\/1\.1 431 /);
    expect(response).toContain('The URL and the headers are too long, or');
  });
});

describe('a visit of /graphql by a browser', () => {
  it('opens the explorer with the query of the address', async () => {
    const { url } = await startTestGateway({ sandbox: { siteCount: 1 } });
    const visit = async (address: string, headers?: Record<string, string>) => {
      const init = { headers: { Accept: 'text/html,*/*;q=0.8', ...headers }, redirect: 'manual' } as const;
      const { status, headers: received } = await fetch(url + address, init);
      return [status, received.get('location')];
    };
    expect(await visit('/graphql')).toEqual([303, '/']);
    const search = '?query=%7B__typename%7D&variables=%7B%7D';
    expect(await visit(`/graphql${search}`)).toEqual([303, `/${search}`]);
    expect(await visit(`/graphql${search}`, { 'Apollo-Require-Preflight': 'true' })).toEqual([200, null]);
  });
});

describe('a request with an absolute target', () => {
  const body = '{"query":"{ __typename }"}';
  const absolute = (target: string) => postText(body).replace('/graphql', target);

  it('is served like its path, but only for the host in the header', async () => {
    const { url } = await startTestGateway({ sandbox: { siteCount: 1 } });
    const { send } = await openConnection(url);
    const statuses: (number | undefined)[] = [];
    for (const target of ['http://localhost/graphql', 'HTTPS://LOCALHOST/graphql?x', 'http://other/graphql'])
      statuses.push((await send(absolute(target)))[0]?.status);
    expect(statuses).toEqual([200, 200, 404]);
    const [page] = await send(
      'GET http://localhost HTTP/1.1\r\nHost: localhost\r\nAccept: text/html\r\n\r\n',
    );
    expect([page?.status, page?.body]).toEqual([200, expect.stringContaining('<html')]);
  });
});

describe('a connection', () => {
  const page = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n';

  it('opens a few files at a time, and continues', async () => {
    const { url } = await startTestGateway({ sandbox: { siteCount: 1 } });
    const { send } = await openConnection(url);
    for (let round = 0; round < 2; round++) {
      const responses = await send(page.repeat(8), 8);
      expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 400, 400, 400]);
      expect(responses.at(-1)?.body).toMatch(/^Wait for the previous/);
    }
    expect((await send(page))[0]?.status).toBe(200);
  });

  it('is cut when more than 100 requests wait for an earlier response', async () => {
    const { url } = await startTestGateway({ sandbox: { siteCount: 1 } });
    const headers = 'Host: localhost\r\nApollo-Require-Preflight: 1\r\n';
    const query = `GET /graphql?query={__typename} HTTP/1.1\r\n${headers}\r\n`;
    const { send, socket } = await openConnection(url);
    expect(await send(query.repeat(101), 101)).toHaveLength(101);
    const closed = new Promise((resolve) => socket.on('error', () => undefined).once('close', resolve));
    await expect(send(query.repeat(600), 600)).rejects.toThrow(/ECONNRESET|It ended after/);
    await closed;
    const [response] = await (await openConnection(url)).send(query);
    expect(response?.status).toBe(200);
  });

  it('is closed after a request with headers that Node would drop, such as the address of a proxy', async () => {
    const { url } = await startTestGateway({
      sandbox: { siteCount: 1 },
      gateway: { trustedProxies: ['127.0.0.1'] },
    });
    const withHeaders = (count: number) =>
      page.replace('\r\n\r\n', `\r\n${'X: y\r\n'.repeat(count)}X-Forwarded-For: 192.0.2.1\r\n\r\n`);
    const { send } = await openConnection(url);
    expect((await send(withHeaders(98)))[0]?.status).toBe(200);
    const [refused] = await send(withHeaders(99));
    expect(refused).toMatchObject({ status: 431, body: expect.stringContaining('more than 100 headers') });
    expect(refused?.headers).toContainEqual(['Connection', 'close']);
    const { send: upgrade } = await openConnection(url);
    const offer = 'Connection: Upgrade\r\nUpgrade: websocket\r\n';
    const [refusedUpgrade] = await upgrade(withHeaders(99).replace('X: y\r\n', offer));
    expect(refusedUpgrade).toMatchObject({
      status: 431,
      body: expect.stringContaining('more than 100 headers'),
    });
  });

  it.each([
    ['hosts', 'Host', 'host: evil.example'],
    ['credentials', 'Authorization', 'Authorization: Bearer a\r\nauthorization: Bearer b'],
  ])(
    'is closed after a request with two %s, of which a proxy may have checked the other',
    async (_, name, added) => {
      const { url } = await startTestGateway({ sandbox: { siteCount: 1 } });
      const request = page.replace('\r\n\r\n', `\r\n${added}\r\n\r\n`);
      const offer = 'Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n';
      for (const text of [request, request.replace('\r\n\r\n', `\r\n${offer}`)]) {
        const { send } = await openConnection(url);
        const [refused] = await send(text);
        expect(refused).toMatchObject({
          status: 400,
          body: expect.stringContaining(`more than one ${name} header`),
        });
        expect(refused?.headers).toContainEqual(['Connection', 'close']);
      }
    },
  );
});

it('a client that resets the connection of a refused websocket does not end the process', async () => {
  const { url } = await startTestGateway({ sandbox: { siteCount: 1 } });
  const failures: unknown[] = [];
  const listener = (error: unknown) => failures.push(error);
  process.on('uncaughtException', listener);
  try {
    const socket = connect({ host: '127.0.0.1', port: Number(new URL(url).port), allowHalfOpen: true });
    socket.write(
      'GET /graphql HTTP/1.1\r\nHost: localhost\r\nHost: other\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
    );
    const [refusal] = await once(socket, 'data');
    expect(String(refusal)).toMatch(/^HTTP\/1.1 400 .*more than one Host header/s);
    socket.resetAndDestroy();
    for (let round = 0; round < 3; round++) expect((await fetch(`${url}/healthz`)).status).toBe(200);
  } finally {
    process.off('uncaughtException', listener);
  }
  expect(failures).toEqual([]);
});

/** Since version 24.9, Node itself serves such requests. Before, the gateway reads them again. */
const canIgnoreUpgrades = 'shouldUpgradeCallback' in createServer();

describe('a request that offers another protocol', () => {
  const offer = {
    Connection: 'Upgrade, HTTP2-Settings',
    Upgrade: 'h2c',
    'HTTP2-Settings': 'AAMAAABkAAQAAP__',
    'X-Request-Id': 'offer',
  };
  const request = postText('{"query":"{ __typename }"}', offer);
  const middle = request.length - 10;

  it.each([
    ['in one piece', [request]],
    ['with its body in two pieces', [request.slice(0, middle), request.slice(middle)]],
  ])('%s gets the same response as without the offer, and its connection stays usable', async (_, pieces) => {
    // Node warns of more than ten listeners.
    const warnings = vi.spyOn(process, 'emitWarning');
    const { url } = await startTestGateway({ sandbox: { siteCount: 1 } });
    const { send } = await openConnection(url);
    for (let round = 0; round < 12; round++) {
      const [response] = await send(pieces);
      expect([response?.status, response?.body.trim()]).toEqual([200, '{"data":{"__typename":"Query"}}']);
      expect(response?.headers).toContainEqual(['X-Request-Id', 'offer']);
    }
    const [health] = await send('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n');
    expect(health?.status).toBe(200);
    expect(warnings).not.toHaveBeenCalled();
  });

  it('keeps the wish to close the connection', async () => {
    const { url } = await startTestGateway({ sandbox: { siteCount: 1 } });
    const { send } = await openConnection(url);
    const [response] = await send(
      postText('{"query":"{ __typename }"}', { ...offer, Connection: 'close, Upgrade' }),
    );
    expect(response?.headers).toContainEqual(['Connection', 'close']);
  });

  it.skipIf(canIgnoreUpgrades)('ends its connection if Node cannot pass on all headers', async () => {
    const { url } = await startTestGateway({ sandbox: { siteCount: 1 } });
    const { socket } = await openConnection(url);
    const many = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`X-${index}`, 'x']));
    const received: Promise<string> = text(socket);
    // Without its length, the body would be a request.
    socket.write(postText('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n', { ...offer, ...many }));
    const responses = await received;
    expect(responses).toMatch(/^HTTP\/1\.1 431 /);
    expect(responses.split('HTTP/1.1 ')).toHaveLength(2);
  });

  it.skipIf(canIgnoreUpgrades)(
    'ends its connection where a response is pending, and nothing else',
    async () => {
      const { url, sandbox, query } = await startTestGateway({ sandbox: { siteCount: 1 } });
      sandbox.faults.add({ match: '/v2.0/user', hangBeforeHeaders: true });
      const { socket } = await openConnection(url);
      const closed = once(socket, 'close');
      socket.write(postText('{"query":"{ users { totalCount } }"}') + request);
      await closed;
      expect((await query('{ __typename }')).status).toBe(200);
    },
  );
});

/** A gateway with a slow platform. */
async function startSlow(latencyMs: number, options: Partial<GatewayOptions> = {}) {
  const { sandbox, stop } = await startTestGateway({ sandbox: { siteCount: 1 } });
  sandbox.faults.add({ match: '/v2.0/site', latencyMs });
  const [{ key, secret }] = sandbox.credentials;
  const gateway = await startGatewayFor({ url: sandbox.url, key, secret }, options);
  return { gateway, sandbox, stopAll: async () => void (await Promise.all([gateway.stop(), stop()])) };
}

type Started = Awaited<ReturnType<typeof startSlow>>;

/** Begins to stop the gateway while a request waits for the platform. `endRequest` cancels it, so that the stop ends. */
async function stopDuringRequest({ url, stop }: Started['gateway'], { calls }: Started['sandbox']) {
  const leaving = new AbortController();
  const request = fetch(`${url}/graphql?query={sites{totalCount}}`, {
    headers: { 'Apollo-Require-Preflight': '1' },
    signal: leaving.signal,
  }).catch(() => undefined);
  await until(() => calls.countOf('/v2.0/site') === 1);
  const stopped = stop();
  return {
    async endRequest() {
      leaving.abort();
      await Promise.all([request, stopped]);
    },
  };
}

describe('a gateway that shuts down', () => {
  it('finishes running requests, refuses new ones with 503, and exits', async () => {
    const { gateway, sandbox, stopAll } = await startSlow(0);
    const { url } = gateway;
    const { open: release, opened: released } = createGate();
    sandbox.faults.clear();
    sandbox.faults.add({ match: '/v2.0/site', until: released });
    const underWay = queryGateway(url, '{ sites { totalCount } }');
    const waiting = connect(Number(new URL(url).port), '127.0.0.1');
    await Promise.all([once(waiting, 'connect'), until(() => sandbox.calls.countOf('/v2.0/site') === 1)]);
    const stopped = gateway.stop();
    const refused = await fetch(`${url}/healthz`);
    expect(refused.status).toBe(503);
    expect(refused.headers.get('connection')).toBe('close');
    expect(await refused.json()).toMatchObject({
      errors: [{ extensions: { code: 'STOPPING', retryable: true } }],
    });
    release();
    const { status, headers, body } = await underWay;
    expect({ status, body }).toEqual({ status: 200, body: { data: { sites: { totalCount: 1 } } } });
    expect(headers.get('connection')).toBe('close');
    await stopped;
    await expect(fetch(`${url}/healthz`)).rejects.toThrow();
    await until(() => waiting.destroyed || waiting.readableEnded || !waiting.resume());
    waiting.destroy();
    await stopAll();
  });

  it.each([[], ['127.0.0.1']])('refuses websockets, with TRUSTED_PROXIES=%s', async (...trustedProxies) => {
    const { gateway, sandbox, stopAll } = await startSlow(WAIT_MS, { trustedProxies });
    const { endRequest } = await stopDuringRequest(gateway, sandbox);
    const upgrade = [
      ...['GET /graphql HTTP/1.1', 'Host: localhost', 'Connection: Upgrade', 'Upgrade: websocket'],
      ...['Sec-WebSocket-Version: 13', 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==', '', ''],
    ];
    await until(async () => (await fetch(`${gateway.url}/healthz`)).status === 503);
    const response = await exchange(gateway.url, (socket) => socket.write(upgrade.join('\r\n')));
    expect(response).toMatch(/^HTTP\/1\.1 503 /);
    await endRequest();
    await stopAll();
  });

  it('destroys connections of EventSource, which then reconnects, and lets pages of other sites read the reason', async () => {
    const origin = 'https://dashboard.example.com';
    const callerLimits = { corsOrigins: [origin] };
    const { gateway, sandbox, stopAll } = await startSlow(WAIT_MS, { callerLimits });
    const { endRequest } = await stopDuringRequest(gateway, sandbox);
    await until(async () => (await fetch(`${gateway.url}/healthz`)).status === 503);
    const send = (method: string, headers: Record<string, string>) =>
      fetch(`${gateway.url}/graphql?query={__typename}`, { method, headers: { Origin: origin, ...headers } });
    await expect(send('GET', { Accept: 'text/event-stream' })).rejects.toThrow('fetch failed');
    for (const response of [
      await send('GET', { Accept: 'application/json, text/event-stream' }),
      await send('POST', { Accept: 'text/event-stream' }),
    ]) {
      expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([503, origin]);
    }
    const preflight = await send('OPTIONS', { 'Access-Control-Request-Method': 'POST' });
    expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([204, origin]);
    await endRequest();
    await stopAll();
  });

  it('closes websockets with "going away", and does not wait for unresponsive ones', async () => {
    const { gateway, stopAll } = await startSlow(0);
    const closed = new Promise<unknown>((resolve) => {
      const client = createClient({
        url: `${gateway.url.replace('http', 'ws')}/graphql`,
        webSocketImpl: WebSocket,
        lazy: false,
        retryAttempts: 0,
        on: { connected: () => void gateway.stop(), closed: resolve },
        onNonLazyError: () => {},
      });
      void client;
    });
    expect(await closed).toMatchObject({ code: 1001 });
    await gateway.stop();
    await stopAll();
  });
});
