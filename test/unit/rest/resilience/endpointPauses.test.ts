/** How long a limited endpoint is paused. */
import { describe, expect, it } from 'vitest';
import { toMonotonicClock } from '../../../../src/lib/clock.js';
import { silentLogger as logger } from '../../../../src/lib/logger.js';
import type { PlatformEndpoint } from '../../../../src/rest/path.js';
import {
  createEndpointLimits,
  createEndpointPauses,
} from '../../../../src/rest/resilience/endpointLimits.js';
import { defaultResilienceLimits } from '../../../../src/rest/resilience/resilienceLimits.js';
import { createTestClock } from '../../../support/sandbox/sandbox.js';

const [SITES, DEVICES] = ['GET /v2.0/site', 'GET /v2.0/device'] as const;

function setUp() {
  const clock = createTestClock();
  return { clock, pauses: createEndpointPauses(toMonotonicClock(clock)) };
}

describe('createEndpointPauses', () => {
  it('uses the time of the platform, for that endpoint', () => {
    const { clock, pauses } = setUp();
    expect(pauses.recordRateLimit(SITES, 7_000)).toBe(true);
    expect([pauses.remainingMs(SITES), pauses.remainingMs(DEVICES)]).toEqual([7_000, 0]);
    clock.advance(6_999);
    expect(pauses.remainingMs(SITES)).toBe(1);
    clock.advance(1);
    expect(pauses.remainingMs(SITES)).toBe(0);
  });

  it('is not shortened by a later response, and can be extended', () => {
    const { pauses } = setUp();
    pauses.recordRateLimit(SITES, 7_000);
    expect([pauses.recordRateLimit(SITES, 1_000), pauses.remainingMs(SITES)]).toEqual([false, 7_000]);
    pauses.recordResponse(SITES);
    expect(pauses.remainingMs(SITES)).toBe(7_000);
    pauses.recordRateLimit(SITES, 9_000);
    expect(pauses.remainingMs(SITES)).toBe(9_000);
  });

  it('doubles from a second to a minute where the platform sends no time, and starts again after a success', () => {
    const { clock, pauses } = setUp();
    const lengths = Array.from({ length: 8 }, () => {
      pauses.recordRateLimit(SITES, undefined);
      pauses.recordRateLimit(SITES, undefined);
      const leftMs = pauses.remainingMs(SITES);
      clock.advance(leftMs);
      return leftMs;
    });
    expect(lengths).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);
    pauses.recordResponse(SITES);
    pauses.recordRateLimit(SITES, undefined);
    expect(pauses.remainingMs(SITES)).toBe(1_000);
  });

  it('lasts no longer when the clock goes back', () => {
    const { clock, pauses } = setUp();
    pauses.recordRateLimit(DEVICES, 5_000);
    clock.advance(-3_600_000);
    expect(pauses.remainingMs(DEVICES)).toBe(5_000);
    clock.advance(5_000);
    expect(pauses.remainingMs(DEVICES)).toBe(0);
  });
});

function setUpLimits(nowMs?: number) {
  const clock = createTestClock(nowMs);
  const monotonicClock = toMonotonicClock(clock);
  const limits = createEndpointLimits({ ...defaultResilienceLimits, clock, monotonicClock, logger });
  const record = (endpoint: PlatformEndpoint, status: number, headers: Record<string, string> = {}) =>
    limits.record(endpoint, { response: { status, headers, body: Buffer.from('') } });
  return { clock, limits, record };
}

const sites = { method: 'GET', template: '/v2.0/site' } as const;

it.each([
  ['0', 0],
  ['7', 7_000],
  ['Sat, 14 Mar 2026 09:30:07 GMT', 7_000],
  ['Sat, 14 Mar 2026 08:30:00 GMT', 1_000],
  ['1.5', 1_000],
])('a 429 with the Retry-After %j pauses its endpoint for %i ms', (retryAfter, expected) => {
  const { limits, record } = setUpLimits(Date.UTC(2026, 2, 14, 9, 30));
  record(sites, 429, { 'retry-after': retryAfter });
  expect(limits.pauseRemainingMs(sites)).toBe(expected);
});

it('a 429 after another response pauses its endpoint as briefly as the first one', () => {
  const { clock, limits, record } = setUpLimits();
  record(sites, 429);
  clock.advance(1_000);
  record(sites, 404);
  record(sites, 429);
  expect(limits.pauseRemainingMs(sites)).toBe(1_000);
});

it('requests for tokens of one credential neither pause nor limit those of others', () => {
  const { limits, record } = setUpLimits();
  const endpoint = { method: 'POST', template: '/auth/token' } as const;
  const calls = limits.remainingCalls(endpoint);
  limits.countCall(endpoint);
  record(endpoint, 429);
  expect([limits.pauseRemainingMs(endpoint), limits.remainingCalls(endpoint)]).toEqual([0, calls]);
});
