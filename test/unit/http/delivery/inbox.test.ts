/** The messages of a connection: handled in order, rate limited, and not read faster than they are handled. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  Inbox,
  MAX_DISCARDED_MESSAGES,
  MAX_FLOOD_MS,
  ReadGate,
  stopReasons,
} from '../../../../src/http/delivery/inbox.js';
import { createCallerRateLimiter } from '../../../../src/http/rateLimits/callerRateLimiter.js';
import { createTurns, type TakeTurn } from '../../../../src/lib/fairQueue.js';

function createConnection(perSecond: number, burst: number, takeTurn: TakeTurn = () => undefined) {
  const clock = { now: () => Date.now() };
  const rate = createCallerRateLimiter({ perSecond, burst }, clock);
  const seen = { isPaused: false, handled: [] as number[], floods: 0, room: true };
  const inbox = new Inbox({
    waitMs: () => rate.take('caller'),
    hasRoom: () => seen.room,
    takeTurn: () => takeTurn('caller'),
    gate: new ReadGate({ pause: () => (seen.isPaused = true), resume: () => (seen.isPaused = false) }),
    onFlood: () => (seen.floods += 1),
    clock,
  });
  let next = 0;
  return {
    seen,
    inbox,
    push(count: number) {
      for (let index = 0; index < count; index++) {
        const id = next++;
        inbox.push(() => void seen.handled.push(id));
      }
    },
  };
}

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index);

describe('an inbox', () => {
  beforeEach(() => void vi.useFakeTimers({ now: 1_700_000_000_000 }));
  afterEach(() => void vi.useRealTimers());

  it('handles messages at once within the rate', () => {
    const { seen, push } = createConnection(10, 5);
    push(5);
    expect(seen).toMatchObject({ handled: upTo(5), isPaused: false });
  });

  it('delays further messages, in order, and stops reading meanwhile', () => {
    const { seen, push } = createConnection(10, 5);
    push(12);
    expect(seen).toMatchObject({ handled: upTo(5), isPaused: true });
    vi.advanceTimersByTime(350);
    expect(seen).toMatchObject({ handled: upTo(8), isPaused: true });
    vi.advanceTimersByTime(500);
    expect(seen).toMatchObject({ handled: upTo(12), isPaused: false, floods: 0 });
  });

  it('waits for memory, whatever the rate', () => {
    const { seen, push, inbox } = createConnection(0, 1);
    seen.room = false;
    push(3);
    expect(seen).toMatchObject({ handled: [], isPaused: true });
    seen.room = true;
    inbox.wake();
    expect(seen).toMatchObject({ handled: upTo(3), isPaused: false });
  });

  it('ends a connection whose messages never catch up, once', () => {
    const { seen, push } = createConnection(10, 5);
    push(1000);
    vi.advanceTimersByTime(MAX_FLOOD_MS - 1000);
    expect(seen.floods).toBe(0);
    vi.advanceTimersByTime(2000);
    push(10);
    vi.advanceTimersByTime(60_000);
    expect(seen).toMatchObject({ floods: 1, isPaused: false });
    expect(seen.handled.length).toBeLessThan(130);
  });

  it('keeps a connection whose messages catch up between two floods', () => {
    const { seen, push } = createConnection(10, 5);
    for (let flood = 0; flood < 3; flood++) {
      push(60);
      vi.advanceTimersByTime(MAX_FLOOD_MS - 1000);
    }
    expect(seen).toMatchObject({ floods: 0, handled: upTo(180) });
  });

  it('handles the messages of all connections in turns, in order', async () => {
    vi.useRealTimers();
    const takeTurn = createTurns(2);
    const connections = [createConnection(0, 1, takeTurn), createConnection(0, 1, takeTurn)];
    for (const { push } of connections) push(4);
    const handled = () => connections.map(({ seen }) => seen.handled.length);
    const counts: number[] = [];
    for (let turn = 0; turn < 4; turn++) {
      counts.push(handled().reduce((sum, count) => sum + count, 0));
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(counts).toEqual([2, 4, 6, 8]);
    for (const { seen } of connections) expect(seen).toMatchObject({ handled: upTo(4), isPaused: false });
  });

  it('stops reading from a closing connection that continues to send', () => {
    const { seen, push, inbox } = createConnection(10, 5);
    inbox.close();
    push(MAX_DISCARDED_MESSAGES);
    expect(seen).toMatchObject({ handled: [], isPaused: false });
    push(1);
    expect(seen).toMatchObject({ handled: [], isPaused: true });
  });

  it('shares the rate of a caller between its connections', () => {
    const rate = createCallerRateLimiter({ perSecond: 10, burst: 3 }, { now: () => Date.now() });
    expect(upTo(4).map(() => rate.take('one') > 0)).toEqual([false, false, false, true]);
    expect(rate.take('other')).toBe(0);
  });
});

it('a gate reads while there is no reason to stop', () => {
  const calls: string[] = [];
  const gate = new ReadGate({ pause: () => calls.push('pause'), resume: () => calls.push('resume') });
  gate.resume(stopReasons.rate);
  gate.stop(stopReasons.rate);
  gate.stop(stopReasons.rate);
  gate.stop(stopReasons.unsentBytes);
  gate.resume(stopReasons.rate);
  expect(calls).toEqual(['pause']);
  expect(gate.isStopped()).toBe(true);
  gate.resume(stopReasons.unsentBytes);
  expect(calls).toEqual(['pause', 'resume']);
  expect(gate.isStopped()).toBe(false);
});
