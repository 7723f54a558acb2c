/** A cancellation calls its current listeners once. */
import { describe, expect, it } from 'vitest';
import { createCancellation } from '../../../src/lib/cancellation.js';

describe('createCancellation', () => {
  it('calls each current listener once', () => {
    const cancellation = createCancellation();
    const called: number[] = [];
    const stops = [0, 1, 2].map((who) => cancellation.onCancelled(() => called.push(who)));
    stops[1]?.();
    expect(cancellation.isCancelled()).toBe(false);
    cancellation.abort();
    cancellation.abort();
    for (const stop of stops) stop();
    expect(called).toEqual([0, 2]);
    expect(cancellation.isCancelled()).toBe(true);
  });

  it('removes one listener at a time, even if the same one was added twice', () => {
    const cancellation = createCancellation();
    let calls = 0;
    const count = () => {
      calls++;
    };
    const [first] = [cancellation.onCancelled(count), cancellation.onCancelled(count)];
    first();
    first();
    cancellation.abort();
    expect(calls).toBe(1);
  });

  it('passes on the first operation of each of 16 callers', () => {
    const work = createCancellation();
    const waiters: (string | undefined)[] = [];
    for (let id = 0; id < 10; id++) work.addWaiter({ callerId: String(id), requestId: `${id} first` });
    const stop = work.onWaiter?.(({ requestId }) => waiters.push(requestId));
    for (let id = 0; id < 20; id++) work.addWaiter({ callerId: String(id), requestId: `${id} later` });
    stop?.();
    expect(waiters.length).toBe(16);
    expect(waiters.slice(9, 11)).toEqual(['9 first', '10 later']);
  });
});
