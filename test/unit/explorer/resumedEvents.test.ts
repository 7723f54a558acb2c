/** The explorer's subscriptions over lost connections: which events it shows, and when it reconnects. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { continueAfter, ResumedEvents } from '../../../explorer/requests/resumedEvents.js';

interface Connection {
  cursor: string | undefined;
  next(event: unknown): void;
  error(error: unknown): void;
  complete(): void;
}

/** Records the connections, and everything that the visitor sees. */
function start() {
  const connections: Connection[] = [];
  const shown: unknown[] = [];
  const reasons: (string | undefined)[] = [];
  const state = { ended: 0, isDone: false };
  const events = new ResumedEvents({
    subscribe(cursor, sink) {
      connections.push({ cursor, ...sink });
      return () => {
        state.ended += 1;
      };
    },
    toFailure: (error) => ({ message: String(error) }),
    onWait: (reason) => reasons.push(reason),
  });
  void (async () => {
    for await (const event of events) shown.push(event);
    state.isDone = true;
  })();
  const last = () => connections.at(-1) as Connection;
  const beat = (cursor: string, isCurrent = true) =>
    events.heartbeat({ ...(isCurrent && { asOf: '2026-03-14T09:30:00Z' }), cursors: { 1: cursor } });
  const lose = () => last().error(new Event('close'));
  /** Longer than the longest pause between two attempts. */
  const pass = () => vi.advanceTimersByTimeAsync(60_000);
  return { events, connections, shown, reasons, state, last, beat, lose, pass };
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const sample = (value: number) => ({ data: { sampleReceived: { value } } });

describe('a subscription of the explorer', () => {
  it('continues after the last cursor, and shows repeated events once', async () => {
    const { connections, shown, reasons, last, beat, lose, pass } = start();
    beat('a');
    last().next(sample(1));
    beat('b');
    last().next(sample(2));
    last().next(sample(2));
    lose();
    expect(reasons.at(-1)).toBe('The connection to the gateway was lost.');
    await pass();
    expect(connections.map(({ cursor }) => cursor)).toEqual([undefined, 'b']);
    // The past is still being read, so the cursor stays.
    beat('c', false);
    last().next(sample(2));
    last().next(sample(2));
    last().next(sample(3));
    expect(reasons.at(-1)).toBeUndefined();
    lose();
    await pass();
    expect(last().cursor).toBe('b');
    for (const value of [2, 2, 3, 3]) last().next(sample(value));
    beat('d');
    last().next(sample(3));
    await pass();
    expect(shown).toEqual([1, 2, 2, 3, 3, 3].map(sample));
  });

  it('stores at most 10,000 events after a cursor; earlier ones are shown again', async () => {
    const { shown, last, beat, lose, pass } = start();
    beat('a');
    const all = Array.from({ length: 10_001 }, (_, index) => sample(index));
    for (const event of all) last().next(event);
    lose();
    await pass();
    for (const event of all) last().next(event);
    await pass();
    expect(shown).toEqual([...all, sample(0)]);
  });

  it('continues after the cursor of an error that ends it, not before the time in the error', async () => {
    const { connections, shown, reasons, last, beat } = start();
    beat('a');
    const extensions = { retryable: true, retryAfterMs: 5000, cursor: 'b' };
    last().next({ data: null, errors: [{ message: 'The gateway is stopping.', extensions }] });
    last().complete();
    expect(reasons.at(-1)).toBe('The gateway is stopping.');
    await vi.advanceTimersByTimeAsync(4999);
    expect(connections).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(last().cursor).toBe('b');
    expect(shown).toEqual([]);
  });

  it('does not say that it reconnects after it was refused', async () => {
    const { reasons, last, beat, lose, pass, state } = start();
    beat('a');
    lose();
    await pass();
    last().error(Object.assign(new Event('close'), { code: 4401 }));
    await pass();
    expect([reasons.at(-1), state.isDone]).toEqual([undefined, true]);
  });

  it.each([
    ['that could not begin', undefined, new Event('error')],
    ['that the gateway refuses', 'a', Object.assign(new Event('close'), { code: 4401 })],
  ])('ends with the error of a connection %s', async (_, cursor, error) => {
    const { connections, shown, state, last, beat, pass } = start();
    if (cursor !== undefined) beat(cursor);
    last().error(error);
    await pass();
    expect(connections).toHaveLength(1);
    expect(shown).toEqual([{ errors: [{ message: '[object Event]' }] }]);
    expect(state.isDone).toBe(true);
  });

  it('does not reconnect when it is stopped', async () => {
    const { events, connections, state, beat, lose, pass } = start();
    beat('a');
    lose();
    await events.return?.();
    await pass();
    expect(connections).toHaveLength(1);
    expect(state).toEqual({ ended: 1, isDone: true });
  });
});

describe('an operation that continues', () => {
  it('has the cursor as its argument', () => {
    const query = 'subscription Live($ids: [ID!]) {\n  sampleReceived(streamIds: $ids) {\n    id\n  }\n}';
    const resumed = continueAfter({ query, operationName: 'Live' }, 'ScalarSample:1:2');
    expect(resumed.query).toBe(query.replace('$ids)', '$ids, after: "ScalarSample:1:2")'));
    expect(continueAfter(resumed, 'x').query).toBe(query.replace('$ids)', '$ids, after: "x")'));
    expect(continueAfter({ query }, undefined).query).toBe(query);
  });

  it('has it in its variable if it has one', () => {
    const query = 'subscription ($from: ID) { sampleReceived(after: $from) { id } }';
    const variables = { from: 'a', other: 1 };
    expect(continueAfter({ query, variables }, 'b')).toEqual({ query, variables: { from: 'b', other: 1 } });
  });
});
