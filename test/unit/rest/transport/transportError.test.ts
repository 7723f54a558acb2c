/** Failures without a response: their causes are short enough for one line of the log. */
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { GatewayError } from '../../../../src/errors.js';
import { createTransport } from '../../../../src/rest/transport/transport.js';
import { toTransportError } from '../../../../src/rest/transport/transportError.js';
import { findFreePort } from '../../../support/freePort.js';
import { startPlainServer } from '../../../support/http/edgeGateway.js';

async function failureAt(baseUrl: string, timeoutMs = 5000) {
  const transport = createTransport({ baseUrl, timeoutMs, maxBodyBytes: 1000 });
  const failure = await transport.send({ method: 'GET', path: '/', headers: {} }).catch((error) => error);
  transport.close();
  return failure;
}

it('a transport error names code and address of a refused connection, without a stack', async () => {
  const port = await findFreePort();
  const failure = await failureAt(`http://127.0.0.1:${port}`);
  expect(failure).toBeInstanceOf(GatewayError);
  expect(failure).toMatchObject({ code: 'PLATFORM_UNAVAILABLE', retryable: true });
  const message = `ECONNREFUSED: connect ECONNREFUSED 127.0.0.1:${port}`;
  expect(failure.cause).toMatchObject({ code: 'ECONNREFUSED', message, stack: '' });
});

it('a body that exceeds the bound only when it is decompressed is too long', async () => {
  const body = gzipSync(' '.repeat(1001));
  const server = await startPlainServer((_, response) => {
    response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(body);
  });
  const failure = await failureAt(server.url);
  expect(failure).toMatchObject({ code: 'PLATFORM_BAD_RESPONSE', cause: undefined });
  expect(failure.message).toContain('longer');
});

it.each([
  ['SSH-2.0-OpenSSH_9.6\r\n', 'NO_HTTP'],
  ['HTTP/1.1 200 OK\r\nA header: 1\r\n\r\n', 'INVALID_HTTP'],
  ['HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n[]', 'INVALID_HTTP'],
])('a server that responds %j is reached, and not readable', async (bytes, code) => {
  const server = createServer((socket) => {
    socket.on('error', () => undefined).once('data', () => socket.end(bytes));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const failure = await failureAt(`http://127.0.0.1:${port}`);
  server.close();
  expect(failure).toMatchObject({ code: 'PLATFORM_BAD_RESPONSE', retryable: false });
  expect(failure.cause).toMatchObject({ code, stack: '' });
});

it('a response that begins and does not end is a timeout with a cause', async () => {
  const server = await startPlainServer((_, response) => {
    response.writeHead(200).write('{');
  });
  const failure = await failureAt(server.url, 500);
  expect(failure).toMatchObject({ code: 'PLATFORM_TIMEOUT', retryable: true });
  expect(failure.cause).toMatchObject({ code: 'UNFINISHED_BODY', stack: '' });
});

it('a transport error names every address of a host with several', () => {
  const refusals = ['::1', '127.0.0.1'].map((address) => new Error(`connect ECONNREFUSED ${address}:4010`));
  const error = Object.assign(new AggregateError(refusals), { code: 'ECONNREFUSED' });
  expect(toTransportError(error).cause).toMatchObject({
    message: 'ECONNREFUSED: connect ECONNREFUSED ::1:4010; connect ECONNREFUSED 127.0.0.1:4010',
  });
});
