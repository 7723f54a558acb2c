/** The caller or address that an operation counts against. */
import { expect, it } from 'vitest';
import { toCallerId } from '../../../../src/http/rateLimits/callerRateLimiter.js';

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
