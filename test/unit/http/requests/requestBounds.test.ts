/** Connections with input that is not HTTP end, whatever their clients do. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import { expect, it, onTestFinished, vi } from 'vitest';
import { refuseMalformed } from '../../../../src/http/requests/requestBounds.js';
import { WAIT } from '../../../support/waiting.js';

const pem = readFileSync(new URL('../../../support/http/testCertificate.pem', import.meta.url), 'utf8');
const GARBAGE = 'no HTTP\r\n\r\n';

/** Connects a client that never ends its side. */
async function open(server: Server) {
  server.on('clientError', refuseMalformed);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const client = connect({ port, host: '127.0.0.1', allowHalfOpen: true }).on('error', () => undefined);
  onTestFinished(() => void client.destroy());
  let text = '';
  client.on('data', (chunk) => {
    text += String(chunk);
  });
  const connections = () =>
    new Promise<number>((resolve) => server.getConnections((_, count) => resolve(count)));
  const untilClosed = () => vi.waitFor(async () => expect(await connections()).toBe(0), WAIT);
  return { client, text: () => text, untilClosed };
}

it('the client gets an error, and is disconnected although it stays', async () => {
  const { client, text, untilClosed } = await open(createServer());
  client.write(GARBAGE);
  await untilClosed();
  await vi.waitFor(() => expect(text()).toMatch(/^HTTP\/1\.1 400 .*"code":"BAD_REQUEST"/s), WAIT);
});

it('a connection without a TLS handshake ends', async () => {
  const { client, untilClosed } = await open(
    createSecureServer({ cert: pem, key: pem, handshakeTimeout: 50 }),
  );
  await once(client, 'connect');
  await untilClosed();
});

it('the error follows a response that has begun', async () => {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'Content-Length': 5 }).write('be');
    server.once('clientError', () => response.end('gun'));
  });
  const { client, text, untilClosed } = await open(server);
  client.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  await vi.waitFor(() => expect(text()).toContain('be'), WAIT);
  client.write(GARBAGE);
  await untilClosed();
  await vi.waitFor(() => expect(text()).toMatch(/begunHTTP\/1\.1 400 .*"code":"BAD_REQUEST"/s), WAIT);
});

it('a client that sends on until a response has ended gets one error', async () => {
  const reports = 5;
  let reported = 0;
  const listeners = new Set<number>();
  const server = createServer((_, response) => {
    response.writeHead(200, { 'Content-Length': 5 }).write('be');
    server.on('clientError', () => {
      reported += 1;
      listeners.add(response.listenerCount('finish'));
      if (reported < reports) client.write('more');
      else response.end('gun');
    });
  });
  const { client, text, untilClosed } = await open(server);
  client.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  await vi.waitFor(() => expect(text()).toContain('be'), WAIT);
  client.write(GARBAGE);
  await untilClosed();
  expect(reported).toBe(reports);
  expect(listeners.size).toBe(1);
  await vi.waitFor(() => expect(text().match(/BAD_REQUEST/g)).toHaveLength(1), WAIT);
});

it('no error gets into a response that does not end', async () => {
  const server = createServer((_, response) => void response.write('begun'));
  const { client, text, untilClosed } = await open(server);
  client.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  await vi.waitFor(() => expect(text()).toContain('begun'), WAIT);
  client.write(GARBAGE);
  await untilClosed();
  expect(text()).not.toContain('BAD_REQUEST');
});
