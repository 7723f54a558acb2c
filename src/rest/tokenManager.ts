/**
 * Holds the platform token that everybody calls with: asked for when first needed, by one request for however
 * many wait, renewed in the background ahead of its end, replaced when the platform refuses it; together with
 * all other processes of the credential where a shared store is there.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleepFor } from 'node:timers/promises';
import { GatewayError } from '../errors.js';
import type { Clock } from '../lib/clock.js';
import type { Logger } from '../lib/logger.js';
import { createRefusedPlaces, type RefusalVerdict } from './refusedPlaces.js';
import {
  extendLease,
  LEASE_MS,
  planRenewal,
  type RenewalOutcome,
  type RenewalWish,
  settleRenewal,
  toTokenError,
  whyBlocked,
} from './renewalPlan.js';
import type { SharedTokenStore } from './sharedTokenStore.js';
import { attemptsLeft, type Purpose } from './tokenBudget.js';
import { createTokenLedger } from './tokenLedger.js';
import type { KnownToken } from './tokenState.js';

/** The token endpoint's answer, so far as it could be read. */
export interface IssuedToken {
  accessToken: string;
  /** The platform's `expires_in`, unread. */
  expiresIn: unknown;
}

export interface TokenStatus {
  /** Milliseconds for which the token goes on being used; null: there is none. */
  remainingMs: number | null;
  /** Token requests that the platform's window has room for, as far as this process knows. */
  attemptsLeft: number;
}

export interface TokenManager {
  /**
   * A token to call with; another one than `refused` where that is given. Rejects with the token endpoint's
   * failure, at once while it cools down, and with PLATFORM_RATE_LIMITED while the budget is used up: each
   * with `retryAfterMs`.
   */
  get(refused?: string): Promise<string>;
  /**
   * Says that the platform refused this token, and where: at which path template. `renew`: it is worth
   * repeating the call with `get(token)`. `meant`: the refusal is the answer.
   */
  refuse(token: string, place?: string): RefusalVerdict;
  status(): TokenStatus;
}

export interface TokenManagerOptions {
  /** Asks the platform for a token; rejects with a `GatewayError`. */
  requestToken(): Promise<IssuedToken>;
  clock: Clock;
  logger: Logger;
  /** What all processes of this credential share; absent: this process is alone. */
  store?: SharedTokenStore | undefined;
  /** Ends early when the signal is aborted; never rejects. */
  sleep?: (ms: number, signal?: AbortSignal) => Promise<void>;
}

/** How often another process's renewal is looked after. */
const FIRST_LOOK_MS = 50;
const LONGEST_LOOK_MS = 500;
/** Beyond this nobody waits for another process, though it gives signs of life. */
const LONGEST_WAIT_MS = 60_000;
/** While no attempt is allowed, the shared store is asked this often whether somebody has a token after all. */
const BLOCKED_LOOK_MS = 1000;

