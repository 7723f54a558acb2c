/**
 * Manages the platform token of one credential. It is requested when first needed, by one request for all callers,
 * renewed in the background before it expires, and replaced when the platform refuses it. With a shared store, all
 * processes of the credential use the same token.
 */
import { setTimeout as sleepFor } from 'node:timers/promises';
import { GatewayError, hasCode } from '../../errors.js';
import type { Clock } from '../../lib/clock.js';
import type { Logger } from '../../lib/logger.js';
import { createRefusedEndpoints, type RefusalDecision, type RefusedEndpoints } from './refusedEndpoints.js';
import { attemptsLeft, toBlockedError } from './renewalPlan.js';
import type { RenewalPurpose } from './tokenBudget.js';
import { createTokenRenewal, type IssuedToken, type RenewToken } from './tokenRenewal.js';
import { createTokenStateStore, type SharedTokenStore, type TokenStateStore } from './tokenStateStore.js';

interface TokenStatus {
  /** Milliseconds until the token is no longer used; null without a token. */
  remainingMs: number | null;
  /** Token requests left in the platform's window, as far as this process knows; 0 while the platform limits them. */
  remainingAttempts: number;
}

export interface TokenManager {
  readonly refusedEndpoints: RefusedEndpoints;
  /** The token, if it is valid, not refused, and not due for renewal. */
  getCurrent(): string | undefined;
  /** Whether the platform has issued a token, which may have expired. */
  hasHadToken(): boolean;
  /**
   * A token for a call, other than `refused`. `need`: `refused` is invalid, so a reserved attempt may replace it. Rejects
   * with the failure of the token endpoint, or PLATFORM_RATE_LIMITED without budget; each with `retryAfterMs`.
   */
  get(refused?: string, purpose?: RenewalPurpose): Promise<string>;
  /**
   * Records that the platform refused the token. `endpoint`: path template and status. `isInvalid`: other endpoints
   * also refuse the token. Returns `renew` if the call should be repeated with `get(token)`, `final` if the endpoint
   * would also refuse another token.
   */
  refuse(token: string, endpoint?: string, isInvalid?: boolean): RefusalDecision;
  /** Records that this endpoint refuses a token for a reason other than its validity. */
  confirmRefusal(token: string, endpoint: string): void;
  status(): TokenStatus;
}

interface TokenManagerOptions {
  /** Requests a token from the platform; rejects with a `GatewayError`. */
  requestToken(): Promise<IssuedToken>;
  clock: Clock;
  logger: Logger;
  /** Shared by all processes of this credential. Absent if this process is the only one. */
  store?: SharedTokenStore | undefined;
  /** Ends early when the signal is aborted; never rejects. */
  sleep?: (ms: number, signal?: AbortSignal) => Promise<void>;
}

/** While no attempt is allowed, the shared store is read this often for a token of another process. */
const BLOCKED_POLL_INTERVAL_MS = 1000;

export function createTokenManager(options: TokenManagerOptions): TokenManager {
  return new SharedTokenManager(options);
}

class SharedTokenManager implements TokenManager {
  readonly refusedEndpoints: RefusedEndpoints;
  readonly #clock: Clock;
  readonly #stateStore: TokenStateStore;
  readonly #renew: RenewToken;
  /** Id of a token that an endpoint refused and that others may accept. */
  #suspectId: string | undefined;
  #renewal: { purpose: RenewalPurpose; token: Promise<string> } | undefined;
  #stateReadAtMs = Number.NEGATIVE_INFINITY;

  constructor({ requestToken, clock, logger, store, sleep = sleepUntilAborted }: TokenManagerOptions) {
    this.refusedEndpoints = createRefusedEndpoints(clock);
    this.#clock = clock;
    this.#stateStore = createTokenStateStore({ clock, store });
    const stateStore = this.#stateStore;
    const onStateRead = () => {
      this.#stateReadAtMs = clock.now();
    };
    this.#renew = createTokenRenewal({ requestToken, stateStore, logger, sleep, onStateRead });
  }

