/** The caller or address that an operation counts against. */
import type { IncomingMessage } from 'node:http';
import { expect, it } from 'vitest';
import { toCallerId } from '../../../../src/http/rateLimits/callerRateLimiter.js';

const from = (remoteAddress: string) => ({ socket: { remoteAddress } }) as IncomingMessage;

it('the caller rate limiter counts against an authenticated caller, from any address', () => {
  expect(toCallerId(from('10.0.0.1'), { id: 'k1' })).toBe(toCallerId(from('10.0.0.2'), { id: 'k1' }));
  expect(toCallerId(from('10.0.0.1'), { id: 'k1' })).not.toBe(toCallerId(from('10.0.0.1'), { id: 'k2' }));
});

it('the caller rate limiter counts against the address of anonymous callers, and never against both', () => {
  expect(toCallerId(from('10.0.0.1'), {})).toBe('10.0.0.1');
  expect(toCallerId(from('10.0.0.2'), { id: '10.0.0.1' })).not.toBe('10.0.0.1');
});
