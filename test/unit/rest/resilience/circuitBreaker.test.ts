/** When a circuit opens, how it closes after the platform recovers, and that nothing else keeps it open. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { GatewayError } from '../../../../src/errors.js';
import { toMonotonicClock } from '../../../../src/lib/clock.js';
import { silentLogger } from '../../../../src/lib/logger.js';
import {
  type BreakerVerdict,
  createCircuitBreaker,
  createFamilyBreakers,
  defaultBreakerLimits,
} from '../../../../src/rest/resilience/circuitBreaker.js';
import { createTestClock } from '../../../support/sandbox/sandbox.js';

function setUp() {
  const clock = createTestClock();
  const changes: string[] = [];
  const breaker = createCircuitBreaker({
    ...defaultBreakerLimits,
    clock: toMonotonicClock(clock),
    onOpen: () => changes.push('open'),
    onClose: () => changes.push('closed'),
  });
  /** Makes the calls that the breaker permits; returns their number. */
  function call(verdict: BreakerVerdict, times = 1): number {
    let entered = 0;
    for (let count = 0; count < times; count++) {
      const report = breaker.tryEnter();
      report?.(verdict);
      if (report) entered++;
    }
    return entered;
  }
  return { clock, breaker, changes, call };
}

function setUpOpen() {
  const parts = setUp();
  parts.call('failure', 20);
  expect(parts.breaker.state()).toBe('open');
  return parts;
}

describe('createCircuitBreaker', () => {
  it('opens at half of twenty calls, not at less of either', () => {
    const few = setUp();
    expect(few.call('failure', 19)).toBe(19);
    expect(few.breaker.state()).toBe('closed');
    const mostlyGood = setUp();
    mostlyGood.call('success', 100);
    mostlyGood.call('failure', 99);
    expect(mostlyGood.breaker.state()).toBe('closed');
    mostlyGood.call('failure');
    expect(mostlyGood.breaker.state()).toBe('open');
  });

  it('counts only the last ten seconds, and no inconclusive calls', () => {
    const { clock, breaker, call } = setUp();
    call('failure', 19);
    clock.advance(11_001);
    call('failure', 19);
    call('unknown', 100);
    clock.advance(9_000);
    expect(breaker.state()).toBe('closed');
    call('failure');
    expect(breaker.state()).toBe('open');
  });

  it('stays open for five seconds, then permits one call', () => {
    const { clock, breaker, call, changes } = setUpOpen();
    expect(breaker.waitMs()).toBe(5_000);
    clock.advance(4_999);
    expect([call('success'), breaker.waitMs()]).toEqual([0, 1]);
    clock.advance(1);
    const probe = breaker.tryEnter();
    expect([breaker.state(), call('success'), breaker.waitMs() > 0]).toEqual(['halfOpen', 0, true]);
    probe?.('success');
    expect([breaker.state(), call('success', 5)]).toEqual(['closed', 5]);
    expect(changes).toEqual(['open', 'closed']);
  });

  it('opens again after a failed probe, and permits another one after an inconclusive probe', () => {
    const { clock, breaker, call } = setUpOpen();
    clock.advance(5_000);
    expect(call('failure')).toBe(1);
    expect(breaker.waitMs()).toBe(5_000);
    clock.advance(5_000);
    expect([call('unknown', 3), breaker.state()]).toEqual([3, 'halfOpen']);
    expect([call('success'), breaker.state()]).toEqual([1, 'closed']);
  });

  it('ignores calls that started before it opened', () => {
    const { clock, breaker, call } = setUp();
    const late = Array.from({ length: 40 }, () => breaker.tryEnter());
    call('failure', 20);
    for (const report of late.slice(0, 20)) report?.('success');
    expect(breaker.state()).toBe('open');
    clock.advance(5_000);
    call('success');
    for (const report of late.slice(20)) report?.('failure');
    expect(breaker.state()).toBe('closed');
  });

  it('is not open for longer because of calls that fail after it opened', () => {
    const { clock, breaker, call, changes } = setUp();
    const late = Array.from({ length: 20 }, () => breaker.tryEnter());
    call('failure', 20);
    clock.advance(4_000);
    for (const report of late) report?.('failure');
    expect([breaker.waitMs(), changes]).toEqual([1_000, ['open']]);
  });

  it('is not open for longer when the clock goes back', () => {
    const { clock, breaker, call } = setUpOpen();
    clock.advance(-86_400_000);
    expect(breaker.waitMs()).toBe(5_000);
    clock.advance(5_000);
    expect([call('success'), breaker.state()]).toEqual([1, 'closed']);
  });

  it('closes within the open time and one call after the platform has recovered, for any history', () => {
    const verdict = fc.constantFrom<BreakerVerdict>('success', 'failure', 'unknown');
    const step = fc.tuple(
      verdict,
      fc.integer({ min: -20_000, max: 20_000 }),
      fc.integer({ min: 1, max: 30 }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const { clock, breaker, call } = setUp();
        for (const [what, ms, times] of steps) {
          call(what, times);
          clock.advance(ms);
          expect(breaker.waitMs()).toBeLessThanOrEqual(5_000);
        }
        clock.advance(20_000 * 41 + 5_000);
        expect(call('success', 3)).toBe(3);
        expect(breaker.state()).toBe('closed');
      }),
    );
  });
});

describe('createFamilyBreakers', () => {
  const sites = { method: 'GET', template: '/v2.0/site' } as const;

  /** The breakers after twenty attempts at sites that end with a timeout. */
  function setUpTimeouts(attemptTimeoutMs: number, timeoutMs: number) {
    const clock = createTestClock();
    const breakers = createFamilyBreakers({
      monotonicClock: toMonotonicClock(clock),
      logger: silentLogger,
      breaker: defaultBreakerLimits,
      attemptTimeoutMs,
    });
    const error = new GatewayError('PLATFORM_TIMEOUT', 'x');
    for (let count = 0; count < 20; count++) breakers.enter(sites, timeoutMs)({ error });
    return { clock, breakers };
  }

  it.each([
    [15_000, 1_000, 'open'],
    [15_000, 999, 'closed'],
    [500, 500, 'open'],
    [500, 499, 'closed'],
  ])('with attempts of %i ms, is after timeouts of %i ms: %s', (attemptTimeoutMs, timeoutMs, state) => {
    expect(setUpTimeouts(attemptTimeoutMs, timeoutMs).breakers.states()).toEqual({ site: state });
  });

  it('refuses before a call is queued for as long as it would after, and changes nothing', () => {
    const { clock, breakers } = setUpTimeouts(15_000, 15_000);
    clock.advance(4_999);
    const refusal = expect.objectContaining({ code: 'PLATFORM_UNAVAILABLE', retryAfterMs: 1 });
    expect(() => breakers.check(sites)).toThrow(refusal);
    expect(() => breakers.enter(sites, 15_000)).toThrow(refusal);
    clock.advance(1);
    for (let count = 0; count < 2; count++) expect(() => breakers.check(sites)).not.toThrow();
    expect(breakers.states()).toEqual({ site: 'halfOpen' });
  });
});
