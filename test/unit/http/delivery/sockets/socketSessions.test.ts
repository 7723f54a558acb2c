/** Sessions of websockets: each is released once, when its connection has closed. */
import { expect, it } from 'vitest';
import type { CallerSession } from '../../../../../src/http/auth/callerSession.js';
import type { SocketConnection } from '../../../../../src/http/delivery/sockets/socketConnection.js';
import { createSocketSessions } from '../../../../../src/http/delivery/sockets/socketSessions.js';

const OPEN = 1;
const CLOSED = 3;

function createSessions(readyState: number) {
  let released = 0;
  const session = {
    release() {
      released += 1;
    },
  } as CallerSession;
  const sessions = createSocketSessions({
    openSession: async () => session,
    reportRefusal() {},
    recheckIntervalMs: 30_000,
  });
  const connection = { socket: { readyState, OPEN }, caller: '192.0.2.1' } as unknown as SocketConnection;
  return { sessions, connection, session, released: () => released };
}

it('releases the session of a connection that closes', async () => {
  const { sessions, connection, session, released } = createSessions(OPEN);
  expect(await sessions.open(connection, {})).toBe(session);
  expect(released()).toBe(0);
  sessions.close(connection);
  expect(released()).toBe(1);
  expect(await sessions.get(connection)).toBeUndefined();
  sessions.close(connection);
  expect(released()).toBe(1);
});

it('releases the session of a connection that has closed before the caller is authenticated', async () => {
  const { sessions, connection, released } = createSessions(CLOSED);
  await sessions.open(connection, {});
  expect(released()).toBe(1);
});
