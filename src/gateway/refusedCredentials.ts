/** Remembers which callers' credentials the platform refused, so that wrong ones are not asked about over and over. */
import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { GatewayError } from '../errors.js';
import { createUnauthenticatedError } from '../http/auth/authErrors.js';
import type { CallerCredential } from '../http/auth/caller.js';
import { toAddressGroup } from '../http/rateLimits/addressGroup.js';
import type { Clock } from '../lib/clock.js';
import { createSlidingWindowCounter, type SlidingWindowCounter } from '../lib/slidingWindowCounter.js';

export interface RefusedCredentials {
  /** Why the platform is not to be asked about this credential now; undefined: it may be. */
  getRefusal(credential: CallerCredential, address: string): GatewayError | undefined;
  /** Notes that the platform refused a credential that came from this address. */
  add(credential: CallerCredential, address: string): void;
  /** Notes that the platform accepted it: for an hour, the failed logins of others do not keep it out. */
  addGood(credential: CallerCredential): void;
}

/** A credential that was refused is taken for wrong so long. */
const REFUSAL_TTL_MS = 60_000;
/** A credential that was accepted passes the limits on addresses so long. */
const GOOD_CREDENTIAL_TTL_MS = 3_600_000;
/**
 * The platform takes 15 token requests in 15 minutes: whoever knows a Key, and guesses at its Secret, must not
 * use them up.
 */
const MAX_OF_KEY = { count: 5, windowMs: 900_000, slices: 15 };
const MINUTE = { windowMs: 60_000, slices: 12 };
/** Failed logins of one address, or of one IPv6 /64, in a minute. */
export const MAX_OF_ADDRESS = 10;
/** Failed logins of all addresses in a minute. */
export const MAX_OF_ALL = 60;
/** Of these, addresses without a failed login in the last minute have this many for themselves. */
export const RESERVED_FOR_FIRST = 20;
const MAX_REMEMBERED_CREDENTIALS = 10_000;

/** `clock` may not go back. */
export function createRefusedCredentials(clock: Clock): RefusedCredentials {
  const refusedUntilMs = new LRUCache<string, number>({ max: MAX_REMEMBERED_CREDENTIALS });
  const goodUntilMs = new LRUCache<string, number>({ max: MAX_REMEMBERED_CREDENTIALS });
  const ofKeys = new LRUCache<string, SlidingWindowCounter>({ max: MAX_REMEMBERED_CREDENTIALS });
  const ofAddresses = new LRUCache<string, SlidingWindowCounter>({ max: MAX_REMEMBERED_CREDENTIALS });
  const ofAll = createSlidingWindowCounter({ clock, ...MINUTE });

  function whyNotFrom(address: string): GatewayError | undefined {
    const ofAddress = ofAddresses.get(toAddressGroup(address));
    const failures = ofAddress?.total() ?? 0;
    if (ofAddress && failures >= MAX_OF_ADDRESS) return createTooManyFromAddressError(ofAddress);
    const most = failures === 0 ? MAX_OF_ALL : MAX_OF_ALL - RESERVED_FOR_FIRST;
    return ofAll.total() >= most ? createTooManyRefusalsError(ofAll) : undefined;
  }

  return {
    getRefusal(credential, address) {
      const id = toCredentialId(credential);
      if (clock.now() < (refusedUntilMs.get(id) ?? 0)) {
        return createUnauthenticatedError('The platform refuses your credential.');
      }
      const ofKey = ofKeys.get(toAccountId(credential));
      if (ofKey && ofKey.total() >= MAX_OF_KEY.count) return createTooManyRefusalsError(ofKey);
      return clock.now() < (goodUntilMs.get(id) ?? 0) ? undefined : whyNotFrom(address);
    },
    add(credential, address) {
      const id = toCredentialId(credential);
      refusedUntilMs.set(id, clock.now() + REFUSAL_TTL_MS);
      goodUntilMs.delete(id);
      countIn(ofKeys, toAccountId(credential), () => createSlidingWindowCounter({ clock, ...MAX_OF_KEY }));
      countIn(ofAddresses, toAddressGroup(address), () => createSlidingWindowCounter({ clock, ...MINUTE }));
      ofAll.add();
    },
    addGood(credential) {
      goodUntilMs.set(toCredentialId(credential), clock.now() + GOOD_CREDENTIAL_TTL_MS);
    },
  };
}

function countIn(
  counts: LRUCache<string, SlidingWindowCounter>,
  name: string,
  create: () => SlidingWindowCounter,
): void {
  const count = counts.get(name) ?? create();
  counts.set(name, count);
  count.add();
}

/** Tells credentials apart without holding them. */
export function toCredentialId(credential: CallerCredential): string {
  return createHash('sha256').update(JSON.stringify(credential)).digest('hex');
}

/** Guesses at one secret share the Key, of any length. */
function toAccountId(credential: CallerCredential): string {
  if (credential.kind !== 'client') return toCredentialId(credential);
  return createHash('sha256').update(credential.key).digest('hex');
}

function createTooManyRefusalsError(count: SlidingWindowCounter): GatewayError {
  return new GatewayError(
    'AUTHENTICATION_UNAVAILABLE',
    'Too many wrong credentials came lately: the platform is not asked about another one for now.',
    { retryable: true, retryAfterMs: count.msUntilDecrease() },
  );
}

function createTooManyFromAddressError(count: SlidingWindowCounter): GatewayError {
  return new GatewayError('RATE_LIMITED', 'Too many credentials that came from this address were not good.', {
    retryable: true,
    retryAfterMs: count.msUntilDecrease(),
  });
}
