/** The end of a connection with many subscriptions. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { SocketConnection } from '../../../../../src/http/delivery/sockets/socketConnection.js';
import { PROTOCOL, SocketProtocol } from '../../../../../src/http/delivery/sockets/socketProtocol.js';
import { silentLogger } from '../../../../../src/lib/logger.js';

const SUBSCRIPTIONS = 100;
/** Other callers wait at most for this many. */
const MOST_AT_ONCE = 25;

/** A connection whose subscriptions only count that they end. */
function connect() {
  let ended = 0;
  const nothing = () => {};
  const connection = {
    ...{ socket: { protocol: PROTOCOL }, signIn: nothing, setHandler: nothing, send: async () => {} },
    ...{
      beginOperation: nothing,
      endOperation: nothing,
      beginSubscription: () => 0,
      endSubscription: nothing,
    },
  };
  const subscription = { resume: nothing, fail: nothing, close: () => (ended += 1) };
  const session = { caller: 'caller' };
  const parts = {
    sessions: { open: async () => session, get: async () => session, close: nothing },
    operations: { prepare: async () => ({ document: {}, operation: { operation: 'subscription' } }) },
    subscriptions: { open: () => subscription },
    onViolation: nothing,
    logger: silentLogger,
  };
  const protocol = new SocketProtocol(
    connection as unknown as SocketConnection,
    parts as unknown as ConstructorParameters<typeof SocketProtocol>[1],
  );
  return {
    send: (message: object) => protocol.receive(JSON.stringify(message)),
    close: () => protocol.closed(),
    ended: () => ended,
  };
}

it('ends the subscriptions of a closed connection in several turns of the event loop', async () => {
  const client = connect();
  client.send({ type: 'connection_init' });
  await nextTurn();
  for (let id = 0; id < SUBSCRIPTIONS; id++) {
    client.send({ id: String(id), type: 'subscribe', payload: { query: 'subscription { a }' } });
  }
  await nextTurn();
  client.close();
  const perTurn: number[] = [];
  let before = 0;
  while (before < SUBSCRIPTIONS && perTurn.length < SUBSCRIPTIONS) {
    perTurn.push(client.ended() - before);
    before = client.ended();
    await nextTurn();
  }
  expect(before).toBe(SUBSCRIPTIONS);
  expect(Math.max(...perTurn)).toBeLessThanOrEqual(MOST_AT_ONCE);
});
