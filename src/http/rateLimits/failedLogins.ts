/**
 * Limits failed logins per address, so that guessing keys or a flood of wrong credentials does not cost the gateway the
 * work of verifying them. Credentials that were valid recently are always verified: a caller that shares its address
 * with an attacker, behind a router or proxy, is not locked out.
 */
import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { GatewayError } from '../../errors.js';
import { settle } from '../../lib/maybePromise.js';
import type { CallerSession, OpenSession } from '../auth/callerSession.js';
import { hasCredential, type ProvidedCredential } from '../auth/providedCredential.js';
import type { CallerRateLimiter } from './callerRateLimiter.js';
import { toAddressGroup } from './remoteAddress.js';

/** Errors about the credential itself; others are about the current state of the gateway or platform. */
const failureCodes: ReadonlySet<unknown> = new Set(['UNAUTHENTICATED', 'FORBIDDEN']);

const MAX_REMEMBERED_CREDENTIALS = 10_000;
/** How long after its last use a valid credential bypasses the limit of its address. */
const REMEMBERED_CREDENTIAL_TTL_MS = 3_600_000;

/** HTTP, websockets and the metrics page authenticate through the returned function. */
export function limitFailedLogins(openSession: OpenSession, rate: CallerRateLimiter): OpenSession {
  const validCredentials = new LRUCache<string, true>({
    max: MAX_REMEMBERED_CREDENTIALS,
    ttl: REMEMBERED_CREDENTIAL_TTL_MS,
  });

  const openLimited: OpenSession = (credential, address) => {
    const id = toCredentialHash(credential);
    const key = `failed logins of ${toAddressGroup(address)}`;
    if (!validCredentials.has(id)) throwIfLimited(rate.waitMs(key));
    const onSuccess = (session: CallerSession) => {
      validCredentials.set(id, true);
      return session;
    };
    const onFailure = (error: unknown): never => {
      if (error instanceof GatewayError && failureCodes.has(error.code)) {
        validCredentials.delete(id);
        rate.chargeRefusal(key);
      }
      throw error;
    };
    return settle(() => openSession(credential, address), onSuccess, onFailure);
  };

  // A request without a credential guesses nothing.
  return (credential, address) =>
    hasCredential(credential) ? openLimited(credential, address) : openSession(credential, address);
}

function throwIfLimited(retryAfterMs: number): void {
  if (retryAfterMs === 0) return;
  const message = 'Rate limited: too many invalid credentials came from this address.';
  throw new GatewayError('RATE_LIMITED', message, { retryable: true, retryAfterMs });
}

/** Identifies a credential without storing it. */
function toCredentialHash({ bearer, basic, apiKey }: ProvidedCredential): string {
  return hash('sha256', JSON.stringify([bearer, basic?.user, basic?.password, apiKey]), 'base64');
}
