/** Which outcomes are retried, and when: at the boundaries. */
import { describe, expect, it } from 'vitest';
import { GatewayError } from '../../../../src/errors.js';
import {
  decideRetryDelay,
  defaultRetryPolicy,
  type RetrySituation,
} from '../../../../src/rest/resilience/retryPolicy.js';
import type { AttemptOutcome } from '../../../../src/rest/transport/platformRequest.js';
import { toTransportError } from '../../../../src/rest/transport/transportError.js';

function respondedWith(status: number): AttemptOutcome {
  return { response: { status, headers: {}, body: Buffer.alloc(0) } };
}

function failedWith(code: string): AttemptOutcome {
  return { error: toTransportError(Object.assign(new Error(code), { code })) };
}

function delayMs(situation: Partial<RetrySituation>): number | undefined {
  const usual = {
    attemptsMade: 1,
    outcome: respondedWith(503),
    retryAfterMs: 0,
    remainingMs: 60_000,
    random: 0.5,
  };
  return decideRetryDelay(defaultRetryPolicy, { ...usual, ...situation });
}

describe('decideRetryDelay', () => {
  it('retries after 408, 429, 502, 503 and 504, and after no other status', () => {
    const statuses = Array.from({ length: 500 }, (_, index) => index + 100);
    const retried = statuses.filter((status) => delayMs({ outcome: respondedWith(status) }) !== undefined);
    expect(retried).toEqual([408, 429, 502, 503, 504]);
  });

  it.each(['ECONNRESET', 'ECONNREFUSED', 'EPIPE', 'ETIMEDOUT', 'EAI_AGAIN', 'UND_ERR_SOCKET'])(
    'retries after %s',
    (code) => expect(delayMs({ outcome: failedWith(code) })).toBe(50),
  );

  it.each([
    'CERT_HAS_EXPIRED',
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    'ERR_TLS_CERT_ALTNAME_INVALID',
    'Z_DATA_ERROR',
    'UND_ERR_HEADERS_OVERFLOW',
  ])('does not retry after %s', (code) => expect(delayMs({ outcome: failedWith(code) })).toBeUndefined());

  it('retries after a timeout, not after a cancellation or a response that is too large', () => {
    const delayFor = (code: 'PLATFORM_TIMEOUT' | 'CANCELLED' | 'PLATFORM_BAD_RESPONSE') =>
      delayMs({ outcome: { error: new GatewayError(code, 'x', { retryable: true }) } });
    expect(delayFor('PLATFORM_TIMEOUT')).toBe(50);
    expect(delayFor('CANCELLED')).toBeUndefined();
    expect(delayFor('PLATFORM_BAD_RESPONSE')).toBeUndefined();
  });

  it('makes three attempts at most, the second within 100 ms, the third within 200 ms', () => {
    const latest = [1, 2, 3].map((attemptsMade) => delayMs({ attemptsMade, random: 0.999 }));
    expect(latest).toEqual([0.999 * 100, 0.999 * 200, undefined]);
  });

  it('limits the doubling to its maximum', () => {
    const policy = { ...defaultRetryPolicy, maxAttempts: 2_000 };
    const situation = { outcome: respondedWith(503), retryAfterMs: 0, remainingMs: 60_000, random: 0.5 };
    expect(decideRetryDelay(policy, { ...situation, attemptsMade: 1_999 })).toBe(1_000);
  });

  it('waits a millisecond longer than Retry-After states, because a timer may fire early, at most 5 s', () => {
    expect(delayMs({ retryAfterMs: 5_000, random: 0 })).toBe(5_001);
    expect(delayMs({ retryAfterMs: 5_001, random: 0 })).toBeUndefined();
  });

  it('does not start a wait that would end at or after the deadline', () => {
    expect(delayMs({ remainingMs: 51 })).toBe(50);
    expect(delayMs({ remainingMs: 50 })).toBeUndefined();
    expect(delayMs({ retryAfterMs: 3_000, remainingMs: 3_000 })).toBeUndefined();
  });
});
