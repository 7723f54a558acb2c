/** A gateway that cannot listen leaves nothing behind in a program that embeds it. */
import { createServer, type Socket } from 'node:net';
import { expect, it, vi } from 'vitest';
import { startGatewayFor } from '../../support/gateway.js';
import { startPlainServer } from '../../support/http/edgeGateway.js';
import { WAIT_MS } from '../../support/waiting.js';

const POLL_MS = 20;

/** Accepts every command, so that a client stays connected. */
async function startTinyRedis() {
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => open.delete(socket));
    socket.on('data', (data) => socket.write('+OK\r\n'.repeat(String(data).split('*').length - 1)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  return { url: `redis://127.0.0.1:${port}`, server, open };
}

it('a gateway that cannot listen neither polls nor keeps its connections, and requests no token', async () => {
  let requests = 0;
  const platform = await startPlainServer((_, response) => {
    requests += 1;
    response.end(JSON.stringify({ access_token: 't', expires_in: 3600 }));
  });
  const redis = await startTinyRedis();
  const portInUse = Number(new URL(platform.url).port);
  const starting = startGatewayFor(
    { url: platform.url, key: 'k', secret: 's' },
    { port: portInUse, redisUrl: redis.url, pollsAlways: true, livePollMs: POLL_MS, checksPlatform: true },
  );
  await expect(starting).rejects.toMatchObject({ code: 'EADDRINUSE' });
  await new Promise((resolve) => setTimeout(resolve, 10 * POLL_MS));
  expect(requests).toBe(0);
  await vi.waitFor(() => expect(redis.open.size).toBe(0), WAIT_MS);
  redis.server.close();
});
