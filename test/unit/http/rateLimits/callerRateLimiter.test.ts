/** Who an operation counts for. */
import type { IncomingMessage } from 'node:http';
import { expect, it } from 'vitest';
import { toCallerId } from '../../../../src/http/rateLimits/callerRateLimiter.js';

const from = (remoteAddress: string) => ({ socket: { remoteAddress } }) as IncomingMessage;

it('counts for whoever has shown to be calling, from any address', () => {
  expect(toCallerId(from('10.0.0.1'), { id: 'k1' })).toBe(toCallerId(from('10.0.0.2'), { id: 'k1' }));
  expect(toCallerId(from('10.0.0.1'), { id: 'k1' })).not.toBe(toCallerId(from('10.0.0.1'), { id: 'k2' }));
});

it('counts for the address where nothing tells callers apart, and never for both', () => {
  expect(toCallerId(from('10.0.0.1'), {})).toBe('10.0.0.1');
  expect(toCallerId(from('10.0.0.2'), { id: '10.0.0.1' })).not.toBe('10.0.0.1');
});
