/**
 * Holds the platform token that everybody calls with: asked for when first needed, by one request for however
 * many wait, renewed in the background ahead of its end, replaced when the platform refuses it; together with
 * all other processes of the credential where a shared store is there.
 */
import { setTimeout as sleepFor } from 'node:timers/promises';
import type { GatewayError } from '../../errors.js';
import type { Clock } from '../../lib/clock.js';
import type { Logger } from '../../lib/logger.js';
import { createRefusedEndpoints, type RefusalVerdict } from './refusedEndpoints.js';
import { toBlockedError } from './renewalPlan.js';
import type { IssuedToken } from './requestToken.js';
import type { SharedTokenStore } from './sharedTokenStore.js';
import { type RenewalPurpose, remainingAttempts } from './tokenBudget.js';
import { createTokenLedger } from './tokenLedger.js';
import { createTokenRenewal } from './tokenRenewal.js';
import type { KnownToken } from './tokenState.js';

export interface TokenStatus {
  /** Milliseconds for which the token goes on being used; null: there is none. */
  remainingMs: number | null;
  /** Token requests that the platform's window has room for, as far as this process knows. */
  remainingAttempts: number;
}

export interface TokenManager {
  /** The token where it can be called with as it is: no other is wanted, neither now nor soon. */
  getCurrent(): string | undefined;
  /**
   * A token to call with; another one than `refused` where that is given. Rejects with the token endpoint's
   * failure, at once while it cools down, and with PLATFORM_RATE_LIMITED while the budget is used up: each
   * with `retryAfterMs`.
   */
  get(refused?: string): Promise<string>;
  /**
   * Says that the platform refused this token, and where: at which path template, with which status. `renew`: it
   * is worth repeating the call with `get(token)`. `meant`: the refusal is the answer.
   */
  refuse(token: string, place?: string): RefusalVerdict;
  /** Whether refusals at the place are known to be meant at the moment. */
  isRefusalFinal(place: string): boolean;
  /** Says that the token which was refused at the place is good elsewhere. */
  confirmRefusal(token: string, place: string): void;
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

/** While no attempt is allowed, the shared store is asked this often whether somebody has a token after all. */
const BLOCKED_POLL_INTERVAL_MS = 1000;

export function createTokenManager(options: TokenManagerOptions): TokenManager {
  const { requestToken, clock, logger, store, sleep = sleepUntilAborted } = options;
  const ledger = createTokenLedger({ clock, store });
  const places = createRefusedEndpoints();
  /** The id of a token that was refused somewhere, and may be good elsewhere. */
  let doubted: string | undefined;
  let pending: { purpose: RenewalPurpose; token: Promise<string> } | undefined;
  let lookedAtMs = Number.NEGATIVE_INFINITY;
  const onStateRead = () => {
    lookedAtMs = clock.now();
  };
  const renew = createTokenRenewal({ requestToken, ledger, logger, sleep, onStateRead });

  /** Why it isn't worth trying: no attempt is allowed, and the others have been looked at just now. */
  function whyNotNow(purpose: RenewalPurpose): GatewayError | undefined {
    const nowMs = clock.now();
    const blocked = toBlockedError(ledger.state(), purpose, nowMs);
    const sinceMs = nowMs - lookedAtMs;
    return sinceMs >= 0 && sinceMs < BLOCKED_POLL_INTERVAL_MS ? blocked : undefined;
  }

  /** One flight for everybody; cleared by the flight itself. */
  function startRenewal(purpose: RenewalPurpose, insteadOf: string | undefined): Promise<string> {
    const token = renew(purpose, insteadOf).finally(() => {
      pending = undefined;
    });
    pending = { purpose, token };
    return token;
  }

  async function replace(purpose: RenewalPurpose, held: KnownToken | undefined): Promise<string> {
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
    return pending === undefined && toBlockedError(ledger.state(), 'ahead', clock.now()) === undefined;
  }

  async function get(refused?: string): Promise<string> {
    const nowMs = clock.now();
    const { token } = ledger.state();
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
    getCurrent() {
      const token = ledger.latestToken();
      if (token === undefined || token.id === doubted) return undefined;
      const nowMs = clock.now();
      return nowMs >= token.obtainedAtMs && nowMs < token.renewAtMs ? token.value : undefined;
    },
    get,
    refuse(value, place = '') {
      const verdict = places.refuse(value, place, clock.now());
      const { token } = ledger.state();
      if (verdict === 'renew' && token?.value === value) doubted = token.id;
      return verdict;
    },
    isRefusalFinal: (place) => places.isHeld(place, clock.now()),
    confirmRefusal: (token, place) => places.confirm(token, place, clock.now()),
    status() {
      const nowMs = clock.now();
      const { token, attempts } = ledger.state();
      const remainingMs = token && token.expiresAtMs > nowMs ? token.expiresAtMs - nowMs : null;
      return { remainingMs, remainingAttempts: remainingAttempts(attempts, nowMs) };
    },
  };
}

async function sleepUntilAborted(ms: number, signal?: AbortSignal): Promise<void> {
  await sleepFor(ms, undefined, signal ? { signal } : {}).catch(() => undefined);
}
