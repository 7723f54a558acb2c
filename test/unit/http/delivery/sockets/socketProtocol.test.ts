/** The end of a connection with many subscriptions. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { SocketConnection } from '../../../../../src/http/delivery/sockets/socketConnection.js';
import { PROTOCOL, SocketProtocol } from '../../../../../src/http/delivery/sockets/socketProtocol.js';
import { silentLogger } from '../../../../../src/lib/logger.js';

const SUBSCRIPTIONS = 100;
/** The subscriptions that may end in one turn, for which other callers wait. */
const MAX_AT_ONCE = 25;

/** A connection whose subscriptions only record that they end. */
function connect() {
  /** Ids of subscriptions, and the session. */
  const ended: string[] = [];
  const nothing = () => {};
  const connection = {
    ...{ socket: { protocol: PROTOCOL }, signIn: nothing, send: async () => {} },
    ...{
      beginOperation: nothing,
      endOperation: nothing,
      charge: { add: nothing, addSubscription: () => 0 },
      heartbeats: { add: nothing, begin: nothing, remove: nothing },
    },
  };
  const session = { caller: 'caller' };
  const parts = {
    sessions: { open: async () => session, get: async () => session, close: () => ended.push('session') },
    operations: { prepare: async () => ({ document: {}, operation: { operation: 'subscription' } }) },
    subscriptions: {
      open: (_: unknown, __: unknown, { id }: { id: string }) => ({
        ...{ resume: nothing, fail: nothing, close: () => ended.push(id) },
      }),
    },
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
    ended,
  };
}

async function subscribe(count: number) {
  const client = connect();
  client.send({ type: 'connection_init' });
  await nextTurn();
  const ids = Array.from({ length: count }, (_, index) => String(index));
  for (const id of ids) client.send({ id, type: 'subscribe', payload: { query: 'subscription { a }' } });
  await nextTurn();
  return { ...client, ids };
}

it('ends the subscriptions of a closed connection in several turns of the event loop', async () => {
  const { ended, close } = await subscribe(SUBSCRIPTIONS);
  close();
  const perTurn: number[] = [];
  let before = 0;
  while (before < SUBSCRIPTIONS && perTurn.length < SUBSCRIPTIONS) {
    perTurn.push(ended.length - before);
    before = ended.length;
    await nextTurn();
  }
  expect(before).toBeGreaterThanOrEqual(SUBSCRIPTIONS);
  expect(Math.max(...perTurn)).toBeLessThanOrEqual(MAX_AT_ONCE);
});

it('ends the newest subscription of a closed connection first, and releases its session last', async () => {
  const { ended, close, ids } = await subscribe(SUBSCRIPTIONS);
  close();
  for (let turns = 0; !ended.includes('session') && turns < SUBSCRIPTIONS; turns++) await nextTurn();
  expect(ended).toEqual([...ids.reverse(), 'session']);
});
