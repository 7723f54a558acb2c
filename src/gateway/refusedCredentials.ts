/** Records the callers' credentials that the platform refused, so that repeated wrong logins cost no token requests. */
import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { createCallerLimitError, GatewayError } from '../errors.js';
import type { CallerCredential } from '../http/auth/caller.js';
import { toAddressGroup } from '../http/rateLimits/remoteAddress.js';
import { createUnauthenticatedError } from '../http/responses/sendError.js';
import type { Clock } from '../lib/clock.js';
import { createSlidingWindowCounter, type SlidingWindowCounter } from '../lib/slidingWindowCounter.js';
import type { SharedReports, VerifiedLogin } from './coordinator.js';

/** A refused credential is not verified again for this long. */
const REFUSAL_TTL_MS = 60_000;
/** An accepted credential is exempt from the limits on its Key and on addresses for this long. */
const ACCEPTED_CREDENTIAL_TTL_MS = 3_600_000;
/** The platform accepts 15 token requests in 15 minutes. Guesses at the Secret of a known Key must not use them up. */
const MAX_PER_KEY = { count: 5, windowMs: 900_000, slices: 15 };
const MINUTE = { windowMs: 60_000, slices: 12 };
/** Failed logins per minute from one address, or from one IPv6 /64. */
const MAX_FAILED_LOGINS_PER_ADDRESS = 10;
/** Failed logins per minute from all addresses. */
const MAX_FAILED_LOGINS = 60;
/** The part of `MAX_FAILED_LOGINS` that is reserved for addresses without a failed login in the last minute. */
const RESERVED_FAILED_LOGINS = 20;
/** Maximum entries of each table. The least recently used one is evicted. */
export const MAX_STORED_CREDENTIALS = 10_000;

/**
 * A failed token request of a Key. Does not contain the error itself, because the size of its causes is not bounded.
 */
interface KeyLimit extends Pick<GatewayError, 'message' | 'platform'> {
  untilMs: number;
}

/** Logins of other processes count like those of this one. */
export class RefusedCredentials {
  readonly #clock: Clock;
  readonly #shared: SharedReports<VerifiedLogin> | undefined;
  readonly #refusedUntilMs = new LRUCache<string, number>({ max: MAX_STORED_CREDENTIALS });
  readonly #acceptedUntilMs = new LRUCache<string, number>({ max: MAX_STORED_CREDENTIALS });
  readonly #byKey = new LRUCache<string, SlidingWindowCounter>({ max: MAX_STORED_CREDENTIALS });
  readonly #limitedKeys = new LRUCache<string, KeyLimit>({ max: MAX_STORED_CREDENTIALS });
  readonly #byAddress = new LRUCache<string, SlidingWindowCounter>({ max: MAX_STORED_CREDENTIALS });
  readonly #total: SlidingWindowCounter;