export function createTokenManager(options: TokenManagerOptions): TokenManager {
  const { requestToken, clock, logger, store, sleep = sleepUntilAborted } = options;
  const holder = randomUUID();
  const ledger = createTokenLedger({ clock, store });
  const places = createRefusedPlaces();
  let requests = 0;
  /** The id of a token that was refused somewhere, and may be good elsewhere. */
  let doubted: string | undefined;
  let pending: { purpose: Purpose; token: Promise<string> } | undefined;
  let lookedAtMs = Number.NEGATIVE_INFINITY;

  /** Counts as an attempt already. */
  async function ask(wish: RenewalWish): Promise<string> {
    const asking = new AbortController();
    void keepLease(asking.signal);
    const { outcome, cause } = await requestToken().then(toSuccess, toFailure);
    asking.abort();
    const settled = await ledger.update((state, nowMs) => settleRenewal(state, wish, outcome, nowMs));
    if (outcome.kind === 'token') {
      logger.debug({ attemptsLeft: settled.attemptsLeft }, 'A new token from the platform');
      return outcome.value;
    }
    logger.warn({ code: outcome.failure.code, ...settled, cause }, 'No token from the platform');
    throw toTokenError(outcome.failure, settled.cooldownMs);
  }

  /** Signs of life for the others, until the signal is aborted. */
  async function keepLease(signal: AbortSignal): Promise<void> {
    while (store) {
      await sleep(LEASE_MS / 3, signal);
      if (signal.aborted) return;
      await ledger.update((state, nowMs) => extendLease(state, holder, nowMs));
    }
  }

  async function renew(purpose: Purpose, insteadOf: string | undefined): Promise<string> {
    const wish = { holder, attemptId: `${holder}:${++requests}`, insteadOf, purpose };
    for (let waitedMs = 0, lookMs = FIRST_LOOK_MS; waitedMs < LONGEST_WAIT_MS; waitedMs += lookMs) {
      const step = await ledger.update((state, nowMs) => planRenewal(state, wish, nowMs));
      lookedAtMs = clock.now();
      if (step.kind === 'use') return step.token.value;
      if (step.kind === 'ask') return ask(wish);
      if (step.kind === 'blocked') throw step.error;
      lookMs = Math.min(lookMs * 1.5, LONGEST_LOOK_MS, Math.max(step.forMs, 1));
      await sleep(lookMs);
    }
    throw new GatewayError('PLATFORM_TIMEOUT', 'Another process did not get a token in time.', {
      retryable: true,
    });
  }

  /** Why it isn't worth trying: no attempt is allowed, and the others have been looked at just now. */
  function whyNotNow(purpose: Purpose): GatewayError | undefined {
    const nowMs = clock.now();
    const blocked = whyBlocked(ledger.known(), purpose, nowMs);
    const sinceMs = nowMs - lookedAtMs;
    return sinceMs >= 0 && sinceMs < BLOCKED_LOOK_MS ? blocked : undefined;
  }

  /** One flight for everybody; cleared by the flight itself. */
  function startRenewal(purpose: Purpose, insteadOf: string | undefined): Promise<string> {
    const token = renew(purpose, insteadOf).finally(() => {
      pending = undefined;
    });
    pending = { purpose, token };
    return token;
  }

  async function replace(purpose: Purpose, held: KnownToken | undefined): Promise<string> {
    if (pending?.purpose === 'ahead' && purpose === 'need') {
      // It may end without a token where need would still be allowed one.
      await pending.token.catch(() => undefined);
      return get();
    }
    if (pending) return pending.token;
    const error = whyNotNow(purpose);
    if (error) throw error;
    return startRenewal(purpose, held?.id);
  }

  function isWorthRenewing(): boolean {
    return pending === undefined && whyBlocked(ledger.known(), 'ahead', clock.now()) === undefined;
  }

  async function get(refused?: string): Promise<string> {
    const nowMs = clock.now();
    const { token } = ledger.known();
    if (token === undefined || nowMs >= token.expiresAtMs) return replace('need', token);
    if (token.value === refused) return replace('ahead', token);
    if (token.id === doubted) {
      // Good or not, it is the only one where no other can be had.
      if (pending || isWorthRenewing()) return replace('ahead', token).catch(() => token.value);
    } else if (nowMs >= token.renewAtMs && isWorthRenewing()) {
      startRenewal('ahead', token.id).catch(() => undefined);
    }
    return token.value;
  }

  return {
    get,
    refuse(value, place = '') {
      const verdict = places.refuse(value, place, clock.now());
      const { token } = ledger.known();
      if (verdict === 'renew' && token?.value === value) doubted = token.id;
      return verdict;
    },
    status() {
      const nowMs = clock.now();
      const { token, attempts } = ledger.known();
      const remainingMs = token && token.expiresAtMs > nowMs ? token.expiresAtMs - nowMs : null;
      return { remainingMs, attemptsLeft: attemptsLeft(attempts, nowMs) };
    },
  };
}

interface Outcome {
  outcome: RenewalOutcome;
  /** For the log alone. */
  cause?: unknown;
}

function toSuccess({ accessToken, expiresIn }: IssuedToken): Outcome {
  return { outcome: { kind: 'token', value: accessToken, expiresIn } };
}

function toFailure(error: unknown): Outcome {
  if (!(error instanceof GatewayError)) {
    const failure = {
      code: 'INTERNAL_SERVER_ERROR' as const,
      message: 'Asking for a token failed.',
      retryable: false,
      platform: undefined,
    };
    return { outcome: { kind: 'failure', failure, retryAfterMs: undefined }, cause: error };
  }
  const { code, message, retryable, platform, retryAfterMs, cause } = error;
  return {
    outcome: { kind: 'failure', failure: { code, message, retryable, platform }, retryAfterMs },
    cause,
  };
}

async function sleepUntilAborted(ms: number, signal?: AbortSignal): Promise<void> {
  await sleepFor(ms, undefined, signal ? { signal } : {}).catch(() => undefined);
}
