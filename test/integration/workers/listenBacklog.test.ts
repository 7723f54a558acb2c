/**
 * Connections that arrive while the process that listens is busy wait for it. Linux would reset those that find no
 * room.
 */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { startWorkerGateway } from '../../support/workers/workers.js';

/** The system's own bound for connections that wait. */
function readSystemBound(): number {
  try {
    return Number(readFileSync('/proc/sys/net/core/somaxconn', 'utf8'));
  } catch {
    return 100;
  }
}

/** Milliseconds for the connections to be opened, after which the test fails. */
const CONNECT_MS = 20_000;

it.each(['1', '2'])('a burst of connections waits for a busy gateway with WORKERS=%s', async (WORKERS) => {
  const { url, process } = await startWorkerGateway({ environment: { WORKERS } });
  const { hostname, port } = new URL(url);
  process.kill('SIGSTOP');
  const sockets = Array.from({ length: Math.min(1000, readSystemBound()) }, () =>
    connect(Number(port), hostname),
  );
  const connected = Promise.all(sockets.map((socket) => once(socket, 'connect'))).then(() => true);
  const areConnected = await Promise.race([connected, sleep(CONNECT_MS, false, { ref: false })]);
  process.kill('SIGCONT');
  if (!areConnected) for (const socket of sockets) socket.destroy();
  expect(areConnected).toBe(true);
  const responses = sockets.map((socket) => {
    socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
    return text(socket);
  });
  for (const response of await Promise.all(responses)) expect(response).toMatch(/^HTTP\/1\.1 200 /);
});