  /** `clock` is monotonic. */
  constructor(clock: Clock, shared?: SharedReports<VerifiedLogin>) {
    this.#clock = clock;
    this.#shared = shared;
    this.#total = createSlidingWindowCounter({ clock, ...MINUTE });
    shared?.onRemote((login) => this.#count(login));
  }

  /** Whether the credential was accepted within the last hour, so that failed logins of others do not block it. */
  isAccepted(credentialId: string): boolean {
    return this.#clock.now() < (this.#acceptedUntilMs.get(credentialId) ?? 0);
  }

  /** How many more credentials of an address may be refused now. */
  failuresLeft(addressGroup: string): number {
    return MAX_FAILED_LOGINS_PER_ADDRESS - (this.#byAddress.get(addressGroup)?.total() ?? 0);
  }

  /** The error for a credential that must not be verified now; undefined if it may be. */
  getRefusal(credential: CallerCredential, address: string): GatewayError | undefined {
    const id = toCredentialId(credential);
    if (this.#clock.now() < (this.#refusedUntilMs.get(id) ?? 0)) {
      return createUnauthenticatedError('The platform refuses your credential.');
    }
    if (this.isAccepted(id)) return undefined;
    const limit = this.#limitedKeys.get(toAccountId(credential));
    if (limit && this.#clock.now() < limit.untilMs) return toRemainingError(limit, this.#clock.now());
    const counter = this.#byKey.get(toAccountId(credential));
    if (counter && counter.total() >= MAX_PER_KEY.count) return createTooManyRefusalsError(counter);
    return this.#refuseAddress(address);
  }

  /** Records that the platform refused a credential from this address. */
  add(credential: CallerCredential, address: string): void {
    this.#add(credential, address, false);
  }

  /** Records that the platform limits the requests of this Key: another Secret would not change that. */
  addLimit(credential: CallerCredential, error: GatewayError): void {
    const untilMs = this.#clock.now() + (error.retryAfterMs ?? 0);
    const { message, platform } = error;
    this.#limitedKeys.set(toAccountId(credential), { message, platform, untilMs });
  }

  addAccepted(credential: CallerCredential, address: string): void {
    this.#add(credential, address, true);
  }

  /** Extends the hour of an accepted credential, because its connection is in use. */
  renewAccepted(credentialId: string): void {
    if (this.#acceptedUntilMs.has(credentialId)) this.#setAccepted(credentialId);
  }

  #refuseAddress(address: string): GatewayError | undefined {
    const counter = this.#byAddress.get(toAddressGroup(address));
    const failures = counter?.total() ?? 0;
    if (counter && failures >= MAX_FAILED_LOGINS_PER_ADDRESS) {
      return createCallerLimitError('Too many failed logins from this address.', counter.msUntilDecrease());
    }
    const maxTotal = failures === 0 ? MAX_FAILED_LOGINS : MAX_FAILED_LOGINS - RESERVED_FAILED_LOGINS;
    return this.#total.total() >= maxTotal ? createTooManyRefusalsError(this.#total) : undefined;
  }

  #add(credential: CallerCredential, address: string, isAccepted: boolean): void {
    const login = {
      isAccepted,
      credentialId: toCredentialId(credential),
      accountId: toAccountId(credential),
      addressGroup: toAddressGroup(address),
    };
    this.#count(login);
    this.#shared?.add(login);
  }

  #count({ isAccepted, credentialId, accountId, addressGroup }: VerifiedLogin): void {
    if (isAccepted) {
      this.#refusedUntilMs.delete(credentialId);
      this.#setAccepted(credentialId);
      return;
    }
    const clock = this.#clock;
    this.#refusedUntilMs.set(credentialId, clock.now() + REFUSAL_TTL_MS);
    this.#acceptedUntilMs.delete(credentialId);
    increment(this.#byKey, accountId, () => createSlidingWindowCounter({ clock, ...MAX_PER_KEY }));
    increment(this.#byAddress, addressGroup, () => createSlidingWindowCounter({ clock, ...MINUTE }));
    this.#total.add();
  }

  #setAccepted(credentialId: string): void {
    this.#acceptedUntilMs.set(credentialId, this.#clock.now() + ACCEPTED_CREDENTIAL_TTL_MS);
  }
}

function toRemainingError({ message, platform, untilMs }: KeyLimit, nowMs: number): GatewayError {
  const retryAfterMs = untilMs - nowMs;
  return new GatewayError('PLATFORM_RATE_LIMITED', message, { retryable: true, platform, retryAfterMs });
}

function increment(
  counters: LRUCache<string, SlidingWindowCounter>,
  name: string,
  create: () => SlidingWindowCounter,
): void {
  const counter = counters.get(name) ?? create();
  counters.set(name, counter);
  counter.add();
}

/** Identifies a credential by its hash, so that the credential itself is not stored. */
export function toCredentialId(credential: CallerCredential): string {
  return createHash('sha256').update(JSON.stringify(credential)).digest('hex');
}

/** The same for all secrets of one Key. */
export function toAccountId(credential: CallerCredential): string {
  if (credential.kind !== 'client') return toCredentialId(credential);
  return createHash('sha256').update(credential.key).digest('hex');
}

function createTooManyRefusalsError(counter: SlidingWindowCounter): GatewayError {
  return new GatewayError(
    'AUTHENTICATION_UNAVAILABLE',
    'Too many wrong credentials arrived recently. The gateway does not verify new ones at the moment.',
    { retryable: true, retryAfterMs: counter.msUntilDecrease() },
  );
}
