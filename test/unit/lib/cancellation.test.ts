/** Many watchers share one listener on a signal, and none remains after them. */
import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { whenAborted } from '../../../src/lib/cancellation.js';

const listeners = (signal: AbortSignal) => getEventListeners(signal, 'abort').length;

describe('whenAborted', () => {
  it('calls each current watcher once, from one listener', () => {
    const controller = new AbortController();
    const { signal } = controller;
    const called: number[] = [];
    const stops = [0, 1, 2].map((who) => whenAborted(signal, () => called.push(who)));
    expect(listeners(signal)).toBe(1);
    stops[1]?.();
    controller.abort();
    for (const stop of stops) stop();
    expect(called).toEqual([0, 2]);
  });

  it('removes its listener with the last watcher, and adds one for the next', () => {
    const controller = new AbortController();
    const { signal } = controller;
    let calls = 0;
    const count = () => {
      calls++;
    };
    const [first, second] = [whenAborted(signal, count), whenAborted(signal, count)];
    first();
    first();
    expect(listeners(signal)).toBe(1);
    second();
    expect(listeners(signal)).toBe(0);
    whenAborted(signal, count);
    first();
    second();
    controller.abort();
    expect(calls).toBe(1);
  });
});
