/** No response body, however large or broken, uses more memory than the bound on bodies. */

import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { toText } from '../../../src/rest/transport/platformRequest.js';
import {
  SITES,
  send,
  startResilience,
  untilSocketsAreClosed,
} from '../../support/rest/resilientTransport.js';
import { WAIT_MS } from '../../support/waiting.js';

const { sandbox, createPlatform, get } = await startResilience();
const servers: Server[] = [];

afterAll(() => {
  for (const server of servers) server.close();
});

const MEGABYTE = 1_000_000;

/** A server with the faults that the sandbox cannot produce. */
async function listen(server: Server): Promise<string> {
  servers.push(server.listen(0, '127.0.0.1'));
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function serve(result: RequestListener): Promise<string> {
  return listen(createServer(result));
}

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

function bytesInUse(): number {
  collectGarbage();
  const { arrayBuffers, heapUsed } = process.memoryUsage();
  return arrayBuffers + heapUsed;
}

describe('a body of 200 MB', () => {
  it('is refused by its Content-Length, without a retry, and leaves no memory behind', async () => {
    const { platform } = createPlatform();
    expect(await send(platform, get(SITES))).toBe(200);
    const before = bytesInUse();
    sandbox.faults.add({ match: SITES, body: Buffer.alloc(200 * MEGABYTE, ' ') });
    sandbox.calls.reset();
    expect(await send(platform, get(SITES))).toBe('PLATFORM_BAD_RESPONSE');
    expect(sandbox.calls.total()).toBe(1);
    sandbox.faults.clear();
    expect(await send(platform, get(SITES))).toBe(200);
    // The sandbox is in this process too: it frees the body after its end of the socket is closed.
    const isBack = () => expect(bytesInUse() - before).toBeLessThan(50 * MEGABYTE);
    await vi.waitFor(isBack, { timeout: WAIT_MS, interval: 100 });
  });

  it('is read little further than the bound without a Content-Length', async () => {
    let written = 0;
    const url = await serve((_, response) => {
      const chunk = Buffer.alloc(MEGABYTE, ' ');
      const writeOn = () => {
        while (written < 200 * MEGABYTE && !response.destroyed) {
          written += chunk.length;
          if (!response.write(chunk)) return void response.once('drain', writeOn);
        }
      };
      writeOn();
    });
    const { platform } = createPlatform({ url });
    expect(await send(platform, get(SITES))).toBe('PLATFORM_BAD_RESPONSE');
    await untilSocketsAreClosed();
    expect(written).toBeLessThan(50 * MEGABYTE);
  });

  it('is decompressed no further than the bound', async () => {
    const packed = gzipSync(Buffer.alloc(200 * MEGABYTE, ' '));
    const url = await serve((_, response) => {
      response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(packed);
    });
    const { platform } = createPlatform({ url });
    const before = bytesInUse();
    expect(await send(platform, get(SITES))).toBe('PLATFORM_BAD_RESPONSE');
    expect(bytesInUse() - before).toBeLessThan(50 * MEGABYTE);
  });
});

/** A platform that sends this text on each connection. */
async function startPlatformWith(text: string) {
  let connections = 0;
  const url = await listen(
    createTcpServer((socket) => {
      connections++;
      socket.on('error', () => {});
      socket.once('data', () => socket.end(text));
    }),
  );
  return { ...createPlatform({ url }), connections: () => connections };
}

describe('a response', () => {
  it.each([
    ['that is not HTTP', 'SSH-2.0-OpenSSH_9.6\r\n'],
    [
      'that cannot be decompressed',
      'HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 4\r\n\r\nabcd',
    ],
  ])('%s is not requested again', async (_, text) => {
    const { platform, connections } = await startPlatformWith(text);
    expect(await send(platform, get(SITES))).toBe('PLATFORM_BAD_RESPONSE');
    expect(connections()).toBe(1);
  });

  const inPart = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n';
  it.each([
    ['is shorter than announced', 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n[1'],
    ['… on its last connection', 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\nConnection: close\r\n\r\n[1'],
    ['ends within a chunk', `${inPart}\r\n9\r\n[1`],
    ['… on its last connection', `${inPart}Connection: close\r\n\r\n9\r\n[1`],
    ['ends before its last chunk', `${inPart}Connection: close\r\n\r\n2\r\n[]\r\n`],
    ['ends within its headers', 'HTTP/1.1 200 OK\r\nContent-Le'],
    ['ends before it begins', ''],
  ])('that %s is requested again, and never accepted as complete', async (_, text) => {
    const { platform, connections } = await startPlatformWith(text);
    expect(await send(platform, get(SITES))).toBe('PLATFORM_UNAVAILABLE');
    expect(connections()).toBe(3);
  });

  it.each([
    ['gzip', gzipSync],
    ['x-gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ])('compressed with %s is decompressed', async (encoding, pack) => {
    const url = await serve((request, response) => {
      if (!/gzip.*deflate.*br/.test(String(request.headers['accept-encoding'])))
        return void response.end('no');
      response.setHeader('Content-Encoding', encoding).end(pack('["ä"]'));
    });
    const { platform } = createPlatform({ url });
    expect(toText((await platform.send(get(SITES))).body)).toBe('["ä"]');
  });

  it('that is compressed, starts with a byte order mark, or has characters split over packets, is read', async () => {
    const text = '["Zürich 🌡️"]';
    const bytes = Buffer.from(`\uFEFF${text}`);
    const url = await serve(async (request, response) => {
      if (request.url === '/packed')
        return void response.setHeader('Content-Encoding', 'gzip').end(gzipSync(bytes));
      for (const byte of bytes) {
        response.write(Buffer.of(byte));
        await new Promise((resolve) => setImmediate(resolve));
      }
      response.end();
    });
    const { platform } = createPlatform({ url });
    for (const path of ['/packed', '/split']) {
      expect(toText((await platform.send(get(SITES, { path }))).body)).toBe(text);
    }
  });
});
