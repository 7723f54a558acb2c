/** The end of a websocket: nothing is charged or checked any more. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished, vi } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { ClientSocket } from '../../../../../src/http/delivery/sockets/clientSocket.js';
import { Rounds } from '../../../../../src/http/delivery/sockets/rounds.js';
import { SocketConnection } from '../../../../../src/http/delivery/sockets/socketConnection.js';
import { createCallerRateLimiter } from '../../../../../src/http/rateLimits/callerRateLimiter.js';
import { createByteBudgets } from '../../../../../src/lib/byteBudget.js';
import { systemClock } from '../../../../../src/lib/clock.js';

const nothing = () => undefined;
const CHECK_MS = 60;

it('charges and checks nothing after the connection is closed', async () => {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', WebSocket: ClientSocket });
  onTestFinished(() => server.close());
  await once(server, 'listening');
  const client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const [[socket, request]] = await Promise.all([once(server, 'connection'), once(client, 'open')]);
  let checks = 0;
  const connection = new SocketConnection(socket, request, {
    maxUnsentBytes: 1,
    maxUnsentMs: 1,
    messageRate: createCallerRateLimiter({ perSecond: 0, burst: 1 }, systemClock),
    budgets: createByteBudgets(1_048_576),
    takeMessageTurn: nothing,
    clock: systemClock,
    checks: new Rounds(CHECK_MS, () => {
      checks += 1;
    }),
    onRefused: nothing,
    onViolation: nothing,
  });
  const { budget } = connection;
  const open = connection.beginSubscription(100);
  expect(budget.used()).toBeGreaterThan(open);
  await vi.waitFor(() => expect(checks).toBeGreaterThan(0));
  client.terminate();
  await once(socket, 'close');
  const late = connection.beginSubscription(100);
  expect(budget.used()).toBe(0);
  connection.endSubscription(open);
  connection.endSubscription(late);
  expect(budget.used()).toBe(0);
  const checked = checks;
  await new Promise((resolve) => setTimeout(resolve, 3 * CHECK_MS));
  expect(checks).toBe(checked);
});
