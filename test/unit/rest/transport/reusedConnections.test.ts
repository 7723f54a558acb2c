/** A connection that breaks off counts as stale only if its socket was idle after a response. */
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { GatewayError } from '../../../../src/errors.js';
import { createTransport } from '../../../../src/rest/transport/transport.js';
import { isStaleConnection } from '../../../../src/rest/transport/transportError.js';
import { startPlainServer } from '../../../support/http/edgeGateway.js';

/** Sends a request that gets a response, and one whose socket is reset. `closesIdle`: in between its socket is closed. */
async function sendTwice(closesIdle: boolean) {
  const sockets = new Set<object>();
  let requests = 0;
  const { url, server } = await startPlainServer((request, response) => {
    sockets.add(request.socket);
    requests += 1;
    if (requests === 1) response.end('[]');
    else request.socket.destroy();
  });
  const transport = createTransport({ baseUrl: url, timeoutMs: 10_000, maxBodyBytes: 1000 });
  onTestFinished(() => transport.close());
  const connected = once(server, 'connection');
  const send = () => transport.send({ method: 'GET', path: '/v2.0/site', headers: {} });
  await send();
  if (closesIdle) {
    const [socket] = await connected;
    const closed = once(socket, 'close');
    server.closeIdleConnections();
    await closed;
    // The client reads the end of its socket in the same process.
    await sleep(50);
  }
  const error = await send().catch((reason: unknown) => reason);
  if (!(error instanceof GatewayError)) throw new Error('The second request did not fail.');
  return { sockets: sockets.size, isRetryable: error.retryable, isStale: isStaleConnection(error) };
}

it('a reset of an idle socket shows a stale connection', async () => {
  expect(await sendTwice(false)).toEqual({ sockets: 1, isRetryable: true, isStale: true });
});

it('a reset of the socket that replaces a closed one does not', async () => {
  expect(await sendTwice(true)).toEqual({ sockets: 2, isRetryable: true, isStale: false });
});
