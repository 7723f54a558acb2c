/** For how long a limited endpoint is left alone. */
import { describe, expect, it } from 'vitest';
import { createEndpointPauses } from '../../src/rest/patience/endpointPauses.js';
import { createSteadyClock } from '../../src/rest/patience/steadyClock.js';
import { createTestClock } from '../support/sandbox.js';

const [SITES, DEVICES] = ['GET /v2.0/site', 'GET /v2.0/device'] as const;

function setUp() {
  const clock = createTestClock();
  return { clock, pauses: createEndpointPauses(createSteadyClock(clock)) };
}

describe('createEndpointPauses', () => {
  it('lasts as long as the platform says, for that endpoint', () => {
    const { clock, pauses } = setUp();
    expect(pauses.limited(SITES, 7_000)).toBe(true);
    expect([pauses.leftMs(SITES), pauses.leftMs(DEVICES)]).toEqual([7_000, 0]);
    clock.advance(6_999);
    expect(pauses.leftMs(SITES)).toBe(1);
    clock.advance(1);
    expect(pauses.leftMs(SITES)).toBe(0);
  });

  it('is not shortened by a later answer, and may be prolonged', () => {
    const { pauses } = setUp();
    pauses.limited(SITES, 7_000);
    expect([pauses.limited(SITES, 1_000), pauses.leftMs(SITES)]).toEqual([false, 7_000]);
    pauses.answered(SITES);
    expect(pauses.leftMs(SITES)).toBe(7_000);
    pauses.limited(SITES, 9_000);
    expect(pauses.leftMs(SITES)).toBe(9_000);
  });

  it('doubles from a second to a minute where the platform names no time, and begins anew after an answer', () => {
    const { clock, pauses } = setUp();
    const lengths = Array.from({ length: 8 }, () => {
      pauses.limited(SITES, undefined);
      pauses.limited(SITES, undefined);
      const leftMs = pauses.leftMs(SITES);
      clock.advance(leftMs);
      return leftMs;
    });
    expect(lengths).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);
    pauses.answered(SITES);
    pauses.limited(SITES, undefined);
    expect(pauses.leftMs(SITES)).toBe(1_000);
  });

  it('lasts a day at most and no longer for a clock that goes back', () => {
    const { clock, pauses } = setUp();
    pauses.limited(SITES, Number.POSITIVE_INFINITY);
    expect(pauses.leftMs(SITES)).toBe(86_400_000);
    pauses.limited(DEVICES, 5_000);
    clock.advance(-3_600_000);
    expect(pauses.leftMs(DEVICES)).toBe(5_000);
    clock.advance(5_000);
    expect(pauses.leftMs(DEVICES)).toBe(0);
  });
});
