/** The bound of unsent bytes: first reading stops, then the connection ends. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ReadGate } from '../../../../src/http/delivery/inbox.js';
import { Outbox, type OutboxConnection } from '../../../../src/http/delivery/outbox.js';
import { createByteBudgets } from '../../../../src/lib/byteBudget.js';

const MAX_UNSENT_BYTES = 100_000;

function createConnection() {
  const budgets = createByteBudgets(1_000_000, Number.POSITIVE_INFINITY);
  const seen = { unsent: 0, isPaused: false, ends: [] as string[] };
  const gate = new ReadGate({
    pause: () => (seen.isPaused = true),
    resume: () => (seen.isPaused = false),
  });
  const connection: OutboxConnection = {
    unsentBytes: () => seen.unsent,
    gate,
    budget: budgets('caller'),
    end: ({ code }) => void seen.ends.push(code),
  };
  const outbox = new Outbox(connection, { maxUnsentBytes: MAX_UNSENT_BYTES, maxUnsentMs: 5000 });
  return {
    seen,
    outbox,
    budgets,
    send(bytes: number) {
      seen.unsent += bytes;
      outbox.sent();
    },
    flush(bytes: number) {
      seen.unsent -= bytes;
      outbox.flushed();
    },
  };
}

describe('an outbox', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('stops reading above its limit, and resumes below it', () => {
    const { seen, outbox, send, flush } = createConnection();
    send(50_000);
    expect([seen.isPaused, outbox.isFree()]).toEqual([false, true]);
    send(60_000);
    expect([seen.isPaused, outbox.isFree()]).toEqual([true, false]);
    flush(50_000);
    expect([seen.isPaused, outbox.isFree()]).toEqual([false, true]);
    vi.advanceTimersByTime(60_000);
    expect(seen.ends).toEqual([]);
  });

  it('ends a connection that is not drained in time, once', () => {
    const { seen, send, budgets } = createConnection();
    send(200_000);
    vi.advanceTimersByTime(4999);
    expect(seen.ends).toEqual([]);
    vi.advanceTimersByTime(1);
    send(200_000);
    expect(seen.ends).toEqual(['SLOW_CONSUMER']);
    expect(seen.isPaused).toBe(false);
    expect(budgets('caller').used()).toBe(0);
  });

  it('ends a connection that reads nothing, although few bytes wait for it', () => {
    const { seen, outbox } = createConnection();
    seen.unsent = 100;
    outbox.stall();
    vi.advanceTimersByTime(4999);
    outbox.drain();
    outbox.stall();
    vi.advanceTimersByTime(4999);
    expect(seen.ends).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(seen.ends).toEqual(['SLOW_CONSUMER']);
  });

  it.each([200_000, 100])(
    'gives no more time for later messages, such as heartbeats, with %i bytes',
    (bytes) => {
      const { seen, outbox, send } = createConnection();
      for (let seconds = 0; seconds < 5; seconds++) {
        expect(seen.ends).toEqual([]);
        send(seconds === 0 ? bytes : 100);
        outbox.stall();
        vi.advanceTimersByTime(1000);
      }
      expect(seen.ends).toEqual(['SLOW_CONSUMER']);
    },
  );

  it('ends a connection at once with many times the limit unsent', () => {
    const { seen, send, budgets } = createConnection();
    budgets('caller').add(-10_000_000);
    send(32 * MAX_UNSENT_BYTES);
    expect(seen.ends).toEqual(['SLOW_CONSUMER']);
  });

  it('ends a connection at once whose caller has too much unsent on all its connections', () => {
    const { seen, send, budgets } = createConnection();
    budgets('caller').add(990_000);
    send(40_000);
    expect(seen.ends).toEqual([]);
    send(40_000);
    expect(seen.ends).toEqual(['SLOW_CONSUMER']);
  });

  it('charges the overhead of a message: many small ones are bounded too', () => {
    const { seen, send } = createConnection();
    for (let count = 0; count < 200; count++) send(1);
    expect(seen.isPaused).toBe(true);
  });

  it('charges the new caller after authentication, and none after it is closed', () => {
    const { outbox, send, budgets } = createConnection();
    send(10_000);
    expect(budgets('caller').used()).toBeGreaterThan(10_000);
    outbox.moveTo(budgets('other'));
    expect(budgets('caller').used()).toBe(0);
    expect(budgets('other').used()).toBeGreaterThan(10_000);
    outbox.close();
    expect(budgets('other').used()).toBe(0);
  });
});
