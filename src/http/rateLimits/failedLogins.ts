/**
 * Holds each address to a rate of failed logins, so that neither guessing nor a flood of wrong credentials costs the
 * gateway the work of judging them. Credentials that were good lately pass: whoever shares an address with a guesser,
 * behind a router or a proxy, goes on being let in.
 */
import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { GatewayError } from '../../errors.js';
import { type MaybePromise, settle } from '../../lib/maybePromise.js';
import { hasCredential, type ProvidedCredential } from '../auth/providedCredential.js';
import { toAddressGroup } from './addressGroup.js';
import type { CallerRateLimiter } from './callerRateLimiter.js';

/** Whoever is turned away for what was shown, and not for the hour. */
const failureCodes: ReadonlySet<unknown> = new Set(['UNAUTHENTICATED', 'FORBIDDEN']);

const MAX_REMEMBERED_CREDENTIALS = 10_000;
/** So long a credential that was good is judged again whatever its address is held to. */
const REMEMBERED_CREDENTIAL_TTL_MS = 3_600_000;

/** Judges a credential, and takes the address that it came from. */
type Login<Result> = (credential: ProvidedCredential, address: string) => MaybePromise<Result>;

/**
 * Every way in goes through this function: HTTP, websockets and the metrics. They share the rate, and each remembers its
 * own good credentials. Throws RATE_LIMITED too, before the credential is looked at.
 */
export function limitFailedLogins<Result>(logIn: Login<Result>, rate: CallerRateLimiter): Login<Result> {
  const wereGood = new LRUCache<string, true>({
    max: MAX_REMEMBERED_CREDENTIALS,
    ttl: REMEMBERED_CREDENTIAL_TTL_MS,
  });

  function judge(credential: ProvidedCredential, address: string): MaybePromise<Result> {
    const id = toCredentialHash(credential);
    const key = `failed logins of ${toAddressGroup(address)}`;
    if (!wereGood.has(id)) throwIfLimited(rate.waitMs(key));
    const noteGood = (result: Result) => {
      wereGood.set(id, true);
      return result;
    };
    const noteFailed = (error: unknown): never => {
      if (error instanceof GatewayError && failureCodes.has(error.code)) {
        wereGood.delete(id);
        rate.chargeRefusal(key);
      }
      throw error;
    };
    return settle(() => logIn(credential, address), noteGood, noteFailed);
  }

  // Nothing is guessed, nor judged, where nothing is shown.
  return (credential, address) =>
    hasCredential(credential) ? judge(credential, address) : logIn(credential, address);
}

function throwIfLimited(waitMs: number): void {
  if (waitMs === 0) return;
  const message = 'Too many credentials that came from this address were not good.';
  throw new GatewayError('RATE_LIMITED', message, { retryable: true, retryAfterMs: waitMs });
}

/** Tells credentials apart without holding them. */
function toCredentialHash({ bearer, basic, apiKey }: ProvidedCredential): string {
  return hash('sha256', JSON.stringify([bearer, basic?.user, basic?.password, apiKey]), 'base64');
}
