/** When the resilient transport opens the circuit for an endpoint family, and how it closes again. */
import { describe, expect, it, vi } from 'vitest';
import { createCancellation } from '../../../src/lib/cancellation.js';
import {
  askToken,
  DEVICES,
  failureOf,
  SITE_ATTRIBUTES,
  SITES,
  send,
  startResilience,
} from '../../support/rest/resilientTransport.js';
import { WAIT_MS } from '../../support/waiting.js';

const { sandbox, createPlatform, get } = await startResilience();
describe('the circuit breaker', () => {
  it('opens for a family that keeps failing, and closes when a probe succeeds', async () => {
    const { platform, skip } = createPlatform();
    sandbox.faults.add({ match: ({ path }) => path.startsWith(SITES), status: 500 });
    for (let count = 0; count < 20; count++) expect(await send(platform, get(SITES))).toBe(500);
    const refused = await failureOf(platform, get(SITE_ATTRIBUTES));
    expect(refused).toMatchObject({ code: 'PLATFORM_UNAVAILABLE', retryable: true });
    expect(refused.retryAfterMs).toBeGreaterThan(0);
    expect([await send(platform, get(DEVICES)), await send(platform, askToken())]).toEqual([200, 200]);
    expect(platform.breakerStates()).toEqual({ site: 'open', device: 'closed', auth: 'closed' });
    expect(sandbox.calls.total()).toBe(22);
    skip(5_000);
    sandbox.faults.clear();
    expect(await send(platform, get(SITES))).toBe(200);
    expect(platform.breakerStates()['site']).toBe('closed');
  });

  it('lets one probe through for any number of callers', async () => {
    const { platform, skip } = createPlatform();
    sandbox.faults.add({ match: SITES, status: 500 });
    for (let count = 0; count < 20; count++) await send(platform, get(SITES));
    sandbox.calls.reset();
    skip(5_000);
    const results = await Promise.all(Array.from({ length: 50 }, () => send(platform, get(SITES))));
    expect(results.filter((result) => result === 500)).toHaveLength(1);
    expect(results.filter((result) => result === 'PLATFORM_UNAVAILABLE')).toHaveLength(49);
    expect(sandbox.calls.total()).toBe(1);
  });

  it.each([404, 429])('counts neither responses of %i nor cancelled calls', async (status) => {
    const { platform } = createPlatform();
    sandbox.faults.add({ match: SITES, status, retryAfter: 0 });
    for (let count = 0; count < 30; count++) await send(platform, get(SITES));
    sandbox.faults.clear();
    sandbox.faults.add({ match: SITES, hangBeforeHeaders: true });
    const callers = Array.from({ length: 30 }, () => createCancellation());
    const results = callers.map((cancellation) => send(platform, get(SITES, { cancellation })));
    await vi.waitFor(() => expect(sandbox.calls.total()).toBeGreaterThanOrEqual(60), WAIT_MS);
    for (const caller of callers) caller.abort();
    expect(new Set(await Promise.all(results))).toEqual(new Set(['CANCELLED']));
    expect(platform.breakerStates()).toEqual({ site: 'closed' });
  });

  it('counts timeouts, except where the caller had no time left', async () => {
    const { platform, clock } = createPlatform({ limits: { attemptTimeoutMs: 1_200 } });
    sandbox.faults.add({ match: SITES, hangBeforeHeaders: true });
    const hurry = () => send(platform, get(SITES, { deadlineAtMs: clock.now() + 100 }));
    expect(new Set(await Promise.all(Array.from({ length: 30 }, hurry)))).toEqual(
      new Set(['PLATFORM_TIMEOUT']),
    );
    expect(platform.breakerStates()).toEqual({ site: 'closed' });
    const wait = () => send(platform, get(SITES, { deadlineAtMs: clock.now() + 10_000 }));
    await Promise.all(Array.from({ length: 30 }, wait));
    expect(platform.breakerStates()).toEqual({ site: 'open' });
  });

  it('prevents three attempts of every caller during an outage', async () => {
    const { platform } = createPlatform();
    sandbox.faults.add({ match: SITES, destroySocket: true });
    await Promise.all(Array.from({ length: 200 }, () => send(platform, get(SITES))));
    expect(sandbox.calls.total()).toBeLessThan(100);
  });
});
