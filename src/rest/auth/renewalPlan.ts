/** Decides how to get another token, and computes the state after an attempt. Pure. */
import { GatewayError } from '../../errors.js';
import { TOKEN_PATH } from '../path.js';
import { budgetWaitMs, type RenewalPurpose, remainingAttempts } from './tokenBudget.js';
import { cooldownAfterFailure, scheduleToken } from './tokenSchedule.js';
import type { Cooldown, StoredToken, TokenFailure, TokenState } from './tokenState.js';

export interface RenewalRequest {
  holder: string;
  attemptId: string;
  replacesTokenId: string | undefined;
  purpose: RenewalPurpose;
}

type RenewalStep =
  /** Another process has renewed the token. */
  | { kind: 'use'; token: StoredToken }
  /** Request a token: the attempt is counted, and this process has the lease. */
  | { kind: 'request' }
  /** Another process has the lease. */
  | { kind: 'wait' }
  /** No attempt is allowed now. */
  | { kind: 'blocked'; error: GatewayError };

export type RenewalOutcome =
  | { kind: 'token'; value: string; expiresIn: unknown }
  | { kind: 'failure'; failure: TokenFailure; retryAfterMs: number | undefined };

/** The holder of a lease extends it three times in this period; otherwise another process may request a token. */
export const LEASE_MS = 6000;

export interface StateChange<Result> {
  result: Result;
  next: TokenState;
}

export function planRenewal(
  state: TokenState,
  request: RenewalRequest,
  nowMs: number,
): StateChange<RenewalStep> {
  const step = chooseStep(state, request, nowMs);
  if (step.kind !== 'request') return { result: step, next: state };
  // If the store's reply was lost and the change is repeated, the attempt has already been counted.
  const others = state.attempts.filter(({ id }) => id !== request.attemptId);
  const attempts = [...others, { id: request.attemptId, atMs: nowMs }];
  return { result: step, next: { ...state, attempts, lease: createLease(request.holder, nowMs) } };
}

function chooseStep(state: TokenState, request: RenewalRequest, nowMs: number): RenewalStep {
  const { token, lease } = state;
  if (token && token.id !== request.replacesTokenId && nowMs < token.expiresAtMs)
    return { kind: 'use', token };
  if (lease && lease.holder !== request.holder && nowMs < lease.untilMs) return { kind: 'wait' };
  const error = toBlockedError(state, request.purpose, nowMs);
  return error ? { kind: 'blocked', error } : { kind: 'request' };
}

/** The reason why no attempt is allowed now, with `retryAfterMs`; undefined if one is. */
export function toBlockedError(
  state: TokenState,
  purpose: RenewalPurpose,
  nowMs: number,
): GatewayError | undefined {
  const { cooldown, attempts } = state;
  const budgetMs = budgetWaitMs(attempts, nowMs, purpose);
  if (cooldown && nowMs < cooldown.untilMs) {
    return toTokenError(cooldown.failure, Math.max(cooldown.untilMs - nowMs, budgetMs));
  }
  return budgetMs > 0 ? toTokenError(BUDGET_USED, budgetMs) : undefined;
}

/** Attempts left in the window; 0 after a 429, until the next attempt: other programs have used up the platform's limit. */
export function attemptsLeft({ attempts, cooldown }: TokenState, nowMs: number): number {
  const isLimited = cooldown?.failure.platform?.status === 429 && nowMs < cooldown.untilMs;
  return isLimited ? 0 : remainingAttempts(attempts, nowMs);
}

const BUDGET_USED: TokenFailure = {
  code: 'PLATFORM_RATE_LIMITED',
  message: 'The gateway has used all token requests of the current window.',
  retryable: true,
  platform: undefined,
};

export function toTokenError(
  { code, message, retryable, platform }: TokenFailure,
  retryAfterMs: number,
): GatewayError {
  const error = new GatewayError(code, message, { retryable, platform, retryAfterMs });
  return Object.assign(error, { endpoint: `POST ${TOKEN_PATH}` });
}

/** Extends the lease, unless another process has it by now. */
export function extendLease(state: TokenState, holder: string, nowMs: number): StateChange<void> {
  const isOwn = state.lease?.holder === holder;
  return { result: undefined, next: isOwn ? { ...state, lease: createLease(holder, nowMs) } : state };
}

/** Ends the lease without an outcome, unless another process has it by now. */
export function releaseLease(state: TokenState, holder: string): StateChange<void> {
  const isOwn = state.lease?.holder === holder;
  return { result: undefined, next: isOwn ? { ...state, lease: undefined } : state };
}

/** The result of an attempt, for the log. */
interface SettledRenewal {
  /** 0 after a success. */
  cooldownMs: number;
  remainingAttempts: number;
  /** Failures in a row: up to this one, or before this success. */
  failures: number;
}

export function settleRenewal(
  state: TokenState,
  { holder, attemptId }: RenewalRequest,
  outcome: RenewalOutcome,
  nowMs: number,
): StateChange<SettledRenewal> {
  const lease = state.lease?.holder === holder ? undefined : state.lease;
  if (outcome.kind === 'failure') {
    const cooldown = toCooldown(state, outcome, nowMs);
    const { failures } = cooldown;
    const cooldownMs = cooldown.untilMs - nowMs;
    const next = { ...state, lease, cooldown };
    return { result: { cooldownMs, remainingAttempts: attemptsLeft(next, nowMs), failures }, next };
  }
  const { value, expiresIn } = outcome;
  const version = Math.max(state.token?.version ?? 0, state.cooldown?.version ?? 0) + 1;
  const times = scheduleToken(nowMs, expiresIn);
  const token = { id: attemptId, value, version, obtainedAtMs: nowMs, ...times };
  const next = { ...state, lease, token, cooldown: undefined };
  const failures = state.cooldown?.failures ?? 0;
  return { result: { cooldownMs: 0, remainingAttempts: attemptsLeft(next, nowMs), failures }, next };
}

function toCooldown(
  { token, cooldown }: TokenState,
  { failure, retryAfterMs }: Extract<RenewalOutcome, { kind: 'failure' }>,
  nowMs: number,
): Cooldown {
  const failures = (cooldown?.failures ?? 0) + 1;
  const untilMs = nowMs + cooldownAfterFailure(failure.platform?.status, retryAfterMs, failures);
  return { failures, failure, version: token?.version ?? 0, fromMs: nowMs, untilMs };
}

function createLease(holder: string, nowMs: number) {
  return { holder, fromMs: nowMs, untilMs: nowMs + LEASE_MS };
}
