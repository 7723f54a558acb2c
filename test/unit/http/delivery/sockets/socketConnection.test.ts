/** The memory that a websocket charges to its caller. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { ClientSocket } from '../../../../../src/http/delivery/sockets/clientSocket.js';
import { Rounds } from '../../../../../src/http/delivery/sockets/rounds.js';
import { SocketConnection } from '../../../../../src/http/delivery/sockets/socketConnection.js';
import { createCallerRateLimiter } from '../../../../../src/http/rateLimits/callerRateLimiter.js';
import { createByteBudgets } from '../../../../../src/lib/byteBudget.js';
import { systemClock } from '../../../../../src/lib/clock.js';

const nothing = () => undefined;

it('charges nothing for a subscription that begins after the connection is closed', async () => {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', WebSocket: ClientSocket });
  onTestFinished(() => server.close());
  await once(server, 'listening');
  const client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const [[socket, request]] = await Promise.all([once(server, 'connection'), once(client, 'open')]);
  const connection = new SocketConnection(socket, request, {
    maxUnsentBytes: 1,
    maxUnsentMs: 1,
    messageRate: createCallerRateLimiter({ perSecond: 0, burst: 1 }, systemClock),
    budgets: createByteBudgets(1_048_576),
    takeMessageTurn: nothing,
    clock: systemClock,
    checks: new Rounds(1000, nothing),
    onRefused: nothing,
    onViolation: nothing,
  });
  const { budget } = connection;
  const open = connection.beginSubscription(100);
  expect(budget.used()).toBeGreaterThan(open);
  client.terminate();
  await once(socket, 'close');
  const late = connection.beginSubscription(100);
  expect(budget.used()).toBe(0);
  connection.endSubscription(open);
  connection.endSubscription(late);
  expect(budget.used()).toBe(0);
});
