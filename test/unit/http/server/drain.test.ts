/** Pipelined responses end with their connection, and a stop leaves clients with idle connections time. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { connect as connectSecurely } from 'node:tls';
import { expect, it, onTestFinished } from 'vitest';
import { Drain } from '../../../../src/http/server/drain.js';

const pem = readFileSync(new URL('../../../support/http/testCertificate.pem', import.meta.url), 'utf8');
const REQUESTS = 3;
const servers = {
  http: { start: () => createServer(), connect: (port: number) => connect(port, '127.0.0.1') },
  https: {
    start: () => createSecureServer({ cert: pem, key: pem }),
    connect: (port: number) => connectSecurely({ port, host: '127.0.0.1', rejectUnauthorized: false }),
  },
};

it.each(['http', 'https'] as const)('over %s', async (scheme) => {
  const server = servers[scheme].start();
  const statuses: number[] = [];
  const drain = new Drain(server, (status) => void statuses.push(status));
  const responses: ServerResponse[] = [];
  const arrived = new Promise<void>((resolve) => {
    server.on('request', (_, response) => {
      drain.refuses(response);
      if (responses.push(response) === REQUESTS) resolve();
    });
  });
  server.listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const client = servers[scheme].connect((server.address() as AddressInfo).port);
  client.on('error', () => undefined);
  client.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(REQUESTS));
  await arrived;
  const closed = Promise.all(responses.map((response) => once(response, 'close')));
  client.destroy();
  await closed;
  expect(statuses).toEqual(Array(REQUESTS).fill(499));
});

it('a TLS server closes connections whose handshake has not ended', async () => {
  const server = servers.https.start();
  const drain = new Drain(server, () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const connected = once(server, 'connection');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const closed = once(client, 'close');
  await connected;
  await drain.close(0);
  await closed;
});

it('closes upgraded connections when the gateway has finished with them', async () => {
  const server = servers.http.start();
  const drain = new Drain(server, () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  server.on('upgrade', (_, socket) => socket.write('HTTP/1.1 101 Switching Protocols\r\n\r\n'));
  const client = servers.http.connect((server.address() as AddressInfo).port);
  client.write('GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
  await once(client, 'data');
  const order: string[] = [];
  client.on('close', () => order.push('closed'));
  // Longer than the time in which the server closes all connections.
  const upgraded = setTimeout(500).then(() => order.push('finished'));
  await drain.close(0, 0, upgraded);
  if (!client.closed) await once(client, 'close');
  expect(order).toEqual(['finished', 'closed']);
});

it.each(['http', 'https'] as const)(
  'a client with an idle connection gets a refusal over %s',
  async (scheme) => {
    const server = servers[scheme].start();
    const drain = new Drain(server, () => undefined);
    server.on('request', (_, response) => void response.writeHead(drain.refuses(response) ? 503 : 200).end());
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const client = servers[scheme].connect((server.address() as AddressInfo).port);
    client.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    expect(String(await once(client, 'data'))).toMatch(
      /^HTTP\/1.1 200 [\s\S]*\r\nConnection: keep-alive\r\n/,
    );

    // Ends as soon as the last client has disconnected.
    const stopped = drain.close(0, 600_000);
    client.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    expect(String(await once(client, 'data'))).toMatch(/^HTTP\/1.1 503 [\s\S]*\r\nConnection: close\r\n/);
    await stopped;
  },
);
