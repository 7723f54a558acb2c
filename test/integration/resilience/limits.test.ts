/** The resilient transport respects the limits of the platform, and its own. */
import { describe, expect, it, vi } from 'vitest';
import {
  askToken,
  DEVICES,
  failureOf,
  SITES,
  send,
  startResilience,
} from '../../support/rest/resilientTransport.js';
import { runningClock } from '../../support/runningClock.js';
import { createGate, WAIT_MS } from '../../support/waiting.js';

const { sandbox, createPlatform, get } = await startResilience();
describe('Retry-After', () => {
  const inSeconds = (seconds: number) => new Date(runningClock.now() + seconds * 1000).toUTCString();
  const sentNow = () => ({ Date: inSeconds(0) });

  it.each([
    ['seconds', 503, () => 2, 2_000],
    ['seconds', 429, () => 2, 2_000],
    ['a date', 503, () => inSeconds(4), 2_000],
    ['a date', 429, () => inSeconds(4), 2_000],
  ])('in %s of a %i delays the retry', async (_, status, retryAfter, minMs) => {
    const { platform, sleptMs } = createPlatform();
    sandbox.faults.add({ match: SITES, status, retryAfter: retryAfter(), headers: sentNow(), times: 1 });
    expect(await send(platform, get(SITES))).toBe(200);
    expect([sandbox.calls.total(), sleptMs.length]).toEqual([2, 1]);
    expect(sleptMs[0]).toBeGreaterThan(minMs);
  });

  it.each([
    ['seconds', 503, () => 6],
    ['seconds', 429, () => 900],
    ['a date', 503, () => inSeconds(60)],
    ['a date', 429, () => inSeconds(60)],
  ])('in %s of a %i that is too long ends the request at once', async (_, status, retryAfter) => {
    const { platform, sleptMs } = createPlatform();
    sandbox.faults.add({ match: SITES, status, retryAfter: retryAfter(), headers: sentNow() });
    expect(await send(platform, get(SITES))).toBe(status);
    expect([sandbox.calls.total(), sleptMs]).toEqual([1, []]);
  });

  it('after the deadline ends the request at once', async () => {
    const { platform, clock, sleptMs } = createPlatform();
    sandbox.faults.add({ match: SITES, status: 503, retryAfter: 3 });
    expect(await send(platform, get(SITES, { deadlineAtMs: clock.now() + 2_500 }))).toBe(503);
    expect([sandbox.calls.total(), sleptMs]).toEqual([1, []]);
  });

  it('of a 429 pauses that endpoint for all callers, and no other endpoint', async () => {
    const { platform, skip } = createPlatform();
    sandbox.faults.add({ match: SITES, status: 429, retryAfter: 60, times: 1 });
    expect(await send(platform, get(SITES))).toBe(429);
    const refused = await failureOf(platform, get(SITES));
    expect(refused).toMatchObject({ code: 'PLATFORM_RATE_LIMITED', retryable: true });
    const { retryAfterMs = 0 } = refused;
    expect(retryAfterMs).toBeGreaterThan(50_000);
    expect(retryAfterMs).toBeLessThanOrEqual(60_000);
    expect(await send(platform, get(DEVICES))).toBe(200);
    expect(sandbox.calls.countOf(SITES)).toBe(1);
    skip(60_000);
    expect(await send(platform, get(SITES))).toBe(200);
  });

  it('that is missing from a 429 pauses the endpoint too', async () => {
    const { platform, clock, skip } = createPlatform();
    sandbox.faults.add({ match: SITES, status: 429, times: 1 });
    const soon = clock.now() + 500;
    expect(await send(platform, get(SITES, { deadlineAtMs: soon }))).toBe(429);
    expect(await send(platform, get(SITES))).toBe('PLATFORM_RATE_LIMITED');
    expect(sandbox.calls.total()).toBe(1);
    skip(1_000);
    expect(await send(platform, get(SITES))).toBe(200);
  });
});

describe('limits on calls', () => {
  it('bound the concurrent calls, without counting token requests', async () => {
    const { platform } = createPlatform({ limits: { maxConcurrent: 4 } });
    const { open, opened } = createGate();
    for (const match of [SITES, DEVICES]) sandbox.faults.add({ match, until: opened });
    const calls = Array.from({ length: 8 }, (_, index) => send(platform, get(index % 2 ? SITES : DEVICES)));
    const count = () => sandbox.calls.countOf(SITES) + sandbox.calls.countOf(DEVICES);
    await vi.waitFor(() => expect(sandbox.calls.total()).toBe(4), WAIT_MS);
    expect(await send(platform, askToken())).toBe(200);
    expect(count()).toBe(4);
    open();
    expect(new Set(await Promise.all(calls))).toEqual(new Set([200]));
    expect(count()).toBe(8);
  });

  it('leave slots for other families while one hangs', async () => {
    const { platform } = createPlatform({ limits: { maxConcurrent: 4 } });
    const { open, opened } = createGate();
    sandbox.faults.add({ match: DEVICES, until: opened });
    const hanging = Array.from({ length: 8 }, () => send(platform, get(DEVICES)));
    await vi.waitFor(() => expect(sandbox.calls.countOf(DEVICES)).toBe(3), WAIT_MS);
    expect(await send(platform, get(SITES))).toBe(200);
    expect(sandbox.calls.countOf(DEVICES)).toBe(3);
    open();
    expect(new Set(await Promise.all(hanging))).toEqual(new Set([200]));
  });

  it('refuse calls when the queue is full', async () => {
    const { platform } = createPlatform({ limits: { maxConcurrent: 1, maxQueued: 1 } });
    sandbox.faults.add({ match: SITES, latencyMs: 200 });
    const results = await Promise.all(Array.from({ length: 3 }, () => send(platform, get(SITES))));
    expect(results).toEqual([200, 200, 'PLATFORM_UNAVAILABLE']);
  });

  it('apply the endpoint quota, which counts retries', async () => {
    const { platform, skip } = createPlatform({
      limits: { endpointQuota: { maxCalls: 3, windowMs: 60_000 } },
    });
    sandbox.faults.add({ match: SITES, status: 503, times: 1 });
    expect([await send(platform, get(SITES)), sandbox.calls.countOf(SITES)]).toEqual([200, 2]);
    expect([await send(platform, get(SITES)), sandbox.calls.countOf(SITES)]).toEqual([200, 3]);
    expect(await send(platform, get(SITES))).toBe('PLATFORM_RATE_LIMITED');
    expect(sandbox.calls.countOf(SITES)).toBe(3);
    // The quota of each endpoint counts its calls alone.
    for (let call = 0; call < 3; call++) expect(await send(platform, get(DEVICES))).toBe(200);
    expect(await send(platform, get(DEVICES))).toBe('PLATFORM_RATE_LIMITED');
    skip(70_000);
    expect(await send(platform, get(SITES))).toBe(200);
  });
});