  getCurrent(): string | undefined {
    const token = this.#stateStore.latestToken();
    if (token === undefined || token.id === this.#suspectId) return undefined;
    const nowMs = this.#clock.now();
    return nowMs >= token.obtainedAtMs && nowMs < token.renewAtMs ? token.value : undefined;
  }

  hasHadToken(): boolean {
    return this.#stateStore.state().token !== undefined;
  }

  async get(refused?: string, purpose: RenewalPurpose = 'ahead'): Promise<string> {
    const nowMs = this.#clock.now();
    const { token } = this.#stateStore.state();
    if (token === undefined || nowMs >= token.expiresAtMs) return this.#replace('need', token?.id);
    if (token.value === refused) return this.#replace(purpose, token.id);
    if (token.id === this.#suspectId) {
      // If no new token can be requested, the suspect one is the best choice.
      if (this.#renewal || this.#canRenewAhead()) {
        return this.#replace('ahead', token.id).catch(() => token.value);
      }
    } else if (nowMs >= token.renewAtMs && this.#canRenewAhead()) {
      this.#startRenewal('ahead', token.id).catch(() => undefined);
    }
    return token.value;
  }

  refuse(value: string, endpoint = '', isInvalid = false): RefusalDecision {
    const { token } = this.#stateStore.state();
    // Another process may have obtained this one before the endpoint refused the last one: both can be invalid.
    const isOlder = token?.value === value && token.obtainedAtMs < this.refusedEndpoints.lastAtMs(endpoint);
    const decision = this.refusedEndpoints.refuse(value, endpoint, isInvalid || isOlder);
    if (decision === 'renew' && token?.value === value) this.#suspectId = token.id;
    return decision;
  }

  confirmRefusal(value: string, endpoint: string): void {
    const { token } = this.#stateStore.state();
    if (token?.value === value) this.#suspectId = undefined;
    this.refusedEndpoints.confirm(value, endpoint);
  }

  status(): TokenStatus {
    const nowMs = this.#clock.now();
    const state = this.#stateStore.state();
    const { token } = state;
    const remainingMs = token && token.expiresAtMs > nowMs ? token.expiresAtMs - nowMs : null;
    return { remainingMs, remainingAttempts: attemptsLeft(state, nowMs) };
  }

  /** Removes a token from the shared state, if it is the current one. */
  protected async discard(value: string): Promise<void> {
    await this.#stateStore.update((state) => {
      const isCurrent = state.token?.value === value;
      return { result: undefined, next: isCurrent ? { ...state, token: undefined } : state };
    });
  }

  #canRenewAhead(): boolean {
    return (
      this.#renewal === undefined &&
      toBlockedError(this.#stateStore.state(), 'ahead', this.#clock.now()) === undefined
    );
  }

  async #replace(purpose: RenewalPurpose, tokenId: string | undefined): Promise<string> {
    if (this.#renewal?.purpose === 'ahead' && purpose === 'need') {
      // A renewal ahead of time may fail for lack of budget although `need` is allowed a reserved attempt.
      await this.#renewal.token.catch(() => undefined);
      // If it succeeded, no budget is needed.
      return this.#stateStore.state().token?.id === tokenId ? this.#replace(purpose, tokenId) : this.get();
    }
    if (this.#renewal) return this.#renewal.token;
    this.#throwIfBlocked(purpose);
    return this.#startRenewal(purpose, tokenId);
  }

  /** Throws if no attempt is allowed and the shared state was read a moment ago. */
  #throwIfBlocked(purpose: RenewalPurpose): void {
    const nowMs = this.#clock.now();
    const sinceMs = nowMs - this.#stateReadAtMs;
    if (sinceMs < 0 || sinceMs >= BLOCKED_POLL_INTERVAL_MS) return;
    const error = toBlockedError(this.#stateStore.state(), purpose, nowMs);
    if (error) throw error;
  }

  #startRenewal(purpose: RenewalPurpose, tokenId: string | undefined): Promise<string> {
    const token = this.#renew(purpose, tokenId).finally(() => {
      this.#renewal = undefined;
    });
    this.#renewal = { purpose, token };
    return token;
  }
}

async function sleepUntilAborted(ms: number, signal?: AbortSignal): Promise<void> {
  await sleepFor(ms, undefined, signal ? { signal } : {}).catch(() => undefined);
}

/** Called when the platform refuses the caller's credential. */
export type OnRefused = () => void;

/** For a caller's own token, which can't be renewed: if the platform refuses it, the caller's access ends. */
export function createFixedTokenManager(token: string, onRefused: OnRefused, clock: Clock): TokenManager {
  const refusedEndpoints = createRefusedEndpoints(clock);
  return {
    refusedEndpoints,
    getCurrent: () => token,
    hasHadToken: () => true,
    async get(refusedToken) {
      if (refusedToken === undefined) return token;
      onRefused();
      throw createRefusedCredentialError();
    },
    confirmRefusal: (refusedToken, endpoint) => refusedEndpoints.confirm(refusedToken, endpoint),
    // A repeated call would first request a new token, which rejects.
    refuse: () => 'renew',
    status: () => ({ remainingMs: null, remainingAttempts: 0 }),
  };
}

/** For a caller's Key and Secret. */
export class CallerTokenManager extends SharedTokenManager {
  readonly #onRefused: OnRefused;

  constructor(options: TokenManagerOptions, onRefused: OnRefused) {
    super(options);
    this.#onRefused = onRefused;
  }

  override async get(refused?: string, purpose?: RenewalPurpose): Promise<string> {
    try {
      return await super.get(refused, purpose);
    } catch (error) {
      if (!hasCode(error, 'PLATFORM_UNAUTHORIZED')) throw error;
      // With this token, the next login would be accepted without a call to the platform.
      if (refused !== undefined) await this.discard(refused);
      this.#onRefused();
      throw createRefusedCredentialError(error);
    }
  }
}

function createRefusedCredentialError(error?: GatewayError): GatewayError {
  const { platform } = error ?? {};
  return new GatewayError('UNAUTHENTICATED', 'The platform refuses your credential.', { platform });
}
