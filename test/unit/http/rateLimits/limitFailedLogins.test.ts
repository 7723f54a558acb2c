/** Which failed logins count, and for whom they limit further ones. */
import { describe, expect, it } from 'vitest';
import { type ErrorCode, GatewayError } from '../../../../src/errors.js';
import type { CallerSession } from '../../../../src/http/auth/callerSession.js';
import type { ProvidedCredential } from '../../../../src/http/auth/providedCredential.js';
import { createCallerRateLimiter } from '../../../../src/http/rateLimits/callerRateLimiter.js';
import { limitFailedLogins, MAX_VALID_CREDENTIALS } from '../../../../src/http/rateLimits/callerThrottle.js';
import { createTestClock } from '../../../support/sandbox/sandbox.js';

const HOUR_MS = 3_600_000;
const ADDRESS = '10.0.0.1';

/** Logins that fail with the code of the credential in `codes`, and otherwise succeed. Two failures limit an address. */
function createLogins(codes = new Map<string, ErrorCode>()) {
  const clock = createTestClock();
  const rate = createCallerRateLimiter({ perSecond: 0.001, burst: 20 }, clock);
  const pageRate = createCallerRateLimiter({ perSecond: 0.001, burst: 4 }, clock);
  const toText = ({ bearer = '', basic }: ProvidedCredential) => bearer || (basic?.password ?? '');
  const openSession = limitFailedLogins(
    (credential) => {
      const code = codes.get(toText(credential));
      if (code !== undefined) throw new GatewayError(code, 'No.');
      return {} as CallerSession;
    },
    rate,
    pageRate,
    clock,
  );
  function login(credential: ProvidedCredential, address = ADDRESS, isRecheck = false): string {
    try {
      void openSession(credential, address, isRecheck);
      return 'accepted';
    } catch (error) {
      return error instanceof GatewayError ? error.code : 'unknown';
    }
  }
  return { clock, codes, login };
}

const bad = { bearer: 'bad' };
const good = { bearer: 'good' };

function loginsWith(code: ErrorCode) {
  return createLogins(new Map([['bad', code]]));
}

describe('failed logins', () => {
  it.each<[ErrorCode, string]>([
    ['UNAUTHENTICATED', 'RATE_LIMITED'],
    ['FORBIDDEN', 'RATE_LIMITED'],
    ['AUTHENTICATION_UNAVAILABLE', 'accepted'],
  ])('with %s let another credential of the address be %s', (code, result) => {
    const { login } = loginsWith(code);
    for (let failure = 0; failure < 2; failure++) expect(login(bad)).toBe(code);
    expect([login(good), login(good, '10.0.0.2')]).toEqual([result, 'accepted']);
  });

  it('limit the least recently valid credential where there are more than 10,000', () => {
    const { login } = loginsWith('UNAUTHENTICATED');
    for (let index = 0; index <= MAX_VALID_CREDENTIALS; index++) login({ bearer: `good ${index}` });
    for (let failure = 0; failure < 2; failure++) login(bad);
    expect([login({ bearer: 'good 0' }), login({ bearer: 'good 1' })]).toEqual(['RATE_LIMITED', 'accepted']);
  });

  it('count together for the addresses of one IPv6 network', () => {
    const { login } = loginsWith('UNAUTHENTICATED');
    for (const address of ['2001:db8::1', '2001:db8::2']) login(bad, address);
    expect([login(good, '2001:db8::3'), login(good, '2001:db8:0:1::1')]).toEqual([
      'RATE_LIMITED',
      'accepted',
    ]);
  });

  it('limit no credential that was valid in the last hour, until it fails', () => {
    const { clock, codes, login } = loginsWith('UNAUTHENTICATED');
    expect(login(good)).toBe('accepted');
    for (let failure = 0; failure < 2; failure++) login(bad);
    clock.advance(HOUR_MS - 1);
    for (let failure = 0; failure < 2; failure++) login(bad);
    expect(login(good)).toBe('accepted');
    clock.advance(HOUR_MS + 1);
    for (let failure = 0; failure < 2; failure++) login(bad);
    expect(login(good)).toBe('RATE_LIMITED');
    clock.advance(10 * HOUR_MS);
    expect(login(good)).toBe('accepted');
    codes.set('good', 'UNAUTHENTICATED');
    expect([login(good), login(good), login(good)]).toEqual([
      'UNAUTHENTICATED',
      'UNAUTHENTICATED',
      'RATE_LIMITED',
    ]);
  });

  it('limit another password of a user whose own is valid', () => {
    const { login } = loginsWith('UNAUTHENTICATED');
    expect(login({ basic: { user: 'user', password: 'right' } })).toBe('accepted');
    for (let failure = 0; failure < 2; failure++) login(bad);
    expect(login({ basic: { user: 'user', password: 'guess' } })).toBe('RATE_LIMITED');
  });

  it('of connections that are checked again are not counted and not limited', () => {
    const { login } = loginsWith('UNAUTHENTICATED');
    for (let failure = 0; failure < 2; failure++) login(bad, ADDRESS, true);
    expect(login(good)).toBe('accepted');
    for (let failure = 0; failure < 2; failure++) login(bad);
    expect(login({ bearer: 'other' }, ADDRESS, true)).toBe('accepted');
  });

  it('without a credential are not counted, and are limited as pages of their address', () => {
    const { login } = createLogins(new Map([['', 'UNAUTHENTICATED']]));
    for (let failure = 0; failure < 4; failure++) expect(login({})).toBe('UNAUTHENTICATED');
    expect([login({}), login({}, '10.0.0.2')]).toEqual(['RATE_LIMITED', 'UNAUTHENTICATED']);
    expect(login(good)).toBe('accepted');
  });

  it('without a credential are not limited while the gateway cannot authenticate', () => {
    const { login } = createLogins(new Map([['', 'AUTHENTICATION_UNAVAILABLE']]));
    for (let failure = 0; failure < 6; failure++) expect(login({})).toBe('AUTHENTICATION_UNAVAILABLE');
  });
});
