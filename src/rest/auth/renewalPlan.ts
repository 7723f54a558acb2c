/** Decides what becomes of the wish for another token, and what is known after the attempt. Pure. */
import { GatewayError } from '../../errors.js';
import { budgetWaitMs, type RenewalPurpose, remainingAttempts } from './tokenBudget.js';
import { cooldownAfterFailure, scheduleToken } from './tokenSchedule.js';
import type { Cooldown, KnownToken, TokenFailure, TokenState } from './tokenState.js';

export interface RenewalRequest {
  /** Who would ask: this process. */
  holder: string;
  attemptId: string;
  /** The id of the token that is to be replaced. */
  replacesTokenId: string | undefined;
  purpose: RenewalPurpose;
}

export type RenewalStep =
  /** There is another token already. */
  | { kind: 'use'; token: KnownToken }
  /** Ask the platform: the attempt is counted, the lease taken. */
  | { kind: 'ask' }
  /** Somebody else asks. In milliseconds: until they are given up. */
  | { kind: 'wait'; forMs: number }
  /** No attempt is allowed for now. */
  | { kind: 'blocked'; error: GatewayError };

export type RenewalOutcome =
  | { kind: 'token'; value: string; expiresIn: unknown }
  | { kind: 'failure'; failure: TokenFailure; retryAfterMs: number | undefined };

/** How long a process that asks is waited for without a sign of life; it gives one three times in this span. */
export const LEASE_MS = 6000;

/** A result for whoever asked, and what is known from now on. */
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
  if (step.kind !== 'ask') return { result: step, next: state };
  // Already counted where the reply of the store was lost and the change is made again.
  const others = state.attempts.filter(({ id }) => id !== request.attemptId);
  const attempts = [...others, { id: request.attemptId, atMs: nowMs }];
  return { result: step, next: { ...state, attempts, lease: createLease(request.holder, nowMs) } };
}

function chooseStep(state: TokenState, request: RenewalRequest, nowMs: number): RenewalStep {
  const { token, lease } = state;
  if (token && token.id !== request.replacesTokenId && nowMs < token.expiresAtMs)
    return { kind: 'use', token };
  if (lease && lease.holder !== request.holder && nowMs < lease.untilMs) {
    return { kind: 'wait', forMs: lease.untilMs - nowMs };
  }
  const error = toBlockedError(state, request.purpose, nowMs);
  return error ? { kind: 'blocked', error } : { kind: 'ask' };
}

/** Why no attempt is allowed now, with `retryAfterMs`; undefined: one is. */
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
  return budgetMs > 0 ? createBudgetError(budgetMs) : undefined;
}

function createBudgetError(retryAfterMs: number): GatewayError {
  const message = 'The gateway has used up its token requests to the platform for now.';
  return new GatewayError('PLATFORM_RATE_LIMITED', message, { retryable: true, retryAfterMs });
}

export function toTokenError(
  { code, message, retryable, platform }: TokenFailure,
  retryAfterMs: number,
): GatewayError {
  return new GatewayError(code, message, { retryable, platform, retryAfterMs });
}

/** The lease goes on for as long as its holder lives. Nothing changes where it is somebody else's by now. */
export function extendLease(state: TokenState, holder: string, nowMs: number): StateChange<void> {
  const isOwn = state.lease?.holder === holder;
  return { result: undefined, next: isOwn ? { ...state, lease: createLease(holder, nowMs) } : state };
}

/** What is known after an attempt; its result is how many milliseconds nobody asks again, 0 after a success. */
export function settleRenewal(
  state: TokenState,
  { holder, attemptId }: RenewalRequest,
  outcome: RenewalOutcome,
  nowMs: number,
): StateChange<{ cooldownMs: number; remainingAttempts: number }> {
  const left = remainingAttempts(state.attempts, nowMs);
  const lease = state.lease?.holder === holder ? undefined : state.lease;
  if (outcome.kind === 'failure') {
    const cooldown = toCooldown(state, outcome, nowMs);
    const cooldownMs = cooldown.untilMs - nowMs;
    return { result: { cooldownMs, remainingAttempts: left }, next: { ...state, lease, cooldown } };
  }
  const { value, expiresIn } = outcome;
  const generation = Math.max(state.token?.generation ?? 0, state.cooldown?.generation ?? 0) + 1;
  const times = scheduleToken(nowMs, expiresIn);
  const token = { id: attemptId, value, generation, obtainedAtMs: nowMs, ...times };
  return {
    result: { cooldownMs: 0, remainingAttempts: left },
    next: { ...state, lease, token, cooldown: undefined },
  };
}

function toCooldown(
  { token, cooldown }: TokenState,
  { failure, retryAfterMs }: Extract<RenewalOutcome, { kind: 'failure' }>,
  nowMs: number,
): Cooldown {
  const failures = (cooldown?.failures ?? 0) + 1;
  const cooldownMs = cooldownAfterFailure(failure.platform?.status, retryAfterMs, failures);
  return {
    failures,
    failure,
    generation: token?.generation ?? 0,
    fromMs: nowMs,
    untilMs: nowMs + cooldownMs,
  };
}

function createLease(holder: string, nowMs: number) {
  return { holder, fromMs: nowMs, untilMs: nowMs + LEASE_MS };
}
