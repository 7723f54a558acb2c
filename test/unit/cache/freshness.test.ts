/** The states of a stored entry, for any policy and any clock. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Freshness,
  type FreshnessPolicy,
  lifetimeMs,
  toFreshness,
} from '../../../src/cache/freshness.js';
import { POLICIES } from '../../../src/cache/policies.js';

const span = fc.integer({ min: 0, max: 100_000_000 });
const anyPolicy: fc.Arbitrary<FreshnessPolicy> = fc.record({
  timeToLiveMs: span,
  staleWhileRevalidateMs: span,
  staleIfErrorMs: span,
});
const storedAt = fc.integer({ min: 0, max: 4_000_000_000_000 });
const ORDER: readonly Freshness[] = ['fresh', 'revalidate', 'ifError', 'expired'];
const SITE = { timeToLiveMs: 1000, staleWhileRevalidateMs: 2000, staleIfErrorMs: 5000 };

describe('judge', () => {
  it.each([
    [0, 'fresh'],
    [999, 'fresh'],
    [1000, 'revalidate'],
    [2999, 'revalidate'],
    [3000, 'ifError'],
    [5999, 'ifError'],
    [6000, 'expired'],
    [-5000, 'fresh'],
    [-5001, 'expired'],
  ] as const)('an entry of %d ms is %s', (ageMs, freshness) => {
    expect(toFreshness(1_000_000, SITE, 1_000_000 + ageMs)).toBe(freshness);
  });

  it('never returns a fresher state with time', () => {
    fc.assert(
      fc.property(anyPolicy, storedAt, span, span, (policy, atMs, ageMs, moreMs) => {
        const before = ORDER.indexOf(toFreshness(atMs, policy, atMs + ageMs));
        expect(ORDER.indexOf(toFreshness(atMs, policy, atMs + ageMs + moreMs))).toBeGreaterThanOrEqual(
          before,
        );
      }),
    );
  });

  it('returns expired from exactly the end of the lifetime', () => {
    fc.assert(
      fc.property(anyPolicy, storedAt, span, (policy, atMs, ageMs) => {
        expect(toFreshness(atMs, policy, atMs + ageMs) === 'expired').toBe(ageMs >= lifetimeMs(policy));
      }),
    );
  });

  it('handles entries of a clock that was later set back', () => {
    fc.assert(
      fc.property(
        anyPolicy,
        storedAt,
        fc.integer({ min: 5001, max: 10_000_000_000 }),
        (policy, atMs, backMs) => {
          expect(toFreshness(atMs, policy, atMs - backMs)).toBe('expired');
        },
      ),
    );
  });

  it('treats a time that is not a number as expired', () => {
    expect(toFreshness(Number.NaN, SITE, 5)).toBe('expired');
  });
});

describe('the table of kinds', () => {
  it.each(Object.entries(POLICIES))('%s has consistent periods', (_, policy) => {
    expect(policy.timeToLiveMs).toBeGreaterThan(0);
    expect(policy.staleIfErrorMs).toBeGreaterThanOrEqual(policy.staleWhileRevalidateMs);
    expect(lifetimeMs(policy)).toBeLessThan(7 * 24 * 60 * 60 * 1000);
  });
});
