/** Counts the calls of each endpoint, in a window that drops no call too early. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toMonotonicClock } from '../../../../src/lib/clock.js';
import {
  createEndpointQuota,
  defaultEndpointQuotaLimits,
} from '../../../../src/rest/resilience/endpointLimits.js';
import { createTestClock } from '../../../support/sandbox/sandbox.js';

const MINUTE_MS = 60_000;
const [SITES, DEVICES] = ['GET /v2.0/site', 'GET /v2.0/device'] as const;

function setUp(maxCalls: number) {
  const clock = createTestClock();
  const quota = createEndpointQuota({ maxCalls, windowMs: 15 * MINUTE_MS }, toMonotonicClock(clock));
  return { clock, quota };
}

describe('createEndpointQuota', () => {
  it('allows a million calls per quarter of an hour for each endpoint', () => {
    const quota = createEndpointQuota(defaultEndpointQuotaLimits, createTestClock());
    for (let count = 0; count < 3; count++) quota.countCall(SITES);
    expect([quota.remaining(SITES), quota.remaining(DEVICES)]).toEqual([999_997, 1_000_000]);
  });

  it('returns the wait when it is exhausted, and is full again after the window', () => {
    const { clock, quota } = setUp(2);
    quota.countCall(SITES);
    expect(quota.waitMs(SITES)).toBe(0);
    quota.countCall(SITES);
    const waitMs = quota.waitMs(SITES);
    expect(waitMs).toBeGreaterThanOrEqual(15 * MINUTE_MS);
    expect(waitMs).toBeLessThanOrEqual(16 * MINUTE_MS);
    expect(quota.waitMs(DEVICES)).toBe(0);
    clock.advance(waitMs - 1);
    expect([quota.remaining(SITES), quota.waitMs(SITES)]).toEqual([0, 1]);
    clock.advance(1);
    expect([quota.remaining(SITES), quota.waitMs(SITES)]).toEqual([2, 0]);
  });

  it('is not exhausted for longer when the clock goes back', () => {
    const { clock, quota } = setUp(1);
    quota.countCall(SITES);
    clock.advance(-86_400_000);
    expect(quota.waitMs(SITES)).toBeLessThanOrEqual(16 * MINUTE_MS);
    clock.advance(16 * MINUTE_MS);
    expect(quota.waitMs(SITES)).toBe(0);
  });

  it('never permits more in any quarter of an hour', () => {
    const steps = fc.array(fc.integer({ min: 0, max: 5 * MINUTE_MS }), { maxLength: 80 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 8 }), steps, (calls, waits) => {
        const { clock, quota } = setUp(calls);
        const takenAtMs: number[] = [];
        for (const ms of waits) {
          clock.advance(ms);
          if (quota.waitMs(SITES) > 0) continue;
          quota.countCall(SITES);
          takenAtMs.push(clock.now());
        }
        for (const [index, atMs] of takenAtMs.entries()) {
          const later = takenAtMs[index + calls];
          if (later !== undefined) expect(later - atMs).toBeGreaterThanOrEqual(15 * MINUTE_MS);
        }
      }),
    );
  });
});
