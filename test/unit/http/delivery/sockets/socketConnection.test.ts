/** A websocket that drains wakes its subscriptions, and one that has ended no longer charges or checks anything. */
import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { parse } from 'graphql';
import { expect, it, onTestFinished, vi } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { GatewayError } from '../../../../../src/errors.js';
import { DocumentUse } from '../../../../../src/http/delivery/connectionBytes.js';
import type { OutboxLimits } from '../../../../../src/http/delivery/outbox.js';
import { ClientSocket } from '../../../../../src/http/delivery/sockets/clientSocket.js';
import { SocketConnection } from '../../../../../src/http/delivery/sockets/socketConnection.js';
import { StaggeredInterval } from '../../../../../src/http/delivery/sockets/staggeredInterval.js';
import { createCallerRateLimiter } from '../../../../../src/http/rateLimits/callerRateLimiter.js';
import { createByteBudgets } from '../../../../../src/lib/byteBudget.js';
import { systemClock } from '../../../../../src/lib/clock.js';
import { WAIT, WAIT_MS } from '../../../../support/waiting.js';

const nothing = () => undefined;
const CHECK_MS = 60;
const MB = 1_048_576;
/** The system takes less for a client that does not read. A connection with 32 times its maximum would end at once. */
const UNREAD_BYTES = 16 * MB;

async function connect(limits: OutboxLimits) {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', WebSocket: ClientSocket });
  onTestFinished(() => server.close());
  await once(server, 'listening');
  const client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
  onTestFinished(() => client.terminate());
  const [[socket, request]] = await Promise.all([once(server, 'connection'), once(client, 'open')]);
  const counts = { checks: 0 };
  const connection = new SocketConnection(socket, request, {
    ...limits,
    messageRate: createCallerRateLimiter({ perSecond: 0, burst: 1 }, systemClock),
    budgets: createByteBudgets(4 * UNREAD_BYTES, Number.POSITIVE_INFINITY),
    takeMessageTurn: nothing,
    clock: systemClock,
    checks: new StaggeredInterval(CHECK_MS, () => {
      counts.checks += 1;
    }),
    onRefused: nothing,
    onViolation: nothing,
  });
  return { client, socket, tcp: request.socket as Socket, connection, counts };
}

it('wakes its subscriptions when a client has read a large result', async () => {
  const { client, connection } = await connect({ maxUnsentBytes: MB, maxUnsentMs: WAIT_MS });
  const states: boolean[] = [];
  connection.setHandler({
    receive: nothing,
    drained: () => void states.push(connection.isDrained()),
    endSubscriptions: nothing,
    closed: nothing,
  });
  await connection.send('small');
  client.pause();
  const sent = connection.send('a'.repeat(UNREAD_BYTES));
  expect([connection.isDrained(), states]).toEqual([false, []]);
  client.resume();
  await sent;
  expect([connection.isDrained(), states]).toEqual([true, [true]]);
});

it('sends heartbeats while a client still reads earlier results', async () => {
  const { client, connection } = await connect({ maxUnsentBytes: MB, maxUnsentMs: WAIT_MS });
  client.pause();
  const sent = connection.send('a'.repeat(UNREAD_BYTES));
  connection.heartbeats.add('1', { asOf: undefined, cursor: 'ScalarSample:1' });
  connection.heartbeats.flush();
  const messages: string[] = [];
  client.on('message', (data) => messages.push(String(data)));
  client.resume();
  await sent;
  const heartbeat = { type: 'ping', payload: { cursors: { 1: 'ScalarSample:1' } } };
  await vi.waitFor(() => expect(messages[1]).toBe(JSON.stringify(heartbeat)), WAIT);
});

it('charges and checks nothing after the connection is closed', async () => {
  const { client, socket, connection, counts } = await connect({ maxUnsentBytes: 1, maxUnsentMs: 1 });
  const { budget } = connection;
  const document = DocumentUse.of(parse('subscription { sampleReceived { id } }'));
  const open = connection.charge.addSubscription(100, document);
  expect(budget.used()).toBeGreaterThan(open);
  await vi.waitFor(() => expect(counts.checks).toBeGreaterThan(0), WAIT);
  client.terminate();
  await once(socket, 'close');
  connection.charge.removeSubscription(open, document);
  const late = connection.charge.addSubscription(100, document);
  expect([late, budget.used()]).toEqual([0, 0]);
  connection.charge.add(-open);
  expect(budget.used()).toBe(0);
  const checked = counts.checks;
  await new Promise((resolve) => setTimeout(resolve, 3 * CHECK_MS));
  expect(counts.checks).toBe(checked);
});

it('shares its listeners with other connections, to save memory', async () => {
  const limits = { maxUnsentBytes: MB, maxUnsentMs: WAIT_MS };
  const [one, other] = [await connect(limits), await connect(limits)];
  expect(one.tcp.listeners('data')).toEqual(other.tcp.listeners('data'));
});

it('closes with its code for a reason that a close frame cannot hold, and cuts no character in two', async () => {
  const { client, connection } = await connect({ maxUnsentBytes: MB, maxUnsentMs: WAIT_MS });
  const closed = once(client, 'close');
  connection.close(4403, 'é'.repeat(100));
  const [code, reason] = await closed;
  expect([code, String(reason)]).toEqual([4403, 'é'.repeat(61)]);
});

it('closes for a limit whose message a close frame cannot hold', async () => {
  const { client, connection } = await connect({ maxUnsentBytes: MB, maxUnsentMs: WAIT_MS });
  const closed = once(client, 'close');
  connection.end(new GatewayError('SLOW_CONSUMER', 'é'.repeat(100)));
  const [code, reason] = await closed;
  expect([code, String(reason)]).toEqual([1013, `SLOW_CONSUMER: ${'é'.repeat(54)}`]);
});
