/** Remembers which callers' credentials the platform refused, so that wrong ones are not asked about over and over. */
import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { GatewayError } from './errors.js';
import type { CallerCredential } from './http/callers/caller.js';
import { unauthenticated } from './http/callers/refusals.js';
import type { Clock } from './lib/clock.js';
import { createSlidingCount, type SlidingCount } from './rest/patience/slidingCount.js';

export interface RefusalLog {
  /** Why the platform is not to be asked about this credential now; undefined: it may be. */
  whyNot(credential: CallerCredential): GatewayError | undefined;
  add(credential: CallerCredential): void;
}

/** A credential that was refused is taken for wrong so long. */
const REFUSED_MS = 60_000;
/**
 * The platform takes 15 token requests in 15 minutes: whoever knows a Key, and guesses at its Secret, must not
 * use them up.
 */
const MOST_OF_A_KEY = { count: 5, windowMs: 900_000, slices: 15 };
/** Of all callers together. */
const MOST_OF_ALL = { count: 60, windowMs: 60_000, slices: 12 };
const MOST_REMEMBERED = 10_000;

export function createRefusalLog(clock: Clock): RefusalLog {
  const refusedUntilMs = new LRUCache<string, number>({ max: MOST_REMEMBERED });
  const ofKeys = new LRUCache<string, SlidingCount>({ max: MOST_REMEMBERED });
  const ofAll = createSlidingCount({ clock, ...MOST_OF_ALL });

  return {
    whyNot(credential) {
      const untilMs = refusedUntilMs.get(toCredentialId(credential)) ?? 0;
      if (clock.now() < untilMs) return unauthenticated('The platform refuses your credential.');
      const ofKey = ofKeys.get(accountOf(credential));
      if (ofKey && ofKey.total() >= MOST_OF_A_KEY.count) return tooMany(ofKey);
      return ofAll.total() >= MOST_OF_ALL.count ? tooMany(ofAll) : undefined;
    },
    add(credential) {
      refusedUntilMs.set(toCredentialId(credential), clock.now() + REFUSED_MS);
      const account = accountOf(credential);
      const ofKey = ofKeys.get(account) ?? createSlidingCount({ clock, ...MOST_OF_A_KEY });
      ofKeys.set(account, ofKey);
      ofKey.add();
      ofAll.add();
    },
  };
}

/** Tells credentials apart without holding them. */
export function toCredentialId(credential: CallerCredential): string {
  return createHash('sha256').update(JSON.stringify(credential)).digest('hex');
}

/** What guesses at one secret have in common. */
function accountOf(credential: CallerCredential): string {
  return credential.kind === 'client' ? `key ${credential.key}` : toCredentialId(credential);
}

function tooMany(count: SlidingCount): GatewayError {
  return new GatewayError(
    'AUTHENTICATION_UNAVAILABLE',
    'Too many wrong credentials came lately: the platform is not asked about another one for now.',
    { retryable: true, retryAfterMs: count.msUntilLess() },
  );
}
