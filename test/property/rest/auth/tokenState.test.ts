/** Merging the token states of processes: nothing is lost, counted twice or kept for ever. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decideRefusal } from '../../../../src/rest/auth/refusedEndpoints.js';
import {
  extendLease,
  LEASE_MS,
  planRenewal,
  releaseLease,
  settleRenewal,
} from '../../../../src/rest/auth/renewalPlan.js';
import { WINDOW_MS } from '../../../../src/rest/auth/tokenBudget.js';
import { scheduleToken } from '../../../../src/rest/auth/tokenSchedule.js';
import {
  mergeStates,
  normalizeTimes,
  noTokenState,
  parseState,
  serializeState,
  shiftTimes,
  stateLifetimeMs,
  type TokenState,
} from '../../../../src/rest/auth/tokenState.js';

const NOW_MS = 1_800_000_000_000;
const DAY_MS = 86_400_000;

const anyTime = fc.integer({ min: NOW_MS - DAY_MS, max: NOW_MS + DAY_MS });
const anyId = fc.constantFrom('a:1', 'a:2', 'b:1', 'b:2', 'c:1');
const anyVersion = fc.integer({ min: 1, max: 4 });
const anyToken = fc
  .record({
    id: anyId,
    value: fc.string(),
    version: anyVersion,
    obtainedAtMs: anyTime,
    expiresIn: fc.nat(9000),
  })
  .map(({ expiresIn, ...token }) => ({ ...token, ...scheduleToken(token.obtainedAtMs, expiresIn) }));
const failure = {
  code: 'PLATFORM_UNAVAILABLE' as const,
  message: 'No.',
  retryable: true,
  platform: undefined,
};
const anyCooldown = fc
  .record({
    failures: fc.integer({ min: 1, max: 9 }),
    version: anyVersion,
    fromMs: anyTime,
    forMs: fc.nat(DAY_MS),
  })
  .map(({ forMs, ...cooldown }) => ({ ...cooldown, failure, untilMs: cooldown.fromMs + forMs }));
const anyLease = fc
  .record({ holder: fc.constantFrom('a', 'b', 'c'), fromMs: anyTime })
  .map((lease) => ({ ...lease, untilMs: lease.fromMs + LEASE_MS }));
const optional = <Value>(arbitrary: fc.Arbitrary<Value>) => fc.option(arbitrary, { nil: undefined });
const anyState: fc.Arbitrary<TokenState> = fc.record({
  attempts: fc.uniqueArray(fc.record({ id: anyId, atMs: anyTime }), { selector: ({ id }) => id }),
  token: optional(anyToken),
  cooldown: optional(anyCooldown),
  lease: optional(anyLease),
});
const wish = { holder: 'me', attemptId: 'me:1', replacesTokenId: undefined, purpose: 'need' as const };

describe('a token state', () => {
  it('is read as it was written', () => {
    const property = fc.property(anyState, (state) => {
      expect(parseState(serializeState(state))).toEqual(state);
    });
    fc.assert(property);
  });

  it('is empty without a text', () => {
    expect(parseState(undefined)).toEqual(noTokenState);
  });

  it('survives the conversion between clocks', () => {
    const property = fc.property(anyState, anyTime, (state, byMs) => {
      expect(shiftTimes(shiftTimes(state, byMs), -byMs)).toEqual(state);
    });
    fc.assert(property);
  });

  it('contains no future times after a repair, and expires after its own length', () => {
    const property = fc.property(anyState, (state) => {
      const { attempts, token, cooldown, lease } = normalizeTimes(state, NOW_MS);
      for (const { atMs } of attempts) expect(atMs).toBeLessThanOrEqual(NOW_MS);
      expect(token?.obtainedAtMs ?? 0).toBeLessThanOrEqual(NOW_MS);
      expect(cooldown?.fromMs ?? 0).toBeLessThanOrEqual(NOW_MS);
      expect(lease?.untilMs ?? 0).toBeLessThanOrEqual(NOW_MS + LEASE_MS);
      expect(normalizeTimes(normalizeTimes(state, NOW_MS), NOW_MS)).toEqual(normalizeTimes(state, NOW_MS));
    });
    fc.assert(property);
  });
});

describe('two merged token states', () => {
  it('contain all attempts, each once', () => {
    const property = fc.property(anyState, anyState, (own, shared) => {
      const ids = mergeStates(own, shared).attempts.map(({ id }) => id);
      expect(new Set(ids).size).toBe(ids.length);
      expect(new Set(ids)).toEqual(new Set([...own.attempts, ...shared.attempts].map(({ id }) => id)));
    });
    fc.assert(property);
  });

  it('agree on the token and the cooldown in either order, and merging again changes nothing', () => {
    const property = fc.property(anyState, anyState, (own, shared) => {
      const merged = mergeStates(own, shared);
      const turned = mergeStates(shared, own);
      expect(merged.token?.id).toBe(turned.token?.id);
      expect(merged.cooldown?.failures).toBe(turned.cooldown?.failures);
      expect(mergeStates(own, merged)).toEqual(merged);
      expect(mergeStates(merged, merged)).toEqual(merged);
    });
    fc.assert(property);
  });

  it('discard a cooldown that a newer token has ended', () => {
    const property = fc.property(anyState, anyState, (own, shared) => {
      const { token, cooldown } = mergeStates(own, shared);
      if (cooldown) expect(cooldown.version).toBeGreaterThanOrEqual(token?.version ?? 0);
    });
    fc.assert(property);
  });
});

describe('a renewal', () => {
  it('is made by one process at a time, and counts before it is made', () => {
    const property = fc.property(anyState, (any) => {
      const state = normalizeTimes(any, NOW_MS);
      const { result, next } = planRenewal(state, wish, NOW_MS);
      if (result.kind === 'use') expect(result.token.expiresAtMs).toBeGreaterThan(NOW_MS);
      if (result.kind !== 'request') {
        expect(next).toBe(state);
        return;
      }
      expect(state.attempts.length).toBeLessThan(15);
      expect(state.lease?.untilMs ?? 0).toBeLessThanOrEqual(NOW_MS);
      expect(next.attempts).toHaveLength(state.attempts.length + 1);
      expect(planRenewal(next, wish, NOW_MS)).toEqual({ result, next });
      expect(planRenewal(next, { ...wish, holder: 'other' }, NOW_MS).result.kind).toBe('wait');
      expect(planRenewal(next, { ...wish, holder: 'other' }, NOW_MS + LEASE_MS).result.kind).not.toBe('wait');
    });
    fc.assert(property);
  });

  it('releases its own lease alone, and extends no other lease', () => {
    const property = fc.property(anyState, fc.boolean(), (state, isToken) => {
      const outcome = isToken
        ? { kind: 'token' as const, value: 'new', expiresIn: 3600 }
        : { kind: 'failure' as const, failure, retryAfterMs: undefined };
      expect(settleRenewal(state, wish, outcome, NOW_MS).next.lease).toEqual(state.lease);
      expect(extendLease(state, wish.holder, NOW_MS).next).toBe(state);
      expect(releaseLease(state, wish.holder).next).toBe(state);
      const { next } = settleRenewal(
        { ...state, lease: { holder: 'me', fromMs: 0, untilMs: 0 } },
        wish,
        outcome,
        NOW_MS,
      );
      expect(next.lease).toBeUndefined();
      expect(stateLifetimeMs(next, NOW_MS)).toBeGreaterThanOrEqual(WINDOW_MS);
    });
    fc.assert(property);
  });

  it('that succeeds provides the token for all processes', () => {
    const property = fc.property(anyState, anyState, (any, state) => {
      const merged = mergeStates(any, state);
      const { next } = settleRenewal(merged, wish, { kind: 'token', value: 'new', expiresIn: 1 }, NOW_MS);
      expect(mergeStates(any, next)).toMatchObject({ token: { value: 'new' }, cooldown: undefined });
      expect(mergeStates(next, any).token?.value).toBe('new');
    });
    fc.assert(property);
  });
});

describe('a refusal', () => {
  it('of a second token within a minute at one endpoint is final, for longer each time, at most 15 minutes', () => {
    let refusal: ReturnType<typeof decideRefusal>['after'] | undefined;
    const periodsMs: number[] = [];
    for (let nowMs = NOW_MS, round = 0; round < 8; round++) {
      const first = decideRefusal(refusal, `${round}`, nowMs);
      expect(first.decision).toBe('renew');
      const second = decideRefusal(first.after, `${round + 1}`, nowMs + 500);
      expect(second.decision).toBe('final');
      refusal = second.after;
      periodsMs.push(refusal.finalForMs);
      expect(decideRefusal(refusal, `${round + 1}`, refusal.finalUntilMs - 1).decision).toBe('final');
      nowMs = refusal.finalUntilMs;
      refusal = { ...refusal, token: `${round + 1}` };
    }
    expect(periodsMs).toEqual([60, 120, 240, 480, 900, 900, 900, 900].map((seconds) => seconds * 1000));
    const longAfterMs = (refusal?.finalUntilMs ?? 0) + 900_001;
    const { after } = decideRefusal(refusal, 'later', longAfterMs);
    expect(decideRefusal(after, 'last', longAfterMs).after.finalForMs).toBe(60_000);
  });

  it('is never final if it is the first, or if the token before was refused long ago', () => {
    expect(decideRefusal(undefined, 'a', NOW_MS).decision).toBe('renew');
    const { after } = decideRefusal(undefined, 'a', NOW_MS);
    expect(decideRefusal(after, 'a', NOW_MS + 5).decision).toBe('renew');
    expect(decideRefusal(after, 'b', NOW_MS + 60_000).decision).toBe('renew');
    expect(decideRefusal(after, 'b', NOW_MS - 5).decision).toBe('renew');
  });
});
