/** The head of a cached response that is written as one text has the same bytes as one that Node writes. */
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { toCachedResponse } from '../../../../src/http/responseCache/cachedResponse.js';
import { createCompressor } from '../../../../src/http/responses/compressor.js';
import { canWriteTextHead, createResponseSender } from '../../../../src/http/responses/sendResponse.js';
import { silentLogger } from '../../../../src/lib/logger.js';

const NOW_MS = Date.UTC(2026, 0, 1);
const JSON_TYPE = 'application/json; charset=utf-8';
const bodies: Record<string, string> = {
  '/short': '{"data":{"name":"Depot"}}',
  '/utf8': '{"data":{"name":"Kühlhaus ❄"}}',
  '/long': JSON.stringify({ data: 'x'.repeat(10_000) }),
};
/** The sender sends a response to a request with another tag by `writeHead`. */
const OTHER_TAG = 'If-None-Match: "other"\r\n';

async function startServer(prepare: (response: ServerResponse) => void = () => {}): Promise<number> {
  const sender = createResponseSender(createCompressor(), silentLogger);
  const server = createServer((request, response) => {
    prepare(response);
    const cached = toCachedResponse(bodies[request.url ?? ''] ?? '', {
      contentType: JSON_TYPE,
      freshUntilMs: NOW_MS + 5000,
    });
    void sender.sendCached({ request, response, requestId: 'id-1' }, cached, NOW_MS, () => {});
  });
  server.keepAliveTimeout = 65_000;
  server.listen(0, '127.0.0.1');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** Returns all bytes that the server sends until it closes the connection. */
async function exchange(port: number, requests: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.write(requests);
  return (await text(socket)).replaceAll(/^Date: .*GMT\r\n/gm, 'Date: now\r\n');
}

/** A request that keeps the connection open, and another that closes it. */
const twoRequests = (method: string, path: string, header: string) =>
  ['', 'Connection: close\r\n']
    .map((connection) => `${method} ${path} HTTP/1.1\r\nHost: a\r\n${header}${connection}\r\n`)
    .join('');

describe('has the bytes of the ordinary head', () => {
  it.each(Object.keys(bodies).flatMap((path) => ['GET', 'POST', 'HEAD'].map((method) => ({ method, path }))))(
    'for $method $path',
    async ({ method, path }) => {
      const port = await startServer();
      const written = await exchange(port, twoRequests(method, path, ''));
      expect(written).toBe(await exchange(port, twoRequests(method, path, OTHER_TAG)));
      expect(written).toContain('X-Request-Id: id-1\r\nCache-Control: private, max-age=5\r\nETag: "');
      expect(written).toContain('Keep-Alive: timeout=65\r\n');
      expect(written.match(/^Date: now/gm)).toHaveLength(2);
    },
  );

  it('for HTTP/1.0', async () => {
    const port = await startServer();
    const request = (header: string) => `GET /short HTTP/1.0\r\n${header}\r\n`;
    expect(await exchange(port, request(''))).toBe(await exchange(port, request(OTHER_TAG)));
  });

  it('for a client that expects 100 Continue', async () => {
    const port = await startServer();
    const request = (header: string) =>
      `POST /short HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nConnection: close\r\n${header}\r\n`;
    const written = await exchange(port, request(''));
    expect(written).toBe(await exchange(port, request(OTHER_TAG)));
    expect(written).toContain('100 Continue');
  });
});

it('the head is written as one text if no other header is set', async () => {
  const used: boolean[] = [];
  const port = await startServer((response) => used.push(canWriteTextHead(response)));
  await exchange(port, twoRequests('GET', '/short', ''));
  expect(used).toEqual([true, true]);
});

it('the head keeps headers that are set before', async () => {
  const port = await startServer((response) => {
    response.appendHeader('Vary', 'Origin');
    response.setHeader('Connection', 'close');
    expect(canWriteTextHead(response)).toBe(false);
  });
  const written = await exchange(port, 'GET /short HTTP/1.1\r\nHost: a\r\n\r\n');
  expect(written).toContain('Vary: Origin, Accept,');
  expect(written).toContain('Connection: close');
});
