/** Unread responses are charged to their caller, and bounded together. */
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { chargeUnsentBytes, checkRoomForResponse } from '../../../../src/http/delivery/outbox.js';
import { createByteBudgets } from '../../../../src/lib/byteBudget.js';

/** More than the kernel buffers of one connection. */
const BODY = Buffer.alloc(24 * 1024 * 1024);
/** Room for one such body, but not for two. */
const budgets = createByteBudgets(40 * 1024 * 1024, Number.POSITIVE_INFINITY);
const budget = budgets('caller');
const cuts: string[] = [];
const responses: ServerResponse[] = [];
const sockets: Socket[] = [];

const server = createServer((_, response) => {
  responses.push(response);
  response.end(BODY);
  chargeUnsentBytes(response, budget, ({ code }) => cuts.push(code));
});

async function request(): Promise<Socket> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').pause();
  sockets.push(socket.on('error', () => undefined));
  const handled = once(server, 'request');
  socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await handled;
  return socket;
}

beforeEach(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  server.close();
  await once(server, 'close');
});

it('charges an unread response until it is read, and cuts one beyond the budget', async () => {
  expect(() => checkRoomForResponse(budget)).not.toThrow();
  const slow = await request();
  expect(budget.used()).toBeGreaterThanOrEqual(BODY.length);
  expect(() => checkRoomForResponse(budget)).toThrow(expect.objectContaining({ code: 'RATE_LIMITED' }));
  expect(() => checkRoomForResponse(budgets('other'))).not.toThrow();
  expect(cuts).toEqual([]);

  await request();
  const [first, second] = responses;
  expect(cuts).toEqual(['SLOW_CONSUMER']);
  expect([first?.destroyed, second?.destroyed]).toEqual([false, true]);
  if (second && !second.closed) await once(second, 'close');
  expect(budget.used()).toBeLessThan(2 * BODY.length);

  slow.resume();
  if (first && !first.closed) await once(first, 'close');
  expect(budget.used()).toBe(0);
  expect(() => checkRoomForResponse(budget)).not.toThrow();
});
