/** The heartbeats of several subscriptions of one connection are one heartbeat that is true for all of them. */
import { expect, it } from 'vitest';
import { type ConnectionHeartbeat, HeartbeatBatch } from '../../../../src/http/delivery/heartbeats.js';

function createBatch() {
  const sent: ConnectionHeartbeat[] = [];
  const connection = { sendHeartbeat: (heartbeat: ConnectionHeartbeat) => void sent.push(heartbeat) };
  return { sent, batch: new HeartbeatBatch(connection) };
}

const [early, late] = ['2026-03-14T09:30:00.000Z', '2026-03-14T09:31:00.000Z'];

it('the earliest time counts, and each subscription has its cursor', async () => {
  const { sent, batch } = createBatch();
  batch.add('a', { asOf: late, cursor: 'ScalarSample:2' });
  batch.add('b', { asOf: early, cursor: 'RfidSample:1' });
  expect(sent).toEqual([]);
  await new Promise((resolve) => setImmediate(resolve));
  expect(sent).toEqual([{ asOf: early, cursors: { a: 'ScalarSample:2', b: 'RfidSample:1' } }]);
});

it('the time is that of all open subscriptions, also of those that sent their heartbeat before', () => {
  const { sent, batch } = createBatch();
  batch.add('a', { asOf: early, cursor: 'ScalarSample:1' });
  batch.flush();
  batch.add('b', { asOf: late, cursor: 'ScalarSample:2' });
  batch.flush();
  batch.add('c', { asOf: undefined, cursor: 'ScalarSample:0' });
  batch.flush();
  batch.add('b', { asOf: late, cursor: 'ScalarSample:3' });
  batch.flush();
  batch.remove('a');
  batch.remove('c');
  batch.add('b', { asOf: late, cursor: 'ScalarSample:4' });
  batch.flush();
  expect(sent).toEqual([
    { asOf: early, cursors: { a: 'ScalarSample:1' } },
    { asOf: early, cursors: { b: 'ScalarSample:2' } },
    { cursors: { c: 'ScalarSample:0' } },
    { cursors: { b: 'ScalarSample:3' } },
    { asOf: late, cursors: { b: 'ScalarSample:4' } },
  ]);
});

it('there is no time while one subscription has none', () => {
  const { sent, batch } = createBatch();
  batch.add('a', { asOf: late, cursor: undefined });
  batch.add('b', { asOf: undefined, cursor: undefined });
  batch.flush();
  batch.flush();
  expect(sent).toEqual([{ cursors: {} }]);
});

it('there is no time while a further subscription has sent no heartbeat yet', () => {
  const { sent, batch } = createBatch();
  batch.begin('a');
  batch.add('a', { asOf: early, cursor: 'ScalarSample:1' });
  batch.flush();
  batch.begin('b');
  batch.add('a', { asOf: late, cursor: 'ScalarSample:2' });
  batch.flush();
  batch.add('b', { asOf: late, cursor: 'ScalarSample:2' });
  batch.flush();
  expect(sent).toEqual([
    { asOf: early, cursors: { a: 'ScalarSample:1' } },
    { cursors: { a: 'ScalarSample:2' } },
    { asOf: late, cursors: { b: 'ScalarSample:2' } },
  ]);
});
