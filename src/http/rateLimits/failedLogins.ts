/**
 * Limits failed logins per address, so that guessing keys or a flood of wrong credentials does not cost the gateway the
 * work of verifying them. Credentials that were valid recently are always verified: a caller that shares its address
 * with an attacker, behind a router or proxy, is not locked out.
 */
import { hash } from 'node:crypto';
import { isIPv6 } from 'node:net';
import { LRUCache } from 'lru-cache';
import { GatewayError } from '../../errors.js';
import { settle } from '../../lib/maybePromise.js';
import type { CallerSession, OpenSession } from '../auth/callerSession.js';
import { hasCredential, type ProvidedCredential } from '../auth/providedCredential.js';
import type { CallerRateLimiter } from './callerRateLimiter.js';

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

const MAPPED_IPV4 = /^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$/i;
/** An IPv6 address has 8 groups of 16 bits; the first 4 are the /64. */
const GROUPS_OF_NETWORK = 4;
const GROUPS = 8;

/** Returns the address itself for IPv4, also if it is mapped to IPv6, and the /64 for IPv6. */
export function toAddressGroup(address: string): string {
  const [, ipv4] = MAPPED_IPV4.exec(address) ?? [];
  if (ipv4 !== undefined) return ipv4;
  const [bare = ''] = address.split('%');
  if (!isIPv6(bare)) return address;
  return `${expand(bare).slice(0, GROUPS_OF_NETWORK).join(':')}::/64`;
}

function expand(address: string): string[] {
  const [before = '', after] = address.split('::');
  const head = toGroups(before);
  const tail = toGroups(after ?? '');
  return [...head, ...Array<string>(Math.max(0, GROUPS - head.length - tail.length)).fill('0'), ...tail];
}

/** Removes leading zeros, so that each address has one spelling. */
function toGroups(part: string): string[] {
  if (part === '') return [];
  return part.split(':').map((group) => Number.parseInt(group, 16).toString(16));
}
