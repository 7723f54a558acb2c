/** The caller or address that an operation counts against, and how long it has to wait. */
import { describe, expect, it } from 'vitest';
import {
  createCallerRateLimiter,
  MAX_CALLERS,
  type SharedRateCounts,
  toCallerId,
} from '../../../../src/http/rateLimits/callerRateLimiter.js';
import { createTestClock } from '../../../support/sandbox/sandbox.js';

it('the caller rate limiter counts against an authenticated caller, from any address', () => {
  expect(toCallerId('10.0.0.1', { id: 'k1' })).toBe(toCallerId('10.0.0.2', { id: 'k1' }));
  expect(toCallerId('10.0.0.1', { id: 'k1' })).not.toBe(toCallerId('10.0.0.1', { id: 'k2' }));
});

it('the caller rate limiter counts against the address of anonymous callers, and never against both', () => {
  expect(toCallerId('10.0.0.1', {})).toBe('10.0.0.1');
  expect(toCallerId('10.0.0.2', { id: '10.0.0.1' })).not.toBe('10.0.0.1');
});

it('has a short id for a caller with a long one, which no other caller can have', () => {
  const [long, other] = ['s'.repeat(16_000), `${'s'.repeat(15_999)}t`].map((id) =>
    toCallerId('10.0.0.1', { id }),
  );
  expect(Buffer.byteLength(String(long))).toBeLessThan(128);
  expect(long).not.toBe(other);
  expect(toCallerId('10.0.0.1', { id: 's'.repeat(16_000) })).toBe(long);
  const forged = String(long).replace(/^caller-/, '');
  expect(toCallerId('10.0.0.1', { id: forged })).not.toBe(long);
  expect(Buffer.byteLength(toCallerId('10.0.0.1', { id: '€'.repeat(128) }))).toBeLessThan(512);
});

describe('a rate of 10 per second and 20 at once', () => {
  function createLimiter(limit = { perSecond: 10, burst: 20 }) {
    const clock = createTestClock();
    const added: [string, number][] = [];
    let countRemote: Parameters<SharedRateCounts['onRemote']>[0] = () => {};
    const rate = createCallerRateLimiter(limit, clock, {
      add: (caller, operations) => void added.push([caller, operations]),
      onRemote(listener) {
        countRemote = listener;
      },
    });
    const takeAll = () => {
      for (let count = 0; count < limit.burst; count++) expect(rate.take('one')).toBe(0);
    };
    return {
      clock,
      rate,
      added,
      takeAll,
      countRemote: (...count: [string, number]) => countRemote([count]),
    };
  }

  it('lets a caller wait for the next operation, which an attempt does not delay', () => {
    const { clock, rate, takeAll } = createLimiter();
    takeAll();
    expect([rate.take('one'), rate.take('one'), rate.waitMs('one')]).toEqual([100, 100, 100]);
    expect(rate.take('other')).toBe(0);
    clock.advance(100);
    expect([rate.take('one'), rate.take('one')]).toEqual([0, 100]);
  });

  it('lets no caller wait for longer than two bursts', () => {
    const { rate } = createLimiter();
    rate.charge('one', 1_000_000);
    expect(rate.waitMs('one')).toBe(2100);
  });

  it('lets no caller wait for longer when the clock goes back', () => {
    const { clock, rate, takeAll } = createLimiter();
    takeAll();
    clock.advance(-3_600_000);
    expect(rate.waitMs('one')).toBe(100);
  });

  it('counts 100,000 callers, and evicts the least recently active one', () => {
    const { rate } = createLimiter({ perSecond: 10, burst: 1 });
    for (let caller = 0; caller < MAX_CALLERS; caller++) rate.take(String(caller));
    expect(rate.take('0')).toBeGreaterThan(0);
    rate.take('another');
    expect(rate.take('0')).toBeGreaterThan(0);
    expect(rate.take('1')).toBe(0);
  });

  it('reports operations and refusals to other processes, and counts theirs', () => {
    const { rate, added, takeAll, countRemote } = createLimiter();
    rate.chargeRefusal('other');
    takeAll();
    rate.take('one');
    expect(added).toEqual([['other', 10], ...Array(20).fill(['one', 1])]);
    countRemote('remote', 20);
    expect(rate.waitMs('remote')).toBe(100);
    expect(added).toHaveLength(21);
  });

  it('reports nothing where there is no limit', () => {
    const { rate, added } = createLimiter({ perSecond: 0, burst: 20 });
    rate.chargeRefusal('one');
    expect([rate.take('one'), added]).toEqual([0, []]);
  });
});
