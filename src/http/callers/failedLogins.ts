/**
 * Holds each address to a rate of failed logins, so that neither guessing nor a flood of wrong credentials costs the
 * gateway the work of judging them. Credentials that were good lately pass: whoever shares an address with a guesser,
 * behind a router or a proxy, goes on being let in.
 */
import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { GatewayError } from '../../errors.js';
import { type MaybePromise, settle } from '../../lib/maybePromise.js';
import type { CallerRate } from '../callerRate.js';
import { toAddressGroup } from '../rateLimits/addressGroup.js';
import { type GivenCredential, isGiven } from './givenCredential.js';

/** Whoever is turned away for what was shown, and not for the hour. */
const failures: ReadonlySet<unknown> = new Set(['UNAUTHENTICATED', 'FORBIDDEN']);

const MOST_REMEMBERED = 10_000;
/** So long a credential that was good is judged again whatever its address is held to. */
const REMEMBERED_MS = 3_600_000;

/** Judges a credential, and takes the address that it came from. */
type Login<Result> = (given: GivenCredential, address: string) => MaybePromise<Result>;

/**
 * Every way in goes through this function: HTTP, websockets and the metrics. They share the rate, and each remembers its
 * own good credentials. Throws RATE_LIMITED too, before the credential is looked at.
 */
export function holdFailedLogins<Result>(logIn: Login<Result>, rate: CallerRate): Login<Result> {
  const wereGood = new LRUCache<string, true>({ max: MOST_REMEMBERED, ttl: REMEMBERED_MS });

  function judge(given: GivenCredential, address: string): MaybePromise<Result> {
    const id = toId(given);
    const key = `failed logins of ${toAddressGroup(address)}`;
    if (!wereGood.has(id)) refuseAfter(rate.waitMs(key));
    const noteGood = (result: Result) => {
      wereGood.set(id, true);
      return result;
    };
    const noteFailed = (error: unknown): never => {
      if (error instanceof GatewayError && failures.has(error.code)) {
        wereGood.delete(id);
        rate.charge(key);
      }
      throw error;
    };
    return settle(() => logIn(given, address), noteGood, noteFailed);
  }

  // Nothing is guessed, nor judged, where nothing is shown.
  return (given, address) => (isGiven(given) ? judge(given, address) : logIn(given, address));
}

function refuseAfter(waitMs: number): void {
  if (waitMs === 0) return;
  const message = 'Too many credentials that came from this address were not good.';
  throw new GatewayError('RATE_LIMITED', message, { retryable: true, retryAfterMs: waitMs });
}

/** Tells credentials apart without holding them. */
function toId({ bearer, basic, apiKey }: GivenCredential): string {
  return hash('sha256', JSON.stringify([bearer, basic?.user, basic?.password, apiKey]), 'base64');
}
