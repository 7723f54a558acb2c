/** The resilient transport releases callers that disconnect or exceed their deadline, with all their resources. */
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { createCancelled, createCountedCancellation } from '../../support/cache/cancellations.js';
import {
  openSockets,
  SITES,
  send,
  startResilience,
  untilSocketsAreClosed,
} from '../../support/rest/resilientTransport.js';
import { WAIT_MS } from '../../support/waiting.js';

const { sandbox, createPlatform, get } = await startResilience();
describe('a caller', () => {
  it.each([
    ['headers', { hangBeforeHeaders: true }],
    ['a body', { hangAfterBytes: 10 }],
  ])('that waits for %s returns at once when cancelled, and the socket is closed', async (_, fault) => {
    const { platform } = createPlatform();
    sandbox.faults.add({ match: SITES, ...fault });
    const caller = createCountedCancellation();
    const results = Array.from({ length: 20 }, () => send(platform, get(SITES, { cancellation: caller })));
    await vi.waitFor(() => expect(sandbox.calls.total()).toBe(20), WAIT_MS);
    expect(openSockets()).toBeGreaterThan(0);
    await wait(50);
    caller.abort();
    expect(new Set(await Promise.all(results))).toEqual(new Set(['CANCELLED']));
    await untilSocketsAreClosed();
    expect(sandbox.calls.total()).toBe(20);
    expect(caller.listenerCount()).toBe(0);
  });

  it('that waits for a retry returns at once when cancelled, and nothing is sent for it', async () => {
    const { platform } = createPlatform({ isWaiting: true });
    sandbox.faults.add({ match: SITES, status: 503, retryAfter: 4 });
    const caller = createCountedCancellation();
    const result = send(platform, get(SITES, { cancellation: caller }));
    await vi.waitFor(() => expect(sandbox.calls.list()[0]?.status).toBe(503), WAIT_MS);
    await wait(50);
    const leftAtMs = performance.now();
    caller.abort();
    expect(await result).toBe('CANCELLED');
    expect(performance.now() - leftAtMs).toBeLessThan(2_000);
    expect(sandbox.calls.total()).toBe(1);
    expect(caller.listenerCount()).toBe(0);
  });

  it('that is cancelled before the request is sent costs no call', async () => {
    const { platform } = createPlatform();
    expect(await send(platform, get(SITES, { cancellation: createCancelled() }))).toBe('CANCELLED');
    expect(sandbox.calls.total()).toBe(0);
  });
});

describe('a deadline', () => {
  it('that has passed costs no call; one that passes ends the attempt', async () => {
    const { platform, clock } = createPlatform();
    sandbox.faults.add({ match: SITES, hangBeforeHeaders: true });
    expect(await send(platform, get(SITES, { deadlineAtMs: clock.now() }))).toBe('PLATFORM_TIMEOUT');
    expect(sandbox.calls.total()).toBe(0);
    expect(await send(platform, get(SITES, { deadlineAtMs: clock.now() + 1_000 }))).toBe('PLATFORM_TIMEOUT');
    expect(sandbox.calls.total()).toBe(1);
  });

  it('applies in the queue too', async () => {
    const { platform, clock } = createPlatform({ limits: { maxConcurrent: 1 } });
    sandbox.faults.add({ match: SITES, latencyMs: 600 });
    const first = send(platform, get(SITES));
    expect(await send(platform, get(SITES, { deadlineAtMs: clock.now() + 100 }))).toBe('PLATFORM_TIMEOUT');
    expect(await first).toBe(200);
    expect(sandbox.calls.total()).toBe(1);
  });
});

describe('a long run', () => {
  it('leaves no listener on a cancellation, no timer and no socket behind', async () => {
    const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
    const before = timers();
    const warnings: unknown[] = [];
    const note = (warning: unknown) => warnings.push(warning);
    process.on('warning', note);
    const { platform } = createPlatform({ limits: { maxConcurrent: 8 } });
    const cancellation = createCountedCancellation();
    sandbox.faults.add({ match: SITES, status: 503, times: 20 });
    await Promise.all(Array.from({ length: 300 }, () => send(platform, get(SITES, { cancellation }))));
    expect(cancellation.listenerCount()).toBe(0);
    platform.close();
    await untilSocketsAreClosed();
    expect(timers()).toBeLessThanOrEqual(before);
    process.off('warning', note);
    expect(warnings).toEqual([]);
    expect(await send(platform, get(SITES))).toBe('PLATFORM_UNAVAILABLE');
  });
});
