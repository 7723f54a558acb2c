/** Remembers which callers' credentials the platform refused, so that wrong ones are not asked about over and over. */
import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { GatewayError } from './errors.js';
import type { CallerCredential } from './http/callers/caller.js';
import { unauthenticated } from './http/callers/refusals.js';
import { toAddressGroup } from './http/rateLimits/addressGroup.js';
import type { Clock } from './lib/clock.js';
import { createSlidingCount, type SlidingCount } from './rest/patience/slidingCount.js';

export interface RefusalLog {
  /** Why the platform is not to be asked about this credential now; undefined: it may be. */
  whyNot(credential: CallerCredential, address: string): GatewayError | undefined;
  /** Notes that the platform refused a credential that came from this address. */
  add(credential: CallerCredential, address: string): void;
  /** Notes that the platform accepted it: for an hour, the failed logins of others do not keep it out. */
  addGood(credential: CallerCredential): void;
}

/** A credential that was refused is taken for wrong so long. */
const REFUSED_MS = 60_000;
/** A credential that was accepted passes the limits on addresses so long. */
const GOOD_MS = 3_600_000;
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
const MOST_REMEMBERED = 10_000;

/** `clock` may not go back. */
export function createRefusalLog(clock: Clock): RefusalLog {
  const refusedUntilMs = new LRUCache<string, number>({ max: MOST_REMEMBERED });
  const goodUntilMs = new LRUCache<string, number>({ max: MOST_REMEMBERED });
  const ofKeys = new LRUCache<string, SlidingCount>({ max: MOST_REMEMBERED });
  const ofAddresses = new LRUCache<string, SlidingCount>({ max: MOST_REMEMBERED });
  const ofAll = createSlidingCount({ clock, ...MINUTE });

  function whyNotFrom(address: string): GatewayError | undefined {
    const ofAddress = ofAddresses.get(toAddressGroup(address));
    const failures = ofAddress?.total() ?? 0;
    if (ofAddress && failures >= MAX_OF_ADDRESS) return tooManyFrom(ofAddress);
    const most = failures === 0 ? MAX_OF_ALL : MAX_OF_ALL - RESERVED_FOR_FIRST;
    return ofAll.total() >= most ? tooMany(ofAll) : undefined;
  }

  return {
    whyNot(credential, address) {
      const id = toCredentialId(credential);
      if (clock.now() < (refusedUntilMs.get(id) ?? 0)) {
        return unauthenticated('The platform refuses your credential.');
      }
      const ofKey = ofKeys.get(accountOf(credential));
      if (ofKey && ofKey.total() >= MAX_OF_KEY.count) return tooMany(ofKey);
      return clock.now() < (goodUntilMs.get(id) ?? 0) ? undefined : whyNotFrom(address);
    },
    add(credential, address) {
      const id = toCredentialId(credential);
      refusedUntilMs.set(id, clock.now() + REFUSED_MS);
      goodUntilMs.delete(id);
      countIn(ofKeys, accountOf(credential), () => createSlidingCount({ clock, ...MAX_OF_KEY }));
      countIn(ofAddresses, toAddressGroup(address), () => createSlidingCount({ clock, ...MINUTE }));
      ofAll.add();
    },
    addGood(credential) {
      goodUntilMs.set(toCredentialId(credential), clock.now() + GOOD_MS);
    },
  };
}

function countIn(counts: LRUCache<string, SlidingCount>, name: string, create: () => SlidingCount): void {
  const count = counts.get(name) ?? create();
  counts.set(name, count);
  count.add();
}

/** Tells credentials apart without holding them. */
export function toCredentialId(credential: CallerCredential): string {
  return createHash('sha256').update(JSON.stringify(credential)).digest('hex');
}

/** Guesses at one secret share the Key, of any length. */
function accountOf(credential: CallerCredential): string {
  if (credential.kind !== 'client') return toCredentialId(credential);
  return createHash('sha256').update(credential.key).digest('hex');
}

function tooMany(count: SlidingCount): GatewayError {
  return new GatewayError(
    'AUTHENTICATION_UNAVAILABLE',
    'Too many wrong credentials came lately: the platform is not asked about another one for now.',
    { retryable: true, retryAfterMs: count.msUntilLess() },
  );
}

function tooManyFrom(count: SlidingCount): GatewayError {
  return new GatewayError('RATE_LIMITED', 'Too many credentials that came from this address were not good.', {
    retryable: true,
    retryAfterMs: count.msUntilLess(),
  });
}
