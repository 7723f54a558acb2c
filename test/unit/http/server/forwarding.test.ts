import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it, vi } from 'vitest';
import { isSecure, remoteAddressOf, setOrigin } from '../../../../src/http/rateLimits/remoteAddress.js';
import { Forwarding } from '../../../../src/http/server/forwarding.js';
import { WAIT } from '../../../support/http/live.js';
import { openConnection } from '../../../support/http/rawConnection.js';
import { WAIT_MS } from '../../../support/waiting.js';

const SECRET = 'known to the workers';
const CLIENT = '203.0.113.7';
const stops: (() => unknown)[] = [];

afterEach(async () => {
  await Promise.all(stops.splice(0).map((stop) => stop()));
});

type Serve = (request: IncomingMessage, response: ServerResponse) => void;

/** Two workers on real sockets. Clients reach the first one; `serve` runs in the second one. */
async function startWorkers(serve: Serve, options: { secret?: string; isSecure?: boolean } = {}) {
  const ports = new Map<number, number>();
  const join = (id: number, secret = SECRET) => ({
    id,
    secret,
    announce: async (port: number) => void ports.set(id, port),
    portOf: (worker: number) => (worker === id ? undefined : ports.get(worker)),
  });
  const first = new Forwarding(join(1, options.secret));
  const second = new Forwarding(join(2));
  await second.listen(serve);
  const server: Server = createServer((incoming, response) => {
    setOrigin(incoming, { address: CLIENT, isSecure: options.isSecure ?? false });
    if (!first.forward(incoming, response, 'request-1')) response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  stops.push(
    () => server.closeAllConnections(),
    () => server.close(),
    () => first.close(0),
    () => second.close(0),
  );
  return { first, second, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql`, ports };
}

const withToken = (token: string) => ({ 'X-GraphQL-Event-Stream-Token': token });

it('forwards method, path, body and headers to the worker that the token names', async () => {
  const received: unknown[] = [];
  const { url } = await startWorkers((incoming, response) => {
    let body = '';
    incoming.on('data', (chunk) => {
      body += chunk;
    });
    incoming.on('end', () => respondWith(body, incoming, response));
  });
  const respondWith = (body: string, incoming: IncomingMessage, response: ServerResponse) => {
    const { method, url: path, headers } = incoming;
    received.push({ method, path, body, address: remoteAddressOf(incoming), id: headers['x-request-id'] });
    received.push(Object.keys(headers).filter((name) => /secret|address|scheme|forwarded/.test(name)));
    response.writeHead(202, { 'X-Answer': 'second' }).end('accepted');
  };
  const result = await fetch(`${url}?a=b`, {
    method: 'POST',
    headers: { ...withToken('abc.2'), 'X-Forwarded-For': '198.51.100.1' },
    body: 'text',
  });
  expect(received).toEqual([
    { method: 'POST', path: '/graphql?a=b', body: 'text', address: CLIENT, id: 'request-1' },
    [],
  ]);
  expect([result.status, result.headers.get('X-Answer'), await result.text()]).toEqual([
    202,
    'second',
    'accepted',
  ]);
});

it.each([true, false])('tells the worker whether the request came over TLS: %s', async (isTls) => {
  const received: boolean[] = [];
  const serve: Serve = (incoming, response) => {
    received.push(isSecure(incoming));
    response.end();
  };
  const { url } = await startWorkers(serve, { isSecure: isTls });
  await fetch(url, { headers: withToken('abc.2') });
  expect(received).toEqual([isTls]);
});

it('leaves requests without a token, with a token of no worker, and of this worker', async () => {
  const { url } = await startWorkers(() => expect.unreachable());
  const statusOf = async (headers: Record<string, string>) => (await fetch(url, { headers })).status;
  expect(await statusOf({})).toBe(204);
  expect(await statusOf(withToken('abc'))).toBe(204);
  expect(await statusOf(withToken('abc.1'))).toBe(204);
});

it('refuses a token of a worker that has just died, and leaves that of an unknown one', async () => {
  const { url, ports } = await startWorkers(() => expect.unreachable());
  expect((await fetch(url, { headers: withToken('abc.3') })).status).toBe(204);
  const closed = createServer();
  await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve));
  ports.set(4, (closed.address() as AddressInfo).port);
  await new Promise((resolve) => closed.close(resolve));
  const dead = await fetch(url, { headers: withToken('abc.4') });
  expect([dead.status, await dead.text()]).toEqual([400, expect.stringContaining('Reserve one with PUT')]);
});

it('passes on a refusal that comes before the body was read', async () => {
  const { url } = await startWorkers((_, response) => {
    response.writeHead(413).end('too large');
  });
  const body = Buffer.alloc(8 * 1024 * 1024);
  const result = await new Promise<IncomingMessage>((resolve, reject) => {
    const client = request(url, { method: 'POST', headers: withToken('abc.2') }, resolve);
    client.on('error', reject);
    // The rest of the body may fail after the response.
    client.once('socket', (socket) => socket.on('error', () => {}));
    client.end(body);
  });
  expect(result.statusCode).toBe(413);
  result.resume();
});

it('completes streams before it closes', async () => {
  const { url, first, second } = await startWorkers((_, response) => {
    response.writeHead(200).write('first');
    setTimeout(() => response.end(' last'), 50);
  });
  const result = await fetch(url, { headers: withToken('abc.2') });
  // Both workers stop: the one that forwards, and the one with the stream.
  await Promise.all([first.close(WAIT_MS), second.close(WAIT_MS)]);
  expect(await result.text()).toBe('first last');
});

it('takes requests of its own workers only', async () => {
  const { url } = await startWorkers(() => expect.unreachable(), { secret: 'guessed' });
  expect((await fetch(url, { headers: withToken('abc.2') })).status).toBe(403);
});

it('sends the headers and each event of a stream at once, and ends it when the client disconnects', async () => {
  let ended = false;
  let stream: ServerResponse | undefined;
  const { url } = await startWorkers((_, response) => {
    stream = response;
    response.once('close', () => {
      ended = true;
    });
    response.writeHead(200, { 'Content-Type': 'text/event-stream' }).flushHeaders();
  });
  let text = '';
  const client = request(url, { headers: withToken('abc.2') });
  const headers = await new Promise<IncomingMessage>((resolve) => client.on('response', resolve).end());
  expect(headers.headers['content-type']).toBe('text/event-stream');
  headers.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  stream?.write('event: next\n\n');
  await vi.waitFor(() => expect(text).toBe('event: next\n\n'), WAIT);
  expect(ended).toBe(false);
  client.destroy();
  await vi.waitFor(() => expect(ended).toBe(true), WAIT);
});

it('opens few connections to the worker for the pipelined requests of a client', async () => {
  let count = 0;
  const { url } = await startWorkers((_, response) => {
    count += 1;
    response.writeHead(200, { 'Content-Length': 6 }).end('served');
  });
  const { send } = await openConnection(url);
  const lines = Object.entries(withToken('abc.2')).map(([name, value]) => `${name}: ${value}\r\n`);
  const results = await send(`GET /graphql HTTP/1.1\r\nHost: a\r\n${lines.join('')}\r\n`.repeat(8), 8);
  expect(results.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 400, 400, 400]);
  expect(results.at(-1)?.body).toContain('Wait for the previous responses');
  expect(count).toBe(5);
});

it('ends the response when the worker of a stream exits', async () => {
  const { url } = await startWorkers((_, response) => {
    response.writeHead(200).write('first');
    setTimeout(() => response.destroy(), 20);
  });
  const result = await fetch(url, { headers: withToken('abc.2') });
  await expect(result.text()).rejects.toThrow();
});

it('writes no more than buffers hold to a client that does not read', async () => {
  const chunk = Buffer.alloc(64 * 1024);
  let response: ServerResponse | undefined;
  const { url } = await startWorkers((_, opened) => {
    response = opened.writeHead(200);
    const write = () => {
      while (opened.write(chunk));
    };
    opened.on('drain', write);
    write();
  });
  const client = request(url, { headers: withToken('abc.2') }).end();
  const result = await new Promise<IncomingMessage>((resolve) => client.on('response', resolve));
  result.pause();
  const written = () => response?.socket?.bytesWritten ?? 0;
  let before = -1;
  await vi.waitFor(
    () => {
      const now = written();
      const isSteady = now === before;
      before = now;
      expect(isSteady).toBe(true);
    },
    { ...WAIT, interval: 200 },
  );
  // Buffers of the kernel for two connections.
  expect(written()).toBeLessThan(32 * 1024 * 1024);
  expect(response?.writableNeedDrain).toBe(true);
  client.destroy();
});
