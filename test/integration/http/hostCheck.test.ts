/** The host check of an open gateway on loopback: pages of other sites cannot reach it under their own names. */
import { request } from 'node:http';
import { expect, it } from 'vitest';
import { startTestGateway } from '../../support/gateway.js';
import { openConnection } from '../../support/http/rawConnection.js';
import { openSocket, PROTOCOL } from '../../support/http/socket.js';

/** `fetch` sets the Host header itself. */
async function statusFor(url: string, host: string): Promise<number | undefined> {
  return (await askAs(url, host)).status;
}

function askAs(url: string, host: string): Promise<{ status: number | undefined; text: string }> {
  return new Promise((resolve, reject) => {
    const headers = { Host: host, 'Content-Type': 'application/json' };
    const sent = request(`${url}/graphql`, { method: 'POST', headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('end', () => resolve({ status: response.statusCode, text }));
    });
    sent.on('error', reject);
    sent.end('{"query":"{ __typename }"}');
  });
}

it.each([
  ['127.0.0.1:4000', 200],
  ['localhost', 200],
  ['LOCALHOST:80', 200],
  ['[::1]:4000', 200],
  ['evil.example', 421],
  ['evil.example:4000', 421],
  ['127.0.0.1.evil.example', 421],
])('an open gateway on loopback responds to a page that calls it %s with %i', async (host, status) => {
  const gateway = await startTestGateway();
  expect(await statusFor(gateway.url, host)).toBe(status);
});

it('a refusal by name contains the setting, and a gateway with that setting responds over HTTP and websocket', async () => {
  const closed = await startTestGateway();
  expect((await askAs(closed.url, 'gateway.example')).text).toContain('PUBLIC_HOSTS');
  const gateway = await startTestGateway({ gateway: { publicHosts: ['gateway.example'] } });
  expect(await statusFor(gateway.url, 'gateway.example')).toBe(200);
  expect(await statusFor(gateway.url, 'evil.example')).toBe(421);
  const headers = { Host: 'gateway.example', Origin: 'http://gateway.example' };
  const { socket } = await openSocket(gateway.url, [PROTOCOL], { headers });
  expect(socket.protocol).toBe(PROTOCOL);
  socket.close();
});

it.each([
  [
    'by another name',
    421,
    'BAD_REQUEST',
    'PUBLIC_HOSTS',
    { Host: 'evil.example', Origin: 'http://evil.example' },
  ],
  [
    'of a page of another origin',
    403,
    'CSRF_REFUSED',
    'CORS_ORIGINS',
    { Host: 'localhost', Origin: 'http://evil.example' },
  ],
] as const)(
  'a gateway refuses websockets %s with %i, and names the setting',
  async (_, status, code, setting, headers) => {
    const gateway = await startTestGateway();
    await expect(openSocket(gateway.url, [PROTOCOL], { headers })).rejects.toThrow(String(status));
    const upgrade = { ...headers, Connection: 'Upgrade', Upgrade: 'websocket' };
    const handshake = { 'Sec-WebSocket-Version': '13', 'Sec-WebSocket-Key': 'AAAAAAAAAAAAAAAAAAAAAA==' };
    const raw = await openConnection(gateway.url);
    const lines = Object.entries({ ...upgrade, ...handshake }).map(
      ([name, value]) => `${name}: ${value}\r\n`,
    );
    const [refused] = await raw.send(`GET /graphql HTTP/1.1\r\n${lines.join('')}\r\n`);
    expect(refused?.status).toBe(status);
    expect(JSON.parse(refused?.body ?? '')).toMatchObject({
      errors: [
        {
          message: expect.stringContaining(setting),
          extensions: {
            code,
            retryable: false,
            requestId: expect.stringMatching(/^[\w-]{36}$/),
          },
        },
      ],
    });
  },
);
